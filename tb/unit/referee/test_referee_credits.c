// SPDX-License-Identifier: Apache-2.0
//
// The referee watches credits (docs/link.md). Two worms of a row of three switches are played by
// hand, with the credits that belong to them; then one credit is lost, repeated, returned too early
// or for another lane, and the referee names the rule, the cycle, the link and the lane.

#include "referee_play.h"

// Links 0 to 8 leave the three switches (ports +0, -0, T) and 9 to 11 the terminals.
enum { INJECT_0 = 9, PLUS_0 = 0, PLUS_1 = 3, EJECT_2 = 8 };

static const struct anl_config line = {
    .topology = ANL_MESH, .k = 3, .n = 1, .num_vcs = 2, .depth = 2, .flit_width_bits = 32};

// Returns the link to which a flit of a link goes on, or that of its terminal.
static uint32_t next_link(uint32_t link)
{
    if (link == INJECT_0) return PLUS_0;
    return link == PLUS_0 ? PLUS_1 : EJECT_2;
}

// Adds a worm from terminal 0 to 2 on one lane of all links. Its flit i crosses hop j in cycle
// start
// + i + j, and each credit comes back late cycles after its flit has left the lane.
static void add_train(struct play *play, uint32_t id, uint16_t length, uint8_t vc, uint64_t start,
                      uint64_t late)
{
    const size_t w = add_worm(&play->trace, id, 0, 2, length, START);
    play->trace.config = line;
    uint32_t link = INJECT_0;
    for (uint64_t hop = 0; hop < 4; hop++, link = next_link(link))
        for (uint16_t i = 0; i < length; i++) {
            add_flit(&play->trace, start + hop + i, link, vc, &play->trace.worms[w], i);
            add_credit(play, start + hop + i + 1 + late, link, vc);
        }
}

// A worm of 6 flits in cycles 10 to 18 at full rate, on lane 1.
static struct play one_train(uint64_t late)
{
    struct play play = {0};
    add_train(&play, 0, 6, 1, START, late);
    return play;
}

// --- what is allowed ---

static void credits_come_back_when_flits_leave(void **state)
{
    (void)state;
    const struct play play = one_train(0);
    expect_fine(&play);
}

// Two flits of a worm fit into each lane and their credits take ten cycles more.
static void credits_may_take_longer(void **state)
{
    (void)state;
    struct play play = {0};
    add_train(&play, 0, 2, 0, START, 10);
    add_train(&play, 1, 2, 1, START + 2, 7);
    expect_fine(&play);
}

static void several_lanes_of_a_link_in_one_cycle(void **state)
{
    (void)state;
    struct play play = {0};
    add_train(&play, 0, 1, 0, START, 1);
    add_train(&play, 1, 1, 1, START + 1, 0);
    struct returned *first = find_credit(&play, START + 2, INJECT_0, 0);
    find_credit(&play, START + 2, INJECT_0, 1)->cycle = LAST;  // beyond the end
    first->credits.lanes = 3;
    expect_fine(&play);
}

// --- what is not ---

static void a_lost_credit_shows_at_rest(void **state)
{
    (void)state;
    struct play play = one_train(0);
    find_credit(&play, START + 4, PLUS_0, 1)->cycle = LAST;
    play.trace.config.depth = 4;  // so that the worm goes on
    expect(&play, ANL_RULE_LOST_CREDIT, START + 4, PLUS_0,
           "cycle 14: a flit leaves 0(0).+0 lane 1, and from then on a credit of the lane is "
           "missing; at rest in cycle 49 it is 1");
}

static void the_first_lost_credit_is_named(void **state)
{
    (void)state;
    struct play play = one_train(0);
    find_credit(&play, START + 6, PLUS_0, 1)->cycle = LAST;
    find_credit(&play, START + 5, PLUS_1, 1)->cycle = LAST;
    find_credit(&play, START + 7, PLUS_1, 1)->cycle = LAST;
    play.trace.config.depth = 4;
    expect(&play, ANL_RULE_LOST_CREDIT, START + 5, PLUS_1, "at rest in cycle 49 it is 2");
}

// The terminal takes a flit in the cycle after the one in which it came.
static void a_terminal_may_lose_one_too(void **state)
{
    (void)state;
    struct play play = one_train(0);
    find_credit(&play, START + 6, EJECT_2, 1)->cycle = LAST;
    play.trace.config.depth = 4;
    expect(&play, ANL_RULE_LOST_CREDIT, START + 6, EJECT_2,
           "cycle 16: a flit leaves 2(2).T lane 1");
}

static void a_terminal_may_lose_the_first(void **state)
{
    (void)state;
    struct play play = one_train(0);
    find_credit(&play, START + 4, EJECT_2, 1)->cycle = LAST;
    play.trace.config.depth = 4;
    expect(&play, ANL_RULE_LOST_CREDIT, START + 4, EJECT_2,
           "cycle 14: a flit leaves 2(2).T lane 1");
}

static void the_last_one_may_be_lost(void **state)
{
    (void)state;
    struct play play = one_train(0);
    find_credit(&play, START + 9, EJECT_2, 1)->cycle = LAST;
    expect(&play, ANL_RULE_LOST_CREDIT, START + 9, EJECT_2, "it is 1");
}

static void a_credit_comes_twice(void **state)
{
    (void)state;
    struct play play = one_train(0);
    add_credit(&play, START + 7, INJECT_0, 1);
    expect(&play, ANL_RULE_EARLY_CREDIT, START + 7, INJECT_0,
           "cycle 17: a credit of T0.inject lane 1 comes back, but the credits of all flits that "
           "have left the lane are back; flits in the lane: 0");
}

