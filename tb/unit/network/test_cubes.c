// SPDX-License-Identifier: Apache-2.0
//
// Cubes of several radices (docs/networks.md): equal radices are the k-ary n-cubes, the referee
// reads every cube as the network does, dateline lanes leave no cycle, and what is no cube is
// refused.

#include "unit_referee.h"

#include <annelid/base.h>

enum { CUBES = 300, HEADS = 20000, NAME = 96 };

static struct anl_config config_of(const struct anl_cube *cube, enum anl_routing routing,
                                   struct anl_graph **graph)
{
    struct anl_config config = {.topology = ANL_CUBE,
                                .n = 1,
                                .num_vcs = 3,
                                .depth = 2,
                                .flit_width_bits = 64,
                                .routing = routing};
    struct anl_error error;
    if (anl_graph_of_cube(cube, routing, config.num_vcs, graph, &error)) fail_msg("%s", error.text);
    config.graph = *graph;
    config.k = (*graph)->terminals;
    assert_int_equal(anl_config_check(&config, NULL), ANL_OK);
    return config;
}

// --- equal radices ---

static void same_network(const struct anl_config *a, const struct anl_config *b)
{
    const struct anl_shape shape = anl_shape_of(a), other = anl_shape_of(b);
    assert_memory_equal(&shape, &other, sizeof shape);
    for (uint32_t link = 0; link < shape.links; link++) {
        const struct anl_end end = anl_end_of(a, link), its = anl_end_of(b, link);
        char name[NAME], its_name[NAME];
        assert_int_equal(end.exists, its.exists);
        assert_int_equal(end.is_terminal, its.is_terminal);
        assert_int_equal(end.node, its.node);
        assert_int_equal(end.port, its.port);
        anl_link_name(a, link, name, sizeof name);
        anl_link_name(b, link, its_name, sizeof its_name);
        assert_string_equal(name, its_name);
    }
    for (uint32_t s = 0; s < shape.switches; s++)
        for (uint32_t t = 0; t < shape.terminals; t++) {
            const struct anl_input_lane at = {s, 0, 0};
            const struct anl_route route = anl_route_at(a, at, t), its = anl_route_at(b, at, t);
            assert_memory_equal(&route, &its, sizeof route);
            assert_int_equal(anl_distance(a, s, t), anl_distance(b, s, t));
        }
}

