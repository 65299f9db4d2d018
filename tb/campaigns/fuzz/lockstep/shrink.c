// SPDX-License-Identifier: Apache-2.0

#include "shrink.h"

struct shrinking {
    struct trial *trial;
    struct test_case *best;  // the smallest case that fails
    bool progress, broken;   // broken: a run could not be made
};

static bool fails(struct shrinking *shrinking, const struct test_case *test)
{
    struct lockstep_result result;
    if (shrinking->broken) return false;
    shrinking->broken = !trial_run(shrinking->trial, test, &result);
    bool fails = !shrinking->broken && !result.pass;
    shrinking->progress |= fails;
    return fails;
}

// Tries the best case without `count` worms from `first` on. If in_time, the worms behind them keep
// their time; otherwise they come earlier. Returns whether it still fails.
static bool drop(struct shrinking *shrinking, uint32_t first, uint32_t count, bool in_time)
{
    struct test_case test = *shrinking->best;
    uint32_t gap = 0;
    for (uint32_t i = first; i < first + count; i++)
        gap += test.worm[i].gap;
    case_leave_out(&test, first, count);
    if (in_time && first < test.count) {
        gap += test.worm[first].gap;
        if (gap > CASE_LONGEST_GAP) return false;
        test.worm[first].gap = (uint8_t)gap;
    }
    if (!fails(shrinking, &test)) return false;
    *shrinking->best = test;
    return true;
}

static void drop_worms(struct shrinking *shrinking)
{
    for (uint32_t count = CASE_WORMS / 2; count > 0; count /= 2)
        for (uint32_t first = 0; first + count <= shrinking->best->count;)
            if (!drop(shrinking, first, count, true) && !drop(shrinking, first, count, false))
                first++;
}

// Lowers a value of the best case to the smallest one with which it still fails.
static void lower(struct shrinking *shrinking, uint8_t *value, uint8_t least)
{
    const uint8_t before = *value;
    for (*value = least; *value < before; ++*value)
        if (fails(shrinking, shrinking->best)) return;
}

static void lower_values(struct shrinking *shrinking)
{
    for (uint32_t i = 0; i < shrinking->best->count; i++) {
        lower(shrinking, &shrinking->best->worm[i].length, 1);
        lower(shrinking, &shrinking->best->worm[i].gap, 0);
    }
    lower(shrinking, &shrinking->best->seed, 0);
}

bool shrink(struct trial *trial, struct test_case *test)
{
    struct shrinking shrinking = {.trial = trial, .best = test, .progress = true};
    while (shrinking.progress && !shrinking.broken) {
        shrinking.progress = false;
        drop_worms(&shrinking);
        lower_values(&shrinking);
    }
    return !shrinking.broken;
}
