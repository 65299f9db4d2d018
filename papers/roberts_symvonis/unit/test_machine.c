// SPDX-License-Identifier: Apache-2.0
//
// The machine that checks schedules: it takes what is right, refuses a start that is one too early
// in the step that the phases of two worms name, and notices each rule that is broken by hand.

#include "unit_schedule.h"

#include "papers/roberts_symvonis/lib/schedule/schedule.h"

static enum anl_schedule_rule rule_of(const struct anl_permutation *permutation, uint32_t k,
                                      const uint32_t *starts, struct anl_schedule_fault *fault)
{
    assert_int_equal(anl_schedule_check(permutation, k, starts, NULL, fault), ANL_OK);
    return fault->rule;
}

// --- whole schedules ---

// Returns the step in which worm p with this start meets another one first: on the first link that
// both cross, when the later of the two heads comes; UINT32_MAX if they do not meet. *link receives
// that link.
static uint32_t meeting(const struct anl_permutation *permutation, uint32_t k,
                        const uint32_t *starts, uint32_t p, uint32_t start, uint32_t q,
                        uint32_t *link)
{
    uint32_t of_p[2 * MOST_N], of_q[2 * MOST_N];
    const uint32_t d = path_of(permutation->n, p, permutation->destinations[p], of_p);
    const uint32_t e = path_of(permutation->n, q, permutation->destinations[q], of_q);
    for (uint32_t i = 0; i < d; i++)
        for (uint32_t j = 0; j < e; j++) {
            const uint32_t a = start + i, b = starts[q] + j;
            if (of_p[i] != of_q[j] || (a > b ? a - b : b - a) >= k) continue;
            *link = of_p[i];
            return a > b ? a : b;
        }
    return UINT32_MAX;
}

// Checks the schedule with the start of worm p one step earlier.
static void decrement(const struct anl_permutation *permutation, uint32_t k, uint32_t *starts,
                      uint32_t p)
{
    const uint32_t nodes = permutation->n * permutation->n;
    struct anl_schedule_fault fault;
    uint32_t first = UINT32_MAX, link = 0;
    starts[p]--;
    for (uint32_t q = 0; q < nodes; q++) {
        uint32_t there;
        if (q == p || permutation->destinations[q] == ANL_NO_NODE) continue;
        const uint32_t step = meeting(permutation, k, starts, p, starts[p], q, &there);
        if (step < first) first = step;
    }
    assert_int_equal(rule_of(permutation, k, starts, &fault), ANL_SCHEDULE_ONE_FLIT);
    assert_int_equal(fault.step, first);
    assert_true(fault.worms[0] == p || fault.worms[1] == p);
    const uint32_t q = fault.worms[0] == p ? fault.worms[1] : fault.worms[0];
    assert_int_equal(meeting(permutation, k, starts, p, starts[p], q, &link), first);
    assert_int_equal(link / 4, fault.node);
    assert_int_equal("EWSN"[link % 4], fault.port);
    starts[p]++;
}

static void a_start_that_is_one_too_early_is_refused_where_worms_meet(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(4, 0);
    uint32_t refused = 0;
    for (uint32_t trial = 0; trial < unit_trials(2000); trial++) {
        const uint32_t n = 1 + anl_rng_below(&rng, MOST_N), k = 1 + anl_rng_below(&rng, 8);
        struct anl_permutation permutation = draw(n, 1 + anl_rng_below(&rng, 4), &rng);
        struct anl_schedule_fault fault;
        uint32_t starts[MOST_NODES];
        const enum anl_order order = (enum anl_order)anl_rng_below(&rng, ANL_ORDERS);
        fast_schedule(&permutation, k, order, trial, starts);
        assert_int_equal(rule_of(&permutation, k, starts, &fault), ANL_SCHEDULE_KEPT);
        const uint32_t p = anl_rng_below(&rng, n * n);
        if (starts[p] > 1) {
            decrement(&permutation, k, starts, p);
            refused++;
        }
        anl_permutation_free(&permutation);
    }
    assert_true(refused > unit_trials(2000) / 20);
}

static void each_worm_needs_a_start_and_no_other_node_one(void **state)
{
    (void)state;
    struct anl_permutation permutation;
    struct anl_schedule_fault fault;
    struct anl_error error;
    uint32_t starts[9];
    char text[128];
    assert_int_equal(anl_permutation_make("rotate", 3, 1, &permutation, &error), ANL_OK);
    permutation.destinations[5] = ANL_NO_NODE;
    fast_schedule(&permutation, 2, ANL_ORDER_LONGEST, 0, starts);
    assert_int_equal(rule_of(&permutation, 2, starts, &fault), ANL_SCHEDULE_KEPT);
    anl_schedule_fault_text(&fault, 3, text, sizeof text);
    assert_string_equal(text, "no rule is broken");
    starts[5] = 1;
    assert_int_equal(rule_of(&permutation, 2, starts, &fault), ANL_SCHEDULE_NO_START);
    assert_int_equal(fault.worms[0], 5);
    starts[5] = 0;
    starts[2] = 0;
    assert_int_equal(rule_of(&permutation, 2, starts, &fault), ANL_SCHEDULE_NO_START);
    assert_int_equal(fault.worms[0], 2);
    anl_permutation_free(&permutation);
}

static bool stop_at_five(void *user, uint32_t step, uint32_t last)
{
    *(uint32_t *)user = last;
    return step < 5;
}

