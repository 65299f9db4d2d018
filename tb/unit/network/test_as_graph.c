// SPDX-License-Identifier: Apache-2.0
//
// Networks of every kind as graphs: links, terminals and routes are the same by their numbers, a
// graph keeps its names, and what a table cannot say is refused.

#include "unit_graph.h"

#include <string.h>

static void same_ends(struct anl_end end, struct anl_end its)
{
    assert_int_equal(end.exists, its.exists);
    if (!end.exists) return;
    assert_int_equal(end.is_terminal, its.is_terminal);
    assert_int_equal(end.node, its.node);
    if (!end.is_terminal) assert_int_equal(end.port, its.port);
}

static void same_network(const struct anl_config *a, const struct anl_config *b)
{
    const struct anl_shape shape = anl_shape_of(a), other = anl_shape_of(b);
    assert_memory_equal(&shape, &other, sizeof shape);
    for (uint32_t link = 0; link < shape.links; link++)
        same_ends(anl_end_of(a, link), anl_end_of(b, link));
    for (uint32_t s = 0; s < shape.switches; s++)
        for (uint32_t t = 0; t < shape.terminals; t++) {
            const struct anl_input_lane at = {s, 0, 0};
            const struct anl_route route = anl_route_at(a, at, t), its = anl_route_at(b, at, t);
            assert_memory_equal(&route, &its, sizeof route);
        }
}

// Returns the graph of a network, which the caller destroys.
static struct anl_graph *as_graph(const struct anl_config *config)
{
    struct anl_graph *graph;
    assert_int_equal(anl_graph_of(config, &graph, NULL), ANL_OK);
    assert_int_equal(anl_graph_route(graph, ANL_TABLE, config->num_vcs, NULL), ANL_OK);
    const struct anl_config same = graph_config(graph, ANL_TABLE, config->num_vcs);
    same_network(config, &same);
    return graph;
}

static void networks_of_every_kind(void **state)
{
    (void)state;
    static const struct anl_config configs[] = {
        {.topology = ANL_MESH, .k = 3, .n = 2, .num_vcs = 1, .routing = ANL_DIMENSION_ORDER},
        {.topology = ANL_TORUS, .k = 5, .n = 1, .num_vcs = 3, .routing = ANL_DATELINE},
        {.topology = ANL_UNIDIRECTIONAL_TORUS,
         .k = 3,
         .n = 2,
         .num_vcs = 2,
         .routing = ANL_DATELINE},
        {.topology = ANL_HYPERCUBE, .k = 2, .n = 3, .num_vcs = 2, .routing = ANL_E_CUBE},
        {.topology = ANL_FAT_TREE, .k = 4, .n = 1, .num_vcs = 2, .routing = ANL_UP_DOWN_GREEDY},
        {.topology = ANL_FAT_TREE, .k = 4, .n = 3, .num_vcs = 2, .routing = ANL_DESTINATION_TAG}};
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++)
        anl_graph_destroy(as_graph(&configs[i]));
}

static void graphs_keep_their_names(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(41, 0);
    for (uint32_t number = 0; number < unit_trials(40); number++) {
        struct anl_graph *graph = random_graph(&rng, unit_draw(&rng, 1, 12), 5, 20, false);
        assert_int_equal(anl_graph_route(graph, ANL_UP_DOWN, 2, NULL), ANL_OK);
        const struct anl_config config = graph_config(graph, ANL_UP_DOWN, 2);
        struct anl_graph *same = as_graph(&config);
        assert_int_equal(graph->names != NULL, same->names != NULL);
        for (uint32_t s = 0; graph->names && s < graph->switches; s++)
            assert_string_equal(graph->names[s], same->names[s]);
        anl_graph_destroy(same);
        anl_graph_destroy(graph);
    }
}

// Two classes of one graph with routings of their own: the first one stays the first.
static void classes_keep_their_order(void **state)
{
    (void)state;
    static const enum anl_routing routings[] = {ANL_SHORTEST, ANL_UP_DOWN};
    struct anl_graph *of_class[2], *same;
    for (int c = 0; c < 2; c++) {
        struct anl_rng rng = anl_rng_seed(7, 0);
        of_class[c] = random_graph(&rng, 12, 5, 20, false);
        assert_int_equal(anl_graph_route(of_class[c], routings[c], 1, NULL), ANL_OK);
    }
    assert_int_not_equal(anl_graph_hash(of_class[0]), anl_graph_hash(of_class[1]));
    anl_graph_add_class(of_class[0], of_class[1]);
    struct anl_config config = graph_config(of_class[0], routings[0], 2);
    config.classes = config.num_class_routings = 2;
    memcpy(config.class_routing, routings, sizeof routings);
    assert_int_equal(anl_graph_of(&config, &same, NULL), ANL_OK);
    assert_int_equal(anl_graph_route(same, ANL_TABLE, 1, NULL), ANL_OK);
    const struct anl_config first = anl_config_of_class(&config, 0);
    const struct anl_config table = graph_config(same, ANL_TABLE, 1);
    same_network(&first, &table);
    anl_graph_destroy(same);
    anl_graph_destroy(of_class[0]);
}

static void expect_refused(const struct anl_config *config, const char *words)
{
    struct anl_graph *graph;
    struct anl_error error;
    assert_int_equal(anl_graph_of(config, &graph, &error), ANL_ERR_ARGUMENT);
    assert_null(graph);
    assert_non_null(strstr(error.text, words));
}

static void what_no_table_says_is_refused(void **state)
{
    (void)state;
    const struct anl_config tree = {
        .topology = ANL_FAT_TREE, .k = 4, .n = 2, .num_vcs = 1, .routing = ANL_UP_DOWN_GREEDY};
    const struct anl_config large = {
        .topology = ANL_MESH, .k = 300, .n = 2, .num_vcs = 1, .routing = ANL_DIMENSION_ORDER};
    expect_refused(&tree, "may go by 2 ports, between which a table does not choose");
    expect_refused(&large, "switches");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_of_every_kind),
        cmocka_unit_test(graphs_keep_their_names),
        cmocka_unit_test(classes_keep_their_order),
        cmocka_unit_test(what_no_table_says_is_refused),
    };
    return cmocka_run_group_tests_name("as_graph", tests, NULL, NULL);
}
