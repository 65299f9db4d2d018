// SPDX-License-Identifier: Apache-2.0
//
// The model of the butterfly that discards: the tables of papers/cole_maggs_sitaraman/discard.md,
// random worms beside an oracle that moves every flit, rounds of colours, resets, and what is
// refused.

#include "oracle.h"

#include "unit.h"

#include <stdio.h>

static struct anl_discard *create(uint32_t levels, uint32_t passes, uint32_t num_vcs)
{
    struct anl_discard *machine;
    const struct anl_discard_shape shape = {levels, passes, num_vcs};
    assert_int_equal(anl_discard_create(&shape, &machine), ANL_OK);
    return machine;
}

static enum anl_status enqueue(struct anl_discard *machine, uint64_t start, uint32_t source,
                               uint32_t destination, uint16_t length)
{
    const struct anl_discard_worm worm = {
        .start = start, .source = source, .destination = destination, .length = length};
    return anl_discard_enqueue(machine, &worm, NULL);
}

// Steps and checks which flits cross links: "a0>1.0 b2>11.1" are flit 0 of worm 0 on link 1 in lane
// 0 and flit 2 of worm 1 on link 11 in lane 1.
static void expect_step(struct anl_discard *machine, const char *expected)
{
    char seen[200] = "";
    struct anl_flit flits[64];
    anl_discard_step(machine);
    const size_t count = anl_discard_flits(machine, flits);
    for (size_t i = 0; i < count; i++)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s%c%u>%u.%u", i ? " " : "",
                 (int)('a' + flits[i].worm), flits[i].index, flits[i].link, flits[i].vc);
    assert_string_equal(seen, expected);
}

static void enqueue_three(struct anl_discard *machine)
{
    assert_int_equal(enqueue(machine, 1, 0, 3, 3), ANL_OK);
    assert_int_equal(enqueue(machine, 2, 2, 3, 3), ANL_OK);
    assert_int_equal(enqueue(machine, 4, 0, 3, 3), ANL_OK);
}

// Link <0,0>.1 is 1, <2,0>.1 is 5, and <2,1>.1 is 13.
static void three_worms_go_as_the_page_says(void **state)
{
    (void)state;
    static const char *const steps[] = {"a0>1.0",
                                        "a1>1.0 b0>5.0 a0>13.0",
                                        "a2>1.0 b1>5.0 a1>13.0",
                                        "c0>1.0 b2>5.0 a2>13.0",
                                        "c1>1.0 c0>13.0",
                                        "c2>1.0 c1>13.0",
                                        "c2>13.0",
                                        ""};
    struct anl_discard *machine = create(2, 1, 1);
    enqueue_three(machine);
    for (uint32_t step = 1; step <= 8; step++) {
        size_t count;
        expect_step(machine, steps[step - 1]);
        assert_int_equal(anl_discard_idle(machine), step >= 7);
        const uint32_t *ids = anl_discard_discarded(machine, &count);
        assert_int_equal(count, step == 3);
        assert_true(count == 0 || ids[0] == 1);
    }
    const struct anl_discard_outcome b = anl_discard_outcome(machine, 1);
    assert_int_equal(b.fate, ANL_DISCARD_DISCARDED);
    assert_int_equal(b.level, 1);
    assert_int_equal(b.step, 3);
    const struct anl_discard_outcome c = anl_discard_outcome(machine, 2);
    assert_int_equal(c.fate, ANL_DISCARD_DELIVERED);
    assert_int_equal(c.level, 2);
    assert_int_equal(c.step, 7);
    const struct anl_discard_totals totals = anl_discard_totals(machine);
    assert_int_equal(totals.moves, 15);
    assert_int_equal(totals.delivered, 2);
    assert_int_equal(totals.levels[1], 1);
    anl_discard_destroy(machine);
}

static void two_lanes_deliver_all_three(void **state)
{
    (void)state;
    static const char *const steps[] = {"a0>1.0",
                                        "a1>1.0 b0>5.0 a0>13.0",
                                        "a2>1.0 b1>5.0 a1>13.0 b0>13.1",
                                        "c0>1.0 b2>5.0 a2>13.0 b1>13.1",
                                        "c1>1.0 c0>13.0 b2>13.1",
                                        "c2>1.0 c1>13.0",
                                        "c2>13.0"};
    struct anl_discard *machine = create(2, 1, 2);
    enqueue_three(machine);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        expect_step(machine, steps[i]);
    assert_true(anl_discard_idle(machine));
    assert_int_equal(anl_discard_totals(machine).delivered, 3);
    anl_discard_destroy(machine);
}

// --- the oracle ---

