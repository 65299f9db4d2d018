// SPDX-License-Identifier: Apache-2.0
//
// What the theory asks of a set of worms, against slow counting: load factor, paths and their two
// conditions, bounds, trials, the schedule of Theorem 2, the mapping of a mesh.

#include "unit.h"

#include "area.h"
#include "bounds.h"
#include "delayed.h"
#include "load.h"
#include "trial.h"

#include <annelid/annelid.h>
#include <stdlib.h>
#include <string.h>

static struct anl_config tree_of(uint32_t n)
{
    return (struct anl_config){.topology = ANL_FAT_TREE,
                               .k = 4,
                               .n = n,
                               .num_vcs = 1,
                               .depth = 2,
                               .flit_width_bits = 32,
                               .routing = ANL_UP_DOWN_FIXED,
                               .scan = ANL_RANDOM};
}

static struct anl_scenario scenario_of(const char *text)
{
    struct anl_scenario scenario;
    struct anl_error error = {0};
    if (anl_scenario_parse(text, strlen(text), "test", "", &scenario, &error))
        fail_msg("line %llu: %s", (unsigned long long)error.line, error.text);
    return scenario;
}

// --- load factor ---

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

// --- paths ---

// Paths as lists of links that end with -1, one after the other; the list ends with -1 alone.
static void paths_of(struct paths *paths, uint32_t links, const int *list)
{
    *paths = (struct paths){.links = links, .num_vcs = 1};
    for (uint32_t worm = 0; *list >= 0; worm++, list++)
        for (; *list >= 0; list++)
            assert_int_equal(paths_add(paths, worm, (uint32_t)*list), ANL_OK);
    assert_int_equal(paths_settle(paths), ANL_OK);
}

static void expect_measures(const int *list, uint32_t congestion, uint32_t dilation)
{
    struct paths paths;
    struct paths_measures measures;
    paths_of(&paths, 16, list);
    assert_int_equal(paths_measure(&paths, &measures), ANL_OK);
    assert_int_equal(measures.congestion, congestion);
    assert_int_equal(measures.dilation, dilation);
    paths_free(&paths);
}

static void congestion_and_dilation_of_small_sets(void **state)
{
    (void)state;
    expect_measures((int[]){5, -1, -1}, 1, 1);
    expect_measures((int[]){0, 1, 2, -1, 3, 1, 4, -1, 1, -1, -1}, 3, 3);
    expect_measures((int[]){0, 1, 2, 3, -1, 4, -1, 4, -1, 5, 0, -1, -1}, 2, 4);
}

// The same by pairs: positions of the links that both have must be runs of both.
static bool slow_contiguous(const struct paths *paths, uint32_t a, uint32_t b)
{
    size_t shared = 0, after = 0;  // shared links; how many of them follow a shared one in both
    for (size_t i = paths->begin[a]; i < paths->begin[a + 1]; i++)
        for (size_t j = paths->begin[b]; j < paths->begin[b + 1]; j++) {
            if (paths->channels[i] != paths->channels[j]) continue;
            shared++;
            after += i > paths->begin[a] && j > paths->begin[b] &&
                     paths->channels[i - 1] == paths->channels[j - 1];
        }
    return shared == 0 || after == shared - 1;
}

static bool slow_all_contiguous(const struct paths *paths)
{
    for (uint32_t a = 0; a < paths->worms; a++)
        for (uint32_t b = 0; b < a; b++)
            if (!slow_contiguous(paths, a, b)) return false;
    return true;
}

// By the transitive closure.
static bool slow_acyclic(const struct paths *paths)
{
    bool reach[16][16] = {{false}};
    for (uint32_t w = 0; w < paths->worms; w++)
        for (size_t i = paths->begin[w]; i + 1 < paths->begin[w + 1]; i++)
            reach[paths->channels[i]][paths->channels[i + 1]] = true;
    for (uint32_t k = 0; k < 16; k++)
        for (uint32_t i = 0; i < 16; i++)
            for (uint32_t j = 0; j < 16; j++)
                reach[i][j] |= reach[i][k] && reach[k][j];
    for (uint32_t i = 0; i < 16; i++)
        if (reach[i][i]) return false;
    return true;
}

