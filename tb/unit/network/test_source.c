// SPDX-License-Identifier: Apache-2.0
//
// Source routes on random graphs: the list in the data of a head leads from link to link, whatever
// else the library says of the route; nothing else in the data changes; and the dependencies are
// those of all lists. Also what is refused of a route of a worm's own.

#include "unit_graph.h"

#include <string.h>

enum { WIDTH = 200 };

// A graph with routes for routing source, and its configuration.
struct scene {
    struct anl_graph *graph;
    struct anl_config config;
};

static struct scene random_scene(struct anl_rng *rng)
{
    struct scene scene;
    const uint32_t ports = 2 + anl_rng_below(rng, 5);
    const enum anl_routing paths = (enum anl_routing)unit_draw(rng, ANL_SHORTEST, ANL_TABLE);
    scene.graph = random_graph(rng, unit_draw(rng, 1, 9), ports, 12, paths != ANL_UP_DOWN);
    scene.config = graph_config(scene.graph, ANL_SOURCE, 1 + anl_rng_below(rng, 3));
    scene.config.paths = paths;
    if (paths == ANL_TABLE) random_table(rng, scene.graph, scene.config.num_vcs);
    assert_int_equal(anl_graph_route_source(scene.graph, paths, scene.config.num_vcs, NULL),
                     ANL_OK);
    scene.config.flit_width_bits = anl_head_bits(&scene.config) + anl_rng_below(rng, 70);
    assert_int_equal(anl_config_check(&scene.config, NULL), ANL_OK);
    return scene;
}

static uint32_t bits_at(const uint32_t *words, uint32_t first, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++)
        value |= (words[(first + i) / 32] >> (first + i) % 32 & 1) << i;
    return value;
}

// Where the list of a head begins, and how many bits a port and the whole list have.
struct field {
    uint32_t first, port, all;
};

static struct field field_of(const struct scene *scene)
{
    uint32_t port = 1;
    while (1u << port < scene->graph->ports)
        port++;
    const uint32_t all = scene->graph->longest_route * port;
    return (struct field){anl_head_bits(&scene->config) - all, port, all};
}

// Takes the first port off the list, as docs/link.md says.
static void shift(uint32_t *words, struct field field)
{
    for (uint32_t i = 0; i < field.all; i++) {
        const uint32_t to = field.first + i, from = to + field.port;
        const uint32_t bit = i + field.port < field.all ? bits_at(words, from, 1) : 0;
        words[to / 32] = (words[to / 32] & ~(1u << to % 32)) | bit << to % 32;
    }
}

// A head is read back: its list is the route that the worm has.
static void check_read(const struct scene *scene, const struct anl_worm *worm,
                       const uint32_t *words)
{
    struct anl_worm read = {.source = worm->source};
    uint8_t ports[256], own[256];
    uint32_t length = 0;
    const uint8_t *list = anl_source_list(&scene->config, worm, own, &length);
    assert_null(anl_head_read(&scene->config, words, 0, ports, &read));
    assert_int_equal(read.destination, worm->destination);
    assert_ptr_equal(read.route, ports);
    assert_int_equal(read.route_length, length);
    assert_memory_equal(ports, list, length);
}

// Goes where the data of the head on each link say. Returns the number of switches passed.
static uint32_t travel(const struct scene *scene, const struct anl_worm *worm, uint32_t *taken)
{
    const struct anl_graph *graph = scene->graph;
    const struct field field = field_of(scene);
    const uint32_t links = graph->switches * graph->ports;
    uint32_t link = links + worm->source, in = graph->homes[worm->source], passed = 0;
    uint32_t expected[ANL_FLIT_WORDS] = {0}, data[ANL_FLIT_WORDS] = {0};
    anl_flit_data(&scene->config, worm, 0, link, expected);
    check_read(scene, worm, expected);
    while (in < links) {
        assert_int_equal(anl_switches_passed(&scene->config, worm, link), passed);
        const uint32_t port = bits_at(expected, field.first, field.port);
        assert_true(port < graph->ports && passed < graph->longest_route);
        taken[passed++] = in << 8 | port;
        link = in / graph->ports * graph->ports + port;
        in = graph->ends[link];
        shift(expected, field);
        anl_flit_data(&scene->config, worm, 0, link, data);
        assert_memory_equal(data, expected, (scene->config.flit_width_bits + 31) / 32 * 4);
    }
    assert_int_equal(in, links + worm->destination);
    assert_int_equal(anl_switches_passed(&scene->config, worm, link), passed);
    for (uint32_t i = 0; i < field.all; i += field.port)
        assert_int_equal(bits_at(data, field.first + i, 1), 0);
    return passed;
}