static void draw_worms(struct anl_rng *rng, const struct anl_discard_shape *shape,
                       struct oracle *oracle, struct anl_discard *machine)
{
    uint64_t start = 1;
    const uint32_t columns = 1u << shape->levels,
                   count = 20 + anl_rng_below(rng, ORACLE_WORMS - 20);
    const uint32_t longest = 1 + anl_rng_below(rng, 6), pause = 1 + anl_rng_below(rng, 3);
    for (uint32_t i = 0; i < count; i++) {
        start += anl_rng_below(rng, columns) == 0 ? anl_rng_below(rng, pause * longest) : 0;
        const struct anl_discard_worm worm = {start, anl_rng_below(rng, columns),
                                              shape->passes == 2 ? anl_rng_below(rng, columns) : 0,
                                              anl_rng_below(rng, columns),
                                              (uint16_t)(1 + anl_rng_below(rng, longest))};
        assert_int_equal(anl_discard_enqueue(machine, &worm, NULL), ANL_OK);
        oracle->worms[oracle->num_worms++] = worm;
    }
}

static void compare_step(const struct oracle *oracle, const struct anl_discard *machine)
{
    struct anl_flit flits[ORACLE_LANES];
    struct anl_discard_state states[ORACLE_LANES];
    const size_t count = anl_discard_flits(machine, flits);
    size_t next = 0;
    anl_discard_state(machine, states);
    for (uint32_t lane = 0; lane < anl_discard_lanes(machine); lane++) {
        const struct oracle_flit expected = oracle->registers[lane];
        const struct anl_discard_state *seen = &states[lane];
        assert_int_equal(seen->valid, expected.valid);
        assert_int_equal(seen->owner, oracle->owners[lane]);
        if (seen->valid) {
            assert_int_equal(seen->worm, expected.worm);
            assert_int_equal(seen->index, expected.index);
        }
        if (!expected.valid) continue;
        assert_true(next < count);
        const struct anl_flit *flit = &flits[next++];
        assert_int_equal(flit->link * oracle->shape.num_vcs + flit->vc, lane);
        assert_int_equal(flit->worm, expected.worm);
        assert_int_equal(flit->index, expected.index);
        assert_int_equal(flit->head, expected.index == 0);
        assert_int_equal(flit->tail, expected.index + 1 == oracle->worms[flit->worm].length);
    }
    assert_int_equal(next, count);
}

static void compare_outcomes(const struct oracle *oracle, const struct anl_discard *machine)
{
    for (uint32_t id = 0; id < oracle->num_worms; id++) {
        const struct anl_discard_outcome seen = anl_discard_outcome(machine, id);
        const struct anl_discard_outcome *expected = &oracle->outcomes[id];
        assert_int_equal(seen.fate, expected->fate);
        assert_int_equal(seen.level, expected->level);
        assert_int_equal(seen.step, expected->step);
        assert_int_equal(seen.vc, expected->vc);
    }
}

static void the_oracle_sees_the_same(void **state)
{
    (void)state;
    static struct oracle oracle;
    struct anl_rng rng = anl_rng_seed(9, 0);
    uint64_t discarded = 0, delivered = 0;
    for (uint32_t trial = 0; trial < unit_trials(400); trial++) {
        const struct anl_discard_shape shape = {
            1 + anl_rng_below(&rng, 4), 1 + anl_rng_below(&rng, 2), 1 + anl_rng_below(&rng, 4)};
        struct anl_discard *machine = create(shape.levels, shape.passes, shape.num_vcs);
        for (uint32_t round = 0; round < 2; round++) {  // the second one behind a reset
            oracle_begin(&oracle, &shape);
            draw_worms(&rng, &shape, &oracle, machine);
            const uint32_t stop =
                anl_rng_below(&rng, 4) == 0 ? anl_rng_below(&rng, 40) : UINT32_MAX;
            while (!anl_discard_idle(machine) && oracle.step < stop) {
                oracle_step(&oracle);
                anl_discard_step(machine);
                compare_step(&oracle, machine);
            }
            if (anl_discard_idle(machine)) compare_outcomes(&oracle, machine);
            discarded += anl_discard_totals(machine).discarded;
            delivered += anl_discard_totals(machine).delivered;
            anl_discard_reset(machine);
        }
        anl_discard_destroy(machine);
    }
    assert_true(discarded > unit_trials(400) * 10 && delivered > unit_trials(400) * 10);
}

// --- rounds ---

