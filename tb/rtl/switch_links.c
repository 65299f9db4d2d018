// SPDX-License-Identifier: Apache-2.0
//
// A whole switch at its links: this file drives the links and checks what comes out.

#include "switch_bench.h"

// What the links into and out of a switch carry in a cycle, as the RTL says it: a bit of valid is
// that of a port, a bit of credit that of a lane.
struct wires {
    uint64_t valid, credit, flits[ORACLE_PORTS];
    unsigned vcs[ORACLE_PORTS];
};

// Loops over every lane of every port, for one field of its state.
#define FOR_LANES(shape, p, v)                                                                     \
    for (unsigned p = 0; p < (shape)->num_ports; p++)                                              \
        for (unsigned v = 0; v < (shape)->num_vcs; v++)

// A credit on a chained link counts in the cycle in which it comes back.
static void return_credits(struct switch_bench *b, uint64_t credit)
{
    const struct oracle_shape *shape = &b->s.shape;
    FOR_LANES(shape, o, w)
    b->s.out[o][w].returning = b->chained >> o & 1 && credit >> (o * shape->num_vcs + w) & 1;
}

// Each output lane with less than Depth credits may get one back.
static uint64_t draw_credits(const struct switch_bench *b)
{
    const struct oracle_shape *shape = &b->s.shape;
    uint64_t credit = 0;

    for (unsigned l = 0; l < shape->num_ports * shape->num_vcs; l++) {
        const struct oracle_out_lane *lane = &b->s.out[l / shape->num_vcs][l % shape->num_vcs];
        credit |= (uint64_t)(lane->credits < shape->depth && chance(mood(l / 2 + 3))) << l;
    }
    return credit;
}

// Returns whether lane v of port p gives up a flit in this cycle.
static bool leaves(const struct switch_bench *b, const struct oracle_decisions *d, unsigned p,
                   unsigned v)
{
    for (unsigned o = 0; o < b->s.shape.num_ports; o++)
        if (d->winners[o] == (int)p && d->offers[p].lane == (int)v) return true;
    return false;
}

// Each input link carries the next flit of some lane that has room. On a chained link, a lane that
// gives up a flit in this cycle has room too.
void drive_links(struct switch_bench *b, struct bits *in)
{
    const struct oracle_shape *shape = &b->s.shape;
    const unsigned width = b->layout.flit_w + 2;
    struct wires wires = {.credit = draw_credits(b)};
    struct oracle_decisions d;

    return_credits(b, wires.credit);
    if (b->chained_in) oracle_decide(&b->s, &d);
    for (unsigned p = 0; p < shape->num_ports; p++) {
        const unsigned v = wires.vcs[p] = (unsigned)random_below(shape->num_vcs);
        const bool gets_room = b->chained_in >> p & 1 && leaves(b, &d, p, v);
        const bool has_room = b->s.in[p][v].count < shape->depth || gets_room;
        const bool sends = has_room && !bench_in_reset() && chance(mood(p));
        wires.flits[p] = sends ? random_flit(b, p, &b->left[p][v]) : random_bits(width);
        wires.valid |= (uint64_t)sends << p;
    }
    put(in, 32, b->seed);
    put(in, shape->num_ports, wires.valid);
    for (unsigned p = 0; p < shape->num_ports; p++)
        put(in, index_width(shape->num_vcs), wires.vcs[p]);
    for (unsigned p = 0; p < shape->num_ports; p++)
        put(in, width, wires.flits[p]);
    put(in, shape->num_ports * shape->num_vcs, wires.credit);
}

static struct wires take_links(const struct switch_bench *b, struct bits *in)
{
    const struct oracle_shape *shape = &b->s.shape;
    struct wires wires;

    take(in, "seed", 32);
    wires.valid = take(in, "valid", shape->num_ports);
    for (unsigned p = 0; p < shape->num_ports; p++)
        wires.vcs[p] = (unsigned)take(in, "vc", index_width(shape->num_vcs));
    for (unsigned p = 0; p < shape->num_ports; p++)
        wires.flits[p] = take(in, "flit", b->layout.flit_w + 2);
    wires.credit = take(in, "credit", shape->num_ports * shape->num_vcs);
    return wires;
}

