// SPDX-License-Identifier: Apache-2.0
//
// A whole switch at its links: this file drives the links and checks what comes out.

#include "switch_rules.h"

// A credit on a chained link counts in the cycle in which it comes back.
static void return_credits(struct switch_state *s, uint64_t credit)
{
    s->returning = 0;
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        if (s->shape.chained >> o & 1)
            s->returning |= credit & ones(s->shape.num_vcs) << o * s->shape.num_vcs;
}

// Each output lane with less than Depth credits may get one back.
static uint64_t draw_credits(const struct switch_state *s)
{
    const struct shape *shape = &s->shape;
    uint64_t credit = 0;

    for (unsigned l = 0; l < shape->num_ports * shape->num_vcs; l++) {
        const struct output_lane *lane = &s->out[l / shape->num_vcs][l % shape->num_vcs];
        credit |= (uint64_t)(lane->credits < shape->depth && chance(mood(l / 2 + 3))) << l;
    }
    return credit;
}

// Returns the input lanes that give up a flit in this cycle, one bit per lane.
static uint64_t leaving(const struct switch_state *s)
{
    struct decisions d;
    uint64_t lanes = 0;

    decide(s, &d);
    for (unsigned o = 0; o < s->shape.num_ports; o++) {
        const int p = d.winners[o];
        if (p >= 0) lanes |= onehot(p * (int)s->shape.num_vcs + d.offers[p].lane);
    }
    return lanes;
}

// Each input link carries the next flit of some lane that has room. On a chained link, a lane that
// gives up a flit in this cycle has room too.
void drive_links(struct switch_state *s, struct bits *in)
{
    const struct shape *shape = &s->shape;
    const uint64_t credit = draw_credits(s);
    uint64_t valid = 0, room, flits[MAX_PORTS];
    unsigned vcs[MAX_PORTS];

    return_credits(s, credit);
    room = shape->chained_in ? leaving(s) : 0;
    for (unsigned p = 0; p < shape->num_ports; p++) {
        const unsigned v = vcs[p] = (unsigned)random_below(shape->num_vcs);
        const bool gets_room = shape->chained_in >> p & room >> (p * shape->num_vcs + v) & 1;
        const bool has_room = s->in[p][v].count < shape->depth || gets_room;
        const bool sends = has_room && !bench_in_reset() && chance(mood(p));
        flits[p] = sends ? random_flit(s, p, &s->left[p][v]) : random_bits(shape->flit_w + 2);
        valid |= (uint64_t)sends << p;
    }
    put(in, 32, s->seed);
    put(in, shape->num_ports, valid);
    for (unsigned p = 0; p < shape->num_ports; p++)
        put(in, index_width(shape->num_vcs), vcs[p]);
    for (unsigned p = 0; p < shape->num_ports; p++)
        put(in, shape->flit_w + 2, flits[p]);
    put(in, shape->num_ports * shape->num_vcs, credit);
}

// Loops over every lane of every port, for one field of its state.
#define FOR_LANES(s, p, v)                                                                         \
    for (unsigned p = 0; p < (s)->shape.num_ports; p++)                                            \
        for (unsigned v = 0; v < (s)->shape.num_vcs; v++)

static void check_state(const struct switch_state *s, struct bits *out)
{
    const unsigned port_w = index_width(s->shape.num_ports), vc_w = index_width(s->shape.num_vcs);
    const unsigned cnt_w = count_width(s->shape.depth);

    FOR_LANES(s, p, v) expect(out, "count", cnt_w, s->in[p][v].count);
    FOR_LANES(s, p, v) expect(out, "bound", 1, s->in[p][v].bound);
    FOR_LANES(s, p, v)
    expect_if(s->in[p][v].bound, out, "bound_port", port_w, s->in[p][v].port);
    FOR_LANES(s, p, v) expect_if(s->in[p][v].bound, out, "bound_vc", vc_w, s->in[p][v].vc);
    FOR_LANES(s, o, w) expect(out, "credit", cnt_w, s->out[o][w].credits);
    FOR_LANES(s, o, w) expect(out, "owned", 1, s->out[o][w].owned);
    FOR_LANES(s, o, w)
    expect_if(s->out[o][w].owned, out, "owner_port", port_w, s->out[o][w].port);
    FOR_LANES(s, o, w) expect_if(s->out[o][w].owned, out, "owner_vc", vc_w, s->out[o][w].vc);
    const unsigned classes = classes_of(&s->shape);
    for (unsigned i = 0; i < s->shape.num_ports * classes; i++)
        expect(out, "in_ptr", index_width(class_vcs(&s->shape)),
               s->in_ptr[i / classes][i % classes]);
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        expect(out, "out_ptr", port_w, s->out_ptr[o]);
    expect(out, "random", 32, s->random);
    if (classes == 1) return;
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        expect(out, "favoured", index_width(classes), s->favour[p].class_);
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        expect(out, "quota", 8, s->favour[p].quota);
}

