// SPDX-License-Identifier: Apache-2.0
//
// Where networks are cut: every part has a switch and a fair share of them, cubes are cut into
// slabs, and few links lead from part to part.

#include "unit_graph.h"
#include "unit_tree.h"

// Returns how many links lead from one part to another. largest and least become the numbers of
// switches of these parts.
static uint32_t cut_into(const struct anl_config *config, uint32_t parts, uint32_t *part_of,
                         uint32_t *least, uint32_t *largest)
{
    const struct anl_shape shape = anl_shape_of(config);
    uint32_t *sizes = calloc(parts, sizeof *sizes), links = 0;
    assert_non_null(sizes);
    assert_int_equal(anl_cut(config, parts, part_of), ANL_OK);
    for (uint32_t s = 0; s < shape.switches; s++) {
        assert_true(part_of[s] < parts);
        sizes[part_of[s]]++;
        for (uint32_t p = 0; p < shape.ports; p++) {
            const struct anl_end end = anl_link_end(config, s, p);
            links += end.exists && !end.is_terminal && part_of[end.node] != part_of[s];
        }
    }
    *least = UINT32_MAX;
    *largest = 0;
    for (uint32_t p = 0; p < parts; p++) {
        if (sizes[p] < *least) *least = sizes[p];
        if (sizes[p] > *largest) *largest = sizes[p];
    }
    free(sizes);
    return links;
}

static void cubes_are_cut_into_slabs(void **state)
{
    const struct anl_config mesh = {.topology = ANL_MESH, .k = 8, .n = 2, .num_vcs = 1};
    uint32_t part_of[64], least, largest;
    (void)state;
    for (uint32_t parts = 1; parts <= 8; parts *= 2) {
        assert_int_equal(cut_into(&mesh, parts, part_of, &least, &largest), (parts - 1) * 16);
        assert_true(least == 64 / parts && largest == least);
    }
    for (uint32_t s = 0; s < 64; s++)
        assert_int_equal(part_of[s], s / 8);
}

static void all_parts_are_equally_large(void **state)
{
    uint32_t part_of[256], least, largest;
    (void)state;
    for (uint32_t i = 0; i < UNIT_NUM_NETWORKS; i++) {
        const uint32_t switches = anl_shape_of(&unit_networks[i]).switches;
        for (uint32_t parts = 1; parts <= switches; parts++) {
            cut_into(&unit_networks[i], parts, part_of, &least, &largest);
            assert_true(largest - least <= 1);
        }
        assert_int_equal(anl_cut(&unit_networks[i], 0, part_of), ANL_ERR_ARGUMENT);
        assert_int_equal(anl_cut(&unit_networks[i], switches + 1, part_of), ANL_ERR_ARGUMENT);
    }
}

// Two subtrees of four meet in the roots alone: each link that the cut severs ends at a root.
static void trees_are_cut_into_subtrees(void **state)
{
    const struct anl_config tree = {
        .topology = ANL_FAT_TREE, .k = 4, .n = 3, .num_vcs = 1, .routing = ANL_UP_DOWN_GREEDY};
    const struct anl_shape shape = anl_shape_of(&tree);
    uint32_t part_of[64], least, largest;
    (void)state;
    assert_true(cut_into(&tree, 4, part_of, &least, &largest) > 0 && least > 0);
    for (uint32_t s = 0; s < shape.switches; s++)
        for (uint32_t p = 0; p < shape.ports; p++) {
            const struct anl_end end = anl_link_end(&tree, s, p);
            if (!end.exists || end.is_terminal || part_of[end.node] == part_of[s]) continue;
            assert_true(anl_tree_place(&tree, s).level == 3 ||
                        anl_tree_place(&tree, end.node).level == 3);
        }
    for (uint32_t parts = 1; parts <= shape.switches; parts++)
        assert_true(cut_into(&tree, parts, part_of, &least, &largest) < UINT32_MAX && least > 0);
}

static void graphs_are_cut_into_pieces(void **state)
{
    uint32_t part_of[64], least, largest;
    (void)state;
    for (uint32_t trial = 0; trial < 20; trial++) {
        struct anl_rng rng = anl_rng_seed(7, trial);
        struct anl_graph *graph = random_graph(&rng, 20, 6, 30, trial % 2);
        const struct anl_config config = graph_config(graph, ANL_UP_DOWN, 2);
        for (uint32_t parts = 1; parts <= 20; parts++) {
            cut_into(&config, parts, part_of, &least, &largest);
            assert_true(least > 0 && largest - least <= 1);
        }
        anl_graph_destroy(graph);
    }
}

// A walk around a one-way ring comes to its switches in their order, whatever their numbers are.
static void rings_are_cut_into_arcs(void **state)
{
    enum { SWITCHES = 16 };
    uint32_t part_of[SWITCHES], least, largest;
    struct anl_graph *graph;
    (void)state;
    assert_int_equal(anl_graph_create(SWITCHES, 2, SWITCHES, &graph, NULL), ANL_OK);
    for (uint32_t i = 0; i < SWITCHES; i++) {
        const uint32_t s = i * 5 % SWITCHES, next = (i + 1) * 5 % SWITCHES;
        assert_int_equal(anl_graph_link(graph, 2 * s, 2 * next, NULL), ANL_OK);
        assert_int_equal(anl_graph_attach(graph, s, 2 * s + 1, NULL), ANL_OK);
    }
    const struct anl_config config = graph_config(graph, ANL_UP_DOWN, 1);
    for (uint32_t parts = 2; parts <= SWITCHES; parts++)
        assert_int_equal(cut_into(&config, parts, part_of, &least, &largest), parts);
    anl_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_are_cut_into_slabs),
        cmocka_unit_test(all_parts_are_equally_large),
        cmocka_unit_test(trees_are_cut_into_subtrees),
        cmocka_unit_test(graphs_are_cut_into_pieces),
        cmocka_unit_test(rings_are_cut_into_arcs),
    };
    return cmocka_run_group_tests_name("cut", tests, NULL, NULL);
}
