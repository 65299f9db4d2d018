// SPDX-License-Identifier: Apache-2.0
//
// What the theory says about a set of worms, against slow counts: load factor, bounds, trials, the
// schedule of Theorem 2, and the mapping of a mesh. Paths are tested in test_greenberg_oh_paths.c.

#include "unit_greenberg_oh.h"

#include "area.h"
#include "bounds.h"
#include "delayed.h"
#include "load.h"
#include "trial.h"

#include <annelid/annelid.h>
#include <stdlib.h>
#include <string.h>

// --- load factor ---

// Returns the load factor, from counts of the worms with one end in each subtree.
static double slow_load(uint32_t (*worms)[2], uint32_t count, uint32_t n)
{
    double most = 0;
    for (uint32_t level = 0; level < n; level++)
        for (uint32_t subtree = 0; subtree < 1u << 2 * (n - level); subtree++) {
            uint32_t up = 0, down = 0;
            for (uint32_t i = 0; i < count; i++) {
                const bool from = worms[i][0] / (1u << 2 * level) == subtree;
                const bool to = worms[i][1] / (1u << 2 * level) == subtree;
                up += from && (!to || level == 0);
                down += to && (!from || level == 0);
            }
            const double capacity = 1u << level, worst = up > down ? up : down;
            if (worst / capacity > most) most = worst / capacity;
        }
    return most;
}

static void load_factor_is_what_counting_gives(void **state)
{
    (void)state;
    enum { MOST = 200 };
    uint32_t worms[MOST][2];
    struct anl_rng rng = anl_rng_seed(1, 0);
    for (int trial = 0; trial < 200; trial++) {
        const uint32_t n = 1 + anl_rng_below(&rng, 3), terminals = 1u << 2 * n;
        const struct anl_config tree = tree_of(n);
        const uint32_t count = 1 + anl_rng_below(&rng, MOST - 1);
        const uint32_t spread = 1 + anl_rng_below(&rng, terminals);  // few: one subtree
        struct load load;
        assert_int_equal(load_begin(&load, &tree), ANL_OK);
        for (uint32_t i = 0; i < count; i++) {
            worms[i][0] = anl_rng_below(&rng, spread);
            worms[i][1] = anl_rng_below(&rng, terminals);
            load_add(&load, worms[i][0], worms[i][1]);
        }
        assert_true(load_factor(&load).factor == slow_load(worms, count, n));
        load_free(&load);
    }
}

static void load_factors_of_the_paper(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 5; n++) {
        const struct anl_config tree = tree_of(n);
        const uint32_t terminals = 1u << 2 * n;
        struct load complement, many;
        assert_int_equal(load_begin(&complement, &tree), ANL_OK);
        assert_int_equal(load_begin(&many, &tree), ANL_OK);
        for (uint32_t t = 0; t < terminals; t++) {
            load_add(&complement, t, terminals - 1 - t);
            load_add(&many, t, t < terminals / 2 ? terminals - 1 : 0);
        }
        assert_true(load_factor(&complement).factor == (1u << n) / 2);  // sqrt(N) / 2
        assert_true(load_factor(&many).factor == terminals / 2);
        assert_int_equal(load_factor(&many).level, 0);
        assert_false(load_factor(&many).up);
        load_free(&complement);
        load_free(&many);
    }
}

// --- bounds ---

