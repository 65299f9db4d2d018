// SPDX-License-Identifier: Apache-2.0
//
// The input port of a wide link alone: the state of the switch's output lanes is drawn anew in
// every cycle, and which of the heads that ask are granted.

#include "switch_bench.h"

#define HERE UINT64_C(0x2545f491)  // low bits of the label that destinations are compared with

// What the front flits of the lanes do.
struct fronts {
    uint64_t usable;       // bit o * num_vcs + w: a flit that is not a head can be sent
    uint64_t grant, last;  // bit v: the head of lane v is granted, if it asks; by the last port
    uint64_t ask, go;      // bit o * num_vcs + v
    uint64_t can[ORACLE_LANES];       // [v] lanes that the head can take at its port
    uint64_t can_last[ORACLE_LANES];  // [v] the same at the last port, if it may ask two
    uint64_t leave;                   // bit v
};

static void reset(void *state, const int *p)
{
    struct switch_bench *b = state;
    spelled_reset(b, p);
    b->s.shape.wide = true;
}

static void drive_link(struct switch_bench *b, struct bits *in)
{
    const struct oracle_switch *s = &b->s;
    uint64_t flits[ORACLE_LANES] = {0}, valid = 0;
    for (unsigned v = 0; v < s->shape.num_vcs; v++) {
        const bool room = s->in[0][v].count < s->shape.depth && !bench_in_reset();
        if (!room || !chance(mood(v))) continue;
        valid |= onehot((int)v);
        flits[v] = random_flit(b, 0, &b->left[0][v]);
    }
    put(in, s->shape.num_vcs, valid);
    for (unsigned v = 0; v < s->shape.num_vcs; v++)
        put(in, b->layout.flit_w + 2, flits[v]);
}

static void draw_outputs(struct oracle_switch *s)
{
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        for (unsigned w = 0; w < s->shape.num_vcs; w++)
            s->out[o][w] = (struct oracle_out_lane){
                .credits =
                    chance(mood(11)) ? s->shape.depth : (unsigned)random_below(s->shape.depth + 1),
                .owned = chance(mood(12))};
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct switch_bench *b = state;
    struct oracle_switch *s = &b->s;
    const unsigned v = s->shape.num_vcs, lanes = s->shape.num_ports * v;
    uint64_t free = 0, has_credit = 0;
    (void)p;
    drive_link(b, in);
    draw_outputs(s);
    for (unsigned l = 0; l < lanes; l++) {
        free |= (uint64_t)!s->out[l / v][l % v].owned << l;
        has_credit |= (uint64_t)(s->out[l / v][l % v].credits > 0) << l;
    }
    put(in, lanes, free);
    put(in, lanes, has_credit);
    for (unsigned l = 0; l < lanes; l++)
        put(in, count_width(s->shape.depth), s->out[l / v][l % v].credits);
    put(in, lanes, random_bits(lanes));
    put(in, v, random_bits(v));
    put(in, v, random_bits(v));
}

// The first port of a route is its port; a second one follows it.
static unsigned first_port(const struct oracle_switch *s, const struct oracle_route *route)
{
    unsigned port = 0;
    while (port + 1 < s->shape.num_ports && !route->lanes[port])
        port++;
    return port;
}

static void look_at_head(const struct oracle_switch *s, unsigned v, struct fronts *f)
{
    const unsigned num_vcs = s->shape.num_vcs;
    const struct oracle_route route = oracle_front(s, 0, v);
    const unsigned port = first_port(s, &route);
    const bool either = port + 1 < s->shape.num_ports && route.lanes[port + 1];
    f->can[v] = oracle_admitting(s, 0, v, &route, port);
    if (either) f->can_last[v] = oracle_admitting(s, 0, v, &route, port + 1);
    f->ask |= (uint64_t)(f->can[v] != 0) << (port * num_vcs + v);
    if (either) f->ask |= (uint64_t)(f->can_last[v] != 0) << ((port + 1) * num_vcs + v);
    if ((f->can[v] || f->can_last[v]) && (f->grant >> v & 1)) f->leave |= onehot((int)v);
}

static void look(const struct oracle_switch *s, struct fronts *f)
{
    const unsigned num_vcs = s->shape.num_vcs;
    for (unsigned v = 0; v < num_vcs; v++) {
        const struct oracle_in_lane *lane = &s->in[0][v];
        if (lane->count == 0) continue;
        if (lane->flit[0].head) {
            look_at_head(s, v, f);
        } else if (f->usable >> (lane->port * num_vcs + lane->vc) & 1) {
            f->go |= onehot((int)(lane->port * num_vcs + v));
            f->leave |= onehot((int)v);
        }
    }
}

