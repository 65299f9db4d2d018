// SPDX-License-Identifier: Apache-2.0
//
// The engine on the butterfly fat-tree against docs/switch.md: latency formulas, several ports,
// arbiter farthest, credit bypass, and the times that Greenberg and Oh (1993) print for the pattern
// in which the two halves send to the two far corners.

#include "unit_engine.h"
#include "unit_tree.h"

static struct anl_config tree_with(uint32_t n, uint32_t num_vcs, uint32_t depth,
                                   enum anl_routing routing, enum anl_arbiter arbiter)
{
    struct anl_config config = tree(n, routing);
    config.num_vcs = num_vcs;
    config.depth = depth;
    config.arbiter = arbiter;
    return config;
}

static struct anl_config chained(struct anl_config config)
{
    config.credits = ANL_BYPASS;
    return config;
}

// ---------------------------------------------------------------- all of it

// A chained link runs at full rate even with one slot, but every path has an ejection link, which
// does not.
static void lone_worms_take_the_formula_for_every_pair(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 3; n++)
        for (int routing = ANL_UP_DOWN_FIXED; routing <= ANL_UP_DOWN_GREEDY; routing++)
            for (int credits = ANL_REGISTERED; credits <= ANL_BYPASS; credits++)
                for (int flow_control = ANL_WORMHOLE; flow_control <= ANL_STORE_AND_FORWARD;
                     flow_control++)
                    for (uint32_t depth = n == 3 ? unit_step(8) : 1; depth <= 8;
                         depth = depth == 1 ? 2 : depth + 6) {
                        if (n == 3 && (routing + credits + flow_control) % (int)unit_step(3))
                            continue;
                        struct anl_config config =
                            tree_with(n, 1, depth, (enum anl_routing)routing, ANL_FIXED);
                        config.credits = (enum anl_credit_return)credits;
                        config.flow_control = (enum anl_flow_control)flow_control;
                        all_pairs(&config);
                    }
}

static void nothing_is_lost_and_order_cannot_matter(void **state)
{
    (void)state;
    static const uint32_t depths[] = {4, 1, 2, 16};
    for (uint32_t i = 0; i < 60; i += unit_step(7)) {
        struct anl_config config =
            tree_with(1 + i % 3, 1 + i / 3 % 4, depths[i / 2 % 4],
                      (enum anl_routing)(ANL_UP_DOWN_FIXED + i / 5 % 3), (enum anl_arbiter)(i % 5));
        config.flow_control = (enum anl_flow_control)(i / 7 % 3);
        config.credits = (enum anl_credit_return)(i % 2);
        const uint64_t hash = random_run(&config, i, 0);
        assert_true(hash == random_run(&config, i, 0));
        assert_true(hash == random_run(&config, i, 1));
        assert_true(hash == random_run(&config, i, 2));
    }
}

// ---------------------------------------------------------------- several ports

// A tree of two levels. Switches 0 .. 3 are above the terminals, and 4 and 5 are at the root. Up
// link 0 of switch 0 goes to 4, and up link 1 to 5.
enum { UP_0 = 4, UP_1 = 5, EJECT_0 = 0, EJECT_1 = 1, INJECT_0 = 36, FAR = 15 };

// In each cycle a port is drawn for every head at the front of a lane. The lowest input with a port
// wins it, and the others draw again in the next cycle.
static void random_heads_draw_in_every_cycle(void **state)
{
    (void)state;
    uint32_t waited = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        const struct anl_config config = tree_with(2, 1, 4, ANL_UP_DOWN_RANDOM, ANL_FIXED);
        struct anl_engine *net = make(&config);
        anl_engine_reset(net, seed);
        uint32_t r = anl_switch_seed(seed, 0), left = 0xf;
        for (uint32_t t = 0; t < 4; t++)
            enqueue(net, t, FAR, 1);
        anl_engine_step(net);
        while (left) {
            char expected[2][2] = {".", "."};
            for (uint32_t which = 0; which < 2; which++)
                for (uint32_t p = 0; p < 4 && expected[which][0] == '.'; p++)
                    if (left >> p & 1 && (r >> p & 1) == which)
                        expected[which][0] = (char)('a' + p);
            anl_engine_step(net);
            for (uint32_t which = 0; which < 2; which++) {
                assert_int_equal(letter_on(net, UP_0 + which), expected[which][0]);
                if (expected[which][0] != '.') left &= ~(1u << (expected[which][0] - 'a'));
            }
            r = anl_xorshift32(r);
            waited += left != 0;
        }
        anl_engine_destroy(net);
    }
    assert_true(waited > 50);
}