static bool follows(const struct paths *paths, uint32_t from, uint32_t to)
{
    for (uint32_t w = 0; w < paths->worms; w++)
        for (size_t i = paths->begin[w]; i + 1 < paths->begin[w + 1]; i++)
            if (paths->channels[i] == from && paths->channels[i + 1] == to) return true;
    return false;
}

// A few paths over links, each link at most once, often alike; upwards: links only ascend, else
// round and round.
static void draw_paths(struct anl_rng *rng, struct paths *paths, bool upwards)
{
    const uint32_t links = 4 + anl_rng_below(rng, 9), steps = 1 + anl_rng_below(rng, 3);
    *paths = (struct paths){.links = links, .num_vcs = 1};
    const uint32_t worms = 1 + anl_rng_below(rng, 6);
    for (uint32_t w = 0; w < worms; w++) {
        const uint32_t most = 2 + anl_rng_below(rng, 4);
        uint32_t used = 0, link = anl_rng_below(rng, links);
        for (uint32_t i = 0; i < most && !(used >> link & 1); i++) {
            assert_int_equal(paths_add(paths, w, link), ANL_OK);
            used |= 1u << link;
            link += 1 + anl_rng_below(rng, steps);
            if (upwards && link >= links) break;
            link %= links;
        }
    }
    assert_int_equal(paths_settle(paths), ANL_OK);
}

static void conditions_are_what_slow_looking_finds(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(2, 0);
    int kinds[2][2] = {{0}};
    for (int trial = 0; trial < 4000; trial++) {
        struct paths paths;
        struct paths_meeting meeting;
        uint32_t *cycle;
        size_t length;
        draw_paths(&rng, &paths, trial % 2);
        assert_int_equal(paths_find_cycle(&paths, &cycle, &length), ANL_OK);
        assert_int_equal(paths_find_meeting(&paths, &meeting), ANL_OK);
        assert_int_equal(length == 0, slow_acyclic(&paths));
        for (size_t i = 0; i < length; i++)
            assert_true(follows(&paths, cycle[i], cycle[(i + 1) % length]));
        assert_int_equal(!meeting.found, slow_all_contiguous(&paths));
        if (meeting.found)
            assert_false(slow_contiguous(&paths, meeting.worms[0], meeting.worms[1]));
        kinds[length == 0][!meeting.found]++;
        free(cycle);
        paths_free(&paths);
    }
    assert_true(kinds[0][0] > 50 && kinds[0][1] > 50 && kinds[1][0] > 50 && kinds[1][1] > 50);
}

// The paper says that shortest paths of a fat-tree do not meet twice; they can: up together, over
// different roots, down together.
static void shortest_paths_of_a_fat_tree_can_meet_twice(void **state)
{
    (void)state;
    const struct anl_config tree = tree_of(3);
    const struct anl_worm worms[] = {{.id = 0, .source = 0, .destination = 60, .path = 0},
                                     {.id = 1, .source = 1, .destination = 61, .path = 2},
                                     {.id = 2, .source = 1, .destination = 61, .path = 1}};
    for (int second = 1; second <= 2; second++) {
        struct paths paths;
        struct paths_meeting meeting;
        uint32_t *cycle;
        size_t length;
        struct anl_worm other = worms[second];
        other.id = 1;
        paths_begin(&paths, &tree);
        assert_int_equal(paths_add_route(&paths, &tree, &worms[0]), ANL_OK);
        assert_int_equal(paths_add_route(&paths, &tree, &other), ANL_OK);
        assert_int_equal(paths_settle(&paths), ANL_OK);
        assert_int_equal(paths.begin[1], 6);
        assert_int_equal(paths_find_cycle(&paths, &cycle, &length), ANL_OK);
        assert_int_equal(length, 0);
        assert_int_equal(paths_find_meeting(&paths, &meeting), ANL_OK);
        assert_int_equal(meeting.found, second == 1);
        assert_int_equal(meeting.found, !slow_contiguous(&paths, 0, 1));
        paths_free(&paths);
    }
}

static size_t cycle_in(const char *text)
{
    struct anl_scenario scenario = scenario_of(text);
    struct worm_set set;
    struct paths paths;
    uint32_t *cycle;
    size_t length;
    paths_begin(&paths, &scenario.network);
    assert_int_equal(worm_set_begin(&set, &scenario.network), ANL_OK);
    assert_int_equal(worm_set_draw(&scenario, &set, &paths, NULL), ANL_OK);
    assert_int_equal(paths_settle(&paths), ANL_OK);
    assert_int_equal(paths_find_cycle(&paths, &cycle, &length), ANL_OK);
    free(cycle);
    paths_free(&paths);
    worm_set_free(&set);
    anl_scenario_free(&scenario);
    return length;
}

