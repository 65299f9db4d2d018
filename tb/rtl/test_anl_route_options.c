// SPDX-License-Identifier: Apache-2.0
//
// Tables that are drawn anew in every cycle, and a destination in them.

#include "bench.h"

struct state {
    uint64_t entry;  // of the destination
};

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned terminals = (unsigned)p[0], lanes = (unsigned)(p[1] * p[2]);
    const uint64_t dst = random_below(terminals);
    struct state *s = state;
    put(in, index_width(terminals), dst);
    for (unsigned t = 0; t < terminals; t++) {
        const uint64_t entry = random_bits(lanes);
        put(in, lanes, entry);
        if (t == dst) s->entry = entry;
    }
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const struct state *s = state;
    take(in, "dst", index_width((unsigned)p[0]));
    expect(out, "options", (unsigned)(p[1] * p[2]), s->entry);
}

static const struct bench_module module = {
    .name = "anl_route_options",
    .parameters = "T, NumPorts, NumVcs",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
