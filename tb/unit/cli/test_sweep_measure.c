// SPDX-License-Identifier: Apache-2.0
//
// The state that a run of a sweep is given, and what it measures: runs whose state is known, the
// library's own statistics, and a count of the worms made here.

#include "unit_sweep.h"

#include <annelid/network.h>
#include <annelid/run.h>
#include <stdlib.h>

static void expect_state(const char *text, enum sweep_state state)
{
    for (uint64_t seed = 1; seed <= 5; seed += unit_step(4)) {
        const struct sweep_run run = measure_text(text, seed);
        if (run.state != state)
            fail_msg("seed %d is %s, expected %s: %s", (int)seed, sweep_state_name(run.state),
                     sweep_state_name(state), text);
    }
}

static void states_are_told_apart(void **state)
{
    (void)state;
    expect_state("network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 2}\n"
                 "traffic: {load: 0.2}\nrun: {cycles: 5000}\n",
                 SWEEP_STEADY);
    // Worms come one at a time and none waits: at most one is in the network.
    expect_state("network: {topology: mesh, k: 2, n: 1}\n"
                 "traffic: {load: 0.02, pattern: complement}\nrun: {cycles: 20000}\n",
                 SWEEP_STEADY);
    expect_state("network: {topology: mesh, k: 4, n: 2}\ntraffic: {load: 0.9}\n"
                 "run: {cycles: 2000, max_cycles: 4000}\n",
                 SWEEP_SATURATED);
    // One terminal of sixteen gets too much: 1.7 % of all flits are never delivered.
    expect_state("network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 8}\n"
                 "traffic: {pattern: hotspot, load: 0.3, hotspot_fraction: 0.23}\n"
                 "run: {cycles: 20000, max_cycles: 40000}\n",
                 SWEEP_SATURATED);
    // These runs are too short: fewer cycles than two worms take, or cut off before the last worms
    // arrive.
    expect_state("network: {topology: mesh, k: 4, n: 2}\n"
                 "traffic: {load: 0.2}\nrun: {cycles: 20}\n",
                 SWEEP_UNSTEADY);
    expect_state("network: {topology: mesh, k: 8, n: 2}\nswitch: {num_vcs: 2}\n"
                 "traffic: {load: 0.2}\nrun: {cycles: 2000, max_cycles: 2000}\n",
                 SWEEP_UNSTEADY);
    expect_state("network: {topology: unidirectional_torus, k: 5, n: 1, unsafe: true}\n"
                 "switch: {routing: dimension_order, depth: 1}\n"
                 "traffic: {load: 0.5, length: 32}\nrun: {cycles: 5000}\n",
                 SWEEP_STALLED);
}

static unsigned not_steady(const char *text, uint64_t seeds)
{
    unsigned count = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++)
        count += measure_text(text, seed).state != SWEEP_STEADY;
    return count;
}

// Too short a run is not noticed every time, but so often that a point of ten runs is marked.
static void runs_that_are_too_short_are_found_out(void **state)
{
    (void)state;
    const uint32_t runs = 40 / unit_step(4);
    // The queue takes some 80,000 cycles to forget its past.
    assert_between(not_steady("network: {topology: mesh, k: 2, n: 1}\n"
                              "traffic: {load: 0.98, pattern: complement, length: 32}\n"
                              "run: {cycles: 10000}\n",
                              runs),
                   runs / 4, runs);
    // A burst takes 6000 cycles on average, which is longer than the run.
    assert_between(not_steady("network: {topology: mesh, k: 8, n: 2}\nswitch: {num_vcs: 2}\n"
                              "traffic: {process: bursty, burst_cycles: 2000, load: 0.2}\n"
                              "run: {cycles: 5000}\n",
                              runs),
                   runs / 3, runs);
    // This run is long enough.
    assert_between(not_steady("network: {topology: mesh, k: 2, n: 1}\n"
                              "traffic: {load: 0.8, pattern: complement}\n"
                              "run: {cycles: 20000}\n",
                              runs),
                   0, 2);
}

