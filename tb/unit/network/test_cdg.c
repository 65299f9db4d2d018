// SPDX-License-Identifier: Apache-2.0
//
// Channel-dependency graphs: their edges are exactly those that walks from every terminal to every
// terminal find; the cycle that is found is one, and no cycle is shorter.

#include "random_networks.h"

#include <annelid/base.h>
#include <annelid/network.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AFTER = ANL_MAX_PORTS * ANL_MAX_VCS };

static const struct anl_config trees[] = {
    {.topology = ANL_FAT_TREE, .k = 4, .n = 1, .num_vcs = 2, .routing = ANL_UP_DOWN_FIXED},
    {.topology = ANL_FAT_TREE, .k = 4, .n = 2, .num_vcs = 1, .routing = ANL_UP_DOWN_RANDOM},
    {.topology = ANL_FAT_TREE, .k = 4, .n = 3, .num_vcs = 2, .routing = ANL_UP_DOWN_GREEDY},
    {.topology = ANL_FAT_TREE, .k = 4, .n = 3, .num_vcs = 1, .routing = ANL_DESTINATION_TAG},
};
enum { NUM_TREES = sizeof trees / sizeof *trees };

static struct anl_config network(size_t i)
{
    return i < UNIT_NUM_NETWORKS ? unit_networks[i] : trees[i - UNIT_NUM_NETWORKS];
}

// --- by walks ---

// wants[a * lanes + b]: a worm in lane a may want lane b.
struct matrix {
    const struct anl_config *config;
    uint32_t lanes;
    uint8_t *wants;
};

// Moves the head of a worm from a lane of link to its destination, by every way that it may take.
static void walk(struct matrix *matrix, uint32_t link, uint32_t set, uint32_t destination)
{
    const uint32_t vcs = matrix->config->num_vcs, ports = anl_shape_of(matrix->config).ports;
    const struct anl_end end = anl_end_of(matrix->config, link);
    assert_true(end.exists);
    if (end.is_terminal) {
        assert_int_equal(end.node, destination);
        return;
    }
    for (uint32_t v = 0; v < vcs; v++) {
        if (!(set >> v & 1)) continue;
        const struct anl_input_lane at = {end.node, end.port, v};
        const struct anl_route route = anl_route_at(matrix->config, at, destination);
        for (uint32_t port = 0; port < ports; port++) {
            const uint32_t next = end.node * ports + port;
            for (uint32_t w = 0; w < vcs; w++)
                if (route.vcs[port] >> w & 1)
                    matrix->wants[(size_t)(link * vcs + v) * matrix->lanes + next * vcs + w] = 1;
            if (route.vcs[port]) walk(matrix, next, route.vcs[port], destination);
        }
    }
}

static struct matrix walk_all(const struct anl_config *config)
{
    const struct anl_shape shape = anl_shape_of(config);
    struct matrix matrix = {.config = config, .lanes = shape.links * config->num_vcs};
    matrix.wants = calloc(matrix.lanes, matrix.lanes);
    assert_non_null(matrix.wants);
    for (uint32_t from = 0; from < shape.terminals; from++)
        for (uint32_t to = 0; to < shape.terminals; to++)
            walk(&matrix, shape.switches * shape.ports + from, (1u << config->num_vcs) - 1, to);
    return matrix;
}

static void graphs_hold_what_walks_meet(void **state)
{
    (void)state;
    for (size_t i = 0; i < UNIT_NUM_NETWORKS + NUM_TREES; i++) {
        const struct anl_config config = network(i);
        struct matrix matrix = walk_all(&config);
        struct anl_cdg *cdg;
        uint64_t count = 0;
        assert_int_equal(anl_cdg_of(&config, &cdg), ANL_OK);
        assert_int_equal(anl_cdg_lanes(cdg), matrix.lanes);
        for (uint32_t lane = 0; lane < matrix.lanes; lane++) {
            uint32_t after[MOST_AFTER];
            const size_t num_after = anl_cdg_after(cdg, lane, after);
            for (size_t j = 0; j < num_after; j++) {
                assert_true(j == 0 || after[j] > after[j - 1]);
                if (!matrix.wants[(size_t)lane * matrix.lanes + after[j]])
                    fail_msg("network %zu: lane %u does not lead to %u", i, lane, after[j]);
            }
            for (uint32_t to = 0; to < matrix.lanes; to++)
                count += matrix.wants[(size_t)lane * matrix.lanes + to];
        }
        assert_int_equal(anl_cdg_dependencies(cdg), count);
        anl_cdg_destroy(cdg);
        free(matrix.wants);
    }
}

