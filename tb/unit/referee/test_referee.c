// SPDX-License-Identifier: Apache-2.0
//
// The referee: legal traces pass, and every rule that is broken by hand (referee_violations.h) is
// named with its cycle, link and worm.

#include "referee_violations.h"

#include <annelid/base.h>
#include <string.h>

// --- legal traces ---

static void every_legal_worm_passes(void **state)
{
    (void)state;
    for (int i = 0; i < NUM_LEGAL_WORMS; i++) {
        struct trace trace = {0};
        add_legal_worm(&trace, &legal_worms[i], 0, START, 0);
        expect_legal(&trace, legal_worms[i].name);
    }
}

static void worms_may_follow_at_once_in_a_lane(void **state)
{
    (void)state;
    struct trace trace = {0};
    add_legal_worm(&trace, &legal_worms[MESH], 0, START, 0);
    add_legal_worm(&trace, &legal_worms[MESH], 1, START + 4, 0);
    expect_legal(&trace, "back to back");
}

static void worms_may_share_a_link_by_lanes(void **state)
{
    (void)state;
    struct legal_worm legal = legal_worms[MESH];
    struct trace trace = {0};
    legal.flit_cycles = 2;
    add_legal_worm(&trace, &legal, 0, START, 0);
    add_legal_worm(&trace, &legal, 1, START + 1, 1);
    expect_legal(&trace, "two lanes, alternating");
}

static void cut_through_admits_when_the_lane_is_empty_again(void **state)
{
    (void)state;
    struct trace trace = {0};
    add_legal_worm(&trace, &legal_worms[CUT_THROUGH], 0, START, 0);
    add_legal_worm(&trace, &legal_worms[CUT_THROUGH], 1, START + 5, 0);
    expect_legal(&trace, "cut_through, two worms in a lane");
}

// An atomic lane is free one cycle after its last flit has left it. Escape lanes, injection and
// ejection lanes are not atomic, nor is any lane if the scenario says so.
static void atomic_lanes_are_taken_when_they_are_empty(void **state)
{
    (void)state;
    struct legal_worm apart = *legal_worm_named("mesh 4x4, adaptive"), escaping = apart,
                      ordinary = apart;
    struct trace trace = {0};
    add_legal_worm(&trace, &apart, 0, START, 0);
    add_legal_worm(&trace, &apart, 1, START + 5, 0);
    expect_legal(&trace, "one cycle apart");

    trace = (struct trace){0};
    const struct hop hops[] = {{80, 0},        {0 * 5 + 0, 2}, {1 * 5 + 0, 2},
                               {2 * 5 + 2, 2}, {6 * 5 + 2, 2}, {10 * 5 + 4, 0}};
    memcpy(escaping.hops, hops, sizeof hops);
    add_legal_worm(&trace, &escaping, 0, START, 0);
    add_legal_worm(&trace, &escaping, 1, START + 4, 0);
    expect_legal(&trace, "back to back in escape lanes");

    trace = (struct trace){0};
    escaping.config.num_vcs = 6;
    escaping.config.classes = 2;
    for (size_t i = 0; i < escaping.num_hops; i++)
        escaping.hops[i].vc += 3;
    add_legal_worm(&trace, &escaping, 0, START, 0);
    add_legal_worm(&trace, &escaping, 1, START + 4, 0);
    expect_legal(&trace, "back to back in the escape lane of class 1");

    trace = (struct trace){0};
    ordinary.config.atomic = ANL_ATOMIC_NONE;
    add_legal_worm(&trace, &ordinary, 0, START, 0);
    add_legal_worm(&trace, &ordinary, 1, START + 4, 0);
    expect_legal(&trace, "back to back where no lane is atomic");
}

static void a_worm_may_stop_and_go_on(void **state)
{
    (void)state;
    struct trace trace = {0};
    stop_in_switch_2(&trace, 4);
    expect_legal(&trace, "stopped");
}

static void an_incomplete_run_may_end_any_time(void **state)
{
    (void)state;
    for (uint64_t end = START; end < START + 8; end++) {
        struct trace trace = {0};
        add_legal_worm(&trace, &legal_worms[MESH], 0, START, 0);
        for (size_t i = trace.num_events; i-- > 0;)
            if (trace.events[i].cycle >= end) drop_event(&trace, &trace.events[i]);
        assert_int_equal(judge(&trace, false, false).rule, ANL_RULE_NONE);
        assert_int_equal(judge(&trace, true, false).rule, ANL_RULE_UNDELIVERED);
    }
}

