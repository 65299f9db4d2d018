// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "oracle/lanes.h"
#include "oracle/scan.h"

struct state {
    struct oracle_in_lane lanes[ORACLE_LANES];
    unsigned wanted[ORACLE_LANES];  // port stored last for each lane
};

// The port of a head that does not move may be stored as well, and it may change.
static void drive(void *state, const int *p, struct bits *in)
{
    const struct state *s = state;
    const unsigned num_ports = (unsigned)p[0], num_vcs = (unsigned)p[1];
    const unsigned lane = (unsigned)random_below(num_vcs);

    const uint64_t move = chance(mood(0)) ? UINT64_C(1) << lane : 0;
    uint64_t learn = random_bits(num_vcs) | move;

    for (unsigned v = 0; v < num_vcs; v++)
        if (s->lanes[v].bound) learn &= ~onehot((int)v);
    put(in, num_vcs, move);
    put(in, 1, !s->lanes[lane].bound);
    put(in, 1, chance(mood(1)));
    put(in, num_vcs, learn);
    for (unsigned v = 0; v < num_vcs; v++)
        put(in, index_width(num_ports), random_below(num_ports));
    put(in, index_width(num_vcs), random_below(num_vcs));
    put(in, 16, random_bits(16));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned num_vcs = (unsigned)p[1];
    const unsigned num_ports = (unsigned)p[0];
    const unsigned port_w = index_width(num_ports), vc_w = index_width(num_vcs);
    const uint64_t move = take(in, "move", num_vcs);
    const bool head = take(in, "head", 1), tail = take(in, "tail", 1);
    const uint64_t learn = take(in, "learn", num_vcs);
    for (unsigned v = 0; v < num_vcs; v++) {
        const unsigned port = (unsigned)take(in, "port", port_w);
        if (learn >> v & 1) s->wanted[v] = port;
    }
    const unsigned vc = (unsigned)take(in, "vc", vc_w);
    const unsigned rank = (unsigned)take(in, "stamp", 16);

    for (unsigned v = 0; v < num_vcs; v++)
        expect(out, "bound", 1, s->lanes[v].bound);
    for (unsigned v = 0; v < num_vcs; v++)
        s->lanes[v].bound ? expect(out, "to", num_ports, onehot((int)s->lanes[v].port))
                          : ignore(out, "to", num_ports);
    for (unsigned v = 0; v < num_vcs; v++)
        s->lanes[v].bound ? expect(out, "port", port_w, s->lanes[v].port)
                          : ignore(out, "port", port_w);
    for (unsigned v = 0; v < num_vcs; v++)
        s->lanes[v].bound ? expect(out, "vc", vc_w, s->lanes[v].vc) : ignore(out, "vc", vc_w);
    for (unsigned v = 0; v < num_vcs; v++) {
        if (!scan_is_stamped(p[2]))
            expect(out, "stamp", 16, 0);
        else if (s->lanes[v].bound)
            expect(out, "stamp", 16, s->lanes[v].rank);
        else
            ignore(out, "stamp", 16);
    }

    const struct oracle_flit flit = {.head = head, .tail = tail, .rank = (uint16_t)rank};
    for (unsigned v = 0; v < num_vcs; v++)
        if (move >> v & 1) oracle_bind(&s->lanes[v], &flit, s->wanted[v], vc);
}

static const struct bench_module module = {
    .name = "anl_binding",
    .parameters = "NumPorts, NumVcs, Arbiter",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