// Colours do not meet, and the last flit of a round crosses in step colours * length + levels - 1.
static void colours_never_meet(void **state)
{
    (void)state;
    enum { LEVELS = 5, LENGTH = 7, COLOURS = 4, COLUMNS = 1 << LEVELS, WORMS = 3 };
    struct anl_rng rng = anl_rng_seed(4, 0);
    struct anl_discard *machine = create(LEVELS, 2, 2), *alone = create(LEVELS, 2, 2);
    for (uint32_t colour = 0; colour < COLOURS; colour++) {
        uint32_t id = 0, first = (uint32_t)anl_discard_totals(machine).enqueued;
        for (uint32_t i = 0; i < COLUMNS * WORMS; i++) {
            struct anl_discard_worm worm = {1 + colour * LENGTH, i / WORMS,
                                            anl_rng_below(&rng, COLUMNS),
                                            anl_rng_below(&rng, COLUMNS), LENGTH};
            assert_int_equal(anl_discard_enqueue(machine, &worm, NULL), ANL_OK);
            worm.start = 1;
            assert_int_equal(anl_discard_enqueue(alone, &worm, &id), ANL_OK);
        }
        anl_discard_run(alone);
        assert_int_equal(anl_discard_steps(alone), LENGTH + 2 * LEVELS - 1);
        while (anl_discard_steps(machine) < (colour + 1) * LENGTH && colour + 1 < COLOURS)
            anl_discard_step(machine);
        if (colour + 1 == COLOURS) anl_discard_run(machine);
        for (uint32_t i = 0; i <= id; i++) {
            const struct anl_discard_outcome together = anl_discard_outcome(machine, first + i);
            const struct anl_discard_outcome expected = anl_discard_outcome(alone, i);
            if (together.fate) assert_int_equal(together.fate, expected.fate);
            if (together.fate) assert_int_equal(together.step, expected.step + colour * LENGTH);
        }
        anl_discard_reset(alone);
    }
    assert_int_equal(anl_discard_steps(machine), COLOURS * LENGTH + 2 * LEVELS - 1);
    const struct anl_discard_totals totals = anl_discard_totals(machine);
    assert_int_equal(totals.delivered + totals.discarded, totals.enqueued);
    anl_discard_destroy(machine);
    anl_discard_destroy(alone);
}

// A run that jumps ends as one that steps.
static void a_run_jumps_over_empty_steps(void **state)
{
    (void)state;
    struct anl_discard *fast = create(3, 1, 1), *slow = create(3, 1, 1);
    for (uint32_t i = 0; i < 6; i++) {
        enqueue(fast, 1 + i / 2 * 1000, i, 5, 4);
        enqueue(slow, 1 + i / 2 * 1000, i, 5, 4);
    }
    anl_discard_run(fast);
    while (!anl_discard_idle(slow))
        anl_discard_step(slow);
    assert_true(anl_discard_idle(fast));
    assert_int_equal(anl_discard_steps(fast), anl_discard_steps(slow));
    assert_int_equal(anl_discard_totals(fast).moves, anl_discard_totals(slow).moves);
    assert_int_equal(anl_discard_skip(fast, 5000), ANL_OK);
    assert_int_equal(anl_discard_steps(fast), 5000);
    assert_int_equal(anl_discard_skip(fast, 4999), ANL_ERR_ARGUMENT);
    assert_int_equal(enqueue(fast, 5002, 0, 0, 2), ANL_OK);
    assert_int_equal(anl_discard_skip(fast, 5002), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_discard_skip(fast, 5001), ANL_OK);
    anl_discard_step(fast);
    assert_int_equal(anl_discard_skip(fast, 6000), ANL_ERR_ARGUMENT);
    anl_discard_destroy(fast);
    anl_discard_destroy(slow);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct anl_discard_shape bad[] = {{0, 1, 1}, {ANL_DISCARD_MAX_LEVELS + 1, 1, 1},
                                                   {2, 0, 1}, {2, 3, 1},
                                                   {2, 1, 0}, {2, 1, ANL_MAX_VCS + 1}};
    struct anl_discard *machine;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(anl_discard_create(&bad[i], &machine), ANL_ERR_ARGUMENT);
        assert_null(machine);
    }
    machine = create(2, 1, 1);
    assert_int_equal(enqueue(machine, 0, 0, 0, 1), ANL_ERR_ARGUMENT);
    assert_int_equal(enqueue(machine, 1, 4, 0, 1), ANL_ERR_ARGUMENT);
    assert_int_equal(enqueue(machine, 1, 0, 4, 1), ANL_ERR_ARGUMENT);
    assert_int_equal(enqueue(machine, 1, 0, 0, 0), ANL_ERR_ARGUMENT);
    const struct anl_discard_worm by_one = {1, 0, 1, 0, 1};
    assert_int_equal(anl_discard_enqueue(machine, &by_one, NULL), ANL_ERR_ARGUMENT);
    assert_null(anl_discard_worm(machine, 0));
    assert_int_equal(enqueue(machine, 3, 0, 0, 1), ANL_OK);
    assert_int_equal(anl_discard_worm(machine, 0)->start, 3);
    assert_int_equal(enqueue(machine, 2, 1, 0, 1), ANL_ERR_ARGUMENT);
    anl_discard_run(machine);
    assert_int_equal(anl_discard_steps(machine), 4);
    assert_int_equal(enqueue(machine, 4, 1, 0, 1), ANL_ERR_ARGUMENT);
    anl_discard_destroy(machine);
    anl_discard_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_worms_go_as_the_page_says),
        cmocka_unit_test(two_lanes_deliver_all_three),
        cmocka_unit_test(the_oracle_sees_the_same),
        cmocka_unit_test(colours_never_meet),
        cmocka_unit_test(a_run_jumps_over_empty_steps),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