static void a_credit_comes_before_its_flit_leaves(void **state)
{
    (void)state;
    struct play play = one_train(0);
    find_credit(&play, START + 3, PLUS_0, 1)->cycle--;
    expect(&play, ANL_RULE_EARLY_CREDIT, START + 2, PLUS_0, "0(0).+0 lane 1");
    expect(&play, ANL_RULE_EARLY_CREDIT, START + 2, PLUS_0, "flits in the lane: 1");
}

static void a_terminal_takes_no_flit_in_the_cycle_in_which_it_comes(void **state)
{
    (void)state;
    struct play play = one_train(0);
    find_credit(&play, START + 4, EJECT_2, 1)->cycle--;
    expect(&play, ANL_RULE_EARLY_CREDIT, START + 3, EJECT_2, "flits in the lane: 1");
}

static void a_credit_is_for_the_wrong_lane(void **state)
{
    (void)state;
    struct play play = one_train(0);
    find_credit(&play, START + 3, PLUS_1, 1)->credits.lanes = 1;
    expect(&play, ANL_RULE_EARLY_CREDIT, START + 3, PLUS_1, "1(1).+0 lane 0");
}

// The credits of a cycle may come in any order.
static void the_lowest_link_is_named(void **state)
{
    (void)state;
    static const uint32_t links[] = {EJECT_2, PLUS_0, INJECT_0, PLUS_1};
    for (size_t first = 0; first < 4; first++) {
        struct play play = one_train(0);
        for (size_t i = 0; i < 4; i++)
            add_credit(&play, START, links[(first + i) % 4], 0);
        expect(&play, ANL_RULE_EARLY_CREDIT, START, PLUS_0, "0(0).+0 lane 0");
    }
}

// The flits leave in time, so no lane overflows. But their credits come late, and the third is sent
// without one.
static void a_flit_is_sent_without_a_credit(void **state)
{
    (void)state;
    const struct play play = one_train(1);
    expect(
        &play, ANL_RULE_NO_CREDIT, START + 2, INJECT_0,
        "flit 2 of worm 0 (0->2, 6 flits) crosses T0.inject lane 1, but its sender has no credit "
        "for the lane (depth 2)");
}

static void a_credit_of_no_link_is_refused(void **state)
{
    (void)state;
    static const struct anl_credits strange[] = {{12, 1}, {1, 1}, {0, 4}};  // 0.-0 is at the edge
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        struct play play = one_train(0);
        play.returned[play.num_returned++] = (struct returned){START + 1, strange[i]};
        expect(&play, ANL_RULE_BAD_LINK, START + 1, strange[i].link,
               "there is no such link or lane");
    }
}

// --- chained links (docs/link.md): a fat-tree of 4 terminals; link 6 enters at terminal 0, link 1
// leaves at 1 ---

static const struct anl_config tree = {.topology = ANL_FAT_TREE,
                                       .k = 4,
                                       .n = 1,
                                       .num_vcs = 1,
                                       .depth = 1,
                                       .flit_width_bits = 64,
                                       .routing = ANL_UP_DOWN_RANDOM,
                                       .credits = ANL_BYPASS};

// Plays one worm of two flits from terminal 0 to 1, whose lanes hold one flit.
static struct anl_violation judge_chained(uint64_t credit, uint64_t second)
{
    const uint32_t injection = 6;
    struct play play = {.trace = {.config = tree}};
    add_worm(&play.trace, 0, 0, 1, 2, START);
    add_flit(&play.trace, START, injection, 0, &play.trace.worms[0], 0);
    add_flit(&play.trace, START + 1, 1, 0, &play.trace.worms[0], 0);
    add_credit(&play, credit, injection, 0);
    add_credit(&play, START + 2, 1, 0);
    add_flit(&play.trace, second, injection, 0, &play.trace.worms[0], 1);
    add_flit(&play.trace, second + 2, 1, 0, &play.trace.worms[0], 1);
    add_credit(&play, second + 2, injection, 0);
    add_credit(&play, second + 3, 1, 0);
    uint64_t due;
    return judge_play(&play, &due);
}

static void a_chained_link_spends_a_credit_at_once(void **state)
{
    (void)state;
    assert_int_equal(judge_chained(START + 1, START + 1).rule, ANL_RULE_NONE);
    assert_int_equal(judge_chained(START + 2, START + 2).rule, ANL_RULE_NONE);
    const struct anl_violation late = judge_chained(START + 3, START + 2);
    assert_int_equal(late.rule, ANL_RULE_NO_CREDIT);
    assert_int_equal(late.cycle, START + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(credits_come_back_when_flits_leave),
        cmocka_unit_test(credits_may_take_longer),
        cmocka_unit_test(several_lanes_of_a_link_in_one_cycle),
        cmocka_unit_test(a_lost_credit_shows_at_rest),
        cmocka_unit_test(the_first_lost_credit_is_named),
        cmocka_unit_test(a_terminal_may_lose_one_too),
        cmocka_unit_test(a_terminal_may_lose_the_first),
        cmocka_unit_test(the_last_one_may_be_lost),
        cmocka_unit_test(a_credit_comes_twice),
        cmocka_unit_test(a_credit_comes_before_its_flit_leaves),
        cmocka_unit_test(a_terminal_takes_no_flit_in_the_cycle_in_which_it_comes),
        cmocka_unit_test(a_credit_is_for_the_wrong_lane),
        cmocka_unit_test(the_lowest_link_is_named),
        cmocka_unit_test(a_flit_is_sent_without_a_credit),
        cmocka_unit_test(a_credit_of_no_link_is_refused),
        cmocka_unit_test(a_chained_link_spends_a_credit_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