// Returns what the links of the oracle show, as the RTL says it.
static struct wires wires_of(const struct switch_bench *b, const struct oracle_links *links)
{
    const struct oracle_shape *shape = &b->s.shape;
    struct wires wires = {0};
    for (unsigned p = 0; p < shape->num_ports; p++) {
        wires.credit |= links->credit[p] << p * shape->num_vcs;
        if (!links->valid[p]) continue;
        wires.valid |= onehot((int)p);
        wires.vcs[p] = (unsigned)oracle_cyclic_first(shape->num_vcs, links->valid[p], 0);
        wires.flits[p] = bits_behind(b, &links->flit[p][wires.vcs[p]]);
    }
    return wires;
}

static void check_links(const struct switch_bench *b, const struct oracle_links *links,
                        struct bits *out)
{
    const struct oracle_shape *shape = &b->s.shape;
    const struct wires wires = wires_of(b, links);
    expect(out, "valid", shape->num_ports, wires.valid);
    for (unsigned o = 0; o < shape->num_ports; o++)
        expect_if(wires.valid >> o & 1, out, "vc", index_width(shape->num_vcs), wires.vcs[o]);
    for (unsigned o = 0; o < shape->num_ports; o++)
        expect_if(wires.valid >> o & 1, out, "flit", b->layout.flit_w + 2, wires.flits[o]);
    expect(out, "credit", shape->num_ports * shape->num_vcs, wires.credit);
}

static void check_lanes(const struct oracle_switch *s, struct bits *out)
{
    const struct oracle_shape *shape = &s->shape;
    const unsigned port_w = index_width(shape->num_ports), vc_w = index_width(shape->num_vcs);
    const unsigned cnt_w = count_width(shape->depth);

    FOR_LANES(shape, p, v) expect(out, "count", cnt_w, s->in[p][v].count);
    FOR_LANES(shape, p, v) expect(out, "bound", 1, s->in[p][v].bound);
    FOR_LANES(shape, p, v)
    expect_if(s->in[p][v].bound, out, "bound_port", port_w, s->in[p][v].port);
    FOR_LANES(shape, p, v) expect_if(s->in[p][v].bound, out, "bound_vc", vc_w, s->in[p][v].vc);
    FOR_LANES(shape, o, w) expect(out, "credit", cnt_w, s->out[o][w].credits);
    FOR_LANES(shape, o, w) expect(out, "owned", 1, s->out[o][w].owned);
    FOR_LANES(shape, o, w)
    expect_if(s->out[o][w].owned, out, "owner_port", port_w, s->out[o][w].port);
    FOR_LANES(shape, o, w) expect_if(s->out[o][w].owned, out, "owner_vc", vc_w, s->out[o][w].vc);
}

static void check_state(const struct oracle_switch *s, struct bits *out)
{
    const struct oracle_shape *shape = &s->shape;
    const unsigned classes = oracle_classes(shape);
    check_lanes(s, out);
    for (unsigned i = 0; i < shape->num_ports * classes; i++)
        expect(out, "in_ptr", index_width(oracle_class_vcs(shape)),
               s->offers[i / classes][i % classes].ptr);
    for (unsigned o = 0; o < shape->num_ports; o++)
        expect(out, "out_ptr", index_width(shape->num_ports), s->grants[o].ptr);
    expect(out, "random", 32, s->random);
    if (classes == 1) return;
    for (unsigned p = 0; p < shape->num_ports; p++)
        expect(out, "favoured", index_width(classes), s->favour[p].class_);
    for (unsigned p = 0; p < shape->num_ports; p++)
        expect(out, "quota", 8, s->favour[p].quota);
}

void check_switch(struct switch_bench *b, struct bits *in, struct bits *out)
{
    const struct wires wires = take_links(b, in);
    struct oracle_switch *s = &b->s;
    struct oracle_decisions d;
    struct oracle_links links;

    return_credits(b, wires.credit);
    oracle_decide(s, &d);
    oracle_show(s, &d, &links);
    check_links(b, &links, out);
    check_state(s, out);

    oracle_move(s, &d);
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        if (wires.valid >> p & 1) enter_lane(b, p, wires.vcs[p], wires.flits[p]);
    FOR_LANES(&s->shape, o, w)
    s->out[o][w].credits += wires.credit >> (o * s->shape.num_vcs + w) & 1;
}
