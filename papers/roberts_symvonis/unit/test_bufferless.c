// SPDX-License-Identifier: Apache-2.0
//
// The model of the mesh without buffers: the tables of papers/roberts_symvonis/bufferless.md,
// schedules beside the machine that checks them, faults, several worms of a source, and what is
// refused.

#include "unit.h"

#include <annelid/annelid.h>
#include <annelid/bufferless.h>
#include <annelid/schedule.h>
#include <stdio.h>
#include <string.h>

enum { PORTS = ANL_BUFFERLESS_PORTS };

static struct anl_bufferless *create(uint32_t n)
{
    struct anl_bufferless *machine;
    assert_int_equal(anl_bufferless_create(n, &machine), ANL_OK);
    anl_bufferless_record(machine, true);
    return machine;
}

static enum anl_status enqueue(struct anl_bufferless *machine, uint32_t source,
                               uint32_t destination, uint64_t start, uint16_t length)
{
    const struct anl_worm worm = {
        .source = source, .destination = destination, .created = start, .length = length};
    return anl_bufferless_enqueue(machine, &worm, NULL);
}

// Steps and checks which flits cross links or are consumed: "a0>1 b2>14" are flit 0 of worm 0 on
// link 1 and flit 2 of worm 1 on link 14.
static void expect_step(struct anl_bufferless *machine, const char *expected)
{
    char seen[200] = "";
    size_t count;
    anl_bufferless_step(machine);
    const struct anl_flit *flits = anl_bufferless_flits(machine, &count);
    for (size_t i = 0; i < count; i++)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s%c%u>%u", i ? " " : "",
                 (int)('a' + flits[i].worm), flits[i].index, flits[i].link);
    assert_string_equal(seen, expected);
}

static uint8_t fault_of(const struct anl_bufferless *machine, uint32_t node)
{
    struct anl_bufferless_register links[64];
    uint8_t latches[80], faults[16];
    struct anl_bufferless_state state = {links, latches, faults};
    anl_bufferless_state(machine, &state);
    return faults[node];
}

// (0,0).E is link 0, (0,1).E link 5, (0,2).S link 12, (0,2).T link 14, (1,2).T link 29.
static void two_worms_cross_as_the_page_says(void **state)
{
    (void)state;
    static const char *const steps[] = {
        "a0>0",       "a1>0 a0>5",        "a2>0 a1>5 a0>14", "a2>5 a1>14", "b0>5 a2>14",
        "b1>5 b0>12", "b2>5 b1>12 b0>29", "b2>12 b1>29",     "b2>29",      ""};
    struct anl_bufferless *machine = create(3);
    assert_int_equal(enqueue(machine, 0, 2, 1, 3), ANL_OK);
    assert_int_equal(enqueue(machine, 1, 5, 5, 3), ANL_OK);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_false(i < 9 && anl_bufferless_idle(machine));
        expect_step(machine, steps[i]);
    }
    assert_true(anl_bufferless_idle(machine));
    assert_int_equal(anl_bufferless_fault(machine).cause, ANL_BUFFERLESS_NO_FAULT);
    const struct anl_bufferless_totals totals = anl_bufferless_totals(machine);
    assert_int_equal(totals.moves, 12);
    assert_int_equal(totals.consumed, 6);
    assert_int_equal(totals.tails, 2);
    assert_int_equal(totals.lost, 0);
    anl_bufferless_destroy(machine);
}

