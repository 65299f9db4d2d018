// SPDX-License-Identifier: Apache-2.0
//
// The adaptive routings: heads follow shortest paths, make none of the forbidden turns and have all
// options that the rules leave; a table with the same options routes alike; what does not work is
// refused.

#include "unit.h"
#include "unit_graph.h"

#include <annelid/engine.h>
#include <annelid/network.h>
#include <string.h>

enum { EAST, WEST, NORTH, SOUTH };

static struct anl_config mesh(enum anl_routing routing, uint32_t k, uint32_t num_vcs)
{
    return (struct anl_config){.topology = ANL_MESH,
                               .k = k,
                               .n = 2,
                               .num_vcs = num_vcs,
                               .depth = 4,
                               .flit_width_bits = 32,
                               .arbiter = ANL_ROUND_ROBIN,
                               .routing = routing};
}

// --- turns ---

// Returns the direction in which a head moves that came by this input port; 4: it is new.
static uint32_t heading(uint32_t input) { return input < 4 ? input ^ 1 : 4; }

static bool is_forbidden(enum anl_routing routing, uint32_t column, uint32_t from, uint32_t to)
{
    const bool sideways = to == NORTH || to == SOUTH;
    if (from == to || from == 4) return false;
    switch (routing) {
    case ANL_WEST_FIRST:
        return to == WEST;
    case ANL_NORTH_LAST:
        return from == NORTH;
    case ANL_NEGATIVE_FIRST:
        return from % 2 == 0 && to % 2 == 1;
    case ANL_ODD_EVEN:
        if (column % 2 == 0 && from == EAST && sideways) return true;
        return column % 2 == 1 && (from == NORTH || from == SOUTH) && to == WEST;
    default:
        return false;
    }
}

// The turns that are made: [column][from][to].
struct turns {
    bool made[8][5][4];
};

// Follows a head by all ways, link by link to its destination.
static void follow(const struct anl_config *config, struct anl_end here, uint32_t destination,
                   uint32_t links_left, struct turns *turns)
{
    const struct anl_input_lane at = {here.node, here.port, 0};
    const struct anl_route route = anl_route_at(config, at, destination);
    const uint32_t column = here.node % config->k, from = heading(here.port);
    assert_int_not_equal(route.ports, 0);
    for (uint32_t port = 0; port < 5; port++) {
        if (!(route.ports >> port & 1)) continue;
        const struct anl_end end = anl_link_end(config, here.node, port);
        assert_true(end.exists);
        assert_int_equal(end.is_terminal, links_left == 0);
        assert_int_equal(route.vcs[port], (1u << config->num_vcs) - 1);
        if (end.is_terminal) continue;
        if (is_forbidden(config->routing, column, from, port))
            fail_msg("%s: at switch %u, from direction %u to %u", anl_routing_name(config->routing),
                     here.node, from, port);
        turns->made[column][from][port] = true;
        follow(config, end, destination, links_left - 1, turns);
    }
}

// All turns that are not forbidden are made somewhere, but for turns round; so the routings are as
// adaptive as they can be.
static void check_turns(const struct anl_config *config, const struct turns *turns)
{
    for (uint32_t column = 1; column + 1 < config->k; column++)
        for (uint32_t from = 0; from < 4; from++)
            for (uint32_t to = 0; to < 4; to++)
                if (to != (from ^ 1) && turns->made[column][from][to] ==
                                            is_forbidden(config->routing, column, from, to))
                    fail_msg("%s, column %u: from direction %u to %u",
                             anl_routing_name(config->routing), column, from, to);
}

static void turn_models_make_the_turns_that_they_allow(void **state)
{
    (void)state;
    for (int r = ANL_WEST_FIRST; r <= ANL_ODD_EVEN; r++) {
        const struct anl_config config = mesh((enum anl_routing)r, 6, 2);
        struct turns turns = {0};
        for (uint32_t s = 0; s < 36; s++)
            for (uint32_t t = 0; t < 36; t++)
                follow(&config, anl_end_of(&config, 36 * 5 + s), t, anl_distance(&config, s, t),
                       &turns);
        check_turns(&config, &turns);
    }
}