static void closed_loops_have_states_too(void **state)
{
    (void)state;
    static const char *const batch = "network: {topology: mesh, k: 3, n: 2}\n"
                                     "traffic: {process: batch, worms_per_terminal: 20}\n";
    expect_state(batch, SWEEP_STEADY);
    struct anl_scenario scenario;
    parse(batch, &scenario);
    assert_int_equal(measure(&scenario, 1).worms, 180);
    scenario.run.max_cycles = 50;
    assert_int_equal(measure(&scenario, 1).state, SWEEP_UNSTEADY);
    anl_scenario_free(&scenario);
    expect_state("network: {topology: unidirectional_torus, k: 5, n: 1, unsafe: true}\n"
                 "switch: {routing: dimension_order, depth: 1}\n"
                 "traffic: {process: batch, pattern: tornado, worms_per_terminal: 4, length: 32}\n",
                 SWEEP_STALLED);
}

// --- the same as anl_run() reports, with the warm-up that was found ---

static void expect_as_run(const char *text, uint64_t seed)
{
    struct anl_scenario scenario;
    struct anl_run_result result;
    struct anl_error error = {0};
    parse(text, &scenario);
    const struct sweep_run run = measure(&scenario, seed);
    scenario.run.seed = seed;
    scenario.run.warmup_cycles = run.warmup;
    const struct anl_run_options options = {.digest = true};
    if (anl_run(&scenario, &options, &result, &error)) fail_msg("%s", error.text);
    assert_int_equal(run.cycles, result.cycles);
    assert_int_equal(run.worms, result.measured);
    assert_true(fabs(run.latency - result.latency_mean) < 1e-9 * run.latency);
    assert_int_equal(run.latency_min, result.latency_min);
    assert_int_equal(run.latency_p50, result.latency_p50);
    assert_int_equal(run.latency_p95, result.latency_p95);
    assert_int_equal(run.latency_p99, result.latency_p99);
    assert_int_equal(run.latency_max, result.latency_max);
    assert_true(fabs(run.offered - result.offered_load) < 1e-12);
    assert_true(fabs(run.accepted - result.accepted_load) < 1e-12);
    anl_scenario_free(&scenario);
}

static void what_is_measured_is_what_a_run_measures(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 2}\n"
        "traffic: {load: 0.3, length: [1, 2, 16]}\nrun: {cycles: 2000}\n",
        "network: {topology: torus, k: 4, n: 2}\nswitch: {num_vcs: 2}\n"
        "traffic: {load: 0.8}\nrun: {cycles: 1000, max_cycles: 2000, warmup_cycles: 300}\n",
        "network: {topology: fat_tree, n: 2}\n"
        "traffic: {process: bursty, load: 0.1}\nrun: {cycles: 3000}\n",
        "network: {topology: hypercube, n: 3}\n"
        "traffic: {process: request_reply, worms_per_terminal: 30}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            expect_as_run(texts[i], seed);
}

// --- what else is promised ---

static void the_least_warm_up_is_kept(void **state)
{
    (void)state;
    static const char *const text =
        "network: {topology: mesh, k: 4, n: 2}\n"
        "traffic: {load: 0.1}\nrun: {cycles: 2000, warmup_cycles: %u}\n";
    const struct {
        unsigned given, least;
    } cases[] = {{0, 200}, {150, 200}, {800, 800}, {805, 810}};
    for (size_t i = 0; i < 4; i++) {
        char filled[256];
        snprintf(filled, sizeof filled, text, cases[i].given);
        unsigned exact = 0;
        for (uint64_t seed = 1; seed <= 10; seed++) {
            const struct sweep_run run = measure_text(filled, seed);
            assert_true(run.warmup >= cases[i].least);
            exact += run.warmup < cases[i].least + 200;
        }
        assert_true(exact >= 8);
    }
}

