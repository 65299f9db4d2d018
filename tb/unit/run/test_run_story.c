// SPDX-License-Identifier: Apache-2.0
//
// A story that is told by a run, on a thread of its own or not: the same story, every cycle once
// and in order, as far as the run whenever it is looked at, stopped where told() says so, and its
// errors are the run's.

#include "unit.h"

#include <annelid/run.h>
#include <stdlib.h>
#include <string.h>

static const char *const busy = "network: {topology: torus, k: 4, n: 2}\n"
                                "switch: {num_vcs: 2, depth: 4}\n"
                                "traffic: {pattern: uniform, load: 0.5, length: [1, 4, 9]}\n"
                                "run: {seed: 3, cycles: 3000}\n";

// More worms are created at once than are passed on at once.
static const char *const crowded =
    "network: {topology: torus, k: 4, n: 2}\n"
    "switch: {num_vcs: 2, depth: 4}\n"
    "traffic: {process: batch, pattern: uniform, worms_per_terminal: 100, length: 3}\n"
    "run: {seed: 3}\n";

static struct anl_scenario parse(const char *text)
{
    struct anl_scenario scenario;
    assert_int_equal(anl_scenario_parse(text, strlen(text), "inline", "", &scenario, NULL), ANL_OK);
    return scenario;
}

// --- what is heard ---

struct heard {
    uint64_t cycles, flits, stays, waited;
    uint64_t last;  // told() stops after so many cycles; 0: never
    uint64_t looks;
    const struct anl_story *story;
    bool behind;  // at a look, the story was not as far as the run
};

static void hear_stay(void *user, const struct anl_stay *stay)
{
    struct heard *heard = user;
    heard->stays++;
    heard->waited += (stay->end - stay->begin + 1) * (stay->worm + stay->mover);
}

static bool told(void *user, const struct anl_story *story, const struct anl_flit *flits,
                 size_t count)
{
    struct heard *heard = user;
    assert_int_equal(anl_story_cycle(story), heard->cycles);
    for (size_t i = 1; i < count; i++)
        assert_true(flits[i].link > flits[i - 1].link);
    heard->cycles++;
    heard->flits += count;
    return heard->cycles != heard->last;
}

static bool look(void *user, const struct anl_net *net)
{
    struct heard *heard = user;
    heard->looks++;
    heard->behind |= anl_story_cycle(heard->story) + 1 != anl_net_cycle(net);
    return true;
}

// Runs with a story that is looked at every so many cycles (0: never): after few, it has no thread.
static struct anl_run_result run(const char *text, uint64_t progress_cycles, struct heard *heard,
                                 struct anl_story_totals *totals)
{
    struct anl_scenario scenario = parse(text);
    const struct anl_story_listener listener = {.stay = hear_stay, .user = heard};
    struct anl_story *story;
    struct anl_run_result result;
    assert_int_equal(anl_story_create(&scenario.network, &listener, &story), ANL_OK);
    heard->story = story;
    const struct anl_run_options options = {.story = story,
                                            .told = told,
                                            .progress_cycles = progress_cycles,
                                            .progress = look,
                                            .user = heard};
    assert_int_equal(anl_run(&scenario, &options, &result, NULL), ANL_OK);
    *totals = anl_story_totals(story);
    anl_story_destroy(story);
    anl_scenario_free(&scenario);
    return result;
}

// --- tests ---

static void is_the_same(const char *text)
{
    struct heard heard[3] = {0};
    struct anl_story_totals totals[3];
    const uint64_t every[3] = {0, 1, 500};
    for (size_t i = 0; i < 3; i++) {
        const struct anl_run_result result = run(text, every[i], &heard[i], &totals[i]);
        assert_int_equal(heard[i].cycles, result.cycles);
        assert_int_equal(heard[i].flits, result.totals.flit_hops);
        assert_int_equal(heard[i].looks, every[i] ? result.cycles / every[i] : 0);
        assert_false(heard[i].behind);
        assert_int_equal(totals[i].delivered, result.totals.delivered);
        assert_true(heard[i].stays > 1000);
        assert_int_equal(heard[i].waited, heard[0].waited);
        assert_memory_equal(&totals[i], &totals[0], sizeof totals[0]);
    }
}

static void is_the_same_on_a_thread_and_without(void **state)
{
    (void)state;
    is_the_same(busy);
    is_the_same(crowded);
}

static void stops_where_told_says_so(void **state)
{
    (void)state;
    const uint64_t last[] = {1, 32, 33, 700};  // in the first batch, at its end, behind it
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        struct heard heard = {.last = last[i]};
        struct anl_story_totals totals;
        const struct anl_run_result result = run(busy, 0, &heard, &totals);
        assert_int_equal(heard.cycles, last[i]);
        assert_int_equal(result.end, ANL_RUN_STOPPED);
        assert_true(result.cycles >= last[i]);
        assert_true(result.cycles < 3000);
    }
}

// The story of another network does not believe these flits.
static void its_errors_are_those_of_the_run(void **state)
{
    (void)state;
    const uint64_t every[] = {0, 1, 500};
    for (size_t i = 0; i < sizeof every / sizeof *every; i++) {
        struct anl_scenario scenario = parse(busy);
        struct heard heard = {0};
        struct anl_story *story;
        struct anl_run_result result;
        struct anl_error error = {0};
        scenario.network.depth = 2;
        assert_int_equal(anl_story_create(&scenario.network, NULL, &story), ANL_OK);
        scenario.network.depth = 4;
        heard.story = story;
        const struct anl_run_options options = {
            .story = story, .progress_cycles = every[i], .progress = look, .user = &heard};
        assert_int_equal(anl_run(&scenario, &options, &result, &error), ANL_ERR_FORMAT);
        assert_non_null(strstr(error.text, "the lane is full"));
        anl_story_destroy(story);
        anl_scenario_free(&scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_same_on_a_thread_and_without),
        cmocka_unit_test(stops_where_told_says_so),
        cmocka_unit_test(its_errors_are_those_of_the_run),
    };
    return cmocka_run_group_tests_name("run_story", tests, NULL, NULL);
}