// --- the same network said twice ---

// Routes a copy of a network as a table, and runs both.
static void same_as_table(struct anl_config config)
{
    struct anl_graph *graph;
    struct anl_engine *net[2];
    assert_int_equal(anl_graph_of(&config, &graph, NULL), ANL_OK);
    assert_int_equal(anl_graph_route(graph, ANL_TABLE, config.num_vcs, NULL), ANL_OK);
    struct anl_config table = config;
    table.topology = ANL_GRAPH, table.graph = graph, table.k = graph->terminals, table.n = 1;
    table.routing = ANL_TABLE;
    table.escape_vcs = (uint32_t)__builtin_popcount(anl_escape_lanes(&config));
    assert_int_equal(anl_escape_lanes(&table), anl_escape_lanes(&config));
    assert_int_equal(anl_engine_create(&config, &net[0]), ANL_OK);
    assert_int_equal(anl_engine_create(&table, &net[1]), ANL_OK);
    struct anl_rng rng = anl_rng_seed(3, (uint32_t)config.routing);
    for (int i = 0; i < 2; i++) {
        anl_engine_record(net[i], true);
        anl_engine_reset(net[i], 7);
    }
    for (uint32_t cycle = 0; cycle < 1000; cycle++) {
        size_t count[2];
        for (uint32_t t = 0; t < graph->terminals; t++) {
            if (anl_rng_below(&rng, 8)) continue;
            const uint32_t to = anl_rng_below(&rng, graph->terminals);
            const uint16_t length = (uint16_t)(1 + anl_rng_below(&rng, 4));
            for (int i = 0; i < 2; i++)
                assert_int_equal(anl_engine_enqueue(net[i], t, to, length, NULL), ANL_OK);
        }
        for (int i = 0; i < 2; i++)
            anl_engine_step(net[i]);
        const struct anl_flit *a = anl_engine_flits(net[0], &count[0]);
        const struct anl_flit *b = anl_engine_flits(net[1], &count[1]);
        assert_int_equal(count[0], count[1]);
        for (size_t i = 0; i < count[0]; i++) {
            assert_int_equal(a[i].link, b[i].link);
            assert_int_equal(a[i].worm, b[i].worm);
            assert_int_equal(a[i].vc, b[i].vc);
        }
    }
    assert_true(anl_engine_totals(net[0]).delivered > 100);
    for (int i = 0; i < 2; i++)
        anl_engine_destroy(net[i]);
    anl_graph_destroy(graph);
}

static void tables_with_the_same_options_run_alike(void **state)
{
    (void)state;
    for (int r = ANL_WEST_FIRST; r <= ANL_ADAPTIVE; r++) {
        struct anl_config config = mesh((enum anl_routing)r, 4, 3);
        if (r == ANL_ADAPTIVE) config.atomic = ANL_ATOMIC_ADAPTIVE;
        same_as_table(config);
        config.select = ANL_SELECT_RANDOM;
        same_as_table(config);
        if (r != ANL_ADAPTIVE) continue;
        config.topology = ANL_TORUS;
        same_as_table(config);
        config.topology = ANL_UNIDIRECTIONAL_TORUS, config.n = 3, config.k = 3;
        same_as_table(config);
    }
}

// A cube of equal radices has the options of the k-ary n-cube, for each input port.
static void same_as_cube(const struct anl_config *config, enum anl_dimension_kind kind)
{
    struct anl_cube cube = {.dimensions = config->n, .concentration = 1};
    struct anl_graph *graph;
    for (uint32_t d = 0; d < config->n; d++)
        cube.radix[d] = config->k, cube.kinds[d] = kind;
    assert_int_equal(anl_graph_of_cube(&cube, config->routing, config->num_vcs, &graph, NULL),
                     ANL_OK);
    struct anl_config other = *config;
    other.topology = ANL_CUBE, other.graph = graph, other.k = graph->terminals, other.n = 1;
    assert_int_equal(anl_config_check(&other, NULL), ANL_OK);
    const struct anl_shape shape = anl_shape_of(config);
    for (uint32_t s = 0; s < shape.switches; s++)
        for (uint32_t p = 0; p < shape.ports; p++)
            for (uint32_t t = 0; t < shape.terminals; t++) {
                const struct anl_input_lane at = {s, p, 0};
                const struct anl_route a = anl_route_at(config, at, t);
                const struct anl_route b = anl_route_at(&other, at, t);
                assert_memory_equal(&a, &b, sizeof a);
            }
    anl_graph_destroy(graph);
}

