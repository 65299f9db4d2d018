// SPDX-License-Identifier: Apache-2.0
//
// Snakes: birth, circulation, consumption; supersteps beside the packet algorithm alone.

#include "unit_snakes.h"

static struct watch watch;

static void make(uint32_t f, uint32_t k, uint32_t n, packet_algorithm *algorithm, void *user,
                 struct layout *layout, struct snakes *snakes)
{
    struct anl_error error;
    if (layout_create(f, k, layout, &error)) fail_msg("%s", error.text);
    if (snakes_create(layout, n, algorithm, user, snakes, &error)) fail_msg("%s", error.text);
}

static void assert_unbroken(const struct snakes *snakes, const char *what, uint32_t number)
{
    const struct anl_bufferless_fault fault = anl_bufferless_fault(snakes->machine);
    char text[256];
    anl_bufferless_fault_text(snakes->machine, &fault, text, sizeof text);
    if (fault.cause) fail_msg("%s %u: %s", what, number, text);
    if (watch.broken)
        fail_msg("%s %u: step %u, worm %u: not so: %s", what, number, (unsigned)watch.step,
                 watch.worm, watch.broken);
    assert_false(snakes->overflowed || snakes->disagreed);
}

// --- one supernode ---

static void stay(void *user, const struct node_view *view, uint32_t out[DIRECTIONS])
{
    (void)user;
    (void)view;
    memset(out, 0xff, DIRECTIONS * sizeof *out);
}

// The worm of slot 0 is at the first processor of its side in each cycle of a superstep, and is
// consumed before the round ends.
static void run_birth(struct snakes *snakes, uint32_t birth, uint32_t target)
{
    const struct layout *layout = snakes->layout;
    const uint32_t first = layout_side(layout, birth) == SIDE_LEFT ? layout->bottom : layout->top;
    const uint32_t steps = snakes_round_steps(layout, 1);
    const uint64_t begun = anl_bufferless_steps(snakes->machine);
    uint32_t worm, meetings = 0;
    snakes_begin(snakes, 1);
    assert_int_equal(snakes_bear(snakes, 0, birth, snakes_node(snakes, 0, target), &worm), ANL_OK);
    for (uint32_t step = 1; step <= steps; step++) {
        snakes_step(snakes);
        watch_step(&watch, snakes);
        // It is in the cell at the start of the next step, which has number step + 2 in the time of
        // an even supernode.
        const uint32_t since = step + 2 - snakes->rules.first;
        const bool due = since % layout->period == 0 && since / layout->period < 4;
        if (due && birth != first)
            meetings += watch_is_at(&watch, snakes, worm, 0, first);
        else if (due)
            meetings += since == 0 || watch_is_at(&watch, snakes, worm, 0, first);
    }
    assert_unbroken(snakes, "birth", birth);
    assert_int_equal(anl_bufferless_steps(snakes->machine) - begun, steps);
    assert_int_equal(meetings, 4);
    if (watch.consumed[worm] != layout->k) fail_msg("birth %u: not at %u", birth, target);
}

// Returns where the worm of a birth cell goes: another cell, and another one for each of them.
static uint32_t target_of(const struct layout *layout, uint32_t birth, uint32_t turn)
{
    return (birth + 1 + turn * 31 % (layout->cells - 1)) % layout->cells;
}

// One of `share` birth cells.
static void run_births(uint32_t f, uint32_t k, uint32_t turn, uint32_t share)
{
    struct layout layout;
    struct snakes snakes;
    make(f, k, 1, stay, NULL, &layout, &snakes);
    watch_start(&watch, &snakes);
    for (uint32_t birth = turn % share; birth < layout.cells; birth += share)
        run_birth(&snakes, birth, target_of(&layout, birth, turn));
    assert_true(anl_bufferless_idle(snakes.machine));
    snakes_free(&snakes);
    layout_free(&layout);
}

static void worms_are_born_circulate_and_are_consumed(void **state)
{
    (void)state;
    const uint32_t share = unit_share();
    run_births(12, 4, 0, 1);
    run_births(12, 4, 1, 1);
    run_births(32, 4, 2, share);
    run_births(12, 16, 3, 2 * share);
    run_births(12, 36, 4, 8 * share);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worms_are_born_circulate_and_are_consumed),
    };
    return cmocka_run_group_tests_name("roberts_symvonis_snakes", tests, NULL, NULL);
}
