// SPDX-License-Identifier: Apache-2.0
//
// The referee on wide links (docs/switch.md, "Wide links"): one flit for each lane, and chained
// lanes of one flit, which flits that are not heads may enter while they are full.

#include "referee_legal.h"

#include <string.h>

enum { MESH = 0, LENGTH = 4 };  // legal_worms[MESH] has 2 lanes of 2 flits, and this many flits

// Lets worm 1 go the same way behind worm 0, in another lane or in the same one.
static struct trace two_worms(uint32_t depth, enum anl_credit_return credits,
                              uint32_t cycles_behind, uint8_t lane)
{
    struct trace trace = {0};
    add_legal_worm(&trace, &legal_worms[MESH], 0, START, 0);
    add_legal_worm(&trace, &legal_worms[MESH], 1, START + cycles_behind, lane);
    trace.config.link = ANL_WIDE;
    trace.config.depth = depth;
    trace.config.credits = credits;
    return trace;
}

static void expect(const struct trace *trace, enum anl_rule rule, uint64_t cycle)
{
    for (int backwards = 0; backwards < 2; backwards++) {
        const struct anl_violation verdict = judge(trace, true, backwards);
        if (verdict.rule != rule || (rule != ANL_RULE_NONE && verdict.cycle != cycle))
            fail_msg("expected %s in cycle %lu, not %s: %s", anl_rule_name(rule),
                     (unsigned long)cycle, anl_rule_name(verdict.rule), verdict.text);
    }
}

static void every_lane_carries_a_flit(void **state)
{
    (void)state;
    struct trace trace = two_worms(2, ANL_REGISTERED, 0, 1);
    expect(&trace, ANL_RULE_NONE, 0);
    trace.config.link = ANL_SHARED;
    expect(&trace, ANL_RULE_LINK_BUSY, START);
}

static void a_lane_carries_one_flit(void **state)
{
    (void)state;
    struct trace trace = two_worms(2, ANL_REGISTERED, 0, 1);
    find_event(&trace, 0, legal_worms[MESH].hops[0].link, 2)->cycle--;
    const struct anl_violation verdict = judge(&trace, true, false);
    assert_int_equal(verdict.rule, ANL_RULE_LINK_BUSY);
    assert_int_equal(verdict.cycle, START + 1);
    assert_non_null(strstr(verdict.text, "another flit crosses it in this lane in this cycle"));
}

// Flits that are not heads follow each other through lanes of one flit.
static void chained_flits_enter_full_lanes(void **state)
{
    (void)state;
    struct trace trace = two_worms(1, ANL_BYPASS, 0, 1);
    expect(&trace, ANL_RULE_NONE, 0);
    trace.config.credits = ANL_REGISTERED;
    expect(&trace, ANL_RULE_OVERFLOW, START + 1);
}

// A head must find the lane with room at the start of the cycle, the flits behind it need not.
static void heads_wait_for_room(void **state)
{
    (void)state;
    struct trace trace = two_worms(1, ANL_BYPASS, LENGTH + 1, 0);
    expect(&trace, ANL_RULE_NONE, 0);
    trace = two_worms(1, ANL_BYPASS, LENGTH, 0);
    expect(&trace, ANL_RULE_OVERFLOW, START + LENGTH);
    trace.config.depth = 2;
    expect(&trace, ANL_RULE_NONE, 0);
}

// The front of a full lane stays, so nothing can follow it.
static void a_full_lane_stays_full(void **state)
{
    (void)state;
    struct trace trace = two_worms(1, ANL_BYPASS, 0, 1);
    const uint32_t last = legal_worms[MESH].hops[legal_worms[MESH].num_hops - 1].link;
    for (uint16_t i = 1; i < LENGTH; i++)
        find_event(&trace, 1, last, i)->cycle++;
    expect(&trace, ANL_RULE_OVERFLOW, START + legal_worms[MESH].num_hops);
}

// The credit of the head comes back in the cycle in which the tail is sent.
static void senders_need_credits(void **state)
{
    (void)state;
    for (int credits = ANL_REGISTERED; credits <= ANL_BYPASS; credits++) {
        struct anl_config config = legal_worms[MESH].config;
        struct anl_referee *referee;
        config.link = ANL_WIDE;
        config.credits = (enum anl_credit_return)credits;
        config.depth = 1;
        assert_int_equal(anl_referee_create(&config, &referee), ANL_OK);
        const struct anl_worm worm = {.source = 0, .destination = 6, .length = 2};
        const struct anl_flit head = {80, 0, 0, 0, true, false}, tail = {80, 0, 1, 0, false, true};
        const struct anl_flit on = {0, 0, 0, 0, true, false};
        const struct anl_flit both[] = {on, tail};
        const struct anl_credits credit = {80, 1};
        assert_true(anl_referee_worm(referee, &worm));
        assert_true(anl_referee_cycle(referee, 0, &head, 1, NULL, 0));
        const bool fine = anl_referee_cycle(referee, 1, both, 2, &credit, 1);
        assert_int_equal(fine, credits == ANL_BYPASS);
        anl_referee_destroy(referee);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lane_carries_a_flit),      cmocka_unit_test(a_lane_carries_one_flit),
        cmocka_unit_test(chained_flits_enter_full_lanes), cmocka_unit_test(heads_wait_for_room),
        cmocka_unit_test(a_full_lane_stays_full),         cmocka_unit_test(senders_need_credits),
    };
    return cmocka_run_group_tests_name("referee_wide", tests, NULL, NULL);
}
