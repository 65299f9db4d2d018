// SPDX-License-Identifier: Apache-2.0
//
// Worms with given paths on any graph: with one-bend paths they start as the scheduler of the mesh
// has it, and in a small graph as is counted here by hand.

#include "unit_schedule.h"

// The one-bend paths of a permutation, a worm for each node.
struct bends {
    uint32_t first[MOST_NODES + 1], of[MOST_NODES * 2 * MOST_N];
    struct anl_given_paths paths;
};

static void make_bends(const struct anl_permutation *permutation, struct bends *bends)
{
    const uint32_t n = permutation->n;
    uint32_t count = 0;
    for (uint32_t node = 0; node < n * n; node++) {
        const uint32_t to = permutation->destinations[node];
        bends->first[node] = count;
        if (to != ANL_NO_NODE) count += path_of(n, node, to, bends->of + count);
    }
    bends->first[n * n] = count;
    bends->paths = (struct anl_given_paths){n * n, 4 * n * n, bends->first, bends->of};
}

static void compare(const struct anl_permutation *permutation, uint32_t k, enum anl_order order,
                    const struct bends *bends)
{
    uint32_t ours[MOST_NODES], theirs[MOST_NODES], worms[MOST_NODES];
    struct anl_schedule schedule;
    struct anl_given_paths_clash clash;
    const struct anl_schedule mesh = fast_schedule(permutation, k, order, 0, theirs);
    assert_int_equal(anl_given_paths_order(&bends->paths, order, worms), ANL_OK);
    assert_int_equal(anl_given_paths_schedule(&bends->paths, k, worms, ours, &schedule), ANL_OK);
    assert_true(schedule.worms == mesh.worms && schedule.makespan == mesh.makespan);
    assert_true(schedule.sum == mesh.sum && schedule.largest == mesh.largest);
    for (uint32_t node = 0; node < permutation->n * permutation->n; node++)
        if (permutation->destinations[node] != ANL_NO_NODE)
            assert_int_equal(ours[node], theirs[node]);
    assert_int_equal(anl_given_paths_run(&bends->paths, k, ours, &clash), ANL_OK);
    assert_int_equal(clash.step, 0);
}

static void one_bend_paths_start_as_on_the_mesh(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(1, 0);
    for (uint32_t trial = 0; trial < 60; trial++) {
        const uint32_t n = 2 + trial % (MOST_N - 1), k = 1 + anl_rng_below(&rng, 6);
        struct anl_permutation permutation = draw(n, trial % 2 ? 4 : 3, &rng);
        struct anl_given_paths_bounds bounds;
        struct anl_schedule_lower lower;
        struct anl_error error;
        struct bends bends;
        make_bends(&permutation, &bends);
        assert_int_equal(anl_given_paths_check(&bends.paths, &error), ANL_OK);
        compare(&permutation, k, ANL_ORDER_LONGEST, &bends);
        compare(&permutation, k, ANL_ORDER_SHORTEST, &bends);
        compare(&permutation, k, ANL_ORDER_ROW_MAJOR, &bends);
        assert_int_equal(anl_given_paths_bounds(&bends.paths, k, &bounds), ANL_OK);
        assert_int_equal(anl_schedule_lower(&permutation, k, &lower), ANL_OK);
        assert_int_equal(bounds.lower, lower.link > lower.distance ? lower.link : lower.distance);
        assert_true(bounds.meetings <= 2 * n - 2);
        assert_true(bounds.makespan <= anl_schedule_bound(n, k));
        anl_permutation_free(&permutation);
    }
}

// Worm 0 goes over links 0, 1, 2; worm 1 over 0, 3, 2 and one more between them, so that they meet
// on link 0 at once and on link 2 one step later; worm 2 stays.
static const uint32_t first[] = {0, 3, 7, 7}, of[] = {0, 1, 2, 0, 3, 4, 2};
static const struct anl_given_paths small = {3, 5, first, of};

static void two_worms_may_meet_in_two_ways(void **state)
{
    (void)state;
    const uint32_t order[] = {0, 1, 2};
    uint32_t starts[3];
    struct anl_schedule schedule;
    struct anl_given_paths_bounds bounds;
    struct anl_given_paths_clash clash;
    assert_int_equal(anl_given_paths_schedule(&small, 2, order, starts, &schedule), ANL_OK);
    // Worm 1 is on link 2 three steps after its start, worm 0 two: starts 1 and 2 are forbidden.
    assert_true(starts[0] == 1 && starts[1] == 3 && starts[2] == 1);
    assert_true(schedule.worms == 2 && schedule.makespan == 3 + 4 && schedule.sum == 4);
    assert_int_equal(anl_given_paths_bounds(&small, 2, &bounds), ANL_OK);
    assert_true(bounds.congestion == 2 && bounds.dilation == 4 && bounds.meetings == 2);
    assert_true(bounds.start == 1 + 2 * 3 && bounds.makespan == 7 + 4);
    // Link 2: both have at least two links before it, none behind it, and four flits cross it.
    assert_int_equal(bounds.lower, 2 + 4);
    starts[1] = 2;
    assert_int_equal(anl_given_paths_run(&small, 2, starts, &clash), ANL_OK);
    assert_true(clash.step == 2 && clash.link == 0 && clash.worms[0] == 0 && clash.worms[1] == 1);
}

static void bad_paths_and_orders_are_refused(void **state)
{
    (void)state;
    static const uint32_t again[] = {0, 1, 0, 0, 3, 4, 2};
    const struct anl_given_paths far = {3, 4, first, of}, twice = {3, 5, first, again};
    uint32_t worms[3];
    struct anl_error error;
    assert_int_equal(anl_given_paths_check(&small, &error), ANL_OK);
    assert_int_equal(anl_given_paths_check(&far, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "worm 1: link 4, expected a number below 4");
    assert_int_equal(anl_given_paths_check(&twice, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "worm 0: link 0 again, expected each link once");
    assert_int_equal(anl_given_paths_order(&small, ANL_ORDER_H_V_DESC, worms), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_given_paths_order(&small, ANL_ORDER_LONGEST, worms), ANL_OK);
    assert_true(worms[0] == 1 && worms[1] == 0 && worms[2] == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_bend_paths_start_as_on_the_mesh),
        cmocka_unit_test(two_worms_may_meet_in_two_ways),
        cmocka_unit_test(bad_paths_and_orders_are_refused),
    };
    return cmocka_run_group_tests_name("given_paths", tests, NULL, NULL);
}
