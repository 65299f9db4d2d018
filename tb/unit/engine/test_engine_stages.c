// SPDX-License-Identifier: Apache-2.0
//
// The engine against docs/switch.md, "Two stages": latency of lone worms for every pair, the depth
// at which full rate begins, the table of the page, conservation, what is on its way when the
// network is empty, and what is refused.

#include "hops.h"

#include <string.h>

static struct anl_config staged(struct anl_config config, uint32_t cycles, uint32_t depth,
                                enum anl_flow_control flow_control)
{
    config.stages = 2;
    config.link_cycles = cycles;
    return with(config, depth, ANL_ROUND_ROBIN, flow_control);
}

static void lone_worms_take_the_formula_for_every_pair(void **state)
{
    (void)state;
    expect_the_formula(staged, (const uint32_t[]){1, 2, 5});
}

static void full_rate_begins_at_the_depth_that_is_said(void **state)
{
    (void)state;
    for (uint32_t cycles = 1; cycles <= ANL_MAX_LINK_CYCLES; cycles++)
        expect_full_rate(staged, cycles, 2 * cycles + 2, 4 + 3 + 2 * (cycles - 1));
}

// The table of docs/switch.md: a row of two switches, lanes of two flits, a worm of five.
static void a_worm_moves_as_in_the_table(void **state)
{
    (void)state;
    struct anl_config config = staged(row, 1, 2, ANL_WORMHOLE);
    config.k = 2;
    struct anl_engine *net = make(&config);
    static const struct {
        uint32_t link;
        const char *letters;
    } rows[] = {{6, "aa.aa..a......"}, {0, "..aa..aa..a..."}, {5, "....aa..aa..a."}};
    for (uint32_t i = 0; i < 3; i++) {
        anl_engine_reset(net, 1);
        enqueue(net, 0, 1, 5);
        expect_on_link(net, rows[i].link, rows[i].letters);
        assert_true(anl_engine_idle(net));
    }
    anl_engine_destroy(net);
}

static void nothing_is_lost_and_order_cannot_matter(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < NUM_NETWORKS; i++) {
        const struct anl_config config =
            staged(network(i), 1 + i % 3, 1 + i % 5, (enum anl_flow_control)(i % 3));
        expect_conservation(&config, i);
    }
}

// Heads that select know which of their links end at a terminal, and the credits of those.
static void heads_may_select(void **state)
{
    (void)state;
    struct anl_config config = staged(unit_networks[2], 1, 4, ANL_WORMHOLE);
    config.num_vcs = 2;
    config.routing = ANL_ADAPTIVE;
    config.atomic = ANL_ATOMIC_ADAPTIVE;
    random_run(&config, 5, 0);
    all_pairs(&config);
}

static void classes_and_wide_links_have_stages(void **state)
{
    (void)state;
    struct anl_config wide = staged(unit_networks[2], 1, 4, ANL_WORMHOLE), narrow = wide;
    wide.num_vcs = narrow.num_vcs = 2;
    wide.link = ANL_WIDE;
    narrow.classes = 2;
    all_pairs(&wide);
    all_pairs(&narrow);
}

// The tail has been taken while a credit is still in a register: the network is not idle then.
static void credits_in_registers_are_waited_for(void **state)
{
    (void)state;
    struct anl_config config = staged(row, 4, 1, ANL_WORMHOLE);
    struct anl_engine *net = make(&config);
    // It is injected in 0, granted in 1, crosses in 2, is granted in 6, and delivered in 7.
    enqueue(net, 0, 1, 1);
    while (anl_engine_totals(net).in_network + anl_engine_totals(net).queued > 0)
        anl_engine_step(net);
    assert_int_equal(anl_engine_cycle(net), 9);  // it is taken in 8
    assert_false(anl_engine_idle(net));
    while (!anl_engine_idle(net))
        anl_engine_step(net);
    assert_int_equal(anl_engine_cycle(net), 11);  // the credit of 6 may be spent in 11
    anl_engine_reset(net, 1);
    assert_true(anl_engine_idle(net));
    anl_engine_destroy(net);
}

static void what_has_no_stages_is_refused(void **state)
{
    (void)state;
    struct anl_config config = staged(unit_networks[2], 1, 4, ANL_WORMHOLE);
    assert_int_equal(anl_config_check(&config, NULL), ANL_OK);
    config.stages++;
    refused(config, "stages is 3, expected 1..2");
    config = staged(others[0], 1, 4, ANL_WORMHOLE);
    config.credits = ANL_BYPASS;
    refused(config, "stages is 2, credits bypass expects 1");
    config = staged(unit_networks[2], 1, 4, ANL_WORMHOLE);
    struct anl_network *network;
    struct anl_engine *engine;
    struct anl_error error;
    const uint32_t parts[25] = {1};
    assert_int_equal(anl_network_create(&config, &network), ANL_OK);
    assert_int_equal(anl_engine_create_part(network, parts, 0, &engine, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "its switches have two stages"));
    anl_network_destroy(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lone_worms_take_the_formula_for_every_pair),
        cmocka_unit_test(full_rate_begins_at_the_depth_that_is_said),
        cmocka_unit_test(a_worm_moves_as_in_the_table),
        cmocka_unit_test(nothing_is_lost_and_order_cannot_matter),
        cmocka_unit_test(heads_may_select),
        cmocka_unit_test(classes_and_wide_links_have_stages),
        cmocka_unit_test(credits_in_registers_are_waited_for),
        cmocka_unit_test(what_has_no_stages_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
