// SPDX-License-Identifier: Apache-2.0
//
// The statistics of sweeps on a queue whose mean is known (docs/sweep.md, "A queue whose answer is
// known"). The means that a sweep reports are right, and its intervals contain the true mean as
// often as they claim. All seeds are fixed, so the counts are the same on every machine.

#include "unit_sweep.h"

#include <stdlib.h>

enum { SEEDS = 10 };

// Two terminals; each sends to the other.
static void make_queue(double load, unsigned length, struct anl_scenario *scenario)
{
    char text[256];
    snprintf(text, sizeof text,
             "network: {topology: mesh, k: 2, n: 1}\n"
             "traffic: {pattern: complement, load: %.3f, length: %u}\n"
             "run: {cycles: 20000, max_cycles: 40000}\n",
             load, length);
    parse(text, scenario);
}

static double true_latency(double load, unsigned length)
{
    enum { LINKS = 3 };
    const double p = load / length, wait = p * length * (length - 1) / (2 * (1 - p * length));
    return wait + LINKS + length - 1;
}

// --- runs with the seeds 1 .. count, in threads ---

struct batch {
    struct anl_scenario scenario;
    double *latency;
};

static enum anl_status run_one(void *user, size_t task, struct pool_worker *worker,
                               struct anl_error *error)
{
    const struct batch *batch = user;
    const struct sweep_job job = {
        .variant = &batch->scenario, .load = batch->scenario.traffic.load, .seed = task + 1};
    struct sweep_run run;
    const enum anl_status status = sweep_measure(&job, 1, worker, &run, error);
    batch->latency[task] = run.latency;
    return status;
}

static void run_all(double load, unsigned length, size_t count, double *latency)
{
    struct batch batch = {.latency = latency};
    make_queue(load, length, &batch.scenario);
    const struct pool_work work = {.what = "queue",
                                   .unit = "runs",
                                   .tasks = count,
                                   .workers = pool_cores(),
                                   .run = run_one,
                                   .user = &batch};
    struct anl_error error = {0};
    if (pool_run(&work, &error)) fail_msg("%s", error.text);
    anl_scenario_free(&batch.scenario);
}

static bool holds(struct sample mean, double truth)
{
    assert_int_equal(mean.count, SEEDS);
    return fabs(mean.mean - truth) <= mean.half_width;
}

// --- tests ---

// With probability 99.8 % at least 22 of 27 intervals contain the true mean; and each mean is
// close.
static void the_mean_wait_is_that_of_the_theory(void **state)
{
    (void)state;
    unit_leave_out();
    static const unsigned lengths[] = {2, 8, 16};
    unsigned hits = 0;
    for (size_t i = 0; i < 3; i++)
        for (int tenth = 1; tenth <= 9; tenth++) {
            double latency[SEEDS];
            run_all(0.1 * tenth, lengths[i], SEEDS, latency);
            const struct sample mean = sample_of(latency, SEEDS);
            const double truth = true_latency(0.1 * tenth, lengths[i]);
            hits += holds(mean, truth);
            if (fabs(mean.mean - truth) > 3 * mean.half_width || mean.half_width > 0.25 * truth)
                fail_msg("load %.1f, %u flits: %f ± %f, expected %f", 0.1 * tenth, lengths[i],
                         mean.mean, mean.half_width, truth);
        }
    print_message("%u of 27 intervals hold the truth\n", hits);
    assert_between(hits, 22, 27);
}

// By the binomial law 180 to 199 of 200 intervals of 95 % contain the true mean, with probability
// 99.88 %. If fewer intervals are sampled, 90 % of them less three are enough.
static void intervals_hold_the_truth_as_often_as_they_claim(void **state)
{
    (void)state;
    enum { REPETITIONS = 200 };
    static double latency[REPETITIONS * SEEDS];
    const unsigned repetitions = unit_trials(REPETITIONS);
    run_all(0.5, 8, repetitions * SEEDS, latency);
    unsigned hits = 0;
    for (size_t i = 0; i < repetitions; i++)
        hits += holds(sample_of(&latency[i * SEEDS], SEEDS), true_latency(0.5, 8));
    print_message("%u of %u intervals hold the truth\n", hits, repetitions);
    if (repetitions == REPETITIONS)
        assert_between(hits, 180, 199);
    else
        assert_between(hits + 3, repetitions * 9 / 10, REPETITIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_wait_is_that_of_the_theory),
        cmocka_unit_test(intervals_hold_the_truth_as_often_as_they_claim),
    };
    return cmocka_run_group_tests_name("sweep_queue", tests, NULL, NULL);
}
