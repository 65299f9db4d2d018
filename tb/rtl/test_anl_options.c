// SPDX-License-Identifier: Apache-2.0
//
// The selection for all lanes of a switch, against the rule for each lane. Ports, options, credits
// and owners are drawn in every cycle; often some ports have equal credits.

#include "bench.h"
#include "oracle/lanes.h"
#include "oracle/scan.h"

enum { P, NUM_VCS, DEPTH, FLOW_CONTROL, SELECT, ATOMIC, ESCAPE, MOST_PORTS = 8, MOST_LANES = 32 };

struct state {
    int unused;
};

static void put_credits(struct bits *in, const int *p, unsigned lanes)
{
    const unsigned depth = (unsigned)p[DEPTH];
    for (unsigned l = 0; l < lanes; l++)
        put(in, count_width(depth),
            chance(mood(l % 4)) ? random_below(depth + 1)
            : chance(70)        ? depth
                                : 0);
}

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned ports = (unsigned)p[P], lanes = ports * (unsigned)p[NUM_VCS];
    (void)state;
    put(in, lanes, random_bits(lanes) | random_bits(lanes));
    for (unsigned l = 0; l < lanes; l++)
        put(in, lanes, chance(20) ? 0 : random_bits(lanes));
    for (unsigned l = 0; l < lanes; l++)
        put(in, 7, 1 + random_below((unsigned)p[DEPTH]));
    for (unsigned i = 0; i < ports; i++)
        put(in, ports, chance(80) ? onehot((int)random_below(ports)) : 0);
    put(in, ports, chance(50) ? onehot((int)ports - 1) : random_bits(ports));
    put(in, 8, random_bits(8));
    put_credits(in, p, lanes);
}

struct seen {
    struct oracle_out_lane lanes[MOST_LANES];
    struct oracle_route options[MOST_LANES];
    unsigned need[MOST_LANES];
    int straight[MOST_PORTS];
};

static void take_lanes(struct bits *in, const int *p, struct seen *seen)
{
    const unsigned ports = (unsigned)p[P], num_vcs = (unsigned)p[NUM_VCS], lanes = ports * num_vcs;
    for (unsigned l = 0; l < lanes; l++)
        seen->lanes[l].owned = !take(in, "free", 1);
    for (unsigned l = 0; l < lanes; l++)
        for (unsigned o = 0; o < ports; o++)
            seen->options[l].lanes[o] = (uint8_t)take(in, "set", num_vcs);
    for (unsigned l = 0; l < lanes; l++) {
        seen->need[l] = oracle_need(p[FLOW_CONTROL], (unsigned)take(in, "length", 7));
    }
    for (unsigned i = 0; i < ports; i++)
        seen->straight[i] = oracle_cyclic_first(ports, take(in, "straight", ports), 0);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned ports = (unsigned)p[P], num_vcs = (unsigned)p[NUM_VCS], lanes = ports * num_vcs;
    struct seen seen = {0};
    int expected[MOST_LANES];
    uint64_t vcs[MOST_LANES];
    (void)state;

    take_lanes(in, p, &seen);
    struct oracle_selection s = {.num_ports = ports,
                                 .num_vcs = num_vcs,
                                 .depth = (unsigned)p[DEPTH],
                                 .select = p[SELECT],
                                 .atomic = p[ATOMIC],
                                 .escapes = (unsigned)p[ESCAPE]};
    for (unsigned o = 0; o < ports; o++)
        s.out[o] = &seen.lanes[o * num_vcs];
    s.terminals = take(in, "terminals", ports);
    s.random = (uint8_t)take(in, "random", 8);
    for (unsigned l = 0; l < lanes; l++)
        seen.lanes[l].credits = (unsigned)take(in, "credits", count_width(s.depth));
    for (unsigned l = 0; l < lanes; l++) {
        s.need = seen.need[l];
        s.straight = seen.straight[l / num_vcs];
        expected[l] = oracle_select(&s, &seen.options[l], &vcs[l]);
    }
    for (unsigned l = 0; l < lanes; l++)
        expect(out, "port", ports, onehot(expected[l]));
    for (unsigned l = 0; l < lanes; l++)
        expect(out, "vcs", num_vcs, vcs[l]);
}

static const struct bench_module module = {
    .name = "anl_options",
    .parameters = "NumPorts, NumVcs, Depth, FlowControl, Select, Atomic, Escape",
    .state_bytes = sizeof(struct state),
    .cycles = 8000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
