// SPDX-License-Identifier: Apache-2.0
//
// Parameters of the RTL that belong to a configuration, against docs/rtl.md and
// rtl/common/anl_pkg.sv.

#include "unit.h"

#include <annelid/rtl.h>
#include <inttypes.h>
#include <string.h>

static const struct anl_config plain = {.topology = ANL_TORUS,
                                        .k = 4,
                                        .n = 2,
                                        .num_vcs = 4,
                                        .depth = 5,
                                        .flit_width_bits = 32,
                                        .routing = ANL_DATELINE,
                                        .arbiter = ANL_REGISTERED_PRIORITY};

static void expect_parameters(struct anl_config config, const char *module, const char *expected)
{
    char text[512] = "";
    const struct anl_rtl_parameters all = anl_rtl_parameters(&config);
    for (size_t i = 0; i < all.count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %s %" PRIu64, all.list[i].name,
                 all.list[i].value);
    assert_string_equal(text, expected);
    assert_string_equal(anl_rtl_module(&config), module);
}

static void cubes_have_topology_and_routing(void **state)
{
    (void)state;
    static const struct {
        enum anl_topology topology;
        enum anl_routing routing;
        const char *parameters;
    } cases[] = {
        {ANL_MESH, ANL_DIMENSION_ORDER, " Topology 0 Routing 0"},
        {ANL_TORUS, ANL_DATELINE, " Topology 1 Routing 1"},
        {ANL_UNIDIRECTIONAL_TORUS, ANL_DATELINE, " Topology 2 Routing 1"},
        {ANL_HYPERCUBE, ANL_E_CUBE, " Topology 3 Routing 2"},
        {ANL_TORUS, ANL_DIMENSION_ORDER, " Topology 1 Routing 0"},
        {ANL_UNIDIRECTIONAL_TORUS, ANL_DIMENSION_ORDER, " Topology 2 Routing 0"},
        {ANL_MESH, ANL_WEST_FIRST, " Topology 0 Routing 9"},
        {ANL_MESH, ANL_NORTH_LAST, " Topology 0 Routing 10"},
        {ANL_MESH, ANL_NEGATIVE_FIRST, " Topology 0 Routing 11"},
        {ANL_MESH, ANL_ODD_EVEN, " Topology 0 Routing 12"},
        {ANL_TORUS, ANL_ADAPTIVE, " Topology 1 Routing 13"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[128];
        struct anl_config config = plain;
        config.topology = cases[i].topology;
        config.routing = cases[i].routing;
        snprintf(expected, sizeof expected, " K 4 N 2%s NumVcs 4 Depth 5 FlitW 32 Arbiter 6",
                 cases[i].parameters);
        expect_parameters(config, "anl_cube", expected);
        assert_string_equal(anl_rtl_switch(&config), "anl_cube_switch");
    }
}

static void trees_and_butterflies_have_a_routing(void **state)
{
    (void)state;
    static const struct {
        enum anl_topology topology;
        enum anl_routing routing;
        uint32_t passes;
        const char *module, *parameters;
    } cases[] = {
        {ANL_FAT_TREE, ANL_UP_DOWN_FIXED, 1, "anl_fat_tree", " Routing 3"},
        {ANL_FAT_TREE, ANL_UP_DOWN_RANDOM, 1, "anl_fat_tree", " Routing 4"},
        {ANL_FAT_TREE, ANL_UP_DOWN_GREEDY, 1, "anl_fat_tree", " Routing 5"},
        {ANL_FAT_TREE, ANL_DESTINATION_TAG, 1, "anl_fat_tree", " Routing 16"},
        {ANL_BUTTERFLY, ANL_DESTINATION_TAG, 1, "anl_butterfly", " Routing 16"},
        {ANL_BUTTERFLY, ANL_VALIANT, 2, "anl_butterfly", " Routing 17"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[128];
        struct anl_config config = plain;
        config.topology = cases[i].topology;
        config.routing = cases[i].routing;
        config.passes = cases[i].passes;
        snprintf(expected, sizeof expected, " K 4 N 2%s NumVcs 4 Depth 5 FlitW 32 Arbiter 6",
                 cases[i].parameters);
        expect_parameters(config, cases[i].module, expected);
    }
}

static void options_have_a_selection(void **state)
{
    (void)state;
    struct anl_config config = plain;
    config.topology = ANL_MESH;
    config.select = ANL_STRAIGHT_FIRST;  // not read: one option
    config.atomic = ANL_ATOMIC_ADAPTIVE;
    config.routing = ANL_DIMENSION_ORDER;
    expect_parameters(config, "anl_cube",
                      " K 4 N 2 Topology 0 Routing 0 NumVcs 4 Depth 5 FlitW 32 Arbiter 6");
    config.routing = ANL_ADAPTIVE;
    expect_parameters(
        config, "anl_cube",
        " K 4 N 2 Topology 0 Routing 13 Select 2 Atomic 1 NumVcs 4 Depth 5 FlitW 32 Arbiter 6");
}

static void what_is_not_the_default_is_named(void **state)
{
    (void)state;
    struct anl_config config = plain;
    config.flow_control = ANL_STORE_AND_FORWARD;
    config.length_in_head = ANL_TRUE;  // heads have it anyway
    config.link_cycles = 16;
    config.stages = 2;
    config.classes = 2;
    config.class_weights[0] = 255;
    config.class_weights[1] = 3;
    expect_parameters(
        config, "anl_cube",
        " K 4 N 2 Topology 1 Routing 1 NumVcs 4 Depth 5 FlitW 32 Arbiter 6 FlowControl 2"
        " LinkCycles 16 Stages 2 Classes 2 Weights 1023");
    config = plain;
    config.length_in_head = ANL_TRUE;
    config.link = ANL_WIDE;
    config.credits = ANL_BYPASS;
    expect_parameters(config, "anl_cube",
                      " K 4 N 2 Topology 1 Routing 1 NumVcs 4 Depth 5 FlitW 32 Arbiter 6"
                      " LengthInHead 1 CreditBypass 1 Wide 1");
}

// A table has options if an entry has several, if it goes by the input port, or if there are escape
// lanes.
static void tables_with_options_have_a_switch_of_their_own(void **state)
{
    (void)state;
    struct anl_graph graph = {.options = 1};
    struct anl_config config = {
        .topology = ANL_GRAPH, .graph = &graph, .num_vcs = 4, .routing = ANL_TABLE};
    assert_string_equal(anl_rtl_switch(&config), "anl_graph_switch");
    graph.by_input = true;
    assert_string_equal(anl_rtl_switch(&config), "anl_options_switch");
    graph = (struct anl_graph){.options = 2};
    assert_string_equal(anl_rtl_switch(&config), "anl_options_switch");
    graph.options = 1;
    config.escape_vcs = 3;
    assert_string_equal(anl_rtl_switch(&config), "anl_options_switch");
    config.escape_vcs = 0;
    config.routing = ANL_SOURCE;
    assert_string_equal(anl_rtl_switch(&config), "anl_source_switch");
    assert_string_equal(anl_rtl_module(&config), "anl_graph");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_have_topology_and_routing),
        cmocka_unit_test(trees_and_butterflies_have_a_routing),
        cmocka_unit_test(options_have_a_selection),
        cmocka_unit_test(what_is_not_the_default_is_named),
        cmocka_unit_test(tables_with_options_have_a_switch_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
