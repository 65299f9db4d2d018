// SPDX-License-Identifier: Apache-2.0
//
// Tables that are drawn anew in every cycle, and a destination in them. Bits of an entry beyond the
// ports and lanes that there are may be anything.

#include "bench.h"
#include "oracle/words.h"

struct state {
    uint64_t port, vcs;  // of the destination's entry
};

static unsigned port_width(const int *p) { return index_width((unsigned)p[1]); }

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned terminals = (unsigned)p[0], ports = (unsigned)p[1], width = port_width(p);
    const uint64_t dst = random_below(terminals);
    struct state *s = state;
    put(in, index_width(terminals), dst);
    for (unsigned t = 0; t < terminals; t++) {
        const uint64_t port = random_below(ports), vcs = random_bits(8);
        put(in, width, port);
        put(in, 8 - width, random_bits(8 - width));
        put(in, 8, vcs);
        if (t == dst) *s = (struct state){port, vcs & ones((unsigned)p[2])};
    }
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const struct state *s = state;
    take(in, "dst", index_width((unsigned)p[0]));
    expect(out, "port", (unsigned)p[1], onehot((int)s->port));
    expect(out, "vcs", (unsigned)p[2], s->vcs);
}

static const struct bench_module module = {
    .name = "anl_route_table",
    .parameters = "T, NumPorts, NumVcs",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
