// SPDX-License-Identifier: Apache-2.0
//
// The favoured lane as docs/switch.md, "The favoured lane", says it.

#include "bench.h"
#include "oracle/scan.h"

struct state {
    unsigned favoured;
};

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned lanes = (unsigned)p[0];
    uint64_t held = 0, eligible = 0;
    (void)state;
    for (unsigned v = 0; v < lanes; v++)
        held |= (uint64_t)chance(mood(v % 4)) << v;
    for (unsigned v = 0; v < lanes; v++)
        eligible |= (uint64_t)chance(mood(4 + v % 2)) << v;
    put(in, lanes, held);
    put(in, lanes, held & eligible);
    put(in, 1, chance(mood(7)));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned lanes = (unsigned)p[0];
    const uint64_t held = take(in, "held", lanes);
    const uint64_t eligible = take(in, "eligible", lanes);
    const bool accept = take(in, "accept", 1);

    expect(out, "ask", lanes, onehot(oracle_lane_that_asks(lanes, held, s->favoured)));
    expect(out, "ptr", index_width(lanes), s->favoured);
    s->favoured = oracle_next_favoured(lanes, held, eligible, s->favoured, accept);
}

static const struct bench_module module = {
    .name = "anl_registered_priority",
    .parameters = "NumVcs",
    .state_bytes = sizeof(struct state),
    .cycles = 20000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