static void fixed_heads_follow_their_path(void **state)
{
    (void)state;
    enum { LEVELS = 3, WORMS = 640, SEED = 9 };
    const struct anl_config config = tree_with(LEVELS, 2, 4, ANL_UP_DOWN_FIXED, ANL_ROUND_ROBIN);
    struct anl_engine *net = make(&config);
    anl_engine_reset(net, SEED);
    for (uint32_t i = 0; i < WORMS; i++)
        enqueue(net, i % 64, 63 - i % 64, 2);
    uint32_t ups[2] = {0};
    while (anl_engine_totals(net).delivered < WORMS) {
        size_t count;
        anl_engine_step(net);
        const struct anl_flit *flits = anl_engine_flits(net, &count);
        for (size_t i = 0; i < count; i++) {
            const uint32_t node = flits[i].link / PORTS, port = flits[i].link % PORTS;
            if (node >= anl_shape_of(&config).switches || port < CHILDREN) continue;
            const uint32_t path = anl_worm_path(&config, SEED, flits[i].worm);
            assert_int_equal(port - CHILDREN, path >> (level_of(&config, node) - 1) & 1);
            assert_int_equal(anl_engine_worm(net, flits[i].worm)->path, path);
            ups[port - CHILDREN]++;
        }
        assert_true(anl_engine_cycle(net) < 10000);
    }
    assert_int_equal(ups[0] + ups[1], WORMS * 2 * (LEVELS - 1));
    assert_true(ups[0] > WORMS && ups[1] > WORMS);
    anl_engine_destroy(net);
}

// Compares the worms that cross the up links of switch 0 in each cycle.
static void expect_up(struct anl_engine *net, const char *first, const char *second)
{
    for (uint32_t i = 0; first[i]; i++) {
        anl_engine_step(net);
        const char seen[2] = {letter_on(net, UP_0), letter_on(net, UP_1)};
        if (seen[0] != first[i] || seen[1] != second[i])
            fail_msg("cycle %u: %c and %c, expected %s and %s", i, seen[0], seen[1], first, second);
    }
}

// The first head that wants up, in the order of the scan, takes the first free port.
static void greedy_heads_take_the_first_free_port(void **state)
{
    (void)state;
    const struct anl_config fixed = tree_with(2, 1, 4, ANL_UP_DOWN_GREEDY, ANL_FIXED);
    struct anl_engine *net = make(&fixed);
    enqueue(net, 0, FAR, 1);
    expect_up(net, ".a.", "...");
    anl_engine_reset(net, 1);
    for (uint32_t t = 0; t < 4; t++)
        enqueue(net, t, FAR, 1);
    expect_up(net, ".ac.", ".bd.");
    anl_engine_reset(net, 1);
    enqueue(net, 2, FAR, 3);  // a holds the first port: b goes by the second, c waits
    anl_engine_step(net);
    enqueue(net, 1, FAR, 3);
    enqueue(net, 0, FAR, 1);
    expect_up(net, "aaa.", ".cbb");
    anl_engine_destroy(net);

    // After the first grants the scan of port 4 begins at input 1, that of port 5 at input 2.
    const struct anl_config rotating = tree_with(2, 1, 4, ANL_UP_DOWN_GREEDY, ANL_ROUND_ROBIN);
    net = make(&rotating);
    for (uint32_t t = 0; t < 3; t++)
        for (uint32_t i = 0; i < 2; i++)
            enqueue(net, t, FAR, 1);  // a b from terminal 0, c d from 1, e f from 2
    expect_up(net, ".adf.", ".ceb.");
    anl_engine_destroy(net);
}

// ---------------------------------------------------------------- farthest first

