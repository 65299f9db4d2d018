// SPDX-License-Identifier: Apache-2.0
//
// Names of RTL parameter sets against key.h and the kinds of rtl/net.

#include "unit.h"

#include "drive/key.h"

#include <stdint.h>
#include <string.h>

static const struct anl_config plain = {.topology = ANL_TORUS,
                                        .k = 4,
                                        .n = 2,
                                        .num_vcs = 4,
                                        .depth = 4,
                                        .flit_width_bits = 32,
                                        .routing = ANL_DATELINE,
                                        .arbiter = ANL_ROUND_ROBIN,
                                        .flow_control = ANL_WORMHOLE};

static void expect_key(struct anl_config config, const char *expected)
{
    char key[KEY_BYTES];
    key_of(&config, key);
    assert_string_equal(key, expected);
}

static void names_every_parameter(void **unused)
{
    (void)unused;
    expect_key(plain, "cube_K4_N2_Topology1_Routing1_NumVcs4_Depth4_FlitW32_Arbiter1");
    struct anl_config config = {.topology = ANL_HYPERCUBE,
                                .k = 2,
                                .n = 10,
                                .num_vcs = 8,
                                .depth = 64,
                                .flit_width_bits = 512,
                                .routing = ANL_E_CUBE,
                                .arbiter = ANL_AGE,
                                .flow_control = ANL_STORE_AND_FORWARD};
    expect_key(config,
               "cube_K2_N10_Topology3_Routing2_NumVcs8_Depth64_FlitW512_Arbiter3_FlowControl2");
}

static void lengths_in_heads_make_another_circuit_under_wormhole(void **unused)
{
    (void)unused;
    struct anl_config config = plain;
    config.length_in_head = ANL_TRUE;
    expect_key(config,
               "cube_K4_N2_Topology1_Routing1_NumVcs4_Depth4_FlitW32_Arbiter1_LengthInHead1");
    config.flow_control = ANL_CUT_THROUGH;
    expect_key(config,
               "cube_K4_N2_Topology1_Routing1_NumVcs4_Depth4_FlitW32_Arbiter1_FlowControl1");
}

// A graph has its hash in the key: networks with other wires or routes are other circuits.
static void a_graph_has_its_hash(void **unused)
{
    (void)unused;
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(1, 3, 2, &graph, NULL), ANL_OK);
    assert_int_equal(anl_graph_attach(graph, 0, 1, NULL), ANL_OK);
    assert_int_equal(anl_graph_attach(graph, 1, 2, NULL), ANL_OK);
    assert_int_equal(anl_graph_route(graph, ANL_SHORTEST, 4, NULL), ANL_OK);
    struct anl_config config = plain;
    config.topology = ANL_GRAPH;
    config.graph = graph;
    config.routing = ANL_SHORTEST;
    config.k = 2;
    config.n = 1;
    graph->hash = 0x123456789abcdef;
    expect_key(config, "graph_K2_N1_NumVcs4_Depth4_FlitW32_Arbiter1_0123456789abcdef");
    anl_graph_destroy(graph);
}

static void classes_and_weights_are_named(void **unused)
{
    (void)unused;
    struct anl_config config = plain;
    config.classes = 2;
    expect_key(config, "cube_K4_N2_Topology1_Routing1_NumVcs4_Depth4_FlitW32_Arbiter1_Classes2");
    config.class_weights[0] = 16;
    expect_key(config,
               "cube_K4_N2_Topology1_Routing1_NumVcs4_Depth4_FlitW32_Arbiter1_Classes2_Weights272");
    config.class_weights[0] = config.class_weights[1] = 1;
    expect_key(config, "cube_K4_N2_Topology1_Routing1_NumVcs4_Depth4_FlitW32_Arbiter1_Classes2");
}

// What a network is made of, with parameters that are given to no other one.
static void families_are_named(void **unused)
{
    (void)unused;
    struct anl_config config = plain;
    config.kind = ANL_DISCARDING;
    config.topology = ANL_BUTTERFLY;
    config.link = ANL_WIDE;
    expect_key(config, "discarding_K4_N2_Passes1_NumVcs4_FlitW32_Wide1");
    config.kind = ANL_BUFFERED;
    expect_key(config, "butterfly_K4_N2_Routing16_NumVcs4_Depth4_FlitW32_Arbiter1_Wide1");
    config = plain;
    config.kind = ANL_DIAGONALS;
    config.diagonals = (struct anl_diagonals_shape){
        .length = 2, .a = 3, .b = 1, .c = 4, .rounds = ANL_SHORT_ROUNDS};
    expect_key(config, "diagonals_K4_N2_FlitW32_Length2_A3_B1_C4_Brief1");
}

static void different_networks_have_different_keys(void **unused)
{
    (void)unused;
    char keys[UNIT_NUM_NETWORKS][KEY_BYTES];
    for (size_t i = 0; i < UNIT_NUM_NETWORKS; i++) {
        key_of(&unit_networks[i], keys[i]);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(keys[i], keys[j]);
    }
}

// No network has such parameters; the text must stay within its bytes all the same.
static void stays_within_its_bytes(void **unused)
{
    (void)unused;
    struct {
        char key[KEY_BYTES];
        char behind;
    } text = {.behind = '!'};
    struct anl_config config = plain;
    config.k = config.n = config.num_vcs = config.depth = config.flit_width_bits = UINT32_MAX;
    config.classes = ANL_MAX_VCS;
    memset(config.class_weights, UINT8_MAX, sizeof config.class_weights);
    config.flow_control = ANL_CUT_THROUGH;
    config.credits = ANL_BYPASS;
    config.link = ANL_WIDE;
    config.link_cycles = config.stages = UINT32_MAX;
    key_of(&config, text.key);
    assert_int_equal(strnlen(text.key, KEY_BYTES), KEY_BYTES - 1);
    assert_int_equal(text.behind, '!');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_every_parameter),
        cmocka_unit_test(lengths_in_heads_make_another_circuit_under_wormhole),
        cmocka_unit_test(classes_and_weights_are_named),
        cmocka_unit_test(families_are_named),
        cmocka_unit_test(a_graph_has_its_hash),
        cmocka_unit_test(different_networks_have_different_keys),
        cmocka_unit_test(stays_within_its_bytes),
    };
    return cmocka_run_group_tests_name("key", tests, NULL, NULL);
}
