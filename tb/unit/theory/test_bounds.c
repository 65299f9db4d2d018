// SPDX-License-Identifier: Apache-2.0
//
// What the theory says of a set of worms, against slow counting: load factor, bounds, trials, the
// schedule of Theorem 2. Paths: test_paths.c.

#include "unit_traffic.h"
#include "unit_tree.h"

#include "theory/theory.h"

// --- load factor ---

static void add(struct theory_worms *set, uint32_t source, uint32_t destination)
{
    theory_worms_add(set, &(struct anl_worm){.source = source, .destination = destination});
}

// Worms that have one end in the terminals first … first + count - 1.
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
        const struct anl_config config = tree(n, ANL_UP_DOWN_FIXED);
        const uint32_t count = 1 + anl_rng_below(&rng, MOST - 1);
        const uint32_t spread = 1 + anl_rng_below(&rng, terminals);  // few: one subtree
        struct theory_worms set;
        struct anl_trial drawn;
        assert_int_equal(theory_worms_begin(&set, &config), ANL_OK);
        for (uint32_t i = 0; i < count; i++) {
            worms[i][0] = anl_rng_below(&rng, spread);
            worms[i][1] = anl_rng_below(&rng, terminals);
            add(&set, worms[i][0], worms[i][1]);
        }
        theory_worms_note(&set, &drawn);
        assert_true(drawn.load.factor == slow_load(worms, count, n));
        theory_worms_free(&set);
    }
}

static void load_factors_of_the_paper(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 5; n++) {
        const struct anl_config config = tree(n, ANL_UP_DOWN_FIXED);
        const uint32_t terminals = 1u << 2 * n;
        struct theory_worms complement, many;
        struct anl_trial of_complement, of_many;
        assert_int_equal(theory_worms_begin(&complement, &config), ANL_OK);
        assert_int_equal(theory_worms_begin(&many, &config), ANL_OK);
        for (uint32_t t = 0; t < terminals; t++) {
            add(&complement, t, terminals - 1 - t);
            add(&many, t, t < terminals / 2 ? terminals - 1 : 0);
        }
        theory_worms_note(&complement, &of_complement);
        theory_worms_note(&many, &of_many);
        assert_true(of_complement.load.factor == (1u << n) / 2);  // sqrt(N) / 2
        assert_true(of_many.load.factor == terminals / 2);
        assert_int_equal(of_many.load.level, 0);
        assert_false(of_many.load.up);
        theory_worms_free(&complement);
        theory_worms_free(&many);
    }
}

// --- bounds ---

static void bounds_of_the_paper(void **state)
{
    (void)state;
    assert_int_equal(anl_bounds_lower(5, 6, 32), 160);
    assert_int_equal(anl_bounds_lower(1, 40, 32), 71);
    // d <= L: R = 5 c d; T1 = ln 1024 = 6.931
    struct anl_bounds_schedule schedule = anl_bounds_theorem_2(1024, 18, 10, 32);
    assert_int_equal(schedule.eta, 10);
    assert_int_equal(schedule.delays, 5 * 18 * 10);
    assert_int_equal(schedule.phase_cycles, 2219);  // 10 * 6.93147 * 32 = 2218.07
    assert_int_equal(schedule.cycles, 900 * 2219);
    // L < d: R = 5 c L; T1 = d / L = 16
    schedule = anl_bounds_theorem_2(1024, 18, 64, 4);
    assert_int_equal(schedule.eta, 4);
    assert_int_equal(schedule.delays, 5 * 18 * 4);
    assert_int_equal(schedule.phase_cycles, 640);
    // one worm: 8 T1 L + d + L <= 10 T1 L wants T1 = 1
    schedule = anl_bounds_theorem_2(1, 1, 2, 32);
    assert_int_equal(schedule.phase_cycles, 320);
}

// --- trials ---

static const char batch[] = "network: {topology: fat_tree, n: 2}\n"
                            "switch: {depth: 2, arbiter: random}\n"
                            "traffic: {process: batch, pattern: random_function, length: 8}\n";

