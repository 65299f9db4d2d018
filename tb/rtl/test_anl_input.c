// SPDX-License-Identifier: Apache-2.0
//
// The input port alone: the state of the switch's output lanes is drawn anew in every cycle.

#include "switch_bench.h"

#define HERE UINT64_C(0x2545f491)  // low bits of the label that destinations are compared with

static struct oracle_route route(const struct switch_bench *b, struct oracle_place at, uint64_t dst,
                                 uint64_t path)
{
    const unsigned num_ports = b->s.shape.num_ports, port = (unsigned)((dst + path) % num_ports);
    struct oracle_route route = oracle_one_port(port, ones(b->s.shape.num_vcs));
    (void)at;
    if (b->layout.path == PATH_GREEDY && dst >> (b->layout.dst_w - 1) && port == num_ports - 2)
        route.lanes[port + 1] = route.lanes[port];
    return route;
}

static uint64_t destination(const struct switch_bench *b, unsigned p)
{
    (void)p;
    return random_bits(b->layout.dst_w);
}

static void reset(void *state, const int *p)
{
    struct switch_bench *b = state;
    set_shape(b, p);
    b->route = route;
    b->destination = destination;
    reset_bench(b);
}

static void drive_link(struct switch_bench *b, struct bits *in)
{
    const struct oracle_switch *s = &b->s;
    const unsigned vc = (unsigned)random_below(s->shape.num_vcs);
    const bool room = s->in[0][vc].count < s->shape.depth && !bench_in_reset();
    const bool sends = room && chance(mood(0));

    put(in, 1, sends);
    put(in, index_width(s->shape.num_vcs), vc);
    put(in, b->layout.flit_w + 2, sends ? random_flit(b, 0, &b->left[0][vc]) : 0);
}

static void draw_outputs(struct oracle_switch *s)
{
    for (unsigned o = 0; o < s->shape.num_ports; o++) {
        for (unsigned w = 0; w < s->shape.num_vcs; w++) {
            const bool all_credits = chance(mood(1));
            const unsigned credits = (unsigned)random_below(s->shape.depth + 1);
            s->out[o][w].credits = all_credits ? s->shape.depth : credits;
            s->out[o][w].owned = chance(mood(2));
        }
    }
}

// A worm that was admitted as a whole has credits for all its flits.
static void keep_room(struct oracle_switch *s)
{
    for (unsigned v = 0; v < s->shape.num_vcs && admits_whole(s->shape.flow_control); v++) {
        const struct oracle_in_lane *lane = &s->in[0][v];
        if (lane->bound && s->out[lane->port][lane->vc].credits == 0)
            s->out[lane->port][lane->vc].credits = 1;
    }
}

static void put_flags(const struct oracle_switch *s, struct bits *in)
{
    const unsigned lanes = s->shape.num_ports * s->shape.num_vcs;
    uint64_t free = 0, has_credit = 0, all_credits = 0;

    for (unsigned l = 0; l < lanes; l++) {
        const struct oracle_out_lane *lane = &s->out[l / s->shape.num_vcs][l % s->shape.num_vcs];
        free |= (uint64_t)!lane->owned << l;
        has_credit |= (uint64_t)(lane->credits > 0) << l;
        all_credits |= (uint64_t)(lane->credits == s->shape.depth) << l;
    }
    put(in, lanes, free);
    put(in, lanes, has_credit);
    put(in, lanes, all_credits);
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct switch_bench *b = state;
    struct oracle_switch *s = &b->s;
    (void)p;
    put(in, 8, random_bits(8));
    drive_link(b, in);
    draw_outputs(s);
    keep_room(s);
    put_flags(s, in);
    for (unsigned l = 0; l < s->shape.num_ports * s->shape.num_vcs; l++)
        put(in, count_width(s->shape.depth),
            s->out[l / s->shape.num_vcs][l % s->shape.num_vcs].credits);
    put(in, 1, chance(mood(3)));
    put(in, 1, chance(50));
}

// take is for all ports but the last, take_last for the last. Without an offer, take is 0 if there
// is a choice, and has no meaning for a single lane, nor for a lane that asks in vain.
static void check_take(const struct switch_bench *b, const struct oracle_offer *offer,
                       struct bits *out)
{
    const struct oracle_switch *s = &b->s;
    const unsigned num_vcs = s->shape.num_vcs, last = s->shape.num_ports - 1;
    const uint64_t others = offer->ports & ~onehot((int)last);
    const bool choice =
        (num_vcs > 1 || b->layout.path == PATH_GREEDY) && s->shape.arbiter != REGISTERED_PRIORITY;

