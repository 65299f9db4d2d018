// SPDX-License-Identifier: Apache-2.0
//
// Channel-dependency graphs: their edges are exactly those that walks from every terminal to every
// terminal find; the cycle that is found is one, and no cycle is shorter.

#include "unit.h"

#include <annelid/base.h>
#include <annelid/network.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AFTER = ANL_MAX_PORTS * ANL_MAX_VCS };

static const struct anl_config trees[] = {
    {.topology = ANL_FAT_TREE, .k = 4, .n = 1, .num_vcs = 2, .routing = ANL_UP_DOWN_FIXED},
    {.topology = ANL_FAT_TREE, .k = 4, .n = 2, .num_vcs = 1, .routing = ANL_UP_DOWN_RANDOM},
    {.topology = ANL_FAT_TREE, .k = 4, .n = 3, .num_vcs = 2, .routing = ANL_UP_DOWN_GREEDY},
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
        cmocka_unit_test(random_graphs_give_their_shortest_cycle),
        cmocka_unit_test(networks_have_the_cycles_they_are_known_for),
        cmocka_unit_test(the_rule_is_right),
        cmocka_unit_test(too_large_networks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