// Every worm goes to the opposite corner, over 8 links.
static void links_are_those_of_the_paths(void **state)
{
    (void)state;
    const struct sweep_run run =
        measure_text("network: {topology: torus, k: 6, n: 2}\nswitch: {num_vcs: 2}\n"
                     "traffic: {load: 0.1, pattern: tornado}\nrun: {cycles: 2000}\n",
                     1);
    assert_true(run.links >= 2 + 2 * 2 && run.links <= 2 + 2 * 2);
    // Uniform traffic among 3 x 3 terminals makes 2 * 8/9 hops on average.
    const struct sweep_run uniform =
        measure_text("network: {topology: mesh, k: 3, n: 2}\n"
                     "traffic: {load: 0.2, length: 1}\nrun: {cycles: 20000}\n",
                     1);
    assert_true(fabs(uniform.links - (2 + 2 * 8.0 / 9)) < 0.02);
}

static void digests_are_those_of_runs(void **state)
{
    (void)state;
    struct anl_scenario scenario;
    struct anl_run_result result;
    struct anl_error error = {0};
    struct sweep_run run;
    parse("network: {topology: mesh, k: 4, n: 2}\ntraffic: {load: 0.9}\n"
          "run: {cycles: 300, max_cycles: 600, seed: 9}\n",
          &scenario);
    const struct sweep_job job = {
        .variant = &scenario, .load = scenario.traffic.load, .seed = 9, .digest = true};
    const struct anl_run_options options = {.digest = true};
    assert_int_equal(sweep_measure(&job, 1, NULL, &run, &error), ANL_OK);
    assert_int_equal(anl_run(&scenario, &options, &result, &error), ANL_OK);
    assert_int_equal(run.digest, result.digest);
    anl_scenario_free(&scenario);
}

// --- brief runs ---

static struct sweep_run measure_brief(uint64_t cycles, double load, uint64_t seed, unsigned brief)
{
    struct anl_scenario scenario;
    struct sweep_run run;
    parse("network: {topology: mesh, k: 4, n: 2}\nrun: {cycles: 2000}\n", &scenario);
    scenario.run.cycles = cycles;
    const struct sweep_job job = {.variant = &scenario, .load = load, .seed = seed, .brief = brief};
    assert_int_equal(sweep_measure(&job, 1, NULL, &run, NULL), ANL_OK);
    anl_scenario_free(&scenario);
    return run;
}

// A run that is to confirm that the backlog grows ends, at the next look, when the first half of it
// (of eight times run.cycles: the first quarter) is over and it has not grown there.
static void a_brief_run_ends_when_its_backlog_does_not_grow(void **state)
{
    (void)state;
    static const struct {
        uint64_t run_cycles;
        double load;
        unsigned brief;
        uint64_t cycles;
        bool saturated;
    } cases[] = {{2000, 0.1, 1, 2000, false}, {2000, 0.1, 4, 4096, false},
                 {2000, 0.1, 8, 4096, false}, {12800, 0.1, 4, 25600, false},
                 {2000, 0.9, 1, 2000, true},  {2000, 0.9, 4, 8000, true},
                 {2000, 0.9, 8, 16000, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct sweep_run run =
            measure_brief(cases[i].run_cycles, cases[i].load, 1, cases[i].brief);
        assert_int_equal(run.cycles, cases[i].cycles);
        assert_int_equal(run.state == SWEEP_SATURATED, cases[i].saturated);
    }
    // Near saturation the backlog may look otherwise in the cycles up to the look.
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const struct sweep_run run = measure_brief(200, 0.54, seed, 8);
        assert_true(run.cycles == 1600 || run.state != SWEEP_SATURATED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_told_apart),
        cmocka_unit_test(runs_that_are_too_short_are_found_out),
        cmocka_unit_test(closed_loops_have_states_too),
        cmocka_unit_test(what_is_measured_is_what_a_run_measures),
        cmocka_unit_test(the_least_warm_up_is_kept),
        cmocka_unit_test(links_are_those_of_the_paths),
        cmocka_unit_test(digests_are_those_of_runs),
        cmocka_unit_test(a_brief_run_ends_when_its_backlog_does_not_grow),
    };
    return cmocka_run_group_tests_name("sweep_measure", tests, NULL, NULL);
}