static void a_trial_measures_what_its_paths_say(void **state)
{
    (void)state;
    struct anl_scenario scenario = scenario_of(batch);
    for (scenario.run.seed = 1; scenario.run.seed <= 50; scenario.run.seed++) {
        struct anl_paths paths;
        struct anl_paths_measures measures;
        struct anl_trial trial;
        anl_paths_begin(&paths, &scenario.network);
        const struct anl_trial_options options = {.paths = &paths, .phase_cycles = 20};
        assert_int_equal(anl_trial_run(&scenario, &options, &trial), ANL_OK);
        assert_int_equal(anl_paths_settle(&paths), ANL_OK);
        assert_int_equal(anl_paths_measure(&paths, &measures), ANL_OK);
        assert_true(trial.complete);
        assert_int_equal(trial.worms, 16);
        assert_int_equal(trial.congestion, measures.congestion);
        assert_int_equal(trial.dilation, measures.dilation);
        assert_true(trial.mean_congestion == measures.mean);
        assert_int_equal(trial.lower, anl_bounds_lower(trial.congestion, trial.dilation, 8));
        assert_true(trial.cycles >= trial.lower);
        assert_true(trial.congestion >= trial.load.factor);
        assert_true(trial.missed > 0 && trial.missed < 16);  // 20 cycles are not enough for all
        anl_paths_free(&paths);
    }
    anl_scenario_free(&scenario);
}

static void a_trial_that_does_not_end_says_so(void **state)
{
    (void)state;
    struct anl_scenario scenario = scenario_of(batch);
    struct anl_trial trial;
    scenario.run.max_cycles = 12;
    assert_int_equal(anl_trial_run(&scenario, &(struct anl_trial_options){0}, &trial), ANL_OK);
    assert_false(trial.complete);
    assert_int_equal(trial.cycles, 12);
    assert_true(trial.delivered < trial.worms);
    anl_scenario_free(&scenario);
}

// A worm alone takes exactly what the bound says; with two lengths the flits count.
static void the_lower_bound_is_met(void **state)
{
    (void)state;
    struct anl_message messages[] = {{.cycle = 0, .source = 0, .destination = 9, .length = 5},
                                     {.cycle = 0, .source = 1, .destination = 9, .length = 3}};
    struct anl_scenario scenario = scenario_of(batch);
    struct anl_trial trial;
    scenario.traffic.process = ANL_REPLAY;
    scenario.messages = messages;
    for (scenario.num_messages = 1; scenario.num_messages <= 2; scenario.num_messages++) {
        assert_int_equal(anl_trial_run(&scenario, &(struct anl_trial_options){0}, &trial), ANL_OK);
        assert_int_equal(trial.lower, 8);  // 4 + 5 - 1 links and flits; 5 + 3 flits over one link
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
        struct anl_bounds_schedule schedule;
        struct anl_trial trial;
        assert_int_equal(anl_bounds_delay(&scenario, &schedule, NULL), ANL_OK);
        const struct anl_trial_options options = {.phase_cycles = schedule.phase_cycles};
        assert_int_equal(anl_trial_run(&scenario, &options, &trial), ANL_OK);
        assert_true(trial.complete && trial.missed == 0);
        assert_int_equal(scenario.traffic.delays, schedule.delays);
        assert_true(schedule.delays >= 5 * trial.congestion * trial.dilation);
        assert_true(trial.cycles <= schedule.cycles);
        assert_true(trial.last_created > schedule.cycles / 4);  // they did wait
    }
    anl_scenario_free(&scenario);
    scenario = scenario_of("network: {topology: fat_tree, n: 2}\n");
    struct anl_bounds_schedule schedule;
    struct anl_error error = {0};
    assert_int_equal(anl_bounds_delay(&scenario, &schedule, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "bernoulli"));
    anl_scenario_free(&scenario);
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
    };
    return cmocka_run_group_tests_name("theory_bounds", tests, NULL, NULL);
}
