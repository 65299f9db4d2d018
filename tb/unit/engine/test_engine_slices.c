// SPDX-License-Identifier: Apache-2.0
//
// The engine against docs/link.md, "Links of several cycles": latency of lone worms for every pair,
// the depth at which full rate begins, conservation, what is on its way when the network is empty,
// and what is refused.

#include "hops.h"

static struct anl_config sliced(struct anl_config config, uint32_t cycles, uint32_t depth,
                                enum anl_flow_control flow_control)
{
    config.link_cycles = cycles;
    return with(config, depth, ANL_ROUND_ROBIN, flow_control);
}

static void lone_worms_take_the_formula_for_every_pair(void **state)
{
    (void)state;
    expect_the_formula(sliced, (const uint32_t[]){2, 3, 16});
}

static void full_rate_begins_at_the_depth_that_is_said(void **state)
{
    (void)state;
    for (uint32_t cycles = 1; cycles <= ANL_MAX_LINK_CYCLES; cycles++)
        expect_full_rate(sliced, cycles, 2 * cycles, 4 + 2 * (cycles - 1));
}

static void nothing_is_lost_and_order_cannot_matter(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < NUM_NETWORKS; i++) {
        const struct anl_config config =
            sliced(network(i), 2 + i * 5 % 15, 1 + i % 5, (enum anl_flow_control)(i % 3));
        expect_conservation(&config, i);
    }
}

// Worms of one class answer those of the other one, and links have a flit for each lane.
static void classes_and_wide_links_have_slices(void **state)
{
    (void)state;
    struct anl_config wide = sliced(unit_networks[2], 3, 2, ANL_WORMHOLE), narrow = wide;
    wide.link = ANL_WIDE;
    narrow.classes = 2;
    struct anl_engine *net = make(&wide);
    assert_int_equal(lone_latency(net, 0, 2, 2), 2 + 2 * 3 + 1);
    anl_engine_destroy(net);
    net = make(&narrow);
    assert_int_equal(lone_latency(net, 0, 2, 2), 2 + 2 * 3 + 1);
    anl_engine_destroy(net);
}

// The last flit is taken while a credit is still on its way: the network is not idle then, and a
// worm that comes at once has one credit less.
static void credits_on_their_way_are_waited_for(void **state)
{
    (void)state;
    struct anl_config config = sliced(row, 8, 1, ANL_WORMHOLE);
    config.k = 2;
    struct anl_engine *net = make(&config);
    enqueue(net, 0, 1, 1);  // it crosses the link in 1, and is delivered in 9
    while (anl_engine_totals(net).in_network + anl_engine_totals(net).queued > 0)
        anl_engine_step(net);
    assert_int_equal(anl_engine_cycle(net), 11);
    assert_false(anl_engine_idle(net));
    assert_int_equal(anl_engine_skip(net, 100), ANL_ERR_ARGUMENT);
    while (!anl_engine_idle(net))
        anl_engine_step(net);
    assert_int_equal(anl_engine_cycle(net), 17);  // the credit of 9 may be spent in 17
    assert_int_equal(anl_engine_skip(net, 100), ANL_OK);
    assert_int_equal(lone_latency(net, 0, 1, 1), 3 + 7);
    enqueue(net, 0, 1, 2);  // behind it: its head waits for the credit of the worm before
    while (letter_on(net, 0) == '.')
        anl_engine_step(net);
    assert_int_equal(anl_engine_cycle(net) - 1, 17);
    anl_engine_destroy(net);
}

// In mid-run a reset forgets what is on its way.
static void a_reset_clears_links(void **state)
{
    (void)state;
    const struct anl_config config = sliced(unit_networks[2], 5, 4, ANL_WORMHOLE);
    struct anl_engine *net = make(&config);
    enqueue(net, 0, 4, 9);
    for (int i = 0; i < 7; i++)
        anl_engine_step(net);
    anl_engine_reset(net, 1);
    assert_true(anl_engine_idle(net));
    assert_int_equal(lone_latency(net, 0, 4, 4), 4 + 2 + 4 * 4 + 3);
    anl_engine_destroy(net);
}

static void what_has_no_slices_is_refused(void **state)
{
    (void)state;
    struct anl_config config = sliced(unit_networks[2], ANL_MAX_LINK_CYCLES, 4, ANL_WORMHOLE);
    assert_int_equal(anl_config_check(&config, NULL), ANL_OK);
    config.link_cycles++;
    refused(config, "link_cycles is 17, expected 1..16");
    config = sliced(others[0], 2, 4, ANL_WORMHOLE);
    config.credits = ANL_BYPASS;
    refused(config, "link_cycles is 2, credits bypass expects 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lone_worms_take_the_formula_for_every_pair),
        cmocka_unit_test(full_rate_begins_at_the_depth_that_is_said),
        cmocka_unit_test(nothing_is_lost_and_order_cannot_matter),
        cmocka_unit_test(classes_and_wide_links_have_slices),
        cmocka_unit_test(credits_on_their_way_are_waited_for),
        cmocka_unit_test(a_reset_clears_links),
        cmocka_unit_test(what_has_no_slices_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
