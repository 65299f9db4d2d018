// SPDX-License-Identifier: Apache-2.0
//
// The output port alone: the offers are drawn from those that input ports could make to it.

#include "switch_bench.h"

// Returns the credits of a lane that count in this cycle.
static unsigned usable(const struct oracle_switch *s, unsigned w)
{
    return oracle_credits(&s->out[0][w], true);
}

// Returns an offer of a lane of port p: for a lane that it owns, or for any lane that a head could
// take.
static struct oracle_offer draw_offer(const struct switch_bench *b, unsigned p)
{
    const struct oracle_switch *s = &b->s;
    const unsigned v = (unsigned)random_below(s->shape.num_vcs);
    uint64_t can = 0;
    bool head = true;

    for (unsigned w = 0; w < s->shape.num_vcs; w++) {
        const struct oracle_out_lane *lane = &s->out[0][w];
        const bool mine = lane->owned && lane->port == p && lane->vc == v;
        if (mine) head = false, can = 0;
        if (usable(s, w) > 0 && (mine || (head && !lane->owned))) can |= onehot((int)w);
        if (mine) break;
    }
    if (can == 0 || !chance(mood(p))) return (struct oracle_offer){.lane = ORACLE_NONE};
    const unsigned start = (unsigned)random_below(s->shape.num_vcs);
    const int take = oracle_cyclic_first(s->shape.num_vcs, can, start);
    const uint64_t marks = (uint64_t)head << 1 | (uint64_t)chance(mood(7));
    const uint16_t rank = (uint16_t)(bench_cycle() - random_below(99));
    const uint64_t bits = marks << b->layout.flit_w | random_bits(b->layout.flit_w);
    return (struct oracle_offer){
        .lane = (int)v, .ports = 1, .take = {(unsigned)take}, .rank = rank, .flit.data = bits};
}

static void reset(void *state, const int *p)
{
    struct switch_bench *b = state;
    b->s.shape = (struct oracle_shape){.num_ports = (unsigned)p[0],
                                       .num_vcs = (unsigned)p[1],
                                       .depth = (unsigned)p[2],
                                       .arbiter = p[4],
                                       .flow_control = WORMHOLE,
                                       .stages = (unsigned)p[7]};
    b->layout = (struct layout){.flit_w = (unsigned)p[3], .dst_w = 6};
    b->chained = (unsigned)p[5];
    reset_bench(b);
}

static void return_credits(struct switch_bench *b, uint64_t credit)
{
    for (unsigned w = 0; w < b->s.shape.num_vcs; w++)
        b->s.out[0][w].returning = b->chained && (credit >> w & 1);
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct switch_bench *b = state;
    const struct oracle_switch *s = &b->s;
    const unsigned num_ports = s->shape.num_ports, num_vcs = s->shape.num_vcs;
    struct oracle_offer offers[ORACLE_PORTS];
    uint64_t request = 0, credit = 0;

    for (unsigned w = 0; w < num_vcs; w++)
        credit |= (uint64_t)(s->out[0][w].credits < s->shape.depth && chance(mood(w + 4))) << w;
    return_credits(b, credit);
    for (unsigned i = 0; i < num_ports; i++) {
        offers[i] = p[6] >> i & 1 ? draw_offer(b, i) : (struct oracle_offer){.lane = ORACLE_NONE};
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
        put(in, b->layout.flit_w + 2, offers[i].flit.data);
    put(in, num_vcs, credit);
}

static void take_worms(const struct switch_bench *b, struct bits *in, struct oracle_offer *offers)
{
    const struct oracle_switch *s = &b->s;
    const unsigned num_ports = s->shape.num_ports, num_vcs = s->shape.num_vcs;
    const uint64_t request = take(in, "request", num_ports);

    for (unsigned i = 0; i < num_ports; i++) {
        const int lane = oracle_cyclic_first(num_vcs, take(in, "take", num_vcs), 0);
        offers[i] = (struct oracle_offer){.ports = request >> i & 1, .take = {(unsigned)lane}};
    }
    for (unsigned i = 0; i < num_ports; i++) {
        const int lane = (int)take(in, "lane", index_width(num_vcs));
        offers[i].lane = request >> i & 1 ? lane : ORACLE_NONE;
    }
    for (unsigned i = 0; i < num_ports; i++)
        offers[i].rank = (uint16_t)take(in, "stamp", 16);
    for (unsigned i = 0; i < num_ports; i++)
        offers[i].flit = flit_of(b, take(in, "flit", b->layout.flit_w + 2));
}

// Checks the link: what is granted in this cycle crosses it or, with two stages, in the next one.
static void check_link(const struct switch_bench *b, const struct oracle_decisions *d,
                       struct bits *out)
{
    const struct oracle_switch *s = &b->s;
    struct oracle_links links;
    oracle_show(s, d, &links);
    const int lane = oracle_cyclic_first(s->shape.num_vcs, links.valid[0], 0);
    expect(out, "valid", 1, lane != ORACLE_NONE);
    if (lane != ORACLE_NONE) {
        expect(out, "vc", index_width(s->shape.num_vcs), (uint64_t)lane);
        expect(out, "flit", b->layout.flit_w + 2, links.flit[0][lane].data);
    } else {
        ignore(out, "vc", index_width(s->shape.num_vcs));
        ignore(out, "flit", b->layout.flit_w + 2);
    }
}

static void check_lanes(const struct oracle_switch *s, struct bits *out)
{
    const unsigned num_vcs = s->shape.num_vcs, port_w = index_width(s->shape.num_ports);
    const struct oracle_out_lane *lanes = s->out[0];

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
    expect(out, "out_ptr", port_w, s->grants[0].ptr);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct switch_bench *b = state;
    struct oracle_switch *s = &b->s;
    const unsigned num_ports = s->shape.num_ports, num_vcs = s->shape.num_vcs;
    struct oracle_decisions d;
    (void)p;
    const uint8_t random = (uint8_t)take(in, "random", 8);
    take_worms(b, in, d.offers);
    const uint64_t credit = take(in, "credit", num_vcs);
    return_credits(b, credit);
    for (unsigned o = 1; o < num_ports; o++)
        d.winners[o] = ORACLE_NONE;
    const int winner = d.winners[0] = oracle_winner(s, 0, d.offers, random);

    expect(out, "grant", num_ports, onehot(winner));
    check_link(b, &d, out);
    check_lanes(s, out);

    oracle_register(s, &d);
    for (unsigned w = 0; w < num_vcs; w++)
        s->out[0][w].credits += credit >> w & 1;
    if (winner >= 0) oracle_end_output(s, 0, (unsigned)winner, &d.offers[winner]);
}

static const struct bench_module module = {
    .name = "anl_output",
    .parameters = "NumPorts, NumVcs, Depth, FlitW, Arbiter, CreditBypass, Turns, Stages",
    .state_bytes = sizeof(struct switch_bench),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
