// SPDX-License-Identifier: Apache-2.0
//
// The lane that asks, by rules 1, 2 and 5 of docs/switch.md. The state of the output lanes is drawn
// anew in every cycle; each lane is consistent in itself.

#include "bench.h"
#include "oracle/lanes.h"
#include "oracle/scan.h"

struct state {
    struct oracle_out_lane out[ORACLE_PORTS * ORACLE_LANES];
};

static void draw_outputs(struct state *s, unsigned lanes, unsigned depth)
{
    for (unsigned l = 0; l < lanes; l++) {
        s->out[l].owned = chance(mood(0));
        s->out[l].credits = chance(mood(1)) ? depth : (unsigned)random_below(depth + 1);
    }
}

static void put_outputs(const struct state *s, struct bits *in, unsigned lanes, unsigned depth)
{
    uint64_t free = 0, has_credit = 0, all_credits = 0;

    for (unsigned l = 0; l < lanes; l++) {
        free |= (uint64_t)!s->out[l].owned << l;
        has_credit |= (uint64_t)(s->out[l].credits > 0) << l;
        all_credits |= (uint64_t)(s->out[l].credits == depth) << l;
    }
    put(in, lanes, free);
    put(in, lanes, has_credit);
    put(in, lanes, all_credits);
    for (unsigned l = 0; l < lanes; l++)
        put(in, count_width(depth), s->out[l].credits);
}

// Returns a port to which some route leads.
static unsigned random_turn(unsigned num_ports, uint64_t turns)
{
    const unsigned from = (unsigned)random_below(num_ports);
    return (unsigned)oracle_cyclic_first(num_ports, turns, from);
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    const unsigned num_ports = (unsigned)p[0], num_vcs = (unsigned)p[1], depth = (unsigned)p[2];
    const uint64_t turns = (uint64_t)p[4] & ones(num_ports);

    put(in, num_vcs, chance(90) ? onehot((int)random_below(num_vcs)) : 0);
    put(in, num_vcs, random_bits(num_vcs) | random_bits(num_vcs));
    put(in, num_vcs, chance(mood(2)) ? random_bits(num_vcs) : ones(num_vcs));
    for (unsigned v = 0; v < num_vcs; v++)
        put(in, 7, 1 + random_below(depth));
    for (unsigned v = 0; v < num_vcs; v++)
        put(in, num_ports, onehot((int)random_turn(num_ports, turns)));
    for (unsigned v = 0; v < num_vcs; v++)
        put(in, num_vcs, random_bits(num_vcs));
    for (unsigned v = 0; v < num_vcs; v++)
        put(in, num_ports, onehot((int)random_turn(num_ports, turns)));
    for (unsigned v = 0; v < num_vcs; v++)
        put(in, index_width(num_vcs), random_below(num_vcs));
    draw_outputs(s, num_ports * num_vcs, depth);
    put_outputs(s, in, num_ports * num_vcs, depth);
}

// Takes a field of each lane, and returns that of one.
static uint64_t take_one(struct bits *in, const char *name, unsigned width, unsigned lanes, int one)
{
    uint64_t found = 0;
    for (int v = 0; v < (int)lanes; v++) {
        const uint64_t value = take(in, name, width);
        if (v == one) found = value;
    }
    return found;
}

static void take_outputs(struct bits *in, unsigned lanes, unsigned depth)
{
    take(in, "free", lanes);
    take(in, "has_credit", lanes);
    take(in, "home", lanes);
    for (unsigned l = 0; l < lanes; l++)
        take(in, "credits", count_width(depth));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const struct state *s = state;
    const unsigned num_ports = (unsigned)p[0], num_vcs = (unsigned)p[1], depth = (unsigned)p[2];
    struct oracle_want want = {.at_once = true};

    const int lane = oracle_cyclic_first(num_vcs, take(in, "sel", num_vcs), 0);
    const bool head = take(in, "head", num_vcs) & onehot(lane);
    const bool whole = take(in, "whole", num_vcs) & onehot(lane);
    want.need = oracle_need(p[3], (unsigned)take_one(in, "length", 7, num_vcs, lane));
    const uint64_t route = take_one(in, "route_port", num_ports, num_vcs, lane);
    want.set = take_one(in, "route_vcs", num_vcs, num_vcs, lane);
    const uint64_t bound_to = take_one(in, "bound_to", num_ports, num_vcs, lane);
    const unsigned vc = (unsigned)take_one(in, "bound_vc", index_width(num_vcs), num_vcs, lane);
    take_outputs(in, num_ports * num_vcs, depth);

    const uint64_t to = head ? route : bound_to;
    const int port = oracle_cyclic_first(num_ports, to, 0);
    const struct oracle_out_lane *at = &s->out[(port == ORACLE_NONE ? 0 : port) * (int)num_vcs];
    const uint64_t can =
        head ? oracle_takeable(at, num_vcs, depth, &want) : oracle_bound(at, vc, true);
    const bool goes = lane != ORACLE_NONE && can != 0 && (whole || !head);
    const uint64_t empty = oracle_empty(at, num_vcs, depth, true);
    expect(out, "request", num_ports, goes ? to : 0);
    expect_if(goes, out, "take", num_vcs, onehot(oracle_lane_taken(num_vcs, can, empty)));
}

static const struct bench_module module = {
    .name = "anl_ask",
    .parameters = "NumPorts, NumVcs, Depth, FlowControl, Turns",
    .state_bytes = sizeof(struct state),
    .cycles = 10000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
