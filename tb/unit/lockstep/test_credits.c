// SPDX-License-Identifier: Apache-2.0
//
// Runs by rules and by links in which the golden model plays the RTL: it reports flits and the
// credits that belong to them. A run is over only when the credits are back, and a credit that is
// lost, repeated or another lane's fails it.

#include "unit.h"

#include "compare/dpi.h"
#include "run/lockstep_internal.h"

#include <annelid/annelid.h>
#include <stdlib.h>
#include <string.h>

// Two switches, 0 and 1, whose links are +0 (0 and 3), -0 (1 and 4), T (2 and 5) and those of the
// terminals (6 and 7). In each direction cross three worms of four flits.
static const char text[] = "network: {topology: mesh, k: 2, n: 1}\n"
                           "switch: {num_vcs: 2, depth: 4, flit_width_bits: 64}\n"
                           "traffic: {process: batch, pattern: complement, worms_per_terminal: 3, "
                           "length: 4}\nrun: {seed: 1}\n";

enum { WORMS = 6, LENGTH = 4, MAX_CREDITS = WORMS * LENGTH * 3, NEVER = 1000000 };

struct credit {
    uint64_t cycle;  // in which it comes back
    uint32_t link, vc;
};

struct play {
    struct anl_scenario scenario;
    struct lockstep_options options;
    struct lockstep_result result;
    struct lockstep *run;
    struct anl_engine *rtl;
    struct anl_flit at[WORMS][LENGTH];  // the last crossing of each flit
    bool in_network[WORMS][LENGTH];
    struct credit credits[MAX_CREDITS];
    size_t num_credits;
    void (*spoil)(struct credit *, size_t);  // changes the n-th credit of that link, from 0
    size_t of_link;                          // credits of that link so far
    char *said;
    size_t bytes;
};

static void play_create(struct play *play, enum lockstep_mode mode)
{
    struct anl_error error = {0};
    *play = (struct play){
        .options = {.scenario_path = "pair.yaml", .mode = mode, .at = UINT64_MAX, .worm = NOWHERE}};
    assert_int_equal(
        anl_scenario_parse(text, strlen(text), "pair.yaml", NULL, &play->scenario, &error), ANL_OK);
    play->options.report = open_memstream(&play->said, &play->bytes);
    assert_non_null(play->options.report);
    assert_int_equal(anl_engine_create(&play->scenario.network, &play->rtl), ANL_OK);
    anl_engine_reset(play->rtl, play->scenario.run.seed);
    anl_engine_record(play->rtl, true);
    assert_int_equal(
        lockstep_create(&play->scenario, &play->options, &play->result, &play->run, NULL), ANL_OK);
}

static void play_destroy(struct play *play)
{
    lockstep_destroy(play->run);
    anl_engine_destroy(play->rtl);
    fclose(play->options.report);
    free(play->said);
    anl_scenario_free(&play->scenario);
}

static void give_back(struct play *play, uint64_t cycle, const struct anl_flit *flit)
{
    assert_true(play->num_credits < MAX_CREDITS);
    struct credit *credit = &play->credits[play->num_credits++];
    *credit = (struct credit){cycle, flit->link, flit->vc};
    if (flit->link != 0) return;
    if (play->spoil) play->spoil(credit, play->of_link);
    play->of_link++;
}

// A flit leaves the lane that it entered last; the terminal takes it one cycle after it came.
static void cross(struct play *play, uint64_t cycle, const struct anl_flit *flit)
{
    struct anl_flit *at = &play->at[flit->worm][flit->index];
    bool *in_network = &play->in_network[flit->worm][flit->index];
    if (*in_network) give_back(play, cycle, at);
    *at = *flit;
    *in_network = true;
    if (anl_end_of(&play->scenario.network, flit->link).is_terminal) give_back(play, cycle + 1, at);
}

static void report_flit(const struct play *play, const struct anl_flit *flit)
{
    uint32_t bits[FLIT_WORDS];
    flit_pack(&play->scenario.network, &play->run->harness.worms.worm[flit->worm].worm, flit->index,
              flit->link, bits);
    anl_lockstep_flit((uintptr_t)lockstep_harness(play->run), flit->link, flit->vc, bits);
}

static void report_credits(const struct play *play, uint64_t cycle)
{
    uint32_t lanes[8] = {0};
    for (size_t i = 0; i < play->num_credits; i++)
        if (play->credits[i].cycle == cycle)
            lanes[play->credits[i].link] |= 1u << play->credits[i].vc;
    for (uint32_t link = 0; link < 8; link++)
        if (lanes[link])
            anl_lockstep_credits((uintptr_t)lockstep_harness(play->run), link, lanes[link]);
}

static void offer_to_rtl(struct play *play, uint32_t from)
{
    const struct worms *worms = &play->run->harness.worms;
    for (uint32_t id = from; id < worms->count; id++) {
        const struct anl_worm *worm = &worms->worm[id].worm;
        assert_int_equal(
            anl_engine_enqueue(play->rtl, worm->source, worm->destination, worm->length, NULL),
            ANL_OK);
    }
}

