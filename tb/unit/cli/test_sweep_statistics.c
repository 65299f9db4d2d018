// SPDX-License-Identifier: Apache-2.0
//
// Warm-ups and backlogs of data made here.

#include "unit_sweep.h"

#include <annelid/base.h>
#include <annelid/run.h>
#include <stdlib.h>

enum { WINDOWS = 200 };

// --- warm-up ---

// Makes the latencies of ten worms in each window: noise around 100, less in the first windows, and
// a trend.
static void make_latencies(struct anl_window *windows, uint64_t seed, size_t low, double trend)
{
    struct anl_rng rng = anl_rng_seed(seed, 0);
    for (size_t i = 0; i < WINDOWS; i++) {
        const double mean = 100 + 20 * (anl_rng_unit(&rng) - 0.5) + trend * (double)i;
        windows[i] = (struct anl_window){.worms = 10};
        windows[i].latency = (uint64_t)(10 * mean * (i < low ? 0.6 : 1));
    }
}

static void noise_is_steady(void **state)
{
    (void)state;
    struct anl_window windows[WINDOWS];
    unsigned good = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        bool steady;
        make_latencies(windows, seed, 0, 0);
        good += sweep_warm_up(windows, WINDOWS, &steady) == 0 && steady;
    }
    // 1 % fail by chance: 990 are expected, within three standard deviations
    assert_between(good, 980, 1000);
}

static void a_slow_beginning_is_left_out(void **state)
{
    (void)state;
    struct anl_window windows[WINDOWS];
    unsigned good = 0;
    for (uint64_t seed = 1; seed <= 100; seed++)
        for (size_t low = 30; low <= 90; low += 30) {
            bool steady;
            make_latencies(windows, seed, low, 0);
            const size_t warm_up = sweep_warm_up(windows, WINDOWS, &steady);
            // All of the slow windows must be left out but a batch and a half; a batch is ten
            // windows.
            if (warm_up + 15 < low) fail_msg("seed %d, %zu: %zu", (int)seed, low, warm_up);
            good += steady && warm_up <= low + 20;
        }
    assert_between(good, 285, 300);  // the others fail by chance
}

static void a_trend_is_not_steady(void **state)
{
    (void)state;
    struct anl_window windows[WINDOWS];
    for (uint64_t seed = 1; seed <= 100; seed++) {
        bool steady;
        make_latencies(windows, seed, 0, 0.5);
        assert_int_equal(sweep_warm_up(windows, WINDOWS, &steady), WINDOWS / 2);
        assert_false(steady);
    }
}

static void corners_of_warm_ups(void **state)
{
    (void)state;
    struct anl_window windows[WINDOWS] = {0};
    bool steady;
    sweep_warm_up(windows, WINDOWS, &steady);
    assert_false(steady);  // no worms
    sweep_warm_up(windows, 0, &steady);
    assert_false(steady);  // no windows
    for (size_t i = 0; i < WINDOWS; i++)
        windows[i] = (struct anl_window){.worms = 1 + i % 3, .latency = 7 * (1 + i % 3)};
    assert_int_equal(sweep_warm_up(windows, WINDOWS, &steady), 0);
    assert_true(steady);  // all windows are alike
    assert_int_equal(sweep_warm_up(windows, WINDOWS - 1, &steady), 19);
    assert_true(steady);  // 199 windows are 20 batches of 9, and 19
    sweep_warm_up(windows, 19, &steady);
    assert_false(steady);
}

// --- backlog ---

// In each window 1000 flits come and the share `stays` of them is not delivered.
static void make_backlog(struct anl_window *windows, double stays, unsigned noise, uint64_t seed)
{
    struct anl_rng rng = anl_rng_seed(seed, 1);
    uint64_t backlog = 0;
    double level = 500;
    for (size_t i = 0; i < WINDOWS; i++) {
        level += 1000 * stays;
        const uint64_t wanted = (uint64_t)(level + noise * anl_rng_unit(&rng));
        windows[i] = (struct anl_window){.created_flits = 1000};
        windows[i].ejected_flits = 1000 + backlog - wanted;
        backlog = wanted;
    }
}

static void a_backlog_that_grows_is_seen(void **state)
{
    (void)state;
    struct anl_window windows[WINDOWS];
    for (uint64_t seed = 1; seed <= 100; seed++) {
        make_backlog(windows, 0.012, 100, seed);
        assert_true(anl_backlog_of(windows, 20, WINDOWS).grows);
        make_backlog(windows, 0.008, 100, seed);
        assert_false(anl_backlog_of(windows, 20, WINDOWS).grows);
        // With much noise the two ends differ by more than 1 % in some data; that alone must not
        // count.
        make_backlog(windows, 0, 4000, seed);
        assert_false(anl_backlog_of(windows, 20, WINDOWS).grows);
    }
    assert_false(anl_backlog_of(windows, 0, 0).grows);
    assert_false(anl_backlog_of(windows, 5, 6).grows);
}

// --- samples ---

// More worms than are noted at once, so that some are counted in slots and the last ones are not.
static void a_sample_counts_all(void **state)
{
    (void)state;
    struct sweep_sample sample = {0};
    struct anl_latencies latencies;
    struct anl_rng rng = anl_rng_seed(3, 0);
    enum { WORMS = 3 * SWEEP_NOTED / 2, LATENCIES = 997 };
    static uint64_t expected[LATENCIES];
    for (size_t i = 0; i < WORMS; i++) {
        const uint64_t window = anl_rng_below(&rng, 50), latency = anl_rng_below(&rng, LATENCIES);
        assert_int_equal(sweep_sample_add(&sample, window, latency), ANL_OK);
        if (window >= 20) expected[latency]++;
    }
    assert_int_equal(sweep_sample_sum(&sample, 20, &latencies), ANL_OK);
    assert_int_equal(latencies.size, LATENCIES);
    assert_memory_equal(latencies.count, expected, sizeof expected);
    free(latencies.count);
    sweep_sample_free(&sample);
    assert_int_equal(sweep_sample_sum(&sample, 0, &latencies), ANL_OK);
    assert_int_equal(anl_latencies_worms(&latencies), 0);
    free(latencies.count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_steady),
        cmocka_unit_test(a_slow_beginning_is_left_out),
        cmocka_unit_test(a_trend_is_not_steady),
        cmocka_unit_test(corners_of_warm_ups),
        cmocka_unit_test(a_backlog_that_grows_is_seen),
        cmocka_unit_test(a_sample_counts_all),
    };
    return cmocka_run_group_tests_name("sweep_statistics", tests, NULL, NULL);
}