static void a_collision_goes_on_as_the_page_says(void **state)
{
    (void)state;
    char text[100];
    struct anl_bufferless *machine = create(3);
    enqueue(machine, 0, 2, 1, 3);
    enqueue(machine, 1, 5, 4, 3);
    expect_step(machine, "a0>0");
    expect_step(machine, "a1>0 a0>5");
    expect_step(machine, "a2>0 a1>5 a0>14");
    assert_int_equal(fault_of(machine, 1), 0);
    expect_step(machine, "a1>14");
    assert_int_equal(fault_of(machine, 1), 1);
    assert_int_equal(fault_of(machine, 2), 0);
    expect_step(machine, "b1>5");
    assert_int_equal(fault_of(machine, 2), 1);
    expect_step(machine, "b2>5");
    expect_step(machine, "");
    const struct anl_bufferless_fault fault = anl_bufferless_fault(machine);
    anl_bufferless_fault_text(machine, &fault, text, sizeof text);
    assert_string_equal(text, "step 4, (0,1).E: worms 0 and 1 collide");
    assert_int_equal(anl_bufferless_totals(machine).lost, 4);
    assert_int_equal(anl_bufferless_totals(machine).consumed, 2);
    assert_true(anl_bufferless_idle(machine));
    anl_bufferless_destroy(machine);
}

// In a row of 4 nodes, a2 and b0 collide on (0,1).E. The step in which a2 is missing on (0,2).E is
// that of c0, which so follows a1 without a gap: at (0,3) a head comes behind a flit that is no
// tail.
static void a_head_inside_a_worm_is_a_fault(void **state)
{
    (void)state;
    static const char *const steps[] = {
        "a0>0",  "a1>0 a0>5", "a2>0 a1>5 a0>10", "a3>0 a1>10 a0>19", "a3>5 c0>10 a1>19",
        "c0>19", ""};
    struct anl_bufferless *machine = create(4);
    enqueue(machine, 0, 3, 1, 4);
    enqueue(machine, 1, 2, 4, 1);
    enqueue(machine, 2, 3, 5, 1);
    for (uint32_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        expect_step(machine, steps[i]);
        assert_int_equal(fault_of(machine, 1), i + 1 >= 4);
        assert_int_equal(fault_of(machine, 2), i + 1 >= 5);
        assert_int_equal(fault_of(machine, 3), i + 1 >= 6);
    }
    assert_int_equal(anl_bufferless_totals(machine).lost, 3);
    anl_bufferless_destroy(machine);
}

// A latch is empty, or it says where the next flit of the worm goes.
static void latches_hold_the_way_of_the_next_flit(void **state)
{
    (void)state;
    struct anl_bufferless_register links[36];
    uint8_t latches[45], faults[9];
    struct anl_bufferless_state shown = {links, latches, faults};
    struct anl_bufferless *machine = create(3);
    enqueue(machine, 0, 8, 1, 2);
    for (uint32_t i = 0; i < 3; i++)
        anl_bufferless_step(machine);
    // a1 stands at (0,1), side W, and its head has crossed (0,1).E and (0,2).S.
    anl_bufferless_state(machine, &shown);
    for (uint32_t i = 0; i < 45; i++)
        assert_int_equal(latches[i], i == 2 * PORTS + ANL_WEST ? ANL_SOUTH : ANL_NO_WAY);
    for (uint32_t i = 0; i < 36; i++)
        assert_int_equal(links[i].valid, i == 2 * 4 + ANL_WEST || i == 5 * 4 + ANL_NORTH);
    assert_int_equal(links[2 * 4 + ANL_WEST].index, 1);
    assert_true(links[2 * 4 + ANL_WEST].tail);
    assert_int_equal(links[5 * 4 + ANL_NORTH].index, 0);
    anl_bufferless_destroy(machine);
}

// --- schedules ---

static void replay(struct anl_bufferless *machine, const struct anl_permutation *permutation,
                   uint32_t k, const uint32_t *starts)
{
    anl_bufferless_reset(machine);
    for (uint32_t node = 0; node < permutation->n * permutation->n; node++)
        if (permutation->destinations[node] != node)
            assert_int_equal(
                enqueue(machine, node, permutation->destinations[node], starts[node], (uint16_t)k),
                ANL_OK);
}

static uint32_t distance(uint32_t n, uint32_t a, uint32_t b)
{
    return (uint32_t)(abs((int)(a / n) - (int)(b / n)) + abs((int)(a % n) - (int)(b % n)));
}