static bool play_cycle(struct play *play)
{
    const uint32_t before = play->run->harness.worms.count;
    const uint64_t cycle = lockstep_cycle(play->run);
    size_t count = 0;
    assert_int_equal(lockstep_enqueue(play->run, NULL), ANL_OK);
    offer_to_rtl(play, before);
    assert_true(lockstep_low(play->run));
    anl_engine_step(play->rtl);
    const struct anl_flit *flits = anl_engine_flits(play->rtl, &count);
    for (size_t i = 0; i < count; i++) {
        cross(play, cycle, &flits[i]);
        report_flit(play, &flits[i]);
    }
    report_credits(play, cycle);
    return lockstep_high(play->run);
}

static void play_all(struct play *play)
{
    while (!lockstep_over(play->run) && play_cycle(play))
        continue;
    assert_int_equal(lockstep_finish(play->run, NULL), ANL_OK);
    fflush(play->options.report);
}

static void expect_said(const struct play *play, const char *line)
{
    if (!strstr(play->said, line)) fail_msg("the report lacks '%s':\n%s", line, play->said);
}

// ---------------------------------------------------------------- tests

// Returns the cycle in which the last tail arrives, plus one; the run must report it.
static uint64_t cycles_of_engine(const struct play *play)
{
    uint64_t last = 0;
    for (size_t i = 0; i < play->num_credits; i++) {
        const struct credit *credit = &play->credits[i];
        const bool ejected = credit->link == 2 || credit->link == 5;
        if (ejected && credit->cycle > last) last = credit->cycle;
    }
    return last;
}

static void prompt_credits_pass(void **unused)
{
    (void)unused;
    struct play play;
    play_create(&play, LOCKSTEP_RULES);
    play_all(&play);
    if (!play.result.pass) fail_msg("%s", play.result.reason);
    assert_int_equal(play.num_credits, MAX_CREDITS);
    assert_int_equal(play.result.cycles, cycles_of_engine(&play));
    play_destroy(&play);
}

static void last_comes_late(struct credit *credit, size_t number)
{
    credit->cycle += number == WORMS / 2 * LENGTH - 1 ? 40 : 0;
}

// The credit is under way for 40 cycles after the last worm has arrived.
static void run_waits_for_the_last_credit(void **unused)
{
    (void)unused;
    struct play play;
    play_create(&play, LOCKSTEP_RULES);
    play.spoil = last_comes_late;
    play_all(&play);
    if (!play.result.pass) fail_msg("%s", play.result.reason);
    assert_int_equal(play.result.cycles, cycles_of_engine(&play));
    assert_true(lockstep_cycle(play.run) > play.result.cycles + 30);
    play_destroy(&play);
}

static void sixth_is_lost(struct credit *credit, size_t number)
{
    if (number == 5) credit->cycle = NEVER;
}

static void lost_credit_fails_a_run(void **unused)
{
    (void)unused;
    struct play play;
    play_create(&play, LOCKSTEP_RULES);
    play.spoil = sixth_is_lost;
    play_all(&play);
    assert_false(play.result.pass);
    assert_string_equal(play.result.difference.what, "referee: lost_credit");
    assert_int_equal(play.result.end, ANL_RUN_COMPLETE);
    assert_int_equal(play.result.difference.link, 0);
    expect_said(&play, " at link 0(0).+0: referee: lost_credit\n");
    expect_said(&play, "  seen      cycle 7: a flit leaves 0(0).+0 lane 1, ");
    play_destroy(&play);
}

static void sixth_is_another_lanes(struct credit *credit, size_t number)
{
    if (number == 5) credit->vc ^= 1;
}

static void credit_of_another_lane_fails_a_run(void **unused)
{
    (void)unused;
    struct play play;
    play_create(&play, LOCKSTEP_RULES);
    play.spoil = sixth_is_another_lanes;
    play_all(&play);
    assert_string_equal(play.result.reason, "referee: early_credit in cycle 7 at link 0(0).+0");
    expect_said(&play, "cycle 7: a credit of 0(0).+0 lane 0 comes back, ");
    play_destroy(&play);
}

// Exact mode compares the counters of the senders, and in ends mode most links are not seen.
static void credits_are_watched_by_links_and_rules(void **unused)
{
    (void)unused;
    for (enum lockstep_mode mode = LOCKSTEP_EXACT; mode <= LOCKSTEP_RULES; mode++) {
        struct play play;
        play_create(&play, mode);
        assert_int_equal(play.run->credited, mode == LOCKSTEP_LINKS || mode == LOCKSTEP_RULES);
        play_destroy(&play);
    }
}

// A wrong label of a switch makes two probes report the same link.
static void credits_beyond_one_a_link_are_dropped(void **unused)
{
    (void)unused;
    struct observed observed;
    assert_int_equal(observed_create(&observed, &unit_networks[1], NULL), ANL_OK);
    for (uint32_t i = 0; i < 3 * observed.links.size; i++)
        observed_credits(&observed, i % observed.links.size, 1);
    assert_int_equal(observed.num_credits, observed.links.size);
    observed_clear(&observed);
    assert_int_equal(observed.num_credits, 0);
    observed_destroy(&observed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prompt_credits_pass),
        cmocka_unit_test(run_waits_for_the_last_credit),
        cmocka_unit_test(lost_credit_fails_a_run),
        cmocka_unit_test(credit_of_another_lane_fails_a_run),
        cmocka_unit_test(credits_are_watched_by_links_and_rules),
        cmocka_unit_test(credits_beyond_one_a_link_are_dropped),
    };
    return cmocka_run_group_tests_name("credits", tests, NULL, NULL);
}