static void equal_radices_are_the_k_ary_n_cubes(void **state)
{
    (void)state;
    static const struct {
        enum anl_topology topology;
        enum anl_dimension_kind kind;
        enum anl_routing routing;
        uint32_t k, n;
    } cases[] = {{ANL_MESH, ANL_LINE, ANL_DIMENSION_ORDER, 4, 2},
                 {ANL_MESH, ANL_LINE, ANL_DIMENSION_ORDER, 1, 1},
                 {ANL_TORUS, ANL_RING, ANL_DATELINE, 5, 2},
                 {ANL_TORUS, ANL_RING, ANL_DIMENSION_ORDER, 2, 3},
                 {ANL_UNIDIRECTIONAL_TORUS, ANL_ONE_WAY_RING, ANL_DATELINE, 3, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct anl_cube cube = {.dimensions = cases[i].n, .concentration = 1};
        for (uint32_t d = 0; d < cube.dimensions; d++) {
            cube.radix[d] = cases[i].k;
            cube.kinds[d] = (uint32_t)cases[i].kind;
        }
        struct anl_graph *graph;
        const struct anl_config config = config_of(&cube, cases[i].routing, &graph);
        struct anl_config known = config;
        known.topology = cases[i].topology;
        known.k = cases[i].k;
        known.n = cases[i].n;
        same_network(&known, &config);
        anl_graph_destroy(graph);
    }
}

// --- random cubes ---

static struct anl_cube random_cube(struct anl_rng *rng)
{
    struct anl_cube cube = {.dimensions = 1 + anl_rng_below(rng, 3),
                            .concentration = 1 + anl_rng_below(rng, 4)};
    for (uint32_t d = 0; d < cube.dimensions; d++) {
        cube.kinds[d] = anl_rng_below(rng, 3);
        cube.radix[d] = 2 + anl_rng_below(rng, 5);
    }
    return cube;
}

static bool has_rings(const struct anl_cube *cube)
{
    for (uint32_t d = 0; d < cube->dimensions; d++)
        if (cube->kinds[d] != ANL_LINE) return true;
    return false;
}

// Compares routes of heads anywhere.
static void referee_agrees(const struct anl_config *config, struct anl_rng *rng)
{
    struct referee_shape shape = referee_shape_of(config);
    same_links(config, &shape);
    for (uint32_t i = 0; i < HEADS; i++) {
        const uint32_t link = anl_rng_below(rng, shape.links);
        const struct referee_worm worm = {.source = anl_rng_below(rng, shape.terminals),
                                          .destination = anl_rng_below(rng, shape.terminals),
                                          .length = 1};
        const uint32_t vc = anl_rng_below(rng, config->num_vcs);
        if (referee_link_end(&shape, link) < shape.switches)
            same_route(config, &shape, &worm, link, vc);
    }
    referee_shape_free(&shape);
}

static bool is_acyclic(const struct anl_config *config)
{
    struct anl_cdg *cdg;
    bool acyclic;
    assert_int_equal(anl_cdg_of(config, &cdg), ANL_OK);
    assert_int_equal(anl_cdg_is_acyclic(cdg, &acyclic), ANL_OK);
    anl_cdg_destroy(cdg);
    return acyclic;
}

static void referee_reads_random_cubes_alike(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(23, 1);
    for (unsigned i = 0; i < unit_trials(CUBES); i++) {
        const struct anl_cube cube = random_cube(&rng);
        const bool rings = has_rings(&cube);
        struct anl_graph *graph;
        const struct anl_config config =
            config_of(&cube, rings ? ANL_DATELINE : ANL_DIMENSION_ORDER, &graph);
        referee_agrees(&config, &rng);
        assert_true(is_acyclic(&config));
        anl_graph_destroy(graph);
    }
}

// Routing adaptive works on every cube, negative_first where all dimensions are lines, and the
// other turn models where besides there are two of them.
static void referee_reads_adaptive_routes_alike(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(23, 2);
    uint32_t meshes = 0;
    for (unsigned i = 0; i < unit_trials(CUBES); i++) {
        const struct anl_cube cube = random_cube(&rng);
        const bool rings = has_rings(&cube), is_mesh = !rings && cube.dimensions == 2;
        for (int routing = ANL_WEST_FIRST; routing <= ANL_ADAPTIVE; routing++) {
            if (routing == ANL_NEGATIVE_FIRST ? rings : routing != ANL_ADAPTIVE && !is_mesh)
                continue;
            struct anl_graph *graph;
            const struct anl_config config = config_of(&cube, (enum anl_routing)routing, &graph);
            referee_agrees(&config, &rng);
            anl_graph_destroy(graph);
            meshes += routing == ANL_ODD_EVEN;
        }
    }
    if (unit_trials(CUBES) == CUBES) assert_true(meshes > 0);
}

// --- refusals ---

static void refused(struct anl_cube cube, uint32_t num_vcs, enum anl_routing routing,
                    const char *reason)
{
    struct anl_graph *graph;
    struct anl_error error;
    assert_int_equal(anl_graph_of_cube(&cube, routing, num_vcs, &graph, &error), ANL_ERR_ARGUMENT);
    assert_null(graph);
    if (!strstr(error.text, reason)) fail_msg("\"%s\" lacks \"%s\"", error.text, reason);
}

static void what_is_no_cube_is_refused(void **state)
{
    (void)state;
    const struct anl_cube line = {1, {3}, {ANL_LINE}, 1};
    struct anl_cube cube = line;
    cube.dimensions = 0;
    refused(cube, 1, ANL_DIMENSION_ORDER, "0 dimensions, expected 1..10");
    cube = (struct anl_cube){1, {1}, {ANL_RING}, 1};
    refused(cube, 1, ANL_DIMENSION_ORDER, "radix of dimension 0 is 1, expected at least 2");
    cube = (struct anl_cube){2, {300, 300}, {0}, 1};
    refused(cube, 1, ANL_DIMENSION_ORDER, "more than 65536 switches");
    cube = line;
    cube.concentration = 0;
    refused(cube, 1, ANL_DIMENSION_ORDER, "concentration is 0");
    cube.concentration = 31;
    refused(cube, 1, ANL_DIMENSION_ORDER, "33 ports, expected 1..32");
    refused(line, 1, ANL_DATELINE, "num_vcs is 1, routing dateline expects at least 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_radices_are_the_k_ary_n_cubes),
        cmocka_unit_test(referee_reads_random_cubes_alike),
        cmocka_unit_test(referee_reads_adaptive_routes_alike),
        cmocka_unit_test(what_is_no_cube_is_refused),
    };
    return cmocka_run_group_tests_name("cubes", tests, NULL, NULL);
}
