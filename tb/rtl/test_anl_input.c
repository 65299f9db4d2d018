// SPDX-License-Identifier: Apache-2.0
//
// The input port alone: the state of the switch's output lanes is drawn anew in every cycle.

#include "switch_rules.h"

#define HERE UINT64_C(0x2545f491)  // low bits of the label that destinations are compared with

static struct route route(const struct switch_state *s, struct place at, uint64_t dst,
                          uint64_t path)
{
    const unsigned num_ports = s->shape.num_ports, port = (unsigned)((dst + path) % num_ports);
    const bool either =
        s->shape.path == PATH_GREEDY && dst >> (s->shape.dst_w - 1) && port == num_ports - 2;
    (void)at;
    return (struct route){port, ones(s->shape.num_vcs), either};
}

static uint64_t destination(const struct switch_state *s, unsigned p)
{
    (void)p;
    return random_bits(s->shape.dst_w);
}

static void reset(void *state, const int *p)
{
    struct switch_state *s = state;
    s->shape = shape_of_parameters(p);
    s->route = route;
    s->destination = destination;
    switch_reset(s);
}

static void drive_link(struct switch_state *s, struct bits *in)
{
    const unsigned vc = (unsigned)random_below(s->shape.num_vcs);
    const bool room = s->in[0][vc].count < s->shape.depth && !bench_in_reset();
    const bool sends = room && chance(mood(0));

    put(in, 1, sends);
    put(in, index_width(s->shape.num_vcs), vc);
    put(in, s->shape.flit_w + 2, sends ? random_flit(s, 0, &s->left[0][vc]) : 0);
}

static void draw_outputs(struct switch_state *s)
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
static void keep_room(struct switch_state *s)
{
    for (unsigned v = 0; v < s->shape.num_vcs && admits_whole(s->shape.admission); v++) {
        const struct input_lane *lane = &s->in[0][v];
        if (lane->bound && s->out[lane->port][lane->vc].credits == 0)
            s->out[lane->port][lane->vc].credits = 1;
    }
}

static void put_flags(const struct switch_state *s, struct bits *in)
{
    const unsigned lanes = s->shape.num_ports * s->shape.num_vcs;
    uint64_t free = 0, has_credit = 0, all_credits = 0;

    for (unsigned l = 0; l < lanes; l++) {
        const struct output_lane *lane = &s->out[l / s->shape.num_vcs][l % s->shape.num_vcs];
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
    struct switch_state *s = state;
    (void)p;
    put(in, 8, random_bits(8));
    drive_link(s, in);
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
static void check_take(const struct switch_state *s, const struct offer *offer, struct bits *out)
{
    const unsigned num_vcs = s->shape.num_vcs, last = s->shape.num_ports - 1;
    const uint64_t others = offer->ports & ~onehot((int)last);
    const bool choice = (num_vcs > 1 || s->shape.path == PATH_GREEDY) && s->shape.scan != FAVOUR;

    if (others || (offer->ports == 0 && choice))
        expect(out, "take", num_vcs,
               others ? onehot((int)offer->take[cyclic_first(last, others, 0)]) : 0);
    else
        ignore(out, "take", num_vcs);
    if (offer->ports >> last)
        expect(out, "take_last", num_vcs, onehot((int)offer->take[last]));
    else
        ignore(out, "take_last", num_vcs);
}

static void check_offer(const struct switch_state *s, const struct offer *offer, bool granted,
                        struct bits *out)
{
    const unsigned num_vcs = s->shape.num_vcs;
    const bool offers = offer->lane >= 0;

    expect(out, "request", s->shape.num_ports, offer->ports);
    check_take(s, offer, out);
    if (offers) {
        expect(out, "lane", index_width(num_vcs), (uint64_t)offer->lane);
        expect(out, "stamp", 16, scan_is_stamped(s->shape.scan) ? offer->rank : 0);
        expect(out, "flit", s->shape.flit_w + 2, offer->flit);
    } else {
        ignore(out, "lane", index_width(num_vcs));
        ignore(out, "stamp", 16);
        ignore(out, "flit", s->shape.flit_w + 2);
    }
    expect(out, "credit", num_vcs, granted ? onehot(offer->lane) : 0);
}

static void check_lanes(const struct switch_state *s, struct bits *out)
{
    const unsigned num_vcs = s->shape.num_vcs, port_w = index_width(s->shape.num_ports);
    const struct input_lane *lanes = s->in[0];

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
    expect(out, "in_ptr", index_width(num_vcs), s->in_ptr[0][0]);
    for (unsigned v = 0; v < num_vcs; v++)
        lanes[v].count ? expect(out, "differs", s->shape.dst_w,
                                (lanes[v].flits[0] ^ HERE) & ones(s->shape.dst_w))
                       : ignore(out, "differs", s->shape.dst_w);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct switch_state *s = state;
    const unsigned num_vcs = s->shape.num_vcs, lanes = s->shape.num_ports * num_vcs;
    (void)p;
    const struct offer offer = offer_of(s, 0, (uint8_t)take(in, "random", 8));
    const bool valid = take(in, "valid", 1);
    const unsigned vc = (unsigned)take(in, "vc", index_width(num_vcs));
    const uint64_t flit = take(in, "flit", s->shape.flit_w + 2);
    take(in, "free", lanes);
    take(in, "has_credit", lanes);
    take(in, "home", lanes);
    for (unsigned l = 0; l < lanes; l++)
        take(in, "credits", count_width(s->shape.depth));
    const bool granted = take(in, "grant", 1) && offer.lane >= 0;
    const bool by_last = take(in, "last", 1);

    check_offer(s, &offer, granted, out);
    check_lanes(s, out);
    const int first = cyclic_first(s->shape.num_ports, offer.ports, 0);
    const int last = cyclic_first(s->shape.num_ports, offer.ports, s->shape.num_ports - 1);
    move_favours(s, 0);
    if (granted) leave_lane(s, 0, (unsigned)(by_last ? last : first), &offer);
    if (valid) enter_lane(&s->in[0][vc], flit);
}

static const struct bench_module module = {
    .name = "anl_input",
    .parameters =
        "NumPorts, NumVcs, Depth, FlitW, DstW, Scan, Admission, LengthInHead, Path, PathW",
    .state_bytes = sizeof(struct switch_state),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
