// SPDX-License-Identifier: Apache-2.0
//
// Bounds on schedules against the shortest ones, which trying all starts finds; the search.

#include "unit_schedule.h"

// --- the shortest schedule of a few worms ---

struct worms {
    const struct anl_permutation *permutation;
    uint32_t k, count, sources[5], distances[5], starts[5];
    uint32_t shortest;  // makespan
};

static bool meet(const struct worms *worms, uint32_t a, uint32_t b)
{
    uint32_t of_a[2 * MOST_N], of_b[2 * MOST_N];
    const uint32_t n = worms->permutation->n, *to = worms->permutation->destinations;
    path_of(n, worms->sources[a], to[worms->sources[a]], of_a);
    path_of(n, worms->sources[b], to[worms->sources[b]], of_b);
    for (uint32_t i = 0; i < worms->distances[a]; i++)
        for (uint32_t j = 0; j < worms->distances[b]; j++) {
            const uint32_t x = worms->starts[a] + i, y = worms->starts[b] + j;
            if (of_a[i] == of_b[j] && (x > y ? x - y : y - x) < worms->k) return true;
        }
    return false;
}

// Tries all starts of the worms from number `at` on that make the schedule shorter than `shortest`.
static void try_all(struct worms *worms, uint32_t at, uint32_t makespan)
{
    if (at == worms->count) {
        worms->shortest = makespan;
        return;
    }
    const uint32_t tail = worms->distances[at] + worms->k - 2;
    for (uint32_t start = 1; start + tail < worms->shortest; start++) {
        bool free = true;
        worms->starts[at] = start;
        for (uint32_t other = 0; free && other < at; other++)
            free = !meet(worms, at, other);
        if (free) try_all(worms, at + 1, start + tail > makespan ? start + tail : makespan);
    }
}

static uint32_t shortest_of(const struct anl_permutation *permutation, uint32_t k)
{
    struct worms worms = {.permutation = permutation, .k = k};
    for (uint32_t node = 0; node < permutation->n * permutation->n; node++) {
        const uint32_t to = permutation->destinations[node];
        uint32_t links[2 * MOST_N];
        if (to == ANL_NO_NODE || to == node) continue;
        worms.distances[worms.count] = path_of(permutation->n, node, to, links);
        worms.sources[worms.count++] = node;
    }
    if (worms.count == 0) return 0;
    worms.shortest = anl_schedule_bound(permutation->n, k) + 1;
    try_all(&worms, 0, 0);
    return worms.shortest;
}

// Draws a permutation with at most five worms.
static struct anl_permutation draw_few(uint32_t n, struct anl_rng *rng)
{
    struct anl_permutation permutation = draw(n, 4, rng);
    while (anl_permutation_worms(&permutation) > 5)
        permutation.destinations[anl_rng_below(rng, n * n)] = ANL_NO_NODE;
    return permutation;
}

// --- bounds ---

static void bounds_are_those_of_the_formulas(void **state)
{
    (void)state;
    assert_int_equal(anl_schedule_bound(8, 4), 115);
    assert_int_equal(anl_schedule_bound_start(8, 4), 99);
    assert_int_equal(anl_schedule_bound_h_descending(8, 4), 102);
    assert_int_equal(anl_schedule_bound(1, 4), 0);
    assert_int_equal(anl_schedule_bound_h_descending(1, 4), 0);
    for (uint32_t n = 2; n <= 64; n++) {
        assert_int_equal(anl_schedule_bound(n, 1), 4 * n - 4);
        assert_int_equal(anl_schedule_bound_h_descending(n, 1), 3 * n - 3);
    }
}