static void bounds_of_the_paper(void **state)
{
    (void)state;
    assert_int_equal(bounds_lower(5, 6, 32), 160);
    assert_int_equal(bounds_lower(1, 40, 32), 71);
    // d <= L: R = 5 c d; T1 = ln 1024 = 6.931.
    struct bounds_schedule schedule = bounds_theorem_2(1024, 18, 10, 32);
    assert_int_equal(schedule.eta, 10);
    assert_int_equal(schedule.delays, 5 * 18 * 10);
    assert_int_equal(schedule.phase_cycles, 2219);  // 10 * 6.93147 * 32 = 2218.07
    assert_int_equal(schedule.cycles, 900 * 2219);
    // L < d: R = 5 c L; T1 = d / L = 16.
    schedule = bounds_theorem_2(1024, 18, 64, 4);
    assert_int_equal(schedule.eta, 4);
    assert_int_equal(schedule.delays, 5 * 18 * 4);
    assert_int_equal(schedule.phase_cycles, 640);
    // One worm: 8 T1 L + d + L <= 10 T1 L needs T1 = 1.
    schedule = bounds_theorem_2(1, 1, 2, 32);
    assert_int_equal(schedule.phase_cycles, 320);
}

// --- trials ---

static const char batch[] = "network: {topology: fat_tree, n: 2}\n"
                            "switch: {depth: 2, scan: random}\n"
                            "traffic: {process: batch, pattern: random_function, length: 8}\n";

static void a_trial_measures_what_its_paths_say(void **state)
{
    (void)state;
    struct anl_scenario scenario = scenario_of(batch);
    for (scenario.run.seed = 1; scenario.run.seed <= 50; scenario.run.seed++) {
        struct paths paths;
        struct paths_measures measures;
        struct trial trial;
        paths_begin(&paths, &scenario.network);
        const struct trial_options options = {.paths = &paths, .phase_cycles = 20};
        assert_int_equal(trial_run(&scenario, &options, &trial), ANL_OK);
        assert_int_equal(paths_settle(&paths), ANL_OK);
        assert_int_equal(paths_measure(&paths, &measures), ANL_OK);
        assert_true(trial.complete);
        assert_int_equal(trial.worms, 16);
        assert_int_equal(trial.congestion, measures.congestion);
        assert_int_equal(trial.dilation, measures.dilation);
        assert_true(trial.mean_congestion == measures.mean);
        assert_int_equal(trial.lower, bounds_lower(trial.congestion, trial.dilation, 8));
        assert_true(trial.cycles >= trial.lower);
        assert_true(trial.congestion >= trial.load.factor);
        assert_true(trial.missed > 0 && trial.missed < 16);  // 20 cycles are too few for all
        paths_free(&paths);
    }
    anl_scenario_free(&scenario);
}

static void a_trial_that_does_not_end_says_so(void **state)
{
    (void)state;
    struct anl_scenario scenario = scenario_of(batch);
    struct trial trial;
    scenario.run.max_cycles = 12;
    assert_int_equal(trial_run(&scenario, &(struct trial_options){0}, &trial), ANL_OK);
    assert_false(trial.complete);
    assert_int_equal(trial.cycles, 12);
    assert_true(trial.delivered < trial.worms);
    anl_scenario_free(&scenario);
}

// A worm alone takes exactly the bound; with two lengths the bound counts flits.
static void the_lower_bound_is_met(void **state)
{
    (void)state;
    struct anl_message messages[] = {{0, 0, 9, 5}, {0, 1, 9, 3}};
    struct anl_scenario scenario = scenario_of(batch);
    struct trial trial;
    scenario.traffic.process = ANL_REPLAY;
    scenario.messages = messages;
    for (scenario.num_messages = 1; scenario.num_messages <= 2; scenario.num_messages++) {
        assert_int_equal(trial_run(&scenario, &(struct trial_options){0}, &trial), ANL_OK);
        assert_int_equal(trial.lower, 8);  // 4 + 5 - 1 for links and flits; 5 + 3 flits over a link
        assert_true(trial.cycles >= 8);
        if (scenario.num_messages == 1) assert_int_equal(trial.cycles, 8);
        assert_int_equal(trial.shortest, scenario.num_messages == 1 ? 5 : 3);
    }
    scenario.messages = NULL;
    anl_scenario_free(&scenario);
}

// --- Theorem 2 as an algorithm ---