static void ids_may_have_gaps_and_stay_known_when_many(void **state)
{
    (void)state;
    struct anl_referee *referee;
    const struct anl_config config = legal_worms[MESH].config;
    assert_int_equal(anl_referee_create(&config, &referee), ANL_OK);
    struct anl_rng rng = anl_rng_seed(1, 0);
    uint32_t ids[5000], id = 0;
    for (uint32_t i = 0; i < 5000; i++) {
        ids[i] = id += 1 + anl_rng_below(&rng, 100000);
        assert_true(anl_referee_worm(
            referee, &(struct anl_worm){
                         .id = id, .source = 9, .destination = 9, .length = 1, .created = i}));
    }
    for (uint32_t i = 0; i < 5000; i++) {
        id = ids[(i * 1237) % 5000];
        const struct anl_flit in = {80 + 9, id, 0, 0, true, true}, out = {49, id, 0, 0, true, true};
        assert_true(anl_referee_flits(referee, 10000 + 2 * i, &in, 1));
        assert_true(anl_referee_flits(referee, 10001 + 2 * i, &out, 1));
    }
    assert_true(anl_referee_end(referee, 30000, true));
    anl_referee_destroy(referee);
}

// --- broken rules ---

static void every_rule_is_named_when_broken(void **state)
{
    (void)state;
    unsigned seen[ANL_RULE_UNDELIVERED + 1] = {0};
    for (int i = 0; i < NUM_VIOLATIONS; i++) {
        const struct violation *violation = &violations[i];
        struct trace trace = {0};
        violation->commit(&trace);
        const struct anl_violation verdict = judge(&trace, true, false);
        if (verdict.rule != violation->rule || verdict.cycle != violation->cycle ||
            verdict.link != violation->link || verdict.worm != violation->worm)
            fail_msg("%s: expected %s in cycle %lu on link %u by worm %u, not %s: %s",
                     violation->name, anl_rule_name(violation->rule),
                     (unsigned long)violation->cycle, violation->link, violation->worm,
                     anl_rule_name(verdict.rule), verdict.text);
        const struct anl_violation backwards = judge(&trace, true, true);
        if (backwards.rule == ANL_RULE_NONE || backwards.cycle != violation->cycle)
            fail_msg("%s, links in descending order: %s", violation->name, backwards.text);
        seen[violation->rule]++;
    }
    for (int rule = ANL_RULE_UNKNOWN_WORM; rule <= ANL_RULE_UNDELIVERED; rule++)
        assert_true(seen[rule] >= 2);
}