// Runs to the end and checks when each flit is consumed. Returns the last step in which one crossed
// a link.
static uint64_t run_on_time(struct anl_bufferless *machine, uint32_t n)
{
    uint64_t last = 0, moves = 0;
    while (!anl_bufferless_idle(machine)) {
        size_t count;
        anl_bufferless_step(machine);
        const struct anl_flit *flits = anl_bufferless_flits(machine, &count);
        for (size_t i = 0; i < count; i++) {
            if (flits[i].link % PORTS != ANL_TERMINAL_PORT) continue;
            const struct anl_worm *worm = anl_bufferless_worm(machine, flits[i].worm);
            assert_int_equal(flits[i].link / PORTS, worm->destination);
            assert_int_equal(anl_bufferless_steps(machine),
                             worm->created + distance(n, worm->source, worm->destination) +
                                 flits[i].index);
        }
        const struct anl_bufferless_totals totals = anl_bufferless_totals(machine);
        if (totals.moves > moves) last = anl_bufferless_steps(machine);
        moves = totals.moves;
    }
    return last;
}

static void schedules_arrive_on_time_and_early_starts_collide(void **state)
{
    (void)state;
    uint32_t collisions = 0;
    for (uint32_t trial = 0; trial < unit_trials(2000); trial++) {
        const uint32_t n = 2 + trial % 7, k = 1 + trial % 9;
        uint32_t order[64], starts[64];
        struct anl_permutation permutation;
        struct anl_scheduler *scheduler;
        struct anl_schedule_fault known;
        anl_permutation_make("random", n, trial, &permutation, NULL);
        anl_order_make(&permutation, (enum anl_order)(trial % ANL_ORDERS), trial, order);
        assert_int_equal(anl_scheduler_create(&permutation, k, &scheduler), ANL_OK);
        const struct anl_schedule schedule = anl_scheduler_run(scheduler, order, n * n, starts);
        struct anl_bufferless *machine = create(n);
        replay(machine, &permutation, k, starts);
        assert_int_equal(run_on_time(machine, n), schedule.makespan);
        assert_int_equal(anl_bufferless_fault(machine).cause, ANL_BUFFERLESS_NO_FAULT);
        assert_int_equal(anl_bufferless_totals(machine).tails, schedule.worms);

        const uint32_t early = order[n * n - 1];
        if (starts[early] > 1) {
            starts[early]--;
            replay(machine, &permutation, k, starts);
            while (!anl_bufferless_idle(machine))
                anl_bufferless_step(machine);
            anl_schedule_check(&permutation, k, starts, NULL, &known);
            const struct anl_bufferless_fault fault = anl_bufferless_fault(machine);
            assert_int_equal(fault.cause, ANL_BUFFERLESS_COLLISION);
            assert_int_equal(fault.step, known.step);
            assert_int_equal(fault.node, known.node);
            assert_int_equal("EWSNT"[fault.port], known.port);
            const struct anl_bufferless_totals totals = anl_bufferless_totals(machine);
            assert_int_equal(totals.consumed + totals.lost, (uint64_t)schedule.worms * k);
            assert_int_equal(totals.on_links, 0);
            collisions++;
        }
        anl_bufferless_destroy(machine);
        anl_scheduler_destroy(scheduler);
        anl_permutation_free(&permutation);
    }
    assert_true(collisions > unit_trials(2000) / 5);
}

// --- sources ---

static void worms_of_one_source_follow_each_other(void **state)
{
    (void)state;
    struct anl_bufferless *machine = create(2);
    assert_int_equal(enqueue(machine, 0, 1, 2, 2), ANL_OK);
    assert_int_equal(enqueue(machine, 0, 2, 4, 1), ANL_OK);
    expect_step(machine, "");
    expect_step(machine, "a0>0");
    assert_int_equal(enqueue(machine, 0, 1, 5, 1), ANL_OK);
    expect_step(machine, "a1>0 a0>9");
    expect_step(machine, "b0>2 a1>9");
    expect_step(machine, "c0>0 b0>14");
    expect_step(machine, "c0>9");
    assert_true(anl_bufferless_idle(machine));
    anl_bufferless_destroy(machine);
}