static void a_check_can_be_stopped(void **state)
{
    (void)state;
    struct anl_permutation permutation;
    struct anl_schedule_fault fault;
    struct anl_error error;
    uint32_t starts[16], last = 0;
    const struct anl_schedule_watch watch = {stop_at_five, &last};
    assert_int_equal(anl_permutation_make("transpose", 4, 1, &permutation, &error), ANL_OK);
    const struct anl_schedule schedule =
        fast_schedule(&permutation, 4, ANL_ORDER_LONGEST, 0, starts);
    assert_int_equal(anl_schedule_check(&permutation, 4, starts, &watch, &fault), ANL_ERR_STALLED);
    assert_int_equal(last, schedule.makespan + 1);  // the last flit is consumed a step later
    anl_permutation_free(&permutation);
}

// --- rules that are broken by hand ---

enum { EAST, WEST, SOUTH, NORTH };

// A machine of side 3 with worms of 3 flits: worm 0 goes from (0,0) to (2,2) and starts at 1.
struct bench {
    struct anl_permutation permutation;
    uint32_t starts[9];
    struct machine machine;
    struct anl_schedule_fault fault;
};

static void set_up(struct bench *bench)
{
    struct anl_error error;
    *bench = (struct bench){.starts = {1}};
    assert_int_equal(anl_permutation_begin(3, &bench->permutation, &error), ANL_OK);
    bench->permutation.destinations[0] = 8;
    assert_int_equal(machine_begin(&bench->permutation, 3, bench->starts, &bench->machine), ANL_OK);
}

static void run_to(struct bench *bench, uint32_t step)
{
    while (bench->machine.step < step)
        assert_true(machine_step(&bench->machine, &bench->fault));
}

// Makes the next step, which must break a rule, and ends.
static void expect_broken(struct bench *bench, enum anl_schedule_rule rule)
{
    const uint32_t step = bench->machine.step + 1;
    assert_false(machine_step(&bench->machine, &bench->fault));
    assert_int_equal(bench->fault.rule, rule);
    assert_int_equal(bench->fault.step, step);
    machine_free(&bench->machine);
    anl_permutation_free(&bench->permutation);
}

static struct flit *at(struct bench *bench, uint32_t node, int side)
{
    struct flit *flit = &bench->machine.now[node * SIDES + (uint32_t)side];
    assert_true(flit->worm == 0);
    return flit;
}

static void a_worm_is_delivered_step_by_step(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench);
    run_to(&bench, 3);
    assert_int_equal(at(&bench, 5, SOUTH)->index, 0);
    assert_int_equal(at(&bench, 2, EAST)->index, 1);
    assert_int_equal(at(&bench, 1, EAST)->index, 2);
    run_to(&bench, 5);
    assert_int_equal(bench.machine.consumed[0], 1);
    run_to(&bench, 7);
    assert_int_equal(bench.machine.consumed[0], 3);
    assert_int_equal(bench.machine.on_links, 0);
    machine_free(&bench.machine);
    anl_permutation_free(&bench.permutation);
}

static void a_flit_with_another_index_is_not_contiguous(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench);
    run_to(&bench, 3);
    at(&bench, 1, EAST)->index = 1;
    expect_broken(&bench, ANL_SCHEDULE_CONTIGUOUS);
}

static void a_latch_that_changes_tears_a_worm(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench);
    run_to(&bench, 2);
    bench.machine.latches[1 * SIDES + EAST] = SOUTH;
    expect_broken(&bench, ANL_SCHEDULE_CONTIGUOUS);
}

static void a_flit_that_disappears_is_missed(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench);
    run_to(&bench, 3);
    at(&bench, 1, EAST)->worm = ANL_NO_NODE;
    expect_broken(&bench, ANL_SCHEDULE_NO_IDLE);
}

static void a_flit_that_leaves_the_mesh_is_lost(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench);
    run_to(&bench, 3);
    bench.machine.latches[2 * SIDES + EAST] = NORTH;
    expect_broken(&bench, ANL_SCHEDULE_NO_IDLE);
    assert_int_equal(bench.fault.port, 'N');
}

static void two_worms_that_arrive_together_are_refused(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench);
    bench.permutation.destinations[6] = 8;
    bench.starts[6] = 3;  // two links, so that its head comes in step 5 as well
    run_to(&bench, 4);
    bench.machine.due[6] = 5;
    expect_broken(&bench, ANL_SCHEDULE_ONE_ARRIVAL);
}

static void a_flit_at_another_step_is_not_on_time(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench);
    run_to(&bench, 4);
    bench.machine.due[0]++;
    expect_broken(&bench, ANL_SCHEDULE_ON_TIME);
}

static void a_flit_out_of_order_is_not_delivered(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench);
    run_to(&bench, 5);
    bench.machine.consumed[0] = 2;
    expect_broken(&bench, ANL_SCHEDULE_ON_TIME);
}

static void a_worm_at_another_node_is_not_delivered(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench);
    run_to(&bench, 1);
    bench.permutation.destinations[0] = 2;
    run_to(&bench, 2);
    expect_broken(&bench, ANL_SCHEDULE_ON_TIME);
    assert_int_equal(bench.fault.node, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_that_is_one_too_early_is_refused_where_worms_meet),
        cmocka_unit_test(each_worm_needs_a_start_and_no_other_node_one),
        cmocka_unit_test(a_check_can_be_stopped),
        cmocka_unit_test(a_worm_is_delivered_step_by_step),
        cmocka_unit_test(a_flit_with_another_index_is_not_contiguous),
        cmocka_unit_test(a_latch_that_changes_tears_a_worm),
        cmocka_unit_test(a_flit_that_disappears_is_missed),
        cmocka_unit_test(a_flit_that_leaves_the_mesh_is_lost),
        cmocka_unit_test(two_worms_that_arrive_together_are_refused),
        cmocka_unit_test(a_flit_at_another_step_is_not_on_time),
        cmocka_unit_test(a_flit_out_of_order_is_not_delivered),
        cmocka_unit_test(a_worm_at_another_node_is_not_delivered),
    };
    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
