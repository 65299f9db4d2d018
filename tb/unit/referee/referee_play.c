// SPDX-License-Identifier: Apache-2.0

#include "referee_play.h"

void add_credit(struct play *play, uint64_t cycle, uint32_t link, uint32_t vc)
{
    assert_true(play->num_returned < MAX_CREDITS);
    play->returned[play->num_returned++] = (struct returned){cycle, {link, 1u << vc}};
}

struct returned *find_credit(struct play *play, uint64_t cycle, uint32_t link, uint32_t vc)
{
    for (size_t i = 0; i < play->num_returned; i++) {
        struct returned *one = &play->returned[i];
        if (one->cycle == cycle && one->credits.link == link && one->credits.lanes >> vc & 1)
            return one;
    }
    fail_msg("no credit of lane %u of link %u in cycle %d", vc, link, (int)cycle);
    return NULL;
}

static bool feed(struct anl_referee *referee, const struct play *play, uint64_t cycle)
{
    struct anl_flit flits[MAX_EVENTS];
    struct anl_credits credits[MAX_CREDITS];
    size_t count = 0, num_credits = 0;
    for (size_t i = 0; i < play->trace.num_events; i++)
        if (play->trace.events[i].cycle == cycle) flits[count++] = play->trace.events[i].flit;
    for (size_t i = 0; i < play->num_returned; i++)
        if (play->returned[i].cycle == cycle) credits[num_credits++] = play->returned[i].credits;
    return anl_referee_cycle(referee, cycle, flits, count, credits, num_credits);
}

// Plays all cycles, then the rest. *due receives the credits that are due at the end. changes:
// another referee goes on after each cycle.
static struct anl_violation judge_once(const struct play *play, uint64_t *due, bool changes)
{
    struct anl_referee *referee;
    assert_int_equal(anl_referee_create(&play->trace.config, &referee), ANL_OK);
    bool fine = true;
    for (size_t w = 0; w < play->trace.num_worms; w++)
        fine = fine && anl_referee_worm(referee, &play->trace.worms[w]);
    for (uint64_t cycle = START; cycle < LAST; cycle++) {
        fine = fine && feed(referee, play, cycle);
        if (changes) referee = referee_again(referee, &play->trace);
    }
    *due = anl_referee_credits_due(referee);
    fine = anl_referee_rest(referee) && fine;
    fine = anl_referee_end(referee, LAST, false) && fine;
    const struct anl_violation *violation = anl_referee_violation(referee);
    assert_int_equal(fine, violation == NULL);
    const struct anl_violation verdict = violation ? *violation : (struct anl_violation){0};
    anl_referee_destroy(referee);
    return verdict;
}

struct anl_violation judge_play(const struct play *play, uint64_t *due)
{
    uint64_t due_again;
    const struct anl_violation verdict = judge_once(play, due, false);
    const struct anl_violation again = judge_once(play, &due_again, true);
    assert_string_equal(verdict.text, again.text);
    assert_true(verdict.rule == again.rule && verdict.cycle == again.cycle &&
                verdict.link == again.link && verdict.worm == again.worm && *due == due_again);
    return verdict;
}

void expect_fine(const struct play *play)
{
    uint64_t due;
    const struct anl_violation verdict = judge_play(play, &due);
    if (verdict.rule != ANL_RULE_NONE) fail_msg("%s", verdict.text);
    assert_int_equal(due, 0);
}

void expect(const struct play *play, enum anl_rule rule, uint64_t cycle, uint32_t link,
            const char *words)
{
    uint64_t due;
    const struct anl_violation verdict = judge_play(play, &due);
    if (verdict.rule != rule) fail_msg("%s: %s", anl_rule_name(verdict.rule), verdict.text);
    assert_int_equal(verdict.cycle, cycle);
    assert_int_equal(verdict.link, link);
    if (!strstr(verdict.text, words)) fail_msg("said '%s', not '%s'", verdict.text, words);
    assert_true(rule != ANL_RULE_LOST_CREDIT || due > 0);
}