// Notes that a route makes these turns: after[link] is the mask of ports behind it.
static void note(uint32_t *turns, const uint32_t *taken, uint32_t passed)
{
    for (uint32_t i = 0; i < passed; i++)
        turns[taken[i] >> 8] |= 1u << (taken[i] & 0xff);
}

static uint32_t popcount(uint32_t mask) { return (uint32_t)__builtin_popcount(mask); }

static void expect_dependencies(const struct scene *scene, const uint32_t *turns)
{
    struct anl_cdg *cdg;
    uint64_t count = 0;
    const uint32_t vcs = scene->config.num_vcs;
    assert_int_equal(anl_cdg_of(&scene->config, &cdg), ANL_OK);
    for (uint32_t in = 0; in < scene->graph->switches * scene->graph->ports; in++)
        count += (uint64_t)popcount(turns[in]) * vcs * vcs;
    assert_int_equal(anl_cdg_dependencies(cdg), count);
    for (uint32_t in = 0; in < scene->graph->switches * scene->graph->ports; in++)
        for (uint32_t rest = turns[in]; rest; rest &= rest - 1) {
            uint32_t lanes[ANL_MAX_PORTS * ANL_MAX_VCS], found = 0;
            const uint32_t base = in / scene->graph->ports * scene->graph->ports;
            const uint32_t next = (base + (uint32_t)__builtin_ctz(rest)) * vcs;
            const size_t num = anl_cdg_after(cdg, scene->graph->begins[in] * vcs, lanes);
            for (size_t i = 0; i < num; i++)
                found += lanes[i] >= next && lanes[i] < next + vcs;
            assert_int_equal(found, vcs);
        }
    anl_cdg_destroy(cdg);
}

static void the_list_leads_to_the_destination(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= unit_trials(200); seed++) {
        struct anl_rng rng = anl_rng_seed(seed, 5);
        struct scene scene = random_scene(&rng);
        uint32_t *turns = calloc(scene.graph->switches * scene.graph->ports, sizeof *turns);
        uint32_t longest = 0, taken[ANL_MAX_FLIT_WIDTH_BITS];
        assert_non_null(turns);
        for (uint32_t i = 0; i < scene.graph->terminals * scene.graph->terminals; i++) {
            const struct anl_worm worm = {.id = i,
                                          .source = i / scene.graph->terminals,
                                          .destination = i % scene.graph->terminals,
                                          .length = 1};
            const uint32_t passed = travel(&scene, &worm, taken);
            assert_int_equal(passed - 1,
                             anl_distance(&scene.config, worm.source, worm.destination));
            note(turns, taken, passed);
            if (passed > longest) longest = passed;
        }
        assert_int_equal(scene.graph->longest_route, longest);
        expect_dependencies(&scene, turns);
        free(turns);
        anl_graph_destroy(scene.graph);
    }
}

// Draws a route of a worm's own that goes astray: at most `most` steps, no link twice, then by the
// table. Returns false if it comes back to a link.
static bool draw_route(struct anl_rng *rng, const struct scene *scene, struct anl_worm *worm,
                       uint8_t *ports)
{
    const struct anl_graph *graph = scene->graph;
    const uint32_t links = graph->switches * graph->ports;
    uint32_t in = graph->homes[worm->source];
    for (uint32_t most = anl_rng_below(rng, 5); in < links && worm->route_length < 60;) {
        const uint32_t here = in / graph->ports;
        const struct anl_input_lane at = {here, in % graph->ports, 0};
        uint32_t port = anl_rng_below(rng, graph->ports);
        if (worm->route_length >= most || graph->ends[here * graph->ports + port] >= links)
            port = anl_first_way(anl_route_at(&scene->config, at, worm->destination)).port;
        ports[worm->route_length++] = (uint8_t)port;
        in = graph->ends[here * graph->ports + port];
    }
    worm->route = ports;
    return !anl_own_route_check(&scene->config, worm, NULL);
}