static void dateline_lanes_break_the_cycle(void **state)
{
    (void)state;
    assert_int_equal(cycle_in("network: {topology: unidirectional_torus, k: 5, n: 1}\n"
                              "switch: {num_vcs: 2, routing: dimension_order}\n"
                              "traffic: {process: batch, pattern: tornado}\n"),
                     5);
    assert_int_equal(cycle_in("network: {topology: unidirectional_torus, k: 5, n: 1}\n"
                              "switch: {num_vcs: 2, routing: dateline}\n"
                              "traffic: {process: batch, pattern: tornado}\n"),
                     0);
}

// --- bounds ---

static void bounds_of_the_paper(void **state)
{
    (void)state;
    assert_int_equal(bounds_lower(5, 6, 32), 160);
    assert_int_equal(bounds_lower(1, 40, 32), 71);
    // d <= L: R = 5 c d; T1 = ln 1024 = 6.931
    struct bounds_schedule schedule = bounds_theorem_2(1024, 18, 10, 32);
    assert_int_equal(schedule.eta, 10);
    assert_int_equal(schedule.delays, 5 * 18 * 10);
    assert_int_equal(schedule.phase_cycles, 2219);  // 10 * 6.93147 * 32 = 2218.07
    assert_int_equal(schedule.cycles, 900 * 2219);
    // L < d: R = 5 c L; T1 = d / L = 16
    schedule = bounds_theorem_2(1024, 18, 64, 4);
    assert_int_equal(schedule.eta, 4);
    assert_int_equal(schedule.delays, 5 * 18 * 4);
    assert_int_equal(schedule.phase_cycles, 640);
    // one worm: 8 T1 L + d + L <= 10 T1 L wants T1 = 1
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
        assert_true(trial.missed > 0 && trial.missed < 16);  // 20 cycles are not enough for all
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

// A worm alone takes exactly what the bound says; with two lengths the flits count.
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
        struct bounds_schedule schedule;
        struct trial trial;
        assert_int_equal(delayed_prepare(&scenario, &schedule, NULL), ANL_OK);
        const struct trial_options options = {.phase_cycles = schedule.phase_cycles};
        assert_int_equal(trial_run(&scenario, &options, &trial), ANL_OK);
        assert_true(trial.complete && trial.missed == 0);
        assert_int_equal(scenario.traffic.delays, schedule.delays);
        assert_true(schedule.delays >= 5 * trial.congestion * trial.dilation);
        assert_true(trial.cycles <= schedule.cycles);
        assert_true(trial.last_created > schedule.cycles / 4);  // they did wait
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

static void windows_and_streams_of_a_mesh(void **state)
{
    (void)state;
    struct anl_scenario mesh = scenario_of("network: {topology: mesh, k: 4, n: 2}\n"
                                           "switch: {depth: 2, scan: random}\n"
                                           "traffic: {pattern: uniform, load: 1, length: 8}\n");
    struct area_worms window, stream;
    assert_int_equal(area_window(&mesh, &window), ANL_OK);
    assert_int_equal(area_stream(&mesh, &stream), ANL_OK);
    assert_int_equal(window.window_cycles, 8);
    assert_int_equal(stream.window_cycles, 16 * 8);
    assert_true(window.count >= 16 && window.count <= 3 * 16);  // every processor sends
    // each processor takes at most a flit a cycle
    assert_true(stream.count > 16 && stream.count <= 16 * 128 / 8);
    for (size_t i = 0; i < stream.count; i++)
        assert_true(stream.messages[i].source < 16 && stream.messages[i].destination < 16 &&
                    stream.messages[i].length == 8 && stream.messages[i].cycle == 0);
    free(window.messages);
    free(stream.messages);
    anl_scenario_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_factor_is_what_counting_gives),
        cmocka_unit_test(load_factors_of_the_paper),
        cmocka_unit_test(congestion_and_dilation_of_small_sets),
        cmocka_unit_test(conditions_are_what_slow_looking_finds),
        cmocka_unit_test(shortest_paths_of_a_fat_tree_can_meet_twice),
        cmocka_unit_test(dateline_lanes_break_the_cycle),
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