// --- cycles ---

// Returns the lanes of a shortest cycle, from the lengths of all shortest paths, or 0 if there is
// none.
static size_t shortest_cycle(const struct anl_cdg *cdg)
{
    const uint32_t lanes = anl_cdg_lanes(cdg);
    uint32_t *length = malloc((size_t)lanes * lanes * sizeof *length);
    size_t shortest = 0;
    assert_non_null(length);
    for (size_t i = 0; i < (size_t)lanes * lanes; i++)
        length[i] = lanes + 1;
    for (uint32_t a = 0; a < lanes; a++) {
        uint32_t after[MOST_AFTER];
        const size_t count = anl_cdg_after(cdg, a, after);
        for (size_t j = 0; j < count; j++)
            length[(size_t)a * lanes + after[j]] = 1;
    }
    for (uint32_t via = 0; via < lanes; via++)
        for (uint32_t a = 0; a < lanes; a++)
            for (uint32_t b = 0; b < lanes; b++) {
                const uint32_t way =
                    length[(size_t)a * lanes + via] + length[(size_t)via * lanes + b];
                if (way < length[(size_t)a * lanes + b]) length[(size_t)a * lanes + b] = way;
            }
    for (uint32_t a = 0; a < lanes; a++) {
        const uint32_t round = length[(size_t)a * lanes + a];
        if (round <= lanes && (shortest == 0 || round < shortest)) shortest = round;
    }
    free(length);
    return shortest;
}

static bool leads(const struct anl_cdg *cdg, uint32_t from, uint32_t to)
{
    uint32_t after[MOST_AFTER];
    const size_t count = anl_cdg_after(cdg, from, after);
    for (size_t i = 0; i < count; i++)
        if (after[i] == to) return true;
    return false;
}

// Checks the cycle that the graph finds and returns its length.
static size_t check_cycle(const struct anl_cdg *cdg)
{
    uint32_t *cycle;
    size_t count;
    assert_int_equal(anl_cdg_cycle(cdg, &cycle, &count), ANL_OK);
    assert_int_equal(count, shortest_cycle(cdg));
    for (size_t i = 0; i < count; i++)
        assert_true(leads(cdg, cycle[i], cycle[(i + 1) % count]));
    free(cycle);
    return count;
}

static void random_graphs_give_their_shortest_cycle(void **state)
{
    (void)state;
    const struct anl_config config = {.topology = ANL_MESH, .k = 4, .n = 1, .num_vcs = 2};
    const struct anl_shape shape = anl_shape_of(&config);
    size_t lengths[64] = {0};
    uint32_t random = 1;
    for (int graph = 0; graph < 2000; graph++) {
        struct anl_cdg *cdg;
        assert_int_equal(anl_cdg_create(&config, &cdg), ANL_OK);
        for (uint32_t link = 0; link < shape.links; link++)
            if ((random = anl_xorshift32(random)) % 4)
                anl_cdg_set_end(cdg, link, (random >> 8) % shape.switches);
        for (int i = 0; i < graph % 40; i++) {
            random = anl_xorshift32(random);
            anl_cdg_add(cdg, (random >> 4) % anl_cdg_lanes(cdg), (random >> 12) % shape.ports,
                        1 + (random >> 20) % 3);
        }
        lengths[check_cycle(cdg)]++;
        anl_cdg_destroy(cdg);
    }
    for (size_t length = 0; length < 6; length++)
        if (lengths[length] == 0) fail_msg("no graph with a cycle of %zu", length);
}

static void networks_have_the_cycles_they_are_known_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < UNIT_NUM_NETWORKS + NUM_TREES; i++) {
        const struct anl_config config = network(i);
        const bool ring =
            config.topology == ANL_TORUS || config.topology == ANL_UNIDIRECTIONAL_TORUS;
        struct anl_cdg *cdg;
        assert_int_equal(anl_cdg_of(&config, &cdg), ANL_OK);
        if (anl_cdg_lanes(cdg) <= 300)
            assert_int_equal(check_cycle(cdg),
                             ring && config.routing != ANL_DATELINE ? config.k : 0);
        anl_cdg_destroy(cdg);
    }
}

