// SPDX-License-Identifier: Apache-2.0
//
// The engine against docs/switch.md: latency formulas, conservation, order, worked examples of
// single rules, and independence of the order of switches.

#include "unit_engine.h"

#include <stdio.h>
#include <string.h>

static void lone_worms_take_the_formula_for_every_pair(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < UNIT_NUM_NETWORKS; i++)
        for (int flow_control = ANL_WORMHOLE; flow_control <= ANL_STORE_AND_FORWARD; flow_control++)
            for (uint32_t depth = 1; depth <= 8; depth = depth == 1 ? 2 : depth + 6) {
                const struct anl_config config = with(unit_networks[i], depth, ANL_ROUND_ROBIN,
                                                      (enum anl_flow_control)flow_control);
                all_pairs(&config);
            }
}

static void nothing_is_lost_and_order_cannot_matter(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < UNIT_NUM_NETWORKS; i++)
        for (int arbiter = ANL_FIXED; arbiter <= ANL_LAST_ARBITER; arbiter++) {
            if ((i + (uint32_t)arbiter) % unit_step(5)) continue;
            const enum anl_flow_control flow_control =
                (enum anl_flow_control)((int)(i + (unsigned)arbiter) % 3);
            const uint32_t depths[] = {4, 1, 2, 16};
            const struct anl_config config =
                with(unit_networks[i], depths[(i + (unsigned)arbiter / 2) % 4],
                     (enum anl_arbiter)arbiter, flow_control);
            if (config.topology != ANL_MESH && config.topology != ANL_HYPERCUBE &&
                config.routing == ANL_DIMENSION_ORDER)
                continue;  // it may deadlock
            const uint64_t hash = random_run(&config, i, 0);
            assert_true(hash == random_run(&config, i, 0));
            assert_true(hash == random_run(&config, i, 1));
            assert_true(hash == random_run(&config, i, 2));
        }
}

// ---------------------------------------------------------------- single rules

// A row of three switches; the ports are +0 = 0, -0 = 1 and T = 2.
static struct anl_config row(uint32_t num_vcs, uint32_t depth, enum anl_arbiter arbiter,
                             enum anl_flow_control flow_control)
{
    const struct anl_config base = {
        .topology = ANL_MESH, .k = 3, .n = 1, .num_vcs = num_vcs, .routing = ANL_DIMENSION_ORDER};
    return with(base, depth, arbiter, flow_control);
}

enum { ROW_EJECT_1 = 1 * 3 + 2, ROW_1_TO_2 = 1 * 3 + 0, ROW_INJECT_0 = 9 };

// Two worms meet at the ejection link of switch 1; they come from switch 0 by port -0 = 1, and from
// switch 2 by port +0 = 0.
static void contend(enum anl_arbiter arbiter, uint32_t num_vcs, const char *expected)
{
    const struct anl_config config = row(num_vcs, 4, arbiter, ANL_WORMHOLE);
    struct anl_engine *net = make(&config);
    enqueue(net, 0, 1, 3);  // a
    enqueue(net, 2, 1, 3);  // b
    expect_on_link(net, ROW_EJECT_1, expected);
    anl_engine_destroy(net);
}

static void scans_choose_as_stated(void **state)
{
    (void)state;
    contend(ANL_FIXED, 1, "..bbbaaa.");        // the lowest port wins, and a worm keeps its lane
    contend(ANL_FIXED, 2, "..bbbaaa.");        // with two lanes port 0 still wins every cycle
    contend(ANL_ROUND_ROBIN, 1, "..bbbaaa.");  // one lane: the other head must wait
    contend(ANL_ROUND_ROBIN, 2, "..bababa.");  // two lanes: the worms take turns
    contend(ANL_AGE, 2, "..bbbaaa.");          // same age: the lowest port wins
}

static void oldest_beats_port_order(void **state)
{
    (void)state;
    const struct anl_config config = row(2, 4, ANL_AGE, ANL_WORMHOLE);
    struct anl_engine *net = make(&config);
    enqueue(net, 0, 1, 4);  // a is older
    anl_engine_step(net);
    enqueue(net, 2, 1, 4);  // b is one cycle younger, but at the lower port
    expect_on_link(net, ROW_EJECT_1, ".aaaabbbb.");
    anl_engine_destroy(net);
}

// A terminal elsewhere has kept worm a, whose stamp is then older; also one from before the reset.
static void a_worm_that_was_created_before_is_older(void **state)
{
    (void)state;
    const struct anl_config config = row(2, 4, ANL_AGE, ANL_WORMHOLE);
    const uint64_t created[] = {4, UINT64_MAX, UINT16_MAX};
    for (size_t i = 0; i < sizeof created / sizeof *created; i++) {
        struct anl_engine *net = make(&config);
        uint32_t id;
        for (uint32_t cycle = 0; cycle < 5; cycle++)
            anl_engine_step(net);
        const struct anl_worm a = {.destination = 1, .length = 3, .created = created[i]};
        assert_int_equal(anl_engine_enqueue_created(net, &a, &id), ANL_OK);
        assert_true(anl_engine_worm(net, id)->created == created[i]);
        enqueue(net, 2, 1, 3);  // b, at the lower port
        expect_on_link(net, ROW_EJECT_1, "..aaabbb.");
        anl_engine_destroy(net);
    }
}

