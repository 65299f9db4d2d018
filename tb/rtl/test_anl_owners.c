// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "oracle/lanes.h"

struct state {
    struct oracle_out_lane lanes[ORACLE_LANES];
};

// The flits behind a head on its lane come from the head's input lane.
static void drive(void *state, const int *p, struct bits *in)
{
    const struct state *s = state;
    const unsigned num_ports = (unsigned)p[0], num_vcs = (unsigned)p[1];
    const unsigned w = (unsigned)random_below(num_vcs);
    const struct oracle_out_lane *lane = &s->lanes[w];

    put(in, num_vcs, chance(mood(0)) ? UINT64_C(1) << w : 0);
    put(in, 1, !lane->owned);
    put(in, 1, chance(mood(1)));
    put(in, index_width(num_ports), lane->owned ? lane->port : random_below(num_ports));
    put(in, index_width(num_vcs), lane->owned ? lane->vc : random_below(num_vcs));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned num_vcs = (unsigned)p[1];
    const unsigned port_w = index_width((unsigned)p[0]), vc_w = index_width(num_vcs);
    const uint64_t move = take(in, "move", num_vcs);
    const bool head = take(in, "head", 1), tail = take(in, "tail", 1);
    const unsigned port = (unsigned)take(in, "port", port_w), vc = (unsigned)take(in, "vc", vc_w);

    for (unsigned w = 0; w < num_vcs; w++)
        expect(out, "owned", 1, s->lanes[w].owned);
    for (unsigned w = 0; w < num_vcs; w++)
        s->lanes[w].owned ? expect(out, "port", port_w, s->lanes[w].port)
                          : ignore(out, "port", port_w);
    for (unsigned w = 0; w < num_vcs; w++)
        s->lanes[w].owned ? expect(out, "vc", vc_w, s->lanes[w].vc) : ignore(out, "vc", vc_w);

    const struct oracle_flit flit = {.head = head, .tail = tail};
    for (unsigned w = 0; w < num_vcs; w++)
        if (move >> w & 1) oracle_spend(&s->lanes[w], &flit, port, vc);
}

static const struct bench_module module = {
    .name = "anl_owners",
    .parameters = "NumPorts, NumVcs",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