static void cubes_have_the_same_options(void **state)
{
    (void)state;
    for (int r = ANL_WEST_FIRST; r <= ANL_ADAPTIVE; r++) {
        struct anl_config config = mesh((enum anl_routing)r, 5, 4);
        same_as_cube(&config, ANL_LINE);
        if (r != ANL_ADAPTIVE) continue;
        config.topology = ANL_TORUS;
        same_as_cube(&config, ANL_RING);
        config.k = 4;
        same_as_cube(&config, ANL_RING);
        config.topology = ANL_UNIDIRECTIONAL_TORUS;
        same_as_cube(&config, ANL_ONE_WAY_RING);
    }
}

// --- refusals ---

static void expect_refused(struct anl_config config, const char *words)
{
    struct anl_error error;
    assert_int_equal(anl_config_check(&config, &error), ANL_ERR_ARGUMENT);
    if (!strstr(error.text, words)) fail_msg("expected \"%s\", found \"%s\"", words, error.text);
}

static void what_does_not_work_is_refused(void **state)
{
    (void)state;
    struct anl_config c = mesh(ANL_WEST_FIRST, 4, 2);
    c.n = 3;
    expect_refused(c, "routing west_first expects 2 dimensions, found 3");
    c.routing = ANL_NEGATIVE_FIRST;
    assert_int_equal(anl_config_check(&c, NULL), ANL_OK);
    c = mesh(ANL_ODD_EVEN, 4, 2), c.topology = ANL_TORUS;
    expect_refused(c, "routing odd_even does not work on topology torus");
    c = mesh(ANL_ADAPTIVE, 4, 1);
    expect_refused(c, "num_vcs is 1, routing adaptive expects at least 2");
    c.num_vcs = 2, c.topology = ANL_TORUS;
    expect_refused(c, "num_vcs is 2, routing adaptive expects at least 3");
    c = mesh(ANL_DIMENSION_ORDER, 4, 2), c.atomic = ANL_ATOMIC_ADAPTIVE;
    expect_refused(c, "there are no escape lanes");
    c = mesh(ANL_ADAPTIVE, 4, 2), c.escape_vcs = 1;
    expect_refused(c, "escape_vcs is for routing table");
    c = mesh(ANL_ADAPTIVE, 4, 2), c.select = (enum anl_select)3;
    expect_refused(c, "unknown select 3");
}

// --- tables ---

// A triangle with ports 0 and 1 to the next switch and the one after it, and terminals at port 2.
static struct anl_graph *triangle(uint32_t options, bool by_input)
{
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(3, 3, 3, &graph, NULL), ANL_OK);
    for (uint32_t s = 0; s < 3; s++) {
        const uint32_t next = (s + 1) % 3;
        assert_int_equal(anl_graph_link(graph, 3 * s, 3 * next + 1, NULL), ANL_OK);
        assert_int_equal(anl_graph_link(graph, 3 * next + 1, 3 * s, NULL), ANL_OK);
        assert_int_equal(anl_graph_attach(graph, s, 3 * s + 2, NULL), ANL_OK);
    }
    graph->options = options;
    graph->by_input = by_input;
    graph->table = calloc((size_t)3 * (by_input ? 3 : 1) * 3 * options, sizeof *graph->table);
    assert_non_null(graph->table);
    return graph;
}

static void expect_table(struct anl_graph *graph, const char *words)
{
    struct anl_error error = {0};
    const enum anl_status status = anl_graph_route(graph, ANL_TABLE, 2, &error);
    assert_int_equal(status, words ? ANL_ERR_ARGUMENT : ANL_OK);
    if (words && !strstr(error.text, words))
        fail_msg("expected \"%s\", found \"%s\"", words, error.text);
}