static void the_schedule_is_enough_for_the_paths_that_it_gives(void **state)
{
    (void)state;
    struct anl_scenario scenario = scenario_of(batch);
    scenario.network.routing = ANL_UP_DOWN_FIXED;
    for (scenario.run.seed = 1; scenario.run.seed <= 40; scenario.run.seed++) {
        struct bounds_schedule schedule;
        struct trial trial;
        assert_int_equal(delayed_prepare(&scenario, &schedule, NULL), ANL_OK);
        const struct trial_options options = {.phase_cycles = schedule.phase_cycles};
        assert_int_equal(trial_run(&scenario, &options, &trial), ANL_OK);
        assert_true(trial.complete && trial.missed == 0);
        assert_int_equal(scenario.traffic.delays, schedule.delays);
        assert_true(schedule.delays >= 5 * trial.congestion * trial.dilation);
        assert_true(trial.cycles <= schedule.cycles);
        assert_true(trial.last_created > schedule.cycles / 4);  // worms did wait at their sources
    }
    anl_scenario_free(&scenario);
    scenario = scenario_of("network: {topology: fat_tree, n: 2}\n");
    struct bounds_schedule schedule;
    struct anl_error error = {0};
    assert_int_equal(delayed_prepare(&scenario, &schedule, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "bernoulli"));
    anl_scenario_free(&scenario);
}

// --- a mesh on the fat-tree ---

static void shuffled_row_major_keeps_squares_together(void **state)
{
    (void)state;
    static const uint32_t first[4][4] = {
        {0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};
    for (uint32_t row = 0; row < 4; row++)
        for (uint32_t column = 0; column < 4; column++)
            assert_int_equal(area_terminal(row, column), first[row][column]);
    assert_int_equal(area_terminal(63, 0), 2 * 1365);
    assert_int_equal(area_terminal(0, 63), 1365);
    assert_int_equal(area_terminal(63, 63), 4095);
}

static bool no(void *user)
{
    (void)user;
    return false;
}

static void windows_and_streams_of_a_mesh(void **state)
{
    (void)state;
    struct anl_scenario mesh = scenario_of("network: {topology: mesh, k: 4, n: 2}\n"
                                           "switch: {depth: 2, scan: random}\n"
                                           "traffic: {pattern: uniform, load: 1, length: 8}\n");
    const struct area_watch nobody = {0}, stop = {no, NULL};
    struct area_worms window, stream, nothing;
    assert_int_equal(area_window(&mesh, &nobody, &window), ANL_OK);
    assert_int_equal(area_stream(&mesh, &nobody, &stream), ANL_OK);
    assert_int_equal(window.window_cycles, 8);
    assert_int_equal(stream.window_cycles, 16 * 8);
    assert_true(window.count >= 16 && window.count <= 3 * 16);  // every processor sends
    // Each processor receives at most one flit in a cycle.
    assert_true(stream.count > 16 && stream.count <= 16 * 128 / 8);
    for (size_t i = 0; i < stream.count; i++)
        assert_true(stream.messages[i].source < 16 && stream.messages[i].destination < 16 &&
                    stream.messages[i].length == 8 && stream.messages[i].cycle == 0);
    assert_int_equal(area_stream(&mesh, &stop, &nothing), ANL_OK);
    assert_int_equal(nothing.count, 0);
    free(window.messages);
    free(stream.messages);
    anl_scenario_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_factor_is_what_counting_gives),
        cmocka_unit_test(load_factors_of_the_paper),
        cmocka_unit_test(bounds_of_the_paper),
        cmocka_unit_test(a_trial_measures_what_its_paths_say),
        cmocka_unit_test(a_trial_that_does_not_end_says_so),
        cmocka_unit_test(the_lower_bound_is_met),
        cmocka_unit_test(the_schedule_is_enough_for_the_paths_that_it_gives),
        cmocka_unit_test(shuffled_row_major_keeps_squares_together),
        cmocka_unit_test(windows_and_streams_of_a_mesh),
    };
    return cmocka_run_group_tests_name("greenberg_oh_theory", tests, NULL, NULL);
}
