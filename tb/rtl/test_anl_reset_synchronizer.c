// SPDX-License-Identifier: Apache-2.0
//
// docs/clocks.md, "Reset": the reset rises without an edge, and falls behind SyncStages edges, or
// one more.

#include "bench.h"

struct state {
    uint64_t edges;  // since the fall of the input
};

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state, (void)p;
    put(in, 1, chance(mood(0) / 4));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const uint64_t stages = (uint64_t)p[0];
    const bool rst = take(in, "rst", 1);
    if (rst) s->edges = 0;
    const bool seen = ignore(out, "rst", 1);
    require("rst", seen, s->edges < stages ? 1 : s->edges == stages ? seen : 0);
    s->edges += !rst;
}

static const struct bench_module module = {
    .name = "anl_reset_synchronizer",
    .parameters = "SyncStages",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
