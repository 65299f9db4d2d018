// SPDX-License-Identifier: Apache-2.0
//
// Graphs: what is refused, and properties of their routes that are checked without the rules by
// which they are made: lengths against all shortest paths, and that no route goes up after it has
// gone down.

#include "unit_graph.h"

#include <string.h>

#define FAR 1000000u

static struct anl_graph *create(uint32_t switches, uint32_t ports, uint32_t terminals)
{
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(switches, ports, terminals, &graph, NULL), ANL_OK);
    return graph;
}

static void pair(struct anl_graph *graph, uint32_t a, uint32_t b)
{
    assert_int_equal(anl_graph_link(graph, a, b, NULL), ANL_OK);
    assert_int_equal(anl_graph_link(graph, b, a, NULL), ANL_OK);
}

static void limits(void **state)
{
    (void)state;
    static const struct {
        uint32_t switches, ports, terminals;
        const char *words;
    } bad[] = {{0, 1, 1, "found 0 switches, expected 1..65536"},
               {65537, 1, 1, "found 65537 switches"},
               {1, 0, 1, "found 0 ports, expected 1..32"},
               {1, 33, 1, "found 33 ports"},
               {1, 1, 0, "found 0 terminals, expected 1..1048576"},
               {1, 1, 1048577, "found 1048577 terminals"},
               {65536, 1, 4097, "found 65536 switches and 4097 terminals, expected a table of"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct anl_graph *graph = (struct anl_graph *)&graph;
        struct anl_error error;
        assert_int_equal(
            anl_graph_create(bad[i].switches, bad[i].ports, bad[i].terminals, &graph, &error),
            ANL_ERR_ARGUMENT);
        assert_null(graph);
        if (!strstr(error.text, bad[i].words)) fail_msg("%s", error.text);
    }
    anl_graph_destroy(create(65536, 1, 4096));
    anl_graph_destroy(create(1, 32, 1048576));
    anl_graph_destroy(NULL);
}

static void ports_have_one_link_each_way(void **state)
{
    (void)state;
    struct anl_graph *graph = create(2, 3, 2);
    struct anl_error error;
    assert_int_equal(anl_graph_link(graph, 0, 4, NULL), ANL_OK);
    assert_int_equal(anl_graph_link(graph, 0, 3, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "output port 0 of switch 0 has a link already");
    assert_int_equal(anl_graph_link(graph, 1, 4, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "input port 1 of switch 1 has a link already");
    assert_int_equal(anl_graph_link(graph, 4, 0, NULL), ANL_OK);
    assert_int_equal(anl_graph_attach(graph, 0, 4, &error), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_graph_attach(graph, 0, 2, NULL), ANL_OK);
    assert_int_equal(anl_graph_attach(graph, 1, 2, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text,
                        "port 2 of switch 0 has a link already, terminal 1 expects a free port");
    assert_int_equal(anl_graph_link(graph, 2, 3, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_graph_route(graph, ANL_SHORTEST, 1, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "terminal 1 has no port");
    assert_int_equal(anl_graph_attach(graph, 1, 3, NULL), ANL_OK);
    assert_int_equal(anl_graph_route(graph, ANL_SHORTEST, 1, &error), ANL_OK);
    anl_graph_destroy(graph);
}

// --- the user's table ---

static void expect_refused(struct anl_graph *graph, const char *words)
{
    struct anl_error error;
    assert_int_equal(anl_graph_route(graph, ANL_TABLE, 2, &error), ANL_ERR_ARGUMENT);
    assert_null(graph->routes);
    if (!strstr(error.text, words)) fail_msg("%s\nexpected %s", error.text, words);
}

// A line of three switches with a terminal at each end: entry (s, t) is at s * 2 + t.
static void tables_are_followed(void **state)
{
    (void)state;
    struct anl_graph *graph = create(3, 3, 2);
    pair(graph, 0, 4);
    pair(graph, 3, 7);
    assert_int_equal(anl_graph_attach(graph, 0, 2, NULL), ANL_OK);
    assert_int_equal(anl_graph_attach(graph, 1, 8, NULL), ANL_OK);
    expect_refused(graph, "routing table expects a table");
    graph->table = calloc(6, sizeof *graph->table);
    assert_non_null(graph->table);
    const struct anl_table_hop good[] = {{0, 0}, {0, 1}, {1, 2}, {0, 3}, {1, 3}, {2, 1}};
    memcpy(graph->table, good, sizeof good);
    assert_int_equal(anl_graph_route(graph, ANL_TABLE, 2, NULL), ANL_OK);
    assert_int_equal(graph->routes[0].port, 2);
    assert_int_equal(graph->routes[0].vcs, 3);
    assert_int_equal(graph->routes[5].vcs, 1);
    static const struct {
        size_t at;
        struct anl_table_hop hop;
        const char *words;
    } bad[] = {
        {0, {0, 1}, "leads from switch 0 towards its terminal 0 by port 0, expected 2"},
        {1, {0, 0}, "no entry for switch 0 and terminal 1"},
        {3, {0, 0}, "no entry for switch 1 and terminal 1"},
        {3, {0, 4}, "lanes at switch 1 towards terminal 1 are not all below num_vcs"},
        {3, {2, 1}, "leads from switch 1 towards terminal 1 by port 2, which has no link"},
        {3, {31, 1}, "leads from switch 1 towards terminal 1 by port 31, which has no link"},
        {1, {2, 1}, "leads from switch 0 towards terminal 1 by port 2, which has no link to"},
        {3, {1, 1}, "leads in a circle from switch 0 towards terminal 1"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memcpy(graph->table, good, sizeof good);
        graph->table[bad[i].at] = bad[i].hop;
        expect_refused(graph, bad[i].words);
    }
    anl_graph_destroy(graph);
}

static void names(void **state)
{
    (void)state;
    static const char *const good[] = {"a",  "Z",       "a0",
                                       "z9", "hub_1-x", "a123456789012345678901234567890"};
    static const char *const bad[] = {
        "", "1a", "_a", "-a", "a.b", "a:", "a/", "a b", "a1234567890123456789012345678901"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(anl_graph_is_name(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(anl_graph_is_name(bad[i], strlen(bad[i])));
}

static void expect_no_order(struct anl_graph *graph, const char *words)
{
    struct anl_error error;
    assert_int_equal(anl_graph_route(graph, ANL_UP_DOWN, 1, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, words));
    assert_null(graph->routes);
    anl_graph_destroy(graph);
}

static void up_down_needs_links_there_and_back(void **state)
{
    (void)state;
    struct anl_graph *graph = create(4, 3, 1);
    pair(graph, 1, 3);
    pair(graph, 2, 6);
    assert_int_equal(anl_graph_attach(graph, 0, 0, NULL), ANL_OK);
    expect_no_order(graph, "no path leads from switch 3 to switch 0");
    graph = create(2, 3, 1);
    assert_int_equal(anl_graph_link(graph, 1, 3, NULL), ANL_OK);
    assert_int_equal(anl_graph_attach(graph, 0, 0, NULL), ANL_OK);
    expect_no_order(graph, "switch 0");
}

// Two graphs have the same hash only if all links and all routes are the same.
static void hash_is_of_all_that_there_is(void **state)
{
    (void)state;
    struct anl_graph *graph = create(2, 4, 2), *other = create(2, 4, 2), *third = create(2, 4, 2);
    pair(graph, 0, 4);
    pair(other, 0, 4);
    pair(third, 0, 4);
    assert_int_equal(anl_graph_link(other, 7, 7, NULL), ANL_OK);  // the last link alone differs
    for (uint32_t t = 0; t < 2; t++) {
        assert_int_equal(anl_graph_attach(graph, t, 4 * t + 1, NULL), ANL_OK);
        assert_int_equal(anl_graph_attach(other, t, 4 * t + 1, NULL), ANL_OK);
        assert_int_equal(anl_graph_attach(third, t, 4 * t + 1, NULL), ANL_OK);
    }
    assert_int_equal(anl_graph_route(graph, ANL_SHORTEST, 1, NULL), ANL_OK);
    assert_int_equal(anl_graph_route(other, ANL_SHORTEST, 1, NULL), ANL_OK);
    assert_int_equal(anl_graph_route(third, ANL_SHORTEST, 1, NULL), ANL_OK);
    assert_true(graph->hash == third->hash);
    assert_true(graph->hash != other->hash);
    anl_graph_destroy(graph);
    anl_graph_destroy(other);
    anl_graph_destroy(third);
}

// --- random graphs ---

// Returns the lengths of all shortest paths between switches: [from * switches + to].
static uint32_t *distances(const struct anl_graph *graph)
{
    const uint32_t n = graph->switches, links = n * graph->ports;
    uint32_t *far = malloc((size_t)n * n * sizeof *far);
    assert_non_null(far);
    for (uint32_t i = 0; i < n * n; i++)
        far[i] = i / n == i % n ? 0 : FAR;
    for (uint32_t port = 0; port < links; port++) {
        const uint32_t from = port / graph->ports, to = graph->ends[port] / graph->ports;
        if (graph->ends[port] < links && from != to) far[from * n + to] = 1;
    }
    for (uint32_t via = 0; via < n; via++)
        for (uint32_t i = 0; i < n * n; i++)
            if (far[i / n * n + via] + far[via * n + i % n] < far[i])
                far[i] = far[i / n * n + via] + far[via * n + i % n];
    return far;
}

static uint32_t most_links(const struct anl_graph *graph)
{
    uint32_t root = 0, most = 0;
    for (uint32_t s = 0; s < graph->switches; s++) {
        uint32_t links = 0;
        for (uint32_t p = 0; p < graph->ports; p++) {
            const uint32_t end = graph->ends[s * graph->ports + p];
            links += end < graph->switches * graph->ports && end / graph->ports != s;
        }
        if (links > most) root = s;
        if (links > most) most = links;
    }
    return root;
}

// Follows the route from switch to switch. Returns its links; up_down: it may not go up again.
static uint32_t follow(const struct anl_graph *graph, uint32_t here, uint32_t terminal,
                       const uint32_t *height)
{
    const uint32_t target = graph->switches * graph->ports + terminal;
    uint32_t links = 0;
    bool has_gone_down = false;
    for (; links <= graph->switches; links++) {
        const struct anl_table_hop hop = graph->routes[here * graph->terminals + terminal];
        const uint32_t end = graph->ends[here * graph->ports + hop.port];
        if (end == target) return links;
        assert_true(end < graph->switches * graph->ports);
        const uint32_t next = end / graph->ports;
        if (height) assert_false(has_gone_down && height[next] < height[here]);
        has_gone_down |= height && height[next] > height[here];
        here = next;
    }
    fail_msg("no way from switch %u to terminal %u", here, terminal);
    return links;
}

static void check_routes(struct anl_graph *graph)
{
    const uint32_t n = graph->switches;
    uint32_t *far = distances(graph), *height = malloc(n * sizeof *height);
    assert_non_null(height);
    const uint32_t root = most_links(graph);
    for (uint32_t s = 0; s < n; s++)
        height[s] = far[root * n + s] * n + s;
    for (int routing = ANL_SHORTEST; routing <= ANL_UP_DOWN; routing++) {
        assert_int_equal(anl_graph_route(graph, (enum anl_routing)routing, 2, NULL), ANL_OK);
        for (uint32_t s = 0; s < n; s++)
            for (uint32_t t = 0; t < graph->terminals; t++) {
                const bool ordered = routing == ANL_UP_DOWN;
                const uint32_t links = follow(graph, s, t, ordered ? height : NULL);
                const uint32_t least = far[s * n + graph->homes[t] / graph->ports];
                assert_true(ordered ? links >= least : links == least);
            }
    }
    free(far);
    free(height);
}

static void routes_of_random_graphs(void **state)
{
    (void)state;
    for (uint32_t number = 0; number < unit_trials(200); number++) {
        struct anl_rng rng = anl_rng_seed(7, number);
        struct anl_graph *graph =
            random_graph(&rng, unit_draw(&rng, 2, 30), unit_draw(&rng, 3, 9), 40, false);
        check_routes(graph);
        anl_graph_destroy(graph);
    }
}

// A ring has as many distances from the root as half its switches.
static void long_graphs(void **state)
{
    (void)state;
    enum { SWITCHES = 301 };
    struct anl_graph *graph = create(SWITCHES, 3, SWITCHES);
    for (uint32_t s = 0; s < SWITCHES; s++) {
        pair(graph, s * 3, (s + 1) % SWITCHES * 3 + 1);
        assert_int_equal(anl_graph_attach(graph, s, s * 3 + 2, NULL), ANL_OK);
    }
    check_routes(graph);
    anl_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits),
        cmocka_unit_test(ports_have_one_link_each_way),
        cmocka_unit_test(tables_are_followed),
        cmocka_unit_test(names),
        cmocka_unit_test(up_down_needs_links_there_and_back),
        cmocka_unit_test(hash_is_of_all_that_there_is),
        cmocka_unit_test(routes_of_random_graphs),
        cmocka_unit_test(long_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
