// SPDX-License-Identifier: Apache-2.0
//
// Configurations that must be refused, each with its reason, and corner cases that must be
// accepted.

#include "unit.h"

#include <annelid/network.h>
#include <annelid/rtl.h>
#include <string.h>

static const struct anl_config good = {.topology = ANL_TORUS,
                                       .k = 4,
                                       .n = 2,
                                       .num_vcs = 2,
                                       .depth = 4,
                                       .flit_width_bits = 32,
                                       .routing = ANL_DATELINE};

#define BAD(change, expected)                                                                      \
    {                                                                                              \
        struct anl_config c = good;                                                                \
        struct anl_error error;                                                                    \
        change;                                                                                    \
        assert_int_equal(anl_config_check(&c, &error), ANL_ERR_ARGUMENT);                          \
        if (!strstr(error.text, expected))                                                         \
            fail_msg("said '%s', expected '%s'", error.text, expected);                            \
        assert_int_equal(anl_config_check(&c, NULL), ANL_ERR_ARGUMENT);                            \
    }

static void refuses_what_is_out_of_range(void **state)
{
    (void)state;
    assert_int_equal(anl_config_check(&good, NULL), ANL_OK);
    BAD(c.topology = (enum anl_topology)(ANL_LAST_TOPOLOGY + 1), "unknown topology ");
    BAD(c.topology = ANL_GRAPH, "topology graph expects a graph with routes");
    BAD(c.k = 0, "k is 0");
    BAD(c.k = 2049, "k is 2049");
    BAD(c.kind = ANL_NUM_SWITCH_KINDS, "unknown kind ");
    BAD(c.k = 1, "a torus expects at least 2");
    BAD(c.n = 0, "n is 0, expected 1..10");
    BAD(c.n = 11, "n is 11");
    BAD((c.k = 512, c.n = 3), "too large");
    BAD(c.num_vcs = 0, "num_vcs is 0");
    BAD(c.num_vcs = 9, "num_vcs is 9, expected 1..8");
    BAD(c.num_vcs = 1, "routing dateline expects at least 2");
    BAD(c.depth = 0, "depth is 0");
    BAD(c.depth = 65, "depth is 65, expected 1..64");
    BAD(c.arbiter = (enum anl_arbiter)(ANL_LAST_ARBITER + 1), "unknown arbiter ");
    BAD(c.flow_control = (enum anl_flow_control)3, "unknown flow_control 3");
    BAD(c.length_in_head = (enum anl_truth)2, "unknown length_in_head 2");
    BAD((c.length_in_head = ANL_TRUE, c.flit_width_bits = 10),
        "flit_width_bits is 10, expected 11..");
    BAD(c.credits = (enum anl_credit_return)2, "unknown credits 2");
    BAD(c.credits = ANL_BYPASS,
        "credits bypass works on topology fat_tree and butterfly, not on torus");
    BAD(c.link = (enum anl_link)2, "unknown link 2");
    BAD((c.link = ANL_WIDE, c.credits = ANL_BYPASS), "as those of the rings of topology torus do");
    BAD((c.link = ANL_WIDE, c.classes = 2, c.num_vcs = 4), "classes is 2, link wide expects 1");
    BAD((c.link = ANL_WIDE, c.reply_queue = 1), "reply_queue is 1, link wide expects 0");
    BAD((c.link = ANL_WIDE, c.arbiter = ANL_REGISTERED_PRIORITY),
        "arbiter is registered_priority, link wide expects fixed, round_robin, random, age");
    BAD((c.link = ANL_WIDE, c.routing = ANL_ADAPTIVE, c.num_vcs = 3),
        "link wide expects routes with one option, routing adaptive gives several");
    BAD((c.topology = ANL_FAT_TREE, c.k = 5), "k is 5, a fat_tree expects 4");
    BAD(c.routing = ANL_UP_DOWN_GREEDY, "routing up_down_greedy does not work on topology torus");
    BAD(c.routing = ANL_E_CUBE, "routing e_cube does not work on topology torus");
    BAD((c.topology = ANL_MESH), "routing dateline does not work on topology mesh");
    BAD((c.topology = ANL_HYPERCUBE, c.routing = ANL_E_CUBE), "a hypercube expects 2");
    BAD(c.flit_width_bits = 3, "flit_width_bits is 3, expected 4..512");
    BAD(c.flit_width_bits = 513, "flit_width_bits is 513");
    BAD((c.arbiter = ANL_AGE, c.flow_control = ANL_CUT_THROUGH, c.flit_width_bits = 26),
        "expected 27..512 (a head carries 27 bits)");
}

