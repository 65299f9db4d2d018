// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

struct state {
    unsigned tails[8];
};

static void drive(void *state, const int *p, struct bits *in)
{
    const struct state *s = state;
    uint64_t enter = 0, leave = 0;

    for (unsigned v = 0; v < (unsigned)p[0]; v++) {
        enter |= (uint64_t)(s->tails[v] < (unsigned)p[1] && chance(mood(v))) << v;
        leave |= (uint64_t)(s->tails[v] > 0 && chance(mood(v + 1))) << v;
    }
    put(in, (unsigned)p[0], enter);
    put(in, (unsigned)p[0], leave);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const uint64_t enter = take(in, "enter", (unsigned)p[0]);
    const uint64_t leave = take(in, "leave", (unsigned)p[0]);
    uint64_t whole = 0;

    for (unsigned v = 0; v < (unsigned)p[0]; v++) {
        whole |= (uint64_t)(s->tails[v] > 0) << v;
        s->tails[v] += (unsigned)(enter >> v & 1) - (unsigned)(leave >> v & 1);
    }
    expect(out, "whole", (unsigned)p[0], whole);
}

static const struct bench_module module = {
    .name = "anl_packet_count",
    .parameters = "NumVcs, Depth",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