// The rule that spares the search gives the answer of the search.
static void the_rule_is_right(void **state)
{
    (void)state;
    static const struct {
        enum anl_topology topology;
        enum anl_routing routing;
    } kinds[] = {{ANL_MESH, ANL_DIMENSION_ORDER},
                 {ANL_TORUS, ANL_DIMENSION_ORDER},
                 {ANL_TORUS, ANL_DATELINE},
                 {ANL_UNIDIRECTIONAL_TORUS, ANL_DIMENSION_ORDER},
                 {ANL_UNIDIRECTIONAL_TORUS, ANL_DATELINE},
                 {ANL_HYPERCUBE, ANL_E_CUBE}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (uint32_t k = 2; k <= (kinds[i].topology == ANL_HYPERCUBE ? 2 : 9); k++)
            for (uint32_t n = 1; n <= 2; n++) {
                const struct anl_config config = {.topology = kinds[i].topology,
                                                  .k = k,
                                                  .n = n,
                                                  .num_vcs = 2,
                                                  .routing = kinds[i].routing};
                struct anl_cdg *cdg;
                bool acyclic;
                assert_int_equal(anl_cdg_of(&config, &cdg), ANL_OK);
                assert_int_equal(anl_cdg_is_acyclic(cdg, &acyclic), ANL_OK);
                if (anl_is_acyclic_by_rule(&config) != acyclic)
                    fail_msg("kind %zu, k %u, n %u: acyclic %d", i, k, n, acyclic);
                anl_cdg_destroy(cdg);
            }
}

// Of random networks of every kind with classes and reservations for replies, too: what the rule
// calls safe is safe, and where heads have one way in a network that is no graph, all else is not.
static void the_rule_is_right_of_random_networks(void **state)
{
    (void)state;
    enum { NETWORKS = 600 };
    uint32_t safe = 0, searched = 0;
    const uint32_t trials = unit_trials(NETWORKS);
    for (uint32_t number = 0; number < trials; number++) {
        struct anl_rng rng = anl_rng_seed(71, number);
        struct anl_graph *graph;
        struct anl_config config = draw_config(&rng, &graph);
        draw_classes(&rng, &config);
        draw_class_routings(&rng, &config, graph);
        struct anl_safety safety;
        const enum anl_status status = anl_safety_of(&config, &safety);
        const bool rule = anl_is_acyclic_by_rule(&config);
        const bool is_exact = !graph && !anl_is_adaptive(&config);
        searched += !status;
        if (!status && (is_exact ? rule != safety.is_safe : rule && !safety.is_safe))
            fail_msg("network %u (%s, k %u, n %u, %s): the rule says %d", number,
                     anl_topology_name(config.topology), config.k, config.n,
                     anl_routing_name(config.routing), rule);
        safe += rule;
        if (!status) anl_safety_free(&safety);
        anl_graph_destroy(graph);
    }
    assert_true(searched >= trials * 3 / 4);  // the others are too large
    assert_true(safe >= trials / 4 && safe <= trials * 3 / 4);
}

// --- escape lanes ---

// Marks the escape lanes for which a head may ask, beginning in a lane of this link: at the switch
// at its end, and after each adaptive lane that it may take there.
static void mark_asked(const struct anl_config *config, uint32_t link, uint32_t destination,
                       uint8_t *asked)
{
    const uint32_t escapes = anl_escape_lanes(config), ports = anl_shape_of(config).ports;
    const struct anl_end end = anl_end_of(config, link);
    const struct anl_input_lane at = {end.node, end.port, 0};
    const struct anl_route route = anl_route_at(config, at, destination);
    for (uint32_t port = 0; port < ports; port++) {
        const uint32_t next = end.node * ports + port;
        if (!route.vcs[port] || anl_end_of(config, next).is_terminal) continue;
        for (uint32_t v = 0; v < config->num_vcs; v++)
            if (route.vcs[port] & escapes & 1u << v) asked[next * config->num_vcs + v] = 1;
        if (route.vcs[port] & ~escapes) mark_asked(config, next, destination, asked);
    }
}

// Walks by all ways to a destination, and adds what heads in each escape lane may ask for.
static void walk_escapes(struct matrix *matrix, uint32_t link, uint32_t destination)
{
    const struct anl_config *config = matrix->config;
    const uint32_t vcs = config->num_vcs, ports = anl_shape_of(config).ports;
    const struct anl_end end = anl_end_of(config, link);
    if (end.is_terminal) return;
    const struct anl_input_lane at = {end.node, end.port, 0};
    const struct anl_route route = anl_route_at(config, at, destination);
    for (uint32_t port = 0; port < ports; port++) {
        const uint32_t next = end.node * ports + port;
        if (!route.vcs[port]) continue;
        for (uint32_t v = 0; v < vcs; v++)
            if (route.vcs[port] & anl_escape_lanes(config) & 1u << v &&
                !anl_end_of(config, next).is_terminal)
                mark_asked(config, next, destination,
                           &matrix->wants[(size_t)(next * vcs + v) * matrix->lanes]);
        walk_escapes(matrix, next, destination);
    }
}

static const struct anl_config adaptive[] = {
    {.topology = ANL_MESH, .k = 3, .n = 2, .num_vcs = 2, .routing = ANL_ADAPTIVE},
    {.topology = ANL_MESH, .k = 4, .n = 2, .num_vcs = 3, .routing = ANL_ADAPTIVE},
    {.topology = ANL_MESH, .k = 2, .n = 3, .num_vcs = 2, .routing = ANL_ADAPTIVE},
    {.topology = ANL_TORUS, .k = 5, .n = 1, .num_vcs = 3, .routing = ANL_ADAPTIVE},
    {.topology = ANL_TORUS, .k = 4, .n = 2, .num_vcs = 4, .routing = ANL_ADAPTIVE},
    {.topology = ANL_TORUS, .k = 5, .n = 2, .num_vcs = 3, .routing = ANL_ADAPTIVE},
    {.topology = ANL_UNIDIRECTIONAL_TORUS, .k = 3, .n = 2, .num_vcs = 3, .routing = ANL_ADAPTIVE},
    {.topology = ANL_UNIDIRECTIONAL_TORUS, .k = 5, .n = 1, .num_vcs = 4, .routing = ANL_ADAPTIVE},
};

static void same_dependencies(const struct anl_cdg *cdg, const struct matrix *matrix)
{
    uint32_t *after = malloc(anl_cdg_most_after(cdg) * sizeof *after);
    assert_non_null(after);
    uint64_t count = 0;
    for (uint32_t lane = 0; lane < matrix->lanes; lane++) {
        const size_t num_after = anl_cdg_after(cdg, lane, after);
        for (size_t j = 0; j < num_after; j++) {
            assert_true(j == 0 || after[j] > after[j - 1]);
            assert_true(matrix->wants[(size_t)lane * matrix->lanes + after[j]]);
        }
        for (uint32_t to = 0; to < matrix->lanes; to++)
            count += matrix->wants[(size_t)lane * matrix->lanes + to];
    }
    assert_int_equal(anl_cdg_dependencies(cdg), count);
    free(after);
}

static void extended_graphs_hold_what_walks_meet(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof adaptive / sizeof *adaptive; i++) {
        const struct anl_config *config = &adaptive[i];
        const struct anl_shape shape = anl_shape_of(config);
        struct matrix matrix = {.config = config, .lanes = shape.links * config->num_vcs};
        matrix.wants = calloc(matrix.lanes, matrix.lanes);
        assert_non_null(matrix.wants);
        for (uint32_t from = 0; from < shape.terminals; from++)
            for (uint32_t to = 0; to < shape.terminals; to++)
                walk_escapes(&matrix, shape.switches * shape.ports + from, to);
        struct anl_safety safety;
        assert_int_equal(anl_safety_of(config, &safety), ANL_OK);
        same_dependencies(safety.escapes, &matrix);
        assert_false(safety.stranded.found);
        assert_true(safety.escapes_are_acyclic);
        assert_int_equal(safety.is_safe, safety.is_acyclic);  // wormhole, and no lane is atomic
        anl_safety_free(&safety);
        free(matrix.wants);
    }
}