// On the link from switch 1 to 2 a worm from terminal 0 meets one from terminal 1.
static void farthest_beats_chance(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct anl_config config = row(2, 4, ANL_FARTHEST, ANL_WORMHOLE);
        struct anl_engine *net = make(&config);
        anl_engine_reset(net, seed);
        enqueue(net, 0, 2, 4);  // a
        anl_engine_step(net);
        enqueue(net, 1, 2, 4);  // b arrives in the same cycle
        expect_on_link(net, ROW_1_TO_2, ".aaaabbbb.");
        anl_engine_destroy(net);
    }
}

// Rule 5: a head takes the lowest empty lane before a lane in use. The lane of a tail may be taken
// in the next cycle.
static void heads_take_empty_lanes_first(void **state)
{
    (void)state;
    const struct anl_config config = row(3, 4, ANL_FIXED, ANL_WORMHOLE);
    struct anl_engine *net = make(&config);
    const uint8_t expected[] = {0, 1, 0, 1};
    for (int i = 0; i < 4; i++)
        enqueue(net, 0, 1, 1);
    for (int i = 0; i < 4; i++) {  // the lane of two cycles before is empty again
        anl_engine_step(net);
        assert_int_equal(lane_used(net, ROW_INJECT_0), expected[i]);
    }
    anl_engine_destroy(net);
}

static void one_slot_runs_at_half_rate(void **state)
{
    (void)state;
    const struct anl_config config = row(1, 1, ANL_FIXED, ANL_WORMHOLE);
    struct anl_engine *net = make(&config);
    enqueue(net, 0, 1, 3);
    expect_on_link(net, ROW_INJECT_0, "a.a.a.");
    anl_engine_destroy(net);
}

// A lone worm of four flits, under each flow control rule.
static void flow_control_decides_when_a_head_may_go(void **state)
{
    (void)state;
    static const char *const expected[] = {
        ".aaaa....",  // wormhole: at once
        ".aaaa....",  // cut-through: there is room for the whole worm
        "....aaaa.",  // store-and-forward: when the tail has come
    };
    for (int flow_control = ANL_WORMHOLE; flow_control <= ANL_STORE_AND_FORWARD; flow_control++) {
        const struct anl_config config = row(1, 4, ANL_FIXED, (enum anl_flow_control)flow_control);
        struct anl_engine *net = make(&config);
        enqueue(net, 1, 2, 4);
        expect_on_link(net, ROW_1_TO_2, expected[flow_control]);
        anl_engine_destroy(net);
    }
}

// A worm of 4 behind a worm of 3 may not cut through before all 4 slots of the next lane are free.
static void cut_through_waits_for_room(void **state)
{
    (void)state;
    for (int flow_control = ANL_WORMHOLE; flow_control <= ANL_CUT_THROUGH; flow_control++) {
        const struct anl_config config = row(1, 4, ANL_FIXED, (enum anl_flow_control)flow_control);
        struct anl_engine *net = make(&config);
        enqueue(net, 1, 2, 3);
        enqueue(net, 1, 2, 4);
        // The next lane holds a flit until cycle 5, so all its credits are back at the start of 6
        // at the earliest.
        expect_on_link(net, ROW_1_TO_2, flow_control == ANL_WORMHOLE ? ".aaabbbb." : ".aaa.bbbb");
        anl_engine_destroy(net);
    }
}

