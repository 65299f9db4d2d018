// SPDX-License-Identifier: Apache-2.0

#include "mutator.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 8, VALUES = 4 };  // most worms in one change; number of values of a worm

struct mutation {
    const struct case_limits *limits;
    struct test_case *test;
    unsigned state;  // state of rand_r
};

static uint32_t below(struct mutation *mutation, uint32_t bound)
{
    return (uint32_t)rand_r(&mutation->state) % bound;
}

static struct case_worm *some_worm(struct mutation *mutation)
{
    return &mutation->test->worm[below(mutation, mutation->test->count)];
}

// Draws consecutive worms; returns the index of the first one.
static uint32_t some_worms(struct mutation *mutation, uint32_t *count)
{
    uint32_t first = below(mutation, mutation->test->count), left = mutation->test->count - first;
    *count = 1 + below(mutation, left < MOST ? left : MOST);
    return first;
}

// Draws a value of the worm again; gaps are mostly 0, as in random bytes.
static void redraw(struct mutation *mutation, struct case_worm *worm, uint32_t value)
{
    const struct case_limits *limits = mutation->limits;
    uint32_t gap = below(mutation, CASE_GAPS);
    switch (value) {
    case 0:
        worm->source = (uint8_t)below(mutation, limits->terminals);
        break;
    case 1:
        worm->destination = (uint8_t)below(mutation, limits->terminals);
        break;
    case 2:
        worm->length = (uint8_t)(below(mutation, limits->longest) + 1);
        break;
    default:
        worm->gap = case_gap_of(gap);
    }
}

// Makes room for up to `count` worms at some place; returns for how many there is room.
static uint32_t make_room(struct mutation *mutation, uint32_t count, struct case_worm **place)
{
    struct test_case *test = mutation->test;
    uint32_t at = below(mutation, test->count + 1), room = CASE_WORMS - test->count;
    if (count > room) count = room;
    *place = &test->worm[at];
    memmove(*place + count, *place, (test->count - at) * sizeof **place);
    test->count += count;
    return count;
}

static void insert_new(struct mutation *mutation)
{
    struct case_worm *worm;
    if (!make_room(mutation, 1, &worm)) return;
    for (uint32_t value = 0; value < VALUES; value++)
        redraw(mutation, worm, value);
}

// Adds one worm many times: the same one, or with one value drawn again.
static void repeat(struct mutation *mutation)
{
    struct case_worm worm = *some_worm(mutation), *place;
    uint32_t value = below(mutation, VALUES + 1);
    uint32_t count = make_room(mutation, 1 + below(mutation, MOST), &place);
    if (value < VALUES) redraw(mutation, &worm, value);
    for (uint32_t i = 0; i < count; i++)
        place[i] = worm;
}

// Adds consecutive worms once more at another place.
static void copy(struct mutation *mutation)
{
    const struct test_case before = *mutation->test;
    struct case_worm *place;
    uint32_t count, first = some_worms(mutation, &count);
    count = make_room(mutation, count, &place);
    memcpy(place, &before.worm[first], count * sizeof *place);
}

static void leave_out(struct mutation *mutation)
{
    uint32_t count, first = some_worms(mutation, &count);
    case_leave_out(mutation->test, first, count);
}

static void exchange(struct mutation *mutation)
{
    struct case_worm *one = some_worm(mutation), *other = some_worm(mutation), kept = *one;
    *one = *other;
    *other = kept;
}

static void redraw_value(struct mutation *mutation)
{
    struct case_worm *worm = some_worm(mutation);
    redraw(mutation, worm, below(mutation, VALUES));
}

static void redraw_seed(struct mutation *mutation)
{
    mutation->test->seed = (uint8_t)below(mutation, UINT8_MAX + 1);
}

void mutate_worms(const struct case_limits *limits, struct test_case *test, uint32_t seed)
{
    static void (*const change[])(struct mutation *) = {
        insert_new, repeat, copy, leave_out, exchange, redraw_seed, redraw_value, redraw_value,
    };
    struct mutation mutation = {.limits = limits, .test = test, .state = seed};
    if (test->count)
        change[below(&mutation, sizeof change / sizeof *change)](&mutation);
    else
        insert_new(&mutation);
}
