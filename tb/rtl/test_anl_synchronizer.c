// SPDX-License-Identifier: Apache-2.0
//
// docs/clocks.md: behind SyncStages edges a bit is what it was at the first of them, or, if it had
// changed since the edge before, what it was then. The bench changes any bits at once: each of them
// is a signal of its own here.

#include "bench.h"

enum { EDGES = 8, STAGES = 4 };

struct state {
    uint64_t was[EDGES];  // the input at edge t, at t % EDGES
};

static void drive(void *state, const int *p, struct bits *in)
{
    const struct state *s = state;
    const uint64_t before = s->was[(bench_cycle() + EDGES - 1) % EDGES];
    put(in, (unsigned)p[0],
        chance(mood(0)) ? before ^ UINT64_C(1) << random_below((unsigned)p[0]) : before);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned width = (unsigned)p[0], stages = (unsigned)p[1];
    const uint64_t now = bench_cycle();
    s->was[now % EDGES] = take(in, "d", width);
    const uint64_t seen = ignore(out, "q", width);
    // In reset and behind it the synchronizer has 0.
    const uint64_t is = now < stages ? 0 : s->was[(now - stages) % EDGES];
    const uint64_t was = now <= stages ? is : s->was[(now - stages - 1) % EDGES];
    // What the input was in the last edge of the reset is not known here.
    if (now != stages) require("bits that are neither", (seen ^ is) & ~(is ^ was), 0);
}

static const struct bench_module module = {
    .name = "anl_synchronizer",
    .parameters = "Width, SyncStages",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