static void accepts_the_corners(void **state)
{
    (void)state;
    struct anl_config c = {
        .topology = ANL_MESH, .k = 1, .n = 1, .num_vcs = 1, .depth = 1, .flit_width_bits = 1};
    assert_int_equal(anl_config_check(&c, NULL), ANL_OK);
    c = (struct anl_config){.topology = ANL_HYPERCUBE,
                            .k = 2,
                            .n = 10,
                            .num_vcs = 8,
                            .depth = 64,
                            .flit_width_bits = 512,
                            .routing = ANL_E_CUBE,
                            .arbiter = ANL_AGE,
                            .flow_control = ANL_STORE_AND_FORWARD};
    assert_int_equal(anl_config_check(&c, NULL), ANL_OK);
    assert_int_equal(anl_head_bits(&c), 10 + 7 + 16);
    c = (struct anl_config){
        .topology = ANL_MESH, .k = 2048, .n = 2, .num_vcs = 1, .depth = 1, .flit_width_bits = 22};
    assert_int_equal(anl_config_check(&c, NULL), ANL_OK);  // ANL_MAX_TERMINALS of them
}

// The numbers of FlowControl are those of docs/rtl.md and rtl/common/anl_pkg.sv.
static void heads_may_have_a_length(void **state)
{
    (void)state;
    static const struct {
        enum anl_flow_control flow_control;
        enum anl_truth length_in_head;
        bool has;
        uint32_t bits, longest, parameter;
    } expected[] = {
        {ANL_WORMHOLE, ANL_FALSE, false, 4, 65535, 0},
        {ANL_WORMHOLE, ANL_TRUE, true, 11, 127, 1},
        {ANL_CUT_THROUGH, ANL_FALSE, true, 11, 5, 0},
        {ANL_CUT_THROUGH, ANL_TRUE, true, 11, 5, 0},
        {ANL_STORE_AND_FORWARD, ANL_FALSE, true, 11, 5, 0},
        {ANL_STORE_AND_FORWARD, ANL_TRUE, true, 11, 5, 0},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct anl_config config = good;
        config.depth = 5;
        config.flow_control = expected[i].flow_control;
        config.length_in_head = expected[i].length_in_head;
        assert_int_equal(anl_head_has_length(&config), expected[i].has);
        assert_int_equal(anl_head_bits(&config), expected[i].bits);
        assert_int_equal(anl_longest_worm(&config), expected[i].longest);
        assert_int_equal(anl_rtl_length_in_head(&config), expected[i].parameter);
    }
}

static void names_cover_every_value(void **state)
{
    (void)state;
    assert_string_equal(anl_topology_name(ANL_UNIDIRECTIONAL_TORUS), "unidirectional_torus");
    assert_string_equal(anl_routing_name(ANL_DATELINE), "dateline");
    assert_string_equal(anl_arbiter_name(ANL_AGE), "age");
    assert_string_equal(anl_flow_control_name(ANL_STORE_AND_FORWARD), "store_and_forward");
    assert_string_equal(anl_arbiter_name((enum anl_arbiter)(ANL_LAST_ARBITER + 1)), "?");
    assert_string_equal(anl_status_text(ANL_ERR_STALLED), "stalled");
}

static void scans_are_listed_by_their_traits(void **state)
{
    (void)state;
    char text[ANL_ARBITER_NAMES_BYTES];
    for (int arbiter = ANL_FIXED; arbiter <= ANL_LAST_ARBITER; arbiter++) {
        const char *name = anl_arbiter_name((enum anl_arbiter)arbiter);
        assert_non_null(name);
        for (int other = ANL_FIXED; other < arbiter; other++)
            assert_string_not_equal(name, anl_arbiter_name((enum anl_arbiter)other));
        assert_string_equal(anl_arbiter_names(UINT32_C(1) << arbiter, text, sizeof text), name);
    }
    assert_string_equal(
        anl_arbiter_names(anl_arbiters_with(ANL_ARBITER_RANKS, true), text, sizeof text),
        "age or farthest");
    assert_string_equal(anl_arbiter_names(7, text, sizeof text), "fixed, round_robin or random");
    assert_int_equal(anl_arbiters_with(ANL_ARBITER_DRAWS, true) &
                         anl_arbiters_with(ANL_ARBITER_DRAWS, false),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_out_of_range),
        cmocka_unit_test(accepts_the_corners),
        cmocka_unit_test(heads_may_have_a_length),
        cmocka_unit_test(names_cover_every_value),
        cmocka_unit_test(scans_are_listed_by_their_traits),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