// Worm a from the other end of the tree and worm b from the next terminal reach the switch of
// terminal 0 in one cycle.
static void the_farthest_wins_a_port(void **state)
{
    (void)state;
    for (int arbiter = ANL_FIXED; arbiter <= ANL_FARTHEST; arbiter += ANL_FARTHEST)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            const struct anl_config config =
                tree_with(2, 1, 4, ANL_UP_DOWN_GREEDY, (enum anl_arbiter)arbiter);
            struct anl_engine *net = make(&config);
            anl_engine_reset(net, seed);
            enqueue(net, FAR, 0, 2);
            anl_engine_step(net);
            anl_engine_step(net);
            enqueue(net, 1, 0, 2);
            expect_on_link(net, EJECT_0, arbiter == ANL_FARTHEST ? ".aabb." : ".bbaa.");
            anl_engine_destroy(net);
        }
}

// One link feeds two lanes. Worm a waits there until worms from afar have passed; b goes farther
// than a, and must go as soon as it arrives, whatever is drawn.
static void the_farthest_lane_is_offered(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct anl_config config = tree_with(2, 2, 4, ANL_UP_DOWN_GREEDY, ANL_FARTHEST);
        struct anl_engine *net = make(&config);
        anl_engine_reset(net, seed);
        enqueue(net, FAR, 1, 6);  // crosses the ejection link in cycles 3 .. 8
        for (uint32_t i = 0; i < 3; i++)
            anl_engine_step(net);
        enqueue(net, 0, 1, 1);    // in its lane from 4 on; an ejection lane is free
        enqueue(net, 0, FAR, 1);  // in the other lane from 5 on
        expect_on_link(net, EJECT_1, "aa");
        anl_engine_step(net);
        assert_int_equal(letter_on(net, EJECT_1), 'a');
        assert_int_equal(letter_on(net, UP_0), 'c');
        expect_on_link(net, EJECT_1, "aaab.");
        anl_engine_destroy(net);
    }
}

// Of worms that come equally far, the first one from the start of policy random wins: (r[15:8] * 6)
// >> 8.
static void ties_are_broken_at_random(void **state)
{
    (void)state;
    uint32_t won[4] = {0};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const struct anl_config config = tree_with(2, 1, 4, ANL_UP_DOWN_GREEDY, ANL_FARTHEST);
        struct anl_engine *net = make(&config);
        anl_engine_reset(net, seed);
        for (uint32_t t = 1; t < 4; t++)
            enqueue(net, t, 0, 1);  // a, b, c
        const uint32_t start = (anl_switch_seed(seed, 0) >> 8 & 0xff) * 6 >> 8;
        const uint32_t first = start >= 1 && start <= 3 ? start : 1;
        anl_engine_step(net);
        anl_engine_step(net);
        assert_int_equal(letter_on(net, EJECT_0), 'a' + first - 1);
        won[first]++;
        anl_engine_destroy(net);
    }
    assert_true(won[1] > won[2] && won[2] > 0 && won[3] > 0);
}

// ---------------------------------------------------------------- credit bypass

// Lanes have one slot. Injection and up links run at full rate until they are full, because the
// links down run at half rate.
static void a_chained_slot_is_used_in_the_same_cycle(void **state)
{
    (void)state;
    static const char *const expected[] = {"a.a.a.a.", "aaa.a.a."};
    for (int credits = ANL_REGISTERED; credits <= ANL_BYPASS; credits++) {
        struct anl_config config = tree_with(2, 1, 1, ANL_UP_DOWN_GREEDY, ANL_FIXED);
        config.credits = (enum anl_credit_return)credits;
        struct anl_engine *net = make(&config);
        enqueue(net, 0, FAR, 8);
        expect_on_link(net, INJECT_0, expected[credits]);
        anl_engine_destroy(net);
    }
}

// Rule 5: a lane whose last flit leaves in this cycle counts as empty.
static void a_chained_lane_that_empties_is_empty(void **state)
{
    (void)state;
    for (int credits = ANL_REGISTERED; credits <= ANL_BYPASS; credits++) {
        struct anl_config config = tree_with(2, 2, 2, ANL_UP_DOWN_GREEDY, ANL_FIXED);
        config.credits = (enum anl_credit_return)credits;
        struct anl_engine *net = make(&config);
        for (uint32_t i = 0; i < 4; i++)
            enqueue(net, 0, FAR, 1);
        for (uint32_t i = 0; i < 4; i++) {
            anl_engine_step(net);
            assert_int_equal(lane_used(net, INJECT_0), credits == ANL_BYPASS ? 0 : i % 2);
        }
        anl_engine_destroy(net);
    }
}

