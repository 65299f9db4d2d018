// SPDX-License-Identifier: Apache-2.0
//
// The output port alone: the offers are drawn from those that input ports could make to it.

#include "switch_rules.h"

// The state of the rules, and with two stages what was granted in the cycle before.
struct bench_state {
    struct switch_state rules;
    struct offer crosses;
};

// Returns the credits of a lane that count in this cycle.
static unsigned usable(const struct switch_state *s, unsigned w)
{
    return s->out[0][w].credits + (unsigned)(s->returning >> w & 1);
}

// Returns an offer of a lane of port p: for a lane that it owns, or for any lane that a head could
// take.
static struct offer draw_offer(const struct switch_state *s, unsigned p)
{
    const unsigned v = (unsigned)random_below(s->shape.num_vcs);
    uint64_t can = 0;
    bool head = true;

    for (unsigned w = 0; w < s->shape.num_vcs; w++) {
        const struct output_lane *lane = &s->out[0][w];
        const bool mine = lane->owned && lane->port == p && lane->vc == v;
        if (mine) head = false, can = 0;
        if (usable(s, w) > 0 && (mine || (head && !lane->owned))) can |= onehot((int)w);
        if (mine) break;
    }
    if (can == 0 || !chance(mood(p))) return (struct offer){.lane = RULES_NONE};
    const unsigned start = (unsigned)random_below(s->shape.num_vcs);
    const int take = cyclic_first(s->shape.num_vcs, can, start);
    const uint64_t marks = (uint64_t)head << 1 | (uint64_t)chance(mood(7));
    return (struct offer){(int)v,
                          1,
                          {(unsigned)take},
                          (uint16_t)(bench_cycle() - random_below(99)),
                          marks << s->shape.flit_w | random_bits(s->shape.flit_w)};
}

static void reset(void *state, const int *p)
{
    struct switch_state *s = state;
    s->shape = (struct shape){.num_ports = (unsigned)p[0],
                              .num_vcs = (unsigned)p[1],
                              .depth = (unsigned)p[2],
                              .flit_w = (unsigned)p[3],
                              .dst_w = 6,
                              .scan = p[4],
                              .admission = WORMHOLE,
                              .chained = (unsigned)p[5]};
    switch_reset(s);
    ((struct bench_state *)state)->crosses = (struct offer){.lane = RULES_NONE};
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct switch_state *s = state;
    const unsigned num_ports = s->shape.num_ports, num_vcs = s->shape.num_vcs;
    struct offer offers[MAX_PORTS];
    uint64_t request = 0, credit = 0;

    for (unsigned w = 0; w < num_vcs; w++)
        credit |= (uint64_t)(s->out[0][w].credits < s->shape.depth && chance(mood(w + 4))) << w;
    s->returning = s->shape.chained ? credit : 0;
    for (unsigned i = 0; i < num_ports; i++) {
        offers[i] = p[6] >> i & 1 ? draw_offer(s, i) : (struct offer){.lane = RULES_NONE};
        request |= (uint64_t)(offers[i].lane >= 0) << i;
    }
    put(in, 8, random_bits(8));
    put(in, num_ports, request);
    for (unsigned i = 0; i < num_ports; i++)
        put(in, num_vcs, onehot((int)offers[i].take[0]));
    for (unsigned i = 0; i < num_ports; i++)
        put(in, index_width(num_vcs), (uint64_t)offers[i].lane);
    for (unsigned i = 0; i < num_ports; i++)
        put(in, 16, offers[i].rank);
    for (unsigned i = 0; i < num_ports; i++)
        put(in, s->shape.flit_w + 2, offers[i].flit);
    put(in, num_vcs, credit);
}