// With atomic lanes, or worms that lie in a lane whole, the rule says that all of these are safe.
static void escapes_make_adaptive_networks_safe(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof adaptive / sizeof *adaptive; i++)
        for (int way = 0; way < 3; way++) {
            struct anl_config config = adaptive[i];
            config.atomic = way == 1 ? ANL_ATOMIC_ADAPTIVE : ANL_ATOMIC_NONE;
            config.flow_control = way == 2 ? ANL_CUT_THROUGH : ANL_WORMHOLE;
            struct anl_safety safety;
            assert_int_equal(anl_safety_of(&config, &safety), ANL_OK);
            assert_int_equal(anl_is_acyclic_by_rule(&config), way > 0);
            assert_true(way == 0 || safety.is_safe);
            anl_safety_free(&safety);
        }
}

static void turn_models_have_no_cycle(void **state)
{
    (void)state;
    for (int r = ANL_WEST_FIRST; r <= ANL_ODD_EVEN; r++)
        for (uint32_t k = 2; k <= 6; k++) {
            const struct anl_config config = {
                .topology = ANL_MESH, .k = k, .n = 2, .num_vcs = 2, .routing = (enum anl_routing)r};
            struct anl_safety safety;
            assert_int_equal(anl_safety_of(&config, &safety), ANL_OK);
            assert_true(safety.is_acyclic && safety.is_safe && !safety.escapes);
            assert_true(anl_is_acyclic_by_rule(&config));
            anl_safety_free(&safety);
        }
}