static void violations_are_worded_for_people(void **state)
{
    (void)state;
    static const struct {
        void (*commit)(struct trace *trace);
        const char *text;
    } cases[] = {
        {lost, "cycle 13: flit 2 of worm 0 (0->6, 4 flits) crosses 0(0,0).+0 lane 0, but "
               "flit 1 has not crossed it"},
        {over_the_edge, "cycle 11: flit 0 of worm 0 (0->6, 4 flits) crosses 3(3,0).+0 lane 0, but "
                        "there is no such link"},
        {injected_again, "cycle 20: flit 1 of worm 0 (0->6, 4 flits) crosses T0.inject lane 0, but "
                         "it has crossed it before"},
        {stranger, "cycle 13: flit 1 of worm 9 crosses 1(1,0).+0 lane 0, but the worm was not "
                   "created"},
        {bit_1_first, "cycle 11: flit 0 of worm 0 (5->2, 3 flits) crosses 5(1,0,1).1 lane 0, but "
                      "its route is 5(1,0,1).0 lanes 0x1"},
        {wrong_side_of_a_tie, "cycle 11: flit 0 of worm 0 (1->3, 3 flits) crosses 1(1).+0 lane 0, "
                              "but its route is 1(1).-0 lanes 0x1"},
        {escapes_elsewhere, "cycle 11: flit 0 of worm 0 (0->10, 4 flits) crosses 0(0,0).+1 lane 2, "
                            "but its route is 0(0,0).+0 lanes 0x7 or 0(0,0).+1 lanes 0x3"},
        {behind_a_tail, "cycle 15: flit 0 of worm 1 (0->10, 4 flits) crosses 0(0,0).+1 lane 1, but "
                        "the lane is atomic, and flits were in it at the start of the cycle: 1"},
        {class_of_others,
         "cycle 10: flit 0 of worm 0 (0->6, 4 flits) crosses T0.inject lane 3, but "
         "its class is 0, which has lanes 0x3"},
        {no_such_class, "cycle 10: worm 0 (0->6, 4 flits) of class 2 is created, but terminals are "
                        "0 to 15, a worm has 1 to 65535 flits, classes are 0 to 1, and numbers "
                        "ascend"},
        {full_ejection_lane, "cycle 12: flit 0 of worm 1 (6->6, 1 flit) crosses 6(2,1).T lane 0, "
                             "but the lane was full at the start of the cycle (depth 1)"},
        {only_created, "cycle 1000: the run ends and worm 1 (7->3, 5 flits) is not delivered: its "
                       "head has not crossed T7.inject"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace trace = {0};
        cases[i].commit(&trace);
        assert_string_equal(judge(&trace, true, false).text, cases[i].text);
    }
}

// Plays worm 0, of one flit from terminal 9 to 9, so that it is delivered in cycle 11, and then
// worm 1, which has waited for it. Returns the verdict.
static struct anl_violation play_order(uint64_t created, uint64_t earliest, uint32_t cycles,
                                       bool delivered, bool remembered)
{
    struct anl_referee *referee;
    const struct anl_config config = legal_worms[MESH].config;
    const struct trace trace = {.config = config};
    const struct anl_after after[] = {{0, 1}, {0, cycles}};
    const struct anl_dependencies waited = {earliest, after, 2};
    struct anl_worm worm = {.source = 9, .destination = 9, .length = 1, .created = 10};
    const struct anl_flit in = {80 + 9, 0, 0, 0, true, true}, out = {49, 0, 0, 0, true, true};
    assert_int_equal(anl_referee_create(&config, &referee), ANL_OK);
    if (remembered) anl_referee_remember(referee);
    assert_true(anl_referee_worm(referee, &worm));
    assert_true(anl_referee_flits(referee, 10, &in, 1));
    referee = referee_again(referee, &trace);
    if (delivered) assert_true(anl_referee_flits(referee, 11, &out, 1));
    referee = referee_again(referee, &trace);
    worm = (struct anl_worm){.id = 1,
                             .source = 3,
                             .destination = 9,
                             .length = 1,
                             .created = created,
                             .dependencies = &waited};
    const bool fine = anl_referee_worm(referee, &worm);
    const struct anl_violation *violation = anl_referee_violation(referee);
    assert_int_equal(fine, violation == NULL);
    const struct anl_violation verdict = violation ? *violation : (struct anl_violation){0};
    anl_referee_destroy(referee);
    return verdict;
}

static void worms_wait_exactly_as_long_as_they_must(void **state)
{
    (void)state;
    static const struct {
        uint64_t created, earliest;
        uint32_t cycles;
        bool delivered, remembered, fine;
    } cases[] = {
        {12, 0, 1, true, true, true},    {11, 0, 1, true, true, false},
        {13, 0, 1, true, true, false},   {31, 0, 20, true, true, true},
        {30, 0, 20, true, true, false},  {32, 0, 20, true, true, false},
        {31, 31, 20, true, true, true},  {32, 32, 20, true, true, true},
        {31, 32, 20, true, true, false}, {40, 0, 20, false, true, false},
        {31, 0, 20, true, false, false}, {12, 12, 1, false, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct anl_violation verdict =
            play_order(cases[i].created, cases[i].earliest, cases[i].cycles, cases[i].delivered,
                       cases[i].remembered);
        const enum anl_rule rule = cases[i].fine ? ANL_RULE_NONE : ANL_RULE_WRONG_CYCLE;
        if (verdict.rule != rule) fail_msg("case %zu: %s", i, verdict.text);
        if (cases[i].fine) continue;
        assert_int_equal(verdict.cycle, cases[i].created);
        assert_int_equal(verdict.worm, 1);
        assert_int_equal(verdict.link, 80 + 3);
    }
    assert_string_equal(play_order(30, 0, 20, true, true).text,
                        "cycle 30: worm 1 (3->9) is created, but what it waits for allows it in "
                        "cycle 31");
    assert_string_equal(play_order(30, 0, 20, false, true).text,
                        "cycle 30: worm 1 (3->9) is created, but worm 0, for which it waits, is "
                        "not delivered");
}

// --- the interface ---

static void everything_after_a_violation_is_ignored(void **state)
{
    (void)state;
    struct anl_referee *referee;
    const struct anl_config config = legal_worms[MESH].config;
    const struct anl_worm worm = {.destination = 6, .length = 4};
    const struct anl_flit stray = {96, 0, 0, 0, true, false}, fine = {80, 0, 0, 0, true, false};
    assert_int_equal(anl_referee_create(&config, &referee), ANL_OK);
    assert_null(anl_referee_violation(referee));
    assert_true(anl_referee_worm(referee, &worm));
    assert_false(anl_referee_flits(referee, 1, &stray, 1));
    assert_false(anl_referee_flits(referee, 2, &fine, 1));
    assert_false(anl_referee_worm(
        referee, &(struct anl_worm){.id = 1, .destination = 6, .length = 4, .created = 2}));
    assert_false(anl_referee_end(referee, 3, true));
    assert_int_equal(anl_referee_violation(referee)->rule, ANL_RULE_BAD_LINK);
    assert_int_equal(anl_referee_violation(referee)->cycle, 1);
    anl_referee_destroy(referee);
    anl_referee_destroy(NULL);
}

static void a_bad_config_is_refused(void **state)
{
    (void)state;
    struct anl_referee *referee;
    struct anl_config config = legal_worms[MESH].config;
    config.num_vcs = 0;
    assert_int_equal(anl_referee_create(&config, &referee), ANL_ERR_ARGUMENT);
    assert_null(referee);
}

static void rules_have_names(void **state)
{
    (void)state;
    assert_string_equal(anl_rule_name(ANL_RULE_NONE), "none");
    assert_string_equal(anl_rule_name(ANL_RULE_LANE_SHARED), "lane_shared");
    assert_string_equal(anl_rule_name(ANL_RULE_UNDELIVERED), "undelivered");
    assert_string_equal(anl_rule_name(ANL_RULE_LOST_CREDIT), "lost_credit");
    assert_string_equal(anl_rule_name(ANL_RULE_BAD_REPLY), "bad_reply");
    assert_string_equal(anl_rule_name(ANL_RULE_WRONG_CYCLE), "wrong_cycle");
    assert_string_equal(anl_rule_name((enum anl_rule)(ANL_RULE_WRONG_CYCLE + 1)), "?");
    for (enum anl_rule rule = ANL_RULE_UNKNOWN_WORM; rule <= ANL_RULE_WRONG_CYCLE; rule++)
        assert_true(strlen(anl_rule_text(rule)) > 15);
    assert_string_equal(anl_rule_text(ANL_RULE_LANE_SHARED), "two worms interleave in one lane");
    assert_string_equal(anl_rule_text((enum anl_rule)(ANL_RULE_WRONG_CYCLE + 1)), "?");
    assert_string_equal(anl_rule_text(ANL_RULE_LAST), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_worm_passes),
        cmocka_unit_test(worms_may_follow_at_once_in_a_lane),
        cmocka_unit_test(worms_may_share_a_link_by_lanes),
        cmocka_unit_test(cut_through_admits_when_the_lane_is_empty_again),
        cmocka_unit_test(atomic_lanes_are_taken_when_they_are_empty),
        cmocka_unit_test(a_worm_may_stop_and_go_on),
        cmocka_unit_test(an_incomplete_run_may_end_any_time),
        cmocka_unit_test(ids_may_have_gaps_and_stay_known_when_many),
        cmocka_unit_test(every_rule_is_named_when_broken),
        cmocka_unit_test(violations_are_worded_for_people),
        cmocka_unit_test(worms_wait_exactly_as_long_as_they_must),
        cmocka_unit_test(everything_after_a_violation_is_ignored),
        cmocka_unit_test(a_bad_config_is_refused),
        cmocka_unit_test(rules_have_names),
    };
    return cmocka_run_group_tests_name("referee", tests, NULL, NULL);
}