static void schedules_are_between_the_bounds(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(5, 0);
    for (uint32_t trial = 0; trial < unit_trials(4000); trial++) {
        const uint32_t n = 1 + anl_rng_below(&rng, MOST_N), k = 1 + anl_rng_below(&rng, 8);
        struct anl_permutation permutation = draw(n, 1 + anl_rng_below(&rng, 4), &rng);
        struct anl_schedule_lower lower;
        uint32_t starts[MOST_NODES];
        const enum anl_order order = (enum anl_order)anl_rng_below(&rng, ANL_ORDERS);
        const struct anl_schedule schedule = fast_schedule(&permutation, k, order, trial, starts);
        assert_int_equal(anl_schedule_lower(&permutation, k, &lower), ANL_OK);
        assert_true(schedule.makespan <= anl_schedule_bound(n, k));
        assert_true(schedule.largest <= anl_schedule_bound_start(n, k));
        if (order == ANL_ORDER_H_V_DESC || order == ANL_ORDER_H_DESC_V_ASC)
            assert_true(schedule.makespan <= anl_schedule_bound_h_descending(n, k));
        assert_true(lower.any <= lower.one_bend && lower.one_bend <= schedule.makespan);
        assert_true(lower.distance <= lower.link || schedule.worms == 0);
        anl_permutation_free(&permutation);
    }
}

static void no_schedule_is_below_the_lower_bound(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(6, 0);
    uint32_t reached = 0, above = 0;
    for (uint32_t trial = 0; trial < unit_trials(2000); trial++) {
        const uint32_t n = 2 + anl_rng_below(&rng, 2), k = 1 + anl_rng_below(&rng, 3);
        struct anl_permutation permutation = draw_few(n, &rng);
        struct anl_schedule_lower lower;
        const uint32_t shortest = shortest_of(&permutation, k);
        assert_int_equal(anl_schedule_lower(&permutation, k, &lower), ANL_OK);
        if (lower.one_bend > shortest)
            fail_msg("trial %u: bound %u, but there is one of %u", trial, lower.one_bend, shortest);
        reached += lower.one_bend == shortest;
        above += lower.one_bend > lower.any;
        anl_permutation_free(&permutation);
    }
    assert_true(reached > 9 * unit_trials(2000) / 10);
    assert_true(above > unit_trials(2000) / 50);
}

static void cuts_and_links_are_counted(void **state)
{
    (void)state;
    struct anl_permutation permutation;
    struct anl_schedule_lower lower;
    struct anl_error error;
    // Of 8 columns 4 send over the middle in each direction, 32 worms of 3 flits over 8 links.
    assert_int_equal(anl_permutation_make("shift", 8, 1, &permutation, &error), ANL_OK);
    assert_int_equal(anl_schedule_lower(&permutation, 3, &lower), ANL_OK);
    assert_int_equal(lower.cut, 12);
    assert_int_equal(lower.distance, 10);
    anl_permutation_free(&permutation);
    // The first row comes to the first column: the 7 worms of the row follow each other over the
    // link to (0,0), and the first and the last of them have one link to go behind it.
    assert_int_equal(anl_permutation_make("transpose", 8, 1, &permutation, &error), ANL_OK);
    assert_int_equal(anl_schedule_lower(&permutation, 4, &lower), ANL_OK);
    assert_int_equal(lower.link, 7 * 4 + 1);
    assert_int_equal(lower.distance, 14 + 3);
    anl_permutation_free(&permutation);
}

// --- the search ---

static void run_search(const struct anl_permutation *permutation, uint32_t k, uint64_t tries,
                       uint32_t *starts, struct anl_search_result *result)
{
    const struct anl_search_options options = {.seed = 1, .tries = tries};
    assert_int_equal(anl_schedule_search(permutation, k, &options, starts, result), ANL_OK);
    const struct anl_schedule measured = anl_schedule_measure(permutation, k, starts);
    assert_int_equal(measured.makespan, result->schedule.makespan);
    assert_true(measured.sum == result->schedule.sum);
}