// Worms of two flits are admitted whole to lanes of two. The second head may come in the cycle in
// which the last flit of the first worm leaves.
static void room_for_a_chained_worm_is_counted_in_the_same_cycle(void **state)
{
    (void)state;
    static const char *const expected[][2] = {{"aa.bb...", "aabb...."},   // cut_through
                                              {"aa..bb..", "aa.bb..."}};  // store_and_forward
    for (int credits = ANL_REGISTERED; credits <= ANL_BYPASS; credits++)
        for (int flow_control = ANL_CUT_THROUGH; flow_control <= ANL_STORE_AND_FORWARD;
             flow_control++) {
            struct anl_config config = tree_with(2, 1, 2, ANL_UP_DOWN_GREEDY, ANL_FIXED);
            config.credits = (enum anl_credit_return)credits;
            config.flow_control = (enum anl_flow_control)flow_control;
            struct anl_engine *net = make(&config);
            enqueue(net, 0, FAR, 2);
            enqueue(net, 0, FAR, 2);
            expect_on_link(net, INJECT_0, expected[flow_control - ANL_CUT_THROUGH][credits]);
            anl_engine_destroy(net);
        }
}

// ---------------------------------------------------------------- two far corners

// Returns the cycle in which the last tail is ejected, if each terminal of the lower half sends a
// worm to the last terminal and each one of the upper half to the first.
static uint64_t last_tail(const struct anl_config *config, uint64_t seed, uint16_t length)
{
    const uint32_t terminals = anl_shape_of(config).terminals;
    struct anl_engine *net = make(config);
    anl_engine_reset(net, seed);
    for (uint32_t t = 0; t < terminals; t++)
        enqueue(net, t, t < terminals / 2 ? terminals - 1 : 0, length);
    while (anl_engine_totals(net).delivered < terminals && anl_engine_cycle(net) < 100000)
        anl_engine_step(net);
    const uint64_t last = anl_engine_cycle(net) - 1;
    anl_engine_destroy(net);
    return last;
}

// Table 1, many-to-1: 258, 1028, 4102 for worms of 32 flits, and 544, 2144, 8352 for packets of 32
// steps. The times must not depend on the seed.
static void far_corners_take_as_long_as_in_the_paper(void **state)
{
    (void)state;
    static const uint64_t worm[] = {0, 0, 258, 1028, 4102}, packet[] = {0, 0, 544, 2144, 8352};
    for (uint32_t n = 2; n <= 4; n++)
        for (uint64_t seed = 1; seed <= 10; seed += unit_step(4)) {
            const struct anl_config two = tree_with(n, 1, 2, ANL_UP_DOWN_RANDOM, ANL_RANDOM);
            const struct anl_config one = tree_with(n, 1, 1, ANL_UP_DOWN_RANDOM, ANL_RANDOM);
            const struct anl_config chain = chained(one);
            assert_int_equal(last_tail(&two, seed, 32), worm[n]);
            assert_int_equal(32 * last_tail(&chain, seed, 1), packet[n]);
            const struct anl_config chain_of_two = chained(two);
            assert_int_equal(last_tail(&chain_of_two, seed, 32), worm[n]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lone_worms_take_the_formula_for_every_pair),
        cmocka_unit_test(nothing_is_lost_and_order_cannot_matter),
        cmocka_unit_test(random_heads_draw_in_every_cycle),
        cmocka_unit_test(fixed_heads_follow_their_path),
        cmocka_unit_test(greedy_heads_take_the_first_free_port),
        cmocka_unit_test(the_farthest_wins_a_port),
        cmocka_unit_test(the_farthest_lane_is_offered),
        cmocka_unit_test(ties_are_broken_at_random),
        cmocka_unit_test(a_chained_slot_is_used_in_the_same_cycle),
        cmocka_unit_test(a_chained_lane_that_empties_is_empty),
        cmocka_unit_test(room_for_a_chained_worm_is_counted_in_the_same_cycle),
        cmocka_unit_test(far_corners_take_as_long_as_in_the_paper),
    };
    return cmocka_run_group_tests_name("net_tree", tests, NULL, NULL);
}