static void bad_worms_are_refused(void **state)
{
    (void)state;
    struct anl_bufferless *machine = create(2);
    assert_int_equal(enqueue(machine, 4, 1, 1, 1), ANL_ERR_ARGUMENT);
    assert_int_equal(enqueue(machine, 1, 4, 1, 1), ANL_ERR_ARGUMENT);
    assert_int_equal(enqueue(machine, 1, 1, 1, 1), ANL_ERR_ARGUMENT);
    assert_int_equal(enqueue(machine, 0, 1, 1, 0), ANL_ERR_ARGUMENT);
    assert_int_equal(enqueue(machine, 0, 1, 0, 1), ANL_ERR_ARGUMENT);
    assert_int_equal(enqueue(machine, 0, 1, 3, 4), ANL_OK);
    assert_int_equal(enqueue(machine, 0, 1, 6, 1), ANL_ERR_ARGUMENT);
    assert_int_equal(enqueue(machine, 0, 1, 7, 1), ANL_OK);
    for (uint32_t i = 0; i < 9; i++)
        anl_bufferless_step(machine);
    assert_int_equal(enqueue(machine, 0, 1, 9, 1), ANL_ERR_ARGUMENT);
    assert_int_equal(enqueue(machine, 0, 1, 10, 1), ANL_OK);
    assert_int_equal(anl_bufferless_totals(machine).enqueued, 3);
    assert_null(anl_bufferless_worm(machine, 3));
    anl_bufferless_destroy(machine);
    assert_int_equal(anl_bufferless_create(0, &machine), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_bufferless_create(ANL_BUFFERLESS_MAX_N + 1, &machine), ANL_ERR_ARGUMENT);
    assert_null(machine);
}

static void reset_undoes_everything(void **state)
{
    (void)state;
    struct anl_bufferless *machine = create(3);
    for (uint32_t run = 0; run < 2; run++) {
        enqueue(machine, 0, 2, 1, 3);
        enqueue(machine, 1, 5, 4, 3);
        expect_step(machine, "a0>0");
        expect_step(machine, "a1>0 a0>5");
        for (uint32_t i = 0; i < 2; i++)
            anl_bufferless_step(machine);
        assert_int_equal(anl_bufferless_fault(machine).step, 4);
        anl_bufferless_reset(machine);
        assert_true(anl_bufferless_idle(machine));
        assert_int_equal(anl_bufferless_fault(machine).cause, ANL_BUFFERLESS_NO_FAULT);
        assert_int_equal(fault_of(machine, 1), 0);
        assert_int_equal(anl_bufferless_steps(machine), 0);
    }
    anl_bufferless_destroy(machine);
}

// A skip is like steps in which nothing happens; what would happen in them is never skipped.
static void steps_without_flits_can_be_skipped(void **state)
{
    (void)state;
    struct anl_bufferless *machine = create(3);
    assert_int_equal(enqueue(machine, 0, 2, 100, 3), ANL_OK);
    assert_int_equal(anl_bufferless_skip(machine, 100), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_bufferless_skip(machine, 99), ANL_OK);
    assert_int_equal(anl_bufferless_steps(machine), 99);
    assert_int_equal(anl_bufferless_skip(machine, 98), ANL_ERR_ARGUMENT);
    expect_step(machine, "a0>0");
    assert_int_equal(anl_bufferless_skip(machine, 101), ANL_ERR_ARGUMENT);
    expect_step(machine, "a1>0 a0>5");
    for (uint32_t i = 0; i < 3; i++)
        anl_bufferless_step(machine);
    assert_int_equal(anl_bufferless_totals(machine).tails, 1);
    assert_int_equal(anl_bufferless_skip(machine, 1000), ANL_OK);
    enqueue(machine, 0, 2, 1001, 3);
    enqueue(machine, 1, 5, 1004, 3);
    for (uint32_t i = 0; i < 10; i++)
        anl_bufferless_step(machine);
    assert_int_equal(anl_bufferless_fault(machine).step, 1004);
    assert_int_equal(anl_bufferless_skip(machine, 2000), ANL_ERR_ARGUMENT);
    anl_bufferless_destroy(machine);
}