    if (others || (offer->ports == 0 && choice))
        expect(out, "take", num_vcs,
               others ? onehot((int)offer->take[oracle_cyclic_first(last, others, 0)]) : 0);
    else
        ignore(out, "take", num_vcs);
    if (offer->ports >> last)
        expect(out, "take_last", num_vcs, onehot((int)offer->take[last]));
    else
        ignore(out, "take_last", num_vcs);
}

static void check_offer(const struct switch_bench *b, const struct oracle_offer *offer,
                        bool granted, struct bits *out)
{
    const struct oracle_switch *s = &b->s;
    const unsigned num_vcs = s->shape.num_vcs;
    const bool offers = offer->lane >= 0;

    expect(out, "request", s->shape.num_ports, offer->ports);
    check_take(b, offer, out);
    if (offers) {
        expect(out, "lane", index_width(num_vcs), (uint64_t)offer->lane);
        expect(out, "stamp", 16, scan_is_stamped(s->shape.arbiter) ? offer->rank : 0);
        expect(out, "flit", b->layout.flit_w + 2, offer->flit.data);
    } else {
        ignore(out, "lane", index_width(num_vcs));
        ignore(out, "stamp", 16);
        ignore(out, "flit", b->layout.flit_w + 2);
    }
    expect(out, "credit", num_vcs, granted ? onehot(offer->lane) : 0);
}

static void check_lanes(const struct switch_bench *b, struct bits *out)
{
    const struct oracle_switch *s = &b->s;
    const unsigned num_vcs = s->shape.num_vcs, port_w = index_width(s->shape.num_ports);
    const struct oracle_in_lane *lanes = s->in[0];

    for (unsigned v = 0; v < num_vcs; v++)
        expect(out, "held", 1, lanes[v].count > 0);
    for (unsigned v = 0; v < num_vcs; v++)
        expect(out, "count", count_width(s->shape.depth), lanes[v].count);
    for (unsigned v = 0; v < num_vcs; v++)
        expect(out, "bound", 1, lanes[v].bound);
    for (unsigned v = 0; v < num_vcs; v++)
        lanes[v].bound ? expect(out, "bound_port", port_w, lanes[v].port)
                       : ignore(out, "bound_port", port_w);
    for (unsigned v = 0; v < num_vcs; v++)
        lanes[v].bound ? expect(out, "bound_vc", index_width(num_vcs), lanes[v].vc)
                       : ignore(out, "bound_vc", index_width(num_vcs));
    expect(out, "in_ptr", index_width(num_vcs), s->offers[0][0].ptr);
    for (unsigned v = 0; v < num_vcs; v++)
        lanes[v].count ? expect(out, "differs", b->layout.dst_w,
                                (lanes[v].flit[0].data ^ HERE) & ones(b->layout.dst_w))
                       : ignore(out, "differs", b->layout.dst_w);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct switch_bench *b = state;
    struct oracle_switch *s = &b->s;
    const unsigned num_vcs = s->shape.num_vcs, lanes = s->shape.num_ports * num_vcs;
    (void)p;
    const struct oracle_offer offer = oracle_offer(s, 0, (uint8_t)take(in, "random", 8));
    const bool valid = take(in, "valid", 1);
    const unsigned vc = (unsigned)take(in, "vc", index_width(num_vcs));
    const uint64_t flit = take(in, "flit", b->layout.flit_w + 2);
    take(in, "free", lanes);
    take(in, "has_credit", lanes);
    take(in, "home", lanes);
    for (unsigned l = 0; l < lanes; l++)
        take(in, "credits", count_width(s->shape.depth));
    const bool granted = take(in, "grant", 1) && offer.lane >= 0;
    const bool by_last = take(in, "last", 1);

    check_offer(b, &offer, granted, out);
    check_lanes(b, out);
    const int first = oracle_cyclic_first(s->shape.num_ports, offer.ports, 0);
    const int last = oracle_cyclic_first(s->shape.num_ports, offer.ports, s->shape.num_ports - 1);
    oracle_end_input(s, 0, !granted ? ORACLE_NONE : by_last ? last : first, &offer);
    if (valid) enter_lane(b, 0, vc, flit);
}

static const struct bench_module module = {
    .name = "anl_input",
    .parameters =
        "NumPorts, NumVcs, Depth, FlitW, DstW, Arbiter, FlowControl, LengthInHead, Path, PathW",
    .state_bytes = sizeof(struct switch_bench),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