// Returns whether a lane has a head at its front, or a flit of another kind.
static bool has(const struct oracle_switch *s, unsigned v, bool head)
{
    const struct oracle_in_lane *lane = &s->in[0][v];
    return lane->count > 0 && lane->flit[0].head == head;
}

static void check_wishes(const struct oracle_switch *s, const struct fronts *f, struct bits *out)
{
    const unsigned num_vcs = s->shape.num_vcs;
    expect(out, "ask", s->shape.num_ports * num_vcs, f->ask);
    for (unsigned w = 0; w < num_vcs; w++)
        for (unsigned v = 0; v < num_vcs; v++)
            expect_if(f->can[v], out, "can", 1, f->can[v] >> w & 1);
    for (unsigned w = 0; w < num_vcs; w++)
        for (unsigned v = 0; v < num_vcs; v++)
            expect_if(f->can_last[v], out, "can_last", 1, f->can_last[v] >> w & 1);
    expect(out, "go", s->shape.num_ports * num_vcs, f->go);
    for (unsigned w = 0; w < num_vcs; w++)
        for (unsigned v = 0; v < num_vcs; v++)
            expect_if(has(s, v, false), out, "bound_to", 1, s->in[0][v].vc == w);
}

static void check_flits(const struct switch_bench *b, const struct fronts *f, struct bits *out)
{
    const struct oracle_switch *s = &b->s;
    const struct oracle_shape *shape = &s->shape;
    for (unsigned v = 0; v < shape->num_vcs; v++)
        expect_if(has(s, v, true), out, "rank", 16, s->in[0][v].flit[0].rank);
    for (unsigned v = 0; v < shape->num_vcs; v++)
        expect_if(s->in[0][v].count, out, "flit", b->layout.flit_w + 2, s->in[0][v].flit[0].data);
    expect(out, "credit", shape->num_vcs, f->leave);
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
        expect_if(lanes[v].bound, out, "bound_port", port_w, lanes[v].port);
    for (unsigned v = 0; v < num_vcs; v++)
        expect_if(lanes[v].bound, out, "bound_vc", index_width(num_vcs), lanes[v].vc);
    for (unsigned v = 0; v < num_vcs; v++)
        expect_if(lanes[v].count, out, "differs", b->layout.dst_w,
                  (lanes[v].flit[0].data ^ HERE) & ones(b->layout.dst_w));
}

// A head that leaves takes the lowest lane that it can take.
static void leave(struct oracle_switch *s, const struct fronts *f, unsigned v)
{
    struct oracle_in_lane *lane = &s->in[0][v];
    if (!lane->flit[0].head) {
        oracle_pop(lane, lane->port, lane->vc);
        return;
    }
    const bool by_last = f->can_last[v] && ((f->last >> v & 1) || !f->can[v]);
    const uint64_t lanes = by_last ? f->can_last[v] : f->can[v];
    const struct oracle_route route = oracle_front(s, 0, v);
    oracle_pop(lane, first_port(s, &route) + by_last,
               (unsigned)oracle_cyclic_first(s->shape.num_vcs, lanes, 0));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct switch_bench *b = state;
    struct oracle_switch *s = &b->s;
    const unsigned num_vcs = s->shape.num_vcs, lanes = s->shape.num_ports * num_vcs;
    struct fronts f = {0};
    uint64_t flits[ORACLE_LANES];
    (void)p;
    const uint64_t valid = take(in, "valid", num_vcs);
    for (unsigned v = 0; v < num_vcs; v++)
        flits[v] = take(in, "flit", b->layout.flit_w + 2);
    take(in, "free", lanes);
    take(in, "has_credit", lanes);
    for (unsigned l = 0; l < lanes; l++)
        take(in, "credits", count_width(s->shape.depth));
    f.usable = take(in, "usable", lanes);
    f.grant = take(in, "grant", num_vcs);
    f.last = take(in, "last", num_vcs);

    look(s, &f);
    check_wishes(s, &f, out);
    check_flits(b, &f, out);
    check_lanes(b, out);
    for (unsigned v = 0; v < num_vcs; v++) {
        if (f.leave >> v & 1) leave(s, &f, v);
        if (valid >> v & 1) enter_lane(b, 0, v, flits[v]);
    }
}

static const struct bench_module module = {
    .name = "anl_wide_input",
    .parameters =
        "NumPorts, NumVcs, Depth, FlitW, DstW, Arbiter, FlowControl, LengthInHead, Path, PathW",
    .state_bytes = sizeof(struct switch_bench),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