static void take_worms(const struct switch_state *s, struct bits *in, struct offer *offers)
{
    const unsigned num_ports = s->shape.num_ports, num_vcs = s->shape.num_vcs;
    const uint64_t request = take(in, "request", num_ports);

    for (unsigned i = 0; i < num_ports; i++) {
        const int lane = cyclic_first(num_vcs, take(in, "take", num_vcs), 0);
        offers[i] = (struct offer){.ports = request >> i & 1, .take = {(unsigned)lane}};
    }
    for (unsigned i = 0; i < num_ports; i++) {
        const int lane = (int)take(in, "lane", index_width(num_vcs));
        offers[i].lane = request >> i & 1 ? lane : RULES_NONE;
    }
    for (unsigned i = 0; i < num_ports; i++)
        offers[i].rank = (uint16_t)take(in, "stamp", 16);
    for (unsigned i = 0; i < num_ports; i++)
        offers[i].flit = take(in, "flit", s->shape.flit_w + 2);
}

// Checks the link: what is granted in this cycle crosses it or, with two stages, in the next one.
static void check_link(struct bench_state *state, struct bits *out, unsigned stages,
                       const struct offer *won)
{
    const struct switch_state *s = &state->rules;
    const struct offer granted = won ? *won : (struct offer){.lane = RULES_NONE};
    const struct offer crosses = stages > 1 ? state->crosses : granted;
    state->crosses = granted;
    expect(out, "valid", 1, crosses.lane >= 0);
    if (crosses.lane >= 0) {
        expect(out, "vc", index_width(s->shape.num_vcs), crosses.take[0]);
        expect(out, "flit", s->shape.flit_w + 2, crosses.flit);
    } else {
        ignore(out, "vc", index_width(s->shape.num_vcs));
        ignore(out, "flit", s->shape.flit_w + 2);
    }
}

static void check_lanes(const struct switch_state *s, struct bits *out)
{
    const unsigned num_vcs = s->shape.num_vcs, port_w = index_width(s->shape.num_ports);
    const struct output_lane *lanes = s->out[0];

    for (unsigned w = 0; w < num_vcs; w++)
        expect(out, "has_credit", 1, usable(s, w) > 0);
    for (unsigned w = 0; w < num_vcs; w++)
        expect(out, "home", 1, usable(s, w) == s->shape.depth);
    for (unsigned w = 0; w < num_vcs; w++)
        expect(out, "usable", count_width(s->shape.depth), usable(s, w));
    for (unsigned w = 0; w < num_vcs; w++)
        expect(out, "credits", count_width(s->shape.depth), lanes[w].credits);
    for (unsigned w = 0; w < num_vcs; w++)
        expect(out, "owned", 1, lanes[w].owned);
    for (unsigned w = 0; w < num_vcs; w++)
        lanes[w].owned ? expect(out, "owner_port", port_w, lanes[w].port)
                       : ignore(out, "owner_port", port_w);
    for (unsigned w = 0; w < num_vcs; w++)
        lanes[w].owned ? expect(out, "owner_vc", index_width(num_vcs), lanes[w].vc)
                       : ignore(out, "owner_vc", index_width(num_vcs));
    expect(out, "out_ptr", port_w, s->out_ptr[0]);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct switch_state *s = state;
    const unsigned num_ports = s->shape.num_ports, num_vcs = s->shape.num_vcs;
    struct offer offers[MAX_PORTS + 1];
    const uint8_t random = (uint8_t)take(in, "random", 8);
    take_worms(s, in, offers);
    const uint64_t credit = take(in, "credit", num_vcs);
    s->returning = s->shape.chained ? credit : 0;
    const int winner = winner_of(s, 0, offers, random);
    const struct offer *won = &offers[winner < 0 ? 0 : winner];

    expect(out, "grant", num_ports, onehot(winner));
    check_link(state, out, (unsigned)p[7], winner >= 0 ? won : NULL);
    check_lanes(s, out);

    for (unsigned w = 0; w < num_vcs; w++)
        s->out[0][w].credits += credit >> w & 1;
    if (winner >= 0) send(s, (unsigned)winner, 0, won);
}

static const struct bench_module module = {
    .name = "anl_output",
    .parameters = "NumPorts, NumVcs, Depth, FlitW, Scan, Chained, Turns, Stages",
    .state_bytes = sizeof(struct bench_state),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
