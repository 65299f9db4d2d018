// SPDX-License-Identifier: Apache-2.0
//
// A blocking analysis that is fed by a run, on a thread of its own or not: its answers are the
// same, it gets every cycle once and in order, it has caught up with the run whenever the user
// looks, it stops where the user stops it, and its errors are those of the run.

#include "unit.h"

#include <annelid/run.h>
#include <stdlib.h>
#include <string.h>

static const char *const busy = "network: {topology: torus, k: 4, n: 2}\n"
                                "switch: {num_vcs: 2, depth: 4}\n"
                                "traffic: {pattern: uniform, load: 0.5, length: [1, 4, 9]}\n"
                                "run: {seed: 3, cycles: 3000}\n";

// More worms are created at once than are passed to the analysis at once.
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
    uint64_t cycles, flits, stalls, waited;
    uint64_t last;  // the listener stops after so many cycles; 0: never
    uint64_t looks;
    const struct anl_blocking *blocking;
    bool behind;  // at some look the analysis had not caught up with the run
};

static void hear_stall(void *user, const struct anl_stall *stall)
{
    struct heard *heard = user;
    heard->stalls++;
    heard->waited += (stall->end - stall->begin + 1) * (stall->worm + stall->root_blocker);
}

static bool fed(void *user, const struct anl_blocking *blocking, const struct anl_flit *flits,
                size_t count)
{
    struct heard *heard = user;
    assert_int_equal(anl_blocking_cycle(blocking), heard->cycles);
    for (size_t i = 1; i < count; i++)
        assert_true(flits[i].link > flits[i - 1].link);
    heard->cycles++;
    heard->flits += count;
    return heard->cycles != heard->last;
}

static bool look(void *user, const struct anl_engine *net)
{
    struct heard *heard = user;
    heard->looks++;
    heard->behind |= anl_blocking_cycle(heard->blocking) + 1 != anl_engine_cycle(net);
    return true;
}

// Runs with a blocking analysis that is looked at every progress_cycles cycles (0: never); if these
// are few it has no thread.
static struct anl_run_result run(const char *text, uint64_t progress_cycles, struct heard *heard,
                                 struct anl_blocking_totals *totals)
{
    struct anl_scenario scenario = parse(text);
    const struct anl_blocking_listener listener = {.stall = hear_stall, .user = heard};
    struct anl_blocking *blocking;
    struct anl_run_result result;
    assert_int_equal(anl_blocking_create(&scenario.network, &listener, &blocking), ANL_OK);
    heard->blocking = blocking;
    const struct anl_run_options options = {.blocking = blocking,
                                            .fed = fed,
                                            .progress_cycles = progress_cycles,
                                            .progress = look,
                                            .user = heard};
    assert_int_equal(anl_run(&scenario, &options, &result, NULL), ANL_OK);
    *totals = anl_blocking_totals(blocking);
    anl_blocking_destroy(blocking);
    anl_scenario_free(&scenario);
    return result;
}

// --- tests ---

static void is_the_same(const char *text)
{
    struct heard heard[3] = {0};
    struct anl_blocking_totals totals[3];
    const uint64_t every[3] = {0, 1, 500};
    for (size_t i = 0; i < 3; i++) {
        const struct anl_run_result result = run(text, every[i], &heard[i], &totals[i]);
        assert_int_equal(heard[i].cycles, result.cycles);
        assert_int_equal(heard[i].flits, result.totals.flit_hops);
        assert_int_equal(heard[i].looks, every[i] ? result.cycles / every[i] : 0);
        assert_false(heard[i].behind);
        assert_int_equal(totals[i].delivered, result.totals.delivered);
        assert_true(heard[i].stalls > 1000);
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

static void stops_where_fed_says_so(void **state)
{
    (void)state;
    const uint64_t last[] = {1, 32, 33, 700};  // in the first batch, at its end, after it
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        struct heard heard = {.last = last[i]};
        struct anl_blocking_totals totals;
        const struct anl_run_result result = run(busy, 0, &heard, &totals);
        assert_int_equal(heard.cycles, last[i]);
        assert_int_equal(result.end, ANL_RUN_STOPPED);
        assert_true(result.cycles >= last[i]);
        assert_true(result.cycles < 3000);
    }
}

// A blocking analysis of another network refuses these flits.
static void its_errors_are_those_of_the_run(void **state)
{
    (void)state;
    const uint64_t every[] = {0, 1, 500};
    for (size_t i = 0; i < sizeof every / sizeof *every; i++) {
        struct anl_scenario scenario = parse(busy);
        struct heard heard = {0};
        struct anl_blocking *blocking;
        struct anl_run_result result;
        struct anl_error error = {0};
        scenario.network.depth = 2;
        assert_int_equal(anl_blocking_create(&scenario.network, NULL, &blocking), ANL_OK);
        scenario.network.depth = 4;
        heard.blocking = blocking;
        const struct anl_run_options options = {
            .blocking = blocking, .progress_cycles = every[i], .progress = look, .user = &heard};
        assert_int_equal(anl_run(&scenario, &options, &result, &error), ANL_ERR_FORMAT);
        assert_non_null(strstr(error.text, "the lane is full"));
        anl_blocking_destroy(blocking);
        anl_scenario_free(&scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_same_on_a_thread_and_without),
        cmocka_unit_test(stops_where_fed_says_so),
        cmocka_unit_test(its_errors_are_those_of_the_run),
    };
    return cmocka_run_group_tests_name("run_blocking", tests, NULL, NULL);
}