// The table "Two worms, cycle by cycle" of docs/switch.md.
static void two_worms_share_a_link_as_in_the_docs(void **state)
{
    (void)state;
    enum { CYCLES = 8, LINKS = 5, CELL = 6 };
    static const uint32_t links[LINKS] = {9, 0, 10, 3, 8};
    static const char *const rows[LINKS] = {
        "a0/0  a1/0  a2/0  ....  ....  ....  ....  ....",
        "....  a0/0  a1/0  a2/0  ....  ....  ....  ....",
        "b0/0  b1/0  b2/0  ....  ....  ....  ....  ....",
        "....  b0/0  a0/1  b1/0  a1/1  b2/0  a2/1  ....",
        "....  ....  b0/0  a0/1  b1/0  a1/1  b2/0  a2/1",
    };
    const struct anl_config config = row(2, 2, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    struct anl_engine *net = make(&config);
    enqueue(net, 0, 2, 3);
    enqueue(net, 1, 2, 3);
    for (uint32_t cycle = 0; cycle < CYCLES; cycle++) {
        size_t count, expected = 0;
        anl_engine_step(net);
        const struct anl_flit *flits = anl_engine_flits(net, &count);
        for (uint32_t i = 0; i < LINKS; i++) {
            const char *cell = rows[i] + (size_t)cycle * CELL;
            char seen[CELL] = "....";
            for (size_t j = 0; j < count; j++)
                if (flits[j].link == links[i])
                    snprintf(seen, sizeof seen, "%c%u/%u", (char)('a' + flits[j].worm),
                             flits[j].index % 10u, flits[j].vc % 10u);
            if (strncmp(cell, seen, 4) != 0)
                fail_msg("cycle %u, link %u: %s, expected %.4s", cycle, links[i], seen, cell);
            expected += cell[0] != '.';
        }
        assert_int_equal(count, expected);
    }
    anl_engine_destroy(net);
}

static void worms_out_of_range_are_refused(void **state)
{
    (void)state;
    const struct anl_config config = row(1, 4, ANL_FIXED, ANL_CUT_THROUGH);
    struct anl_engine *net = make(&config);
    assert_int_equal(anl_engine_enqueue(net, 3, 0, 1, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_engine_enqueue(net, 0, 3, 1, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_engine_enqueue(net, 0, 1, 0, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_engine_enqueue(net, 0, 1, 5, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_engine_totals(net).enqueued, 0);
    assert_null(anl_engine_worm(net, 0));
    anl_engine_destroy(net);
    anl_engine_destroy(NULL);

    struct anl_config bad = config;
    bad.depth = 0;
    net = (struct anl_engine *)&bad;
    assert_int_equal(anl_engine_create(&bad, &net), ANL_ERR_ARGUMENT);
    assert_null(net);
    bad = config;
    bad.classes = 2;  // of messages, which the engine does not know
    assert_int_equal(anl_engine_create(&bad, &net), ANL_ERR_ARGUMENT);
    assert_null(net);
}

// There are far more worms than the table begins with, and some are stuck for long.
static void the_worm_table_grows(void **state)
{
    (void)state;
    const struct anl_config config = row(1, 2, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    struct anl_engine *net = make(&config);
    uint64_t delivered = 0;
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t id;
        assert_int_equal(anl_engine_enqueue(net, i % 3, (i + 1) % 3, 4, &id), ANL_OK);
        assert_int_equal(id, i);
        anl_engine_step(net);
        assert_non_null(anl_engine_worm(net, id));
    }
    for (uint32_t i = 0; i < 50000 && anl_engine_totals(net).delivered < 5000; i++) {
        size_t count;
        anl_engine_step(net);
        anl_engine_delivered(net, &count);
        delivered += count;
    }
    assert_int_equal(anl_engine_totals(net).delivered, 5000);
    assert_true(delivered > 0 && anl_engine_totals(net).queued == 0);
    anl_engine_destroy(net);
}

// Without dateline lanes four worms around a ring stop for good.
static void the_unsafe_ring_deadlocks(void **state)
{
    (void)state;
    for (int safe = 0; safe < 2; safe++) {
        const struct anl_config base = {.topology = ANL_UNIDIRECTIONAL_TORUS,
                                        .k = 4,
                                        .n = 1,
                                        .num_vcs = 2,
                                        .routing = safe ? ANL_DATELINE : ANL_DIMENSION_ORDER};
        const struct anl_config config = with(base, 2, ANL_ROUND_ROBIN, ANL_WORMHOLE);
        struct anl_engine *net = make(&config);
        for (uint32_t round = 0; round < 4; round++)
            for (uint32_t t = 0; t < 4; t++)
                enqueue(net, t, (t + 3) % 4, 16);
        for (int i = 0; i < 2000; i++)
            anl_engine_step(net);
        assert_int_equal(anl_engine_totals(net).delivered == 16, safe);
        if (!safe) assert_int_equal(anl_engine_totals(net).moved, 0);
        anl_engine_destroy(net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lone_worms_take_the_formula_for_every_pair),
        cmocka_unit_test(nothing_is_lost_and_order_cannot_matter),
        cmocka_unit_test(scans_choose_as_stated),
        cmocka_unit_test(oldest_beats_port_order),
        cmocka_unit_test(a_worm_that_was_created_before_is_older),
        cmocka_unit_test(farthest_beats_chance),
        cmocka_unit_test(heads_take_empty_lanes_first),
        cmocka_unit_test(one_slot_runs_at_half_rate),
        cmocka_unit_test(flow_control_decides_when_a_head_may_go),
        cmocka_unit_test(cut_through_waits_for_room),
        cmocka_unit_test(two_worms_share_a_link_as_in_the_docs),
        cmocka_unit_test(worms_out_of_range_are_refused),
        cmocka_unit_test(the_worm_table_grows),
        cmocka_unit_test(the_unsafe_ring_deadlocks),
    };
    return cmocka_run_group_tests_name("net", tests, NULL, NULL);
}