static void own_routes_lead_as_well(void **state)
{
    (void)state;
    uint32_t tried = 0, longer = 0;
    for (uint64_t seed = 1; seed <= unit_trials(400); seed++) {
        struct anl_rng rng = anl_rng_seed(seed, 6);
        struct scene scene = random_scene(&rng);
        uint32_t *turns = calloc(scene.graph->switches * scene.graph->ports, sizeof *turns);
        uint32_t taken[ANL_MAX_FLIT_WIDTH_BITS];
        uint8_t ports[ANL_MAX_FLIT_WIDTH_BITS];
        struct anl_worm worm = {.id = 3, .length = 1};
        worm.source = anl_rng_below(&rng, scene.graph->terminals);
        worm.destination = anl_rng_below(&rng, scene.graph->terminals);
        assert_non_null(turns);
        if (draw_route(&rng, &scene, &worm, ports)) {
            const uint64_t hash = scene.graph->hash;
            anl_graph_begin_routes(scene.graph);
            assert_int_equal(scene.graph->longest_route, 0);
            anl_graph_add_route(scene.graph, &worm);
            anl_graph_end_routes(scene.graph);
            assert_int_equal(scene.graph->longest_route, worm.route_length);
            scene.config.flit_width_bits = WIDTH + anl_rng_below(&rng, 64);
            assert_int_equal(travel(&scene, &worm, taken), worm.route_length);
            assert_int_equal(anl_worm_distance(&scene.config, &worm), worm.route_length - 1);
            note(turns, taken, worm.route_length);
            expect_dependencies(&scene, turns);
            if (scene.graph->terminals > 1) assert_int_not_equal(scene.graph->hash, hash);
            tried++;
            longer +=
                worm.route_length > anl_distance(&scene.config, worm.source, worm.destination) + 1;
        }
        free(turns);
        anl_graph_destroy(scene.graph);
    }
    assert_true(tried > unit_trials(400) / 4 && longer > unit_trials(400) / 20);
}

// Two switches with two pairs of links between them, ports 0 and 1, a terminal each at port 2, and
// port 3 without a link.
static void wrong_routes_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint8_t ports[4];
        uint16_t length;
        const char *words;
    } cases[] = {
        {{0, 2}, 2, NULL},
        {{0, 0, 1, 2}, 4, NULL},
        {{0}, 0, "found a list of no ports, expected 1 or more"},
        {{0, 4}, 2, "found port 4, expected 0..3"},
        {{0, 3}, 2, "no link leaves switch 1 by port 3"},
        {{2}, 1, "port 2 of switch 0 leads to terminal 0, expected terminal 1"},
        {{2, 2}, 2, "port 2 of switch 0 leads to terminal 0, expected a switch before terminal 1"},
        {{0, 2, 2}, 3, "port 2 of switch 1 leads to terminal 1, expected a switch before"},
        {{0, 0}, 2, "the last port, 0 of switch 1, leads to switch 0, expected terminal 1"},
        {{0, 1, 0, 2}, 4, "link 0.0 is passed twice"},
    };
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(2, 4, 2, &graph, NULL), ANL_OK);
    for (uint32_t p = 0; p < 2; p++) {
        assert_int_equal(anl_graph_link(graph, p, 4 + p, NULL), ANL_OK);
        assert_int_equal(anl_graph_link(graph, 4 + p, p, NULL), ANL_OK);
    }
    for (uint32_t t = 0; t < 2; t++)
        assert_int_equal(anl_graph_attach(graph, t, 4 * t + 2, NULL), ANL_OK);
    assert_int_equal(anl_graph_route_source(graph, ANL_SHORTEST, 2, NULL), ANL_OK);
    struct anl_config config = graph_config(graph, ANL_SOURCE, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct anl_error error = {0};
        const struct anl_worm worm = {
            .destination = 1, .route = cases[i].ports, .route_length = cases[i].length};
        const enum anl_status status = anl_own_route_check(&config, &worm, &error);
        if (status != (cases[i].words ? ANL_ERR_ARGUMENT : ANL_OK) ||
            (cases[i].words && !strstr(error.text, cases[i].words)))
            fail_msg("case %zu: status %d, %s", i, status, error.text);
    }
    assert_int_equal(anl_graph_route(graph, ANL_SHORTEST, 2, NULL), ANL_OK);
    assert_null(graph->turns);
    struct anl_error error;
    assert_int_equal(anl_config_check(&config, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "routing source expects a graph that is routed for it"));
    config.routing = ANL_SHORTEST;
    const struct anl_worm worm = {.destination = 1, .route = cases[0].ports, .route_length = 2};
    assert_int_equal(anl_own_route_check(&config, &worm, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "a route is for routing source; routing is shortest");
    anl_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_leads_to_the_destination),
        cmocka_unit_test(own_routes_lead_as_well),
        cmocka_unit_test(wrong_routes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
