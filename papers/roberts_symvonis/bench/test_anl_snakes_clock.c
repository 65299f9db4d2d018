// SPDX-License-Identifier: Apache-2.0
//
// The clock of a supernode against the times of papers/roberts_symvonis/supernodes.md, "The clock":
// rounds of 1 to 3 supersteps, one after the other and with gaps between them.

#include "bench.h"

enum { EVEN, COUNT_W, SLOT_W, K, S, SLOTS, HALF, NUM_TIMES = 17 };

struct state {
    int time, supersteps;  // time 0: there is no round
};

static int period(const int *p) { return p[SLOTS] * p[K] + p[S] + p[K] + 6; }

static int first(const int *p) { return period(p) + 2 * p[S]; }

// The time from which worms are consumed, and the last one of a round.
static int end_of(const struct state *s, const int *p)
{
    return first(p) + 4 * period(p) * s->supersteps - p[S] / 2 + 1;
}

static int last_of(const struct state *s, const int *p)
{
    return end_of(s, p) + 4 * p[HALF] - 2 + p[EVEN];
}

// What is said in a time, from the lowest bit on. *slot receives the slot that is at a place, or
// -1.
static void say(const struct state *s, const int *p, bool times[NUM_TIMES], int *slot)
{
    const int since = s->time - first(p) + 1;
    const bool consumes = s->time >= end_of(s, p), step = since >= 0 && !consumes && s->time > 0;
    const int cycle = step ? since / period(p) % 4 : -1, a = step ? since % period(p) - 1 : -1;
    const int train = p[SLOTS] * p[K], leave = train + 3;
    const bool extract = cycle == 2;
    for (int i = 0; i < NUM_TIMES; i++)
        times[i] = false;
    *slot = -1;
    times[0] = s->time > 0 && s->time <= first(p);
    times[1] = s->time > 0 && consumes;
    if (step) times[2 + cycle] = true;
    for (int place = -1; place <= 2; place++) {
        const int steps = a - place;
        if (!step || steps < 0 || steps % p[K] != 0 || steps / p[K] >= p[SLOTS]) continue;
        times[7 + place] = true;
        // The clock says the slot that passes; before it, the one before.
        *slot = place < 0 ? steps / p[K] - 1 : steps / p[K];
    }
    times[10] = extract && a == leave;
    times[11] = extract && a == leave + 1;
    times[12] = extract && a == leave + p[S] / 2 - 1;
    times[13] = extract && !p[EVEN] && a == leave + p[S] - 1;
    times[14] = extract && !p[EVEN] && a == leave + p[S];
    times[15] = extract && p[EVEN] && a == leave + p[S] + 1;
    times[16] = extract && !p[EVEN] && a == leave + p[S] + 1;
}

static bool may_begin(const struct state *s, const int *p)
{
    return s->time == 0 || s->time == last_of(s, p);
}

static void drive(void *place, const int *p, struct bits *in)
{
    const struct state *s = place;
    put(in, 1, may_begin(s, p) && chance(50));
    put(in, (unsigned)p[COUNT_W], 1 + random_below(3));
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = place;
    const bool begins = take(in, "begin", 1);
    const uint64_t supersteps = take(in, "supersteps", (unsigned)p[COUNT_W]);
    bool times[NUM_TIMES];
    int slot;
    say(s, p, times, &slot);
    const bool last = s->time > 0 && s->time == last_of(s, p);
    expect(out, "busy", 1, s->time > 0);
    expect(out, "last", 1, last);
    for (int i = 0; i < NUM_TIMES; i++)
        expect(out, "time", 1, times[i]);
    if (times[6] || times[7] || times[8] || times[9])
        expect(out, "slot", (unsigned)p[SLOT_W], (uint64_t)slot & ones((unsigned)p[SLOT_W]));
    else
        ignore(out, "slot", (unsigned)p[SLOT_W]);
    if (s->time > 0) s->time = last ? 0 : s->time + 1;
    if (begins) *s = (struct state){1 + p[EVEN], (int)supersteps};
}

static const struct bench_module module = {
    .name = "anl_snakes_clock",
    .parameters = "Even, CountW, SlotW, K, S, Slots, Half",
    .state_bytes = sizeof(struct state),
    .cycles = 8000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