static void a_search_makes_schedules_shorter(void **state)
{
    (void)state;
    struct anl_permutation permutation;
    struct anl_error error;
    uint32_t starts[2][MOST_NODES], best = UINT32_MAX;
    struct anl_search_result results[3];
    assert_int_equal(anl_permutation_make("random", 8, 1, &permutation, &error), ANL_OK);
    for (int order = 0; order < (int)ANL_FIXED_ORDERS; order++) {
        const struct anl_schedule schedule =
            fast_schedule(&permutation, 4, (enum anl_order)order, 0, starts[0]);
        if (schedule.makespan < best) best = schedule.makespan;
    }
    run_search(&permutation, 4, 0, starts[0], &results[0]);
    assert_true(results[0].schedule.makespan == best && results[0].begin == best);
    run_search(&permutation, 4, 2000, starts[0], &results[1]);
    assert_true(results[1].schedule.makespan < best && results[1].tries == 2000);
    run_search(&permutation, 4, 2000, starts[1], &results[2]);
    assert_memory_equal(starts[0], starts[1], sizeof starts[0]);
    uint32_t last = best;
    for (uint64_t tries = 1; tries < 5000; tries *= 4) {
        run_search(&permutation, 4, tries, starts[0], &results[0]);
        assert_true(results[0].schedule.makespan <= last);
        last = results[0].schedule.makespan;
    }
    anl_permutation_free(&permutation);
}

static void a_search_finds_the_shortest_of_a_few_worms(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(7, 0);
    uint32_t proved = 0, found = 0;
    const uint32_t trials = unit_trials(400);
    for (uint32_t trial = 0; trial < trials; trial++) {
        const uint32_t n = 2 + anl_rng_below(&rng, 2), k = 1 + anl_rng_below(&rng, 3);
        struct anl_permutation permutation = draw_few(n, &rng);
        struct anl_search_result result;
        struct anl_schedule_fault fault;
        uint32_t starts[MOST_NODES];
        const uint32_t shortest = shortest_of(&permutation, k);
        run_search(&permutation, k, 200, starts, &result);
        assert_int_equal(anl_schedule_check(&permutation, k, starts, NULL, &fault), ANL_OK);
        assert_int_equal(fault.rule, ANL_SCHEDULE_KEPT);
        assert_true(result.schedule.makespan >= shortest);
        assert_true(!result.shortest || result.schedule.makespan == shortest);
        proved += result.shortest;
        found += result.schedule.makespan == shortest;
        anl_permutation_free(&permutation);
    }
    assert_int_equal(found, trials);
    assert_true(proved > 3 * trials / 4);
}

static bool stop_at_ten(void *user, uint64_t tries, const struct anl_schedule *best)
{
    *(uint32_t *)user = best->makespan;
    return tries < 10;
}

static void a_search_can_be_stopped(void **state)
{
    (void)state;
    struct anl_permutation permutation;
    struct anl_search_result result;
    struct anl_error error;
    uint32_t starts[MOST_NODES], seen = 0;
    const struct anl_search_options options = {
        .seed = 1, .tries = UINT64_MAX, .go_on = stop_at_ten, .user = &seen};
    assert_int_equal(anl_permutation_make("random", 8, 1, &permutation, &error), ANL_OK);
    assert_int_equal(anl_schedule_search(&permutation, 4, &options, starts, &result), ANL_OK);
    assert_true(result.stopped && result.tries == 10 && seen == result.schedule.makespan);
    assert_int_equal(anl_schedule_measure(&permutation, 4, starts).makespan, seen);
    anl_permutation_free(&permutation);
}

static void nothing_to_schedule_is_done_at_once(void **state)
{
    (void)state;
    struct anl_permutation permutation;
    struct anl_search_result result;
    struct anl_error error;
    uint32_t starts[9];
    assert_int_equal(anl_permutation_begin(3, &permutation, &error), ANL_OK);
    permutation.destinations[4] = 4;
    run_search(&permutation, 4, 100, starts, &result);
    assert_true(result.schedule.makespan == 0 && result.shortest && result.tries == 0);
    assert_int_equal(starts[4], 1);
    anl_permutation_free(&permutation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_those_of_the_formulas),
        cmocka_unit_test(schedules_are_between_the_bounds),
        cmocka_unit_test(no_schedule_is_below_the_lower_bound),
        cmocka_unit_test(cuts_and_links_are_counted),
        cmocka_unit_test(a_search_makes_schedules_shorter),
        cmocka_unit_test(a_search_finds_the_shortest_of_a_few_worms),
        cmocka_unit_test(a_search_can_be_stopped),
        cmocka_unit_test(nothing_to_schedule_is_done_at_once),
    };
    return cmocka_run_group_tests_name("bounds_search", tests, NULL, NULL);
}
