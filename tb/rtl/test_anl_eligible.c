// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "oracle/lanes.h"

struct state {
    int unused;
};

static void put_lanes(struct bits *in, unsigned lanes, unsigned depth)
{
    unsigned credits[64];
    uint64_t has_credit = 0;

    put(in, lanes, random_bits(lanes) | random_bits(lanes));
    for (unsigned w = 0; w < lanes; w++) {
        credits[w] = chance(mood(w)) ? (unsigned)random_below(depth + 1) : depth;
        if (chance(20)) credits[w] = 0;
        has_credit |= (uint64_t)(credits[w] > 0) << w;
    }
    put(in, lanes, has_credit);
    for (unsigned w = 0; w < lanes; w++)
        put(in, count_width(depth), credits[w]);
}

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned num_ports = (unsigned)p[0], num_vcs = (unsigned)p[1], depth = (unsigned)p[2];
    (void)state;
    put(in, 1, chance(80));
    put(in, 1, chance(70));
    put(in, 1, p[3] != STORE_AND_FORWARD || chance(50));
    put(in, 7, 1 + random_below(depth));
    put(in, index_width(num_ports), random_below(num_ports));
    put(in, num_vcs, random_bits(num_vcs));
    put(in, index_width(num_ports), random_below(num_ports));
    put(in, index_width(num_vcs), random_below(num_vcs));
    put_lanes(in, num_ports * num_vcs, depth);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned num_ports = (unsigned)p[0], num_vcs = (unsigned)p[1], depth = (unsigned)p[2];
    const unsigned lanes = num_ports * num_vcs;
    struct oracle_out_lane outputs[ORACLE_PORTS * ORACLE_LANES] = {0};
    struct oracle_want want = {.at_once = true};
    (void)state;

    const bool held = take(in, "held", 1);
    const bool head = take(in, "head", 1);
    const bool whole = take(in, "whole", 1);
    want.need = oracle_need(p[3], (unsigned)take(in, "length", 7));
    const unsigned route_port = (unsigned)take(in, "route_port", index_width(num_ports));
    want.set = take(in, "route_vcs", num_vcs);
    const unsigned bound_port = (unsigned)take(in, "bound_port", index_width(num_ports));
    const unsigned bound_vc = (unsigned)take(in, "bound_vc", index_width(num_vcs));
    const unsigned port = head ? route_port : bound_port;
    const uint64_t free = take(in, "free", lanes);
    take(in, "has_credit", lanes);
    for (unsigned l = 0; l < lanes; l++) {
        outputs[l].owned = !(free >> l & 1);
        outputs[l].credits = (unsigned)take(in, "credits", count_width(depth));
    }

    const struct oracle_out_lane *here = &outputs[port * num_vcs];
    const uint64_t can =
        head ? oracle_takeable(here, num_vcs, depth, &want) : oracle_bound(here, bound_vc, true);
    expect(out, "port", num_ports, onehot((int)port));
    expect(out, "can", num_vcs, can);
    const bool eligible = held && can && (whole || !head);
    expect(out, "eligible", 1, eligible);
    // At once: of a lane that holds no flit it has no meaning.
    if (held || !p[4])
        expect(out, "request", num_ports, eligible ? onehot((int)port) : 0);
    else
        ignore(out, "request", num_ports);
}

static const struct bench_module module = {
    .name = "anl_eligible",
    .parameters = "NumPorts, NumVcs, Depth, FlowControl, AtOnce",
    .state_bytes = sizeof(struct state),
    .cycles = 20000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