// Every option is followed: the second ones lead in a circle, or nowhere.
static void all_options_of_a_table_must_arrive(void **state)
{
    (void)state;
    struct anl_graph *graph = triangle(2, false);
    for (uint32_t s = 0; s < 3; s++) {
        graph->table[(3 * s + (s + 1) % 3) * 2] = (struct anl_table_hop){0, 3};
        graph->table[(3 * s + (s + 2) % 3) * 2] = (struct anl_table_hop){1, 3};
    }
    expect_table(graph, NULL);
    graph->table[(3 * 0 + 1) * 2 + 1] = (struct anl_table_hop){1, 2};
    expect_table(graph, NULL);  // from 0 to 1 also by 2
    const struct anl_config config = graph_config(graph, ANL_TABLE, 2);
    const struct anl_route route = anl_route_at(&config, (struct anl_input_lane){0, 2, 0}, 1);
    assert_int_equal(route.ports, 3);
    assert_int_equal(route.vcs[0], 3);
    assert_int_equal(route.vcs[1], 2);
    assert_true(anl_is_adaptive(&config) && !anl_reads_input(&config));
    graph->table[(3 * 2 + 1) * 2 + 1] = (struct anl_table_hop){0, 1};
    expect_table(graph, "in a circle");  // from 0 by 2 to 0
    graph->table[(3 * 2 + 1) * 2 + 1] = (struct anl_table_hop){2, 1};
    expect_table(graph, "which has no link to a switch or to this terminal");
    graph->table[(3 * 2 + 1) * 2 + 1] = (struct anl_table_hop){0, 4};
    expect_table(graph, "not all below num_vcs");
    graph->table[(3 * 2 + 1) * 2 + 1] = (struct anl_table_hop){0};
    graph->table[(3 * 1 + 1) * 2] = (struct anl_table_hop){0, 1};
    expect_table(graph, "towards its terminal 1 by port 0, expected 2");
    anl_graph_destroy(graph);
}

// By input port a route may pass a switch twice, and entries that no head asks for may be missing.
static void tables_may_read_the_input_port(void **state)
{
    (void)state;
    struct anl_graph *graph = triangle(1, true);
    expect_table(graph, "no entry for switch 1, input port 2 and terminal 0");
    for (uint32_t s = 0; s < 3; s++)
        for (uint32_t t = 0; t < 3; t++)
            if (s != t)
                graph->table[(3 * s + 2) * 3 + t] =
                    (struct anl_table_hop){(uint8_t)((t + 2 - s) % 3 == 0 ? 0 : 1), 3};
    graph->table[(3 * 0 + 2) * 3 + 1] = (struct anl_table_hop){1, 1};  // from 0 to 1 by 2
    expect_table(graph, "no entry for switch 2, input port 0 and terminal 1");
    graph->table[(3 * 2 + 0) * 3 + 1] = (struct anl_table_hop){1, 2};
    expect_table(graph, NULL);
    const struct anl_config config = graph_config(graph, ANL_TABLE, 2);
    assert_true(anl_reads_input(&config) && !anl_is_adaptive(&config));
    assert_int_equal(anl_distance(&config, 0, 1), 2);
    assert_int_equal(anl_distance(&config, 0, 2), 1);
    assert_int_equal(anl_first_way(anl_route_at(&config, (struct anl_input_lane){2, 0, 0}, 1)).vcs,
                     2);
    anl_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turn_models_make_the_turns_that_they_allow),
        cmocka_unit_test(tables_with_the_same_options_run_alike),
        cmocka_unit_test(cubes_have_the_same_options),
        cmocka_unit_test(what_does_not_work_is_refused),
        cmocka_unit_test(all_options_of_a_table_must_arrive),
        cmocka_unit_test(tables_may_read_the_input_port),
    };
    return cmocka_run_group_tests_name("adaptive", tests, NULL, NULL);
}