// Returns the flits that are granted, and the credits of those that leave their lanes.
static struct links links_of(const struct switch_state *s, const struct decisions *d)
{
    struct links links = {0};
    for (unsigned o = 0; o < s->shape.num_ports; o++) {
        const int p = d->winners[o];
        if (p < 0) continue;
        const struct offer *granted = &d->offers[p];
        links.valid |= onehot((int)o);
        links.credit |= onehot(p * (int)s->shape.num_vcs + granted->lane);
        links.vcs[o] = granted->take[o];
        links.flits[o] = flit_behind(&s->shape, granted->flit);
    }
    return links;
}

static void check_links(const struct shape *shape, const struct links *links, struct bits *out)
{
    expect(out, "valid", shape->num_ports, links->valid);
    for (unsigned o = 0; o < shape->num_ports; o++)
        expect_if(links->valid >> o & 1, out, "vc", index_width(shape->num_vcs), links->vcs[o]);
    for (unsigned o = 0; o < shape->num_ports; o++)
        expect_if(links->valid >> o & 1, out, "flit", shape->flit_w + 2, links->flits[o]);
    expect(out, "credit", shape->num_ports * shape->num_vcs, links->credit);
}

// The generator steps if some input lane of the switch holds a flit (docs/random.md).
static void step_random(struct switch_state *s)
{
    unsigned held = 0;
    uint32_t r = s->random;
    FOR_LANES(s, p, v) held += s->in[p][v].count;
    r ^= r << 13;
    r ^= r >> 17;
    r ^= r << 5;
    if (held) s->random = r;
}

static struct links take_links(const struct switch_state *s, struct bits *in)
{
    const struct shape *shape = &s->shape;
    struct links links;

    take(in, "seed", 32);
    links.valid = take(in, "valid", shape->num_ports);
    for (unsigned p = 0; p < shape->num_ports; p++)
        links.vcs[p] = (unsigned)take(in, "vc", index_width(shape->num_vcs));
    for (unsigned p = 0; p < shape->num_ports; p++)
        links.flits[p] = take(in, "flit", shape->flit_w + 2);
    links.credit = take(in, "credit", shape->num_ports * shape->num_vcs);
    return links;
}

void check_switch(struct switch_state *s, struct bits *in, struct bits *out)
{
    const struct links links = take_links(s, in);
    struct decisions d;

    return_credits(s, links.credit);
    decide(s, &d);
    const struct links decided = links_of(s, &d);
    check_links(&s->shape, s->shape.stages > 1 ? &s->registered : &decided, out);
    s->registered = decided;
    check_state(s, out);

    step_random(s);
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        move_favours(s, p);
    for (unsigned o = 0; o < s->shape.num_ports; o++) {
        if (d.winners[o] < 0) continue;
        leave_lane(s, (unsigned)d.winners[o], o, &d.offers[d.winners[o]]);
        send(s, (unsigned)d.winners[o], o, &d.offers[d.winners[o]]);
    }
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        if (links.valid >> p & 1) enter_lane(&s->in[p][links.vcs[p]], links.flits[p]);
    FOR_LANES(s, o, w) s->out[o][w].credits += links.credit >> (o * s->shape.num_vcs + w) & 1;
}