static struct anl_graph *ring_of_four(bool with_escapes)
{
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(4, 2, 4, &graph, NULL), ANL_OK);
    graph->table = calloc(16, sizeof *graph->table);
    assert_non_null(graph->table);
    for (uint32_t s = 0; s < 4; s++) {
        assert_int_equal(anl_graph_link(graph, 2 * s, 2 * ((s + 1) % 4) + 0, NULL), ANL_OK);
        assert_int_equal(anl_graph_attach(graph, s, 2 * s + 1, NULL), ANL_OK);
        for (uint32_t t = 0; t < 4; t++) {
            const bool strands = !with_escapes && s == 1 && t == 2;
            if (s != t) graph->table[4 * s + t] = (struct anl_table_hop){0, strands ? 1 : 3};
        }
    }
    assert_int_equal(anl_graph_route(graph, ANL_TABLE, 2, NULL), ANL_OK);
    return graph;
}

// A one-way ring whose lane 1 is called an escape lane: the escape lanes close a circle, and if an
// entry has none, its heads are stranded.
static void false_escapes_are_found(void **state)
{
    (void)state;
    for (int with_escapes = 0; with_escapes < 2; with_escapes++) {
        struct anl_graph *graph = ring_of_four(with_escapes);
        const struct anl_config config = {.topology = ANL_GRAPH,
                                          .graph = graph,
                                          .k = 4,
                                          .n = 1,
                                          .num_vcs = 2,
                                          .routing = ANL_TABLE,
                                          .escape_vcs = 1,
                                          .atomic = ANL_ATOMIC_ADAPTIVE};
        struct anl_safety safety;
        assert_int_equal(anl_safety_of(&config, &safety), ANL_OK);
        assert_false(safety.is_safe);
        assert_false(safety.escapes_are_acyclic);
        assert_int_equal(safety.stranded.found, !with_escapes);
        if (safety.stranded.found) {
            assert_int_equal(safety.stranded.at.switch_, 1);
            assert_int_equal(safety.stranded.destination, 2);
        }
        uint32_t *cycle;
        size_t count;
        assert_int_equal(anl_cdg_cycle(safety.escapes, &cycle, &count), ANL_OK);
        if (with_escapes) assert_int_equal(count, 2);  // an indirect dependency leads two links on
        for (size_t i = 0; i < count; i++)
            assert_int_equal(cycle[i] % 2, 1);
        free(cycle);
        anl_safety_free(&safety);
        anl_graph_destroy(graph);
    }
}

static void too_large_networks_are_refused(void **state)
{
    (void)state;
    const struct anl_config config = {.topology = ANL_MESH, .k = 512, .n = 2, .num_vcs = 1};
    struct anl_cdg *cdg;
    assert_int_equal(anl_cdg_of(&config, &cdg), ANL_ERR_ARGUMENT);
    assert_null(cdg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_hold_what_walks_meet),
        cmocka_unit_test(extended_graphs_hold_what_walks_meet),
        cmocka_unit_test(escapes_make_adaptive_networks_safe),
        cmocka_unit_test(turn_models_have_no_cycle),
        cmocka_unit_test(false_escapes_are_found),
        cmocka_unit_test(random_graphs_give_their_shortest_cycle),
        cmocka_unit_test(networks_have_the_cycles_they_are_known_for),
        cmocka_unit_test(the_rule_is_right),
        cmocka_unit_test(the_rule_is_right_of_random_networks),
        cmocka_unit_test(too_large_networks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