// --- a policy of the caller ---

// A static map of input ports, the same in each node, and the last head that asked for its way.
struct turns {
    uint32_t map[PORTS], asked;
    struct anl_bufferless_head last;
};

static uint32_t turn(void *user, const struct anl_bufferless_head *head)
{
    struct turns *turns = user;
    turns->asked++;
    turns->last = *head;
    return turns->map[head->port];
}

// On a 2 x 2 mesh worm a goes around from (1,1) against the clock's hands: (0,1), (0,0), (1,0).
static void heads_go_where_the_policy_says(void **state)
{
    (void)state;
    struct turns turns = {.map = {ANL_SOUTH, ANL_NORTH, ANL_WEST, ANL_EAST, ANL_NORTH}};
    struct anl_bufferless *machine = create(2);
    anl_bufferless_policy(machine, turn, &turns);
    assert_int_equal(enqueue(machine, 3, 0, 1, 2), ANL_OK);
    expect_step(machine, "a0>18");
    expect_step(machine, "a0>6 a1>18");
    assert_true(turns.asked == 2 && turns.last.node == 1 && turns.last.port == ANL_SOUTH &&
                turns.last.step == 2 && turns.last.worm == 0);
    expect_step(machine, "a0>2 a1>6");
    expect_step(machine, "a1>2 a0>10");
    turns.map[ANL_WEST] = ANL_TERMINAL_PORT;
    expect_step(machine, "a1>10 a0>19");
    expect_step(machine, "a1>19");
    assert_true(turns.asked == 5 && anl_bufferless_idle(machine));
    assert_int_equal(anl_bufferless_fault(machine).cause, ANL_BUFFERLESS_NO_FAULT);
    anl_bufferless_destroy(machine);
}

// A head that has no way is lost with a fault, and so are the flits behind it.
static void a_way_out_of_the_mesh_is_none(void **state)
{
    (void)state;
    static const uint32_t ways[] = {ANL_EAST, ANL_SOUTH, ANL_NO_WAY, 77};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct turns turns = {.map = {[ANL_TERMINAL_PORT] = ways[i]}};
        struct anl_bufferless *machine = create(2);
        anl_bufferless_policy(machine, turn, &turns);
        assert_int_equal(enqueue(machine, 3, 0, 1, 2), ANL_OK);
        expect_step(machine, "");
        assert_int_equal(fault_of(machine, 3), 1);
        const struct anl_bufferless_fault fault = anl_bufferless_fault(machine);
        assert_true(fault.cause == ANL_BUFFERLESS_NO_WAY && fault.node == 3 && fault.step == 1);
        expect_step(machine, "");
        assert_int_equal(anl_bufferless_totals(machine).lost, 2);
        anl_bufferless_destroy(machine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_worms_cross_as_the_page_says),
        cmocka_unit_test(a_collision_goes_on_as_the_page_says),
        cmocka_unit_test(a_head_inside_a_worm_is_a_fault),
        cmocka_unit_test(latches_hold_the_way_of_the_next_flit),
        cmocka_unit_test(schedules_arrive_on_time_and_early_starts_collide),
        cmocka_unit_test(worms_of_one_source_follow_each_other),
        cmocka_unit_test(bad_worms_are_refused),
        cmocka_unit_test(reset_undoes_everything),
        cmocka_unit_test(steps_without_flits_can_be_skipped),
        cmocka_unit_test(heads_go_where_the_policy_says),
        cmocka_unit_test(a_way_out_of_the_mesh_is_none),
    };
    return cmocka_run_group_tests_name("bufferless", tests, NULL, NULL);
}
