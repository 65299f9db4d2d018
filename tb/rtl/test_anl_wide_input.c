// SPDX-License-Identifier: Apache-2.0
//
// The input port of a wide link alone: the state of the switch's output lanes is drawn anew in
// every cycle, and which of the heads that ask are granted.

#include "switch_rules.h"

#define HERE UINT64_C(0x2545f491)  // low bits of the label that destinations are compared with

// What the front flits of the lanes do.
struct fronts {
    uint64_t usable;        // bit o * num_vcs + w: a flit that is not a head can be sent
    uint64_t grant, last;   // bit v: the head of lane v is granted, if it asks; by the last port
    uint64_t ask, go;       // bit o * num_vcs + v
    uint64_t can[MAX_VCS];  // [v] lanes that the head can take at its port
    uint64_t can_last[MAX_VCS];  // [v] the same at the last port, if it may ask two
    uint64_t leave;              // bit v
};

static void reset(void *state, const int *p) { spelled_reset(state, p); }

static void drive_link(struct switch_state *s, struct bits *in)
{
    uint64_t flits[MAX_VCS] = {0}, valid = 0;
    for (unsigned v = 0; v < s->shape.num_vcs; v++) {
        const bool room = s->in[0][v].count < s->shape.depth && !bench_in_reset();
        if (!room || !chance(mood(v))) continue;
        valid |= onehot((int)v);
        flits[v] = random_flit(s, 0, &s->left[0][v]);
    }
    put(in, s->shape.num_vcs, valid);
    for (unsigned v = 0; v < s->shape.num_vcs; v++)
        put(in, s->shape.flit_w + 2, flits[v]);
}

static void draw_outputs(struct switch_state *s)
{
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        for (unsigned w = 0; w < s->shape.num_vcs; w++)
            s->out[o][w] = (struct output_lane){
                .credits =
                    chance(mood(11)) ? s->shape.depth : (unsigned)random_below(s->shape.depth + 1),
                .owned = chance(mood(12))};
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct switch_state *s = state;
    const unsigned v = s->shape.num_vcs, lanes = s->shape.num_ports * v;
    uint64_t free = 0, has_credit = 0;
    (void)p;
    drive_link(s, in);
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

static void look_at_head(const struct switch_state *s, unsigned v, struct fronts *f)
{
    const unsigned num_vcs = s->shape.num_vcs;
    const struct input_lane *lane = &s->in[0][v];
    const struct route route = route_of_front(s, 0, lane);
    f->can[v] = lanes_admitting(s, lane, &route, route.port);
    if (route.either) f->can_last[v] = lanes_admitting(s, lane, &route, route.port + 1);
    f->ask |= (uint64_t)(f->can[v] != 0) << (route.port * num_vcs + v);
    if (route.either) f->ask |= (uint64_t)(f->can_last[v] != 0) << ((route.port + 1) * num_vcs + v);
    if ((f->can[v] || f->can_last[v]) && (f->grant >> v & 1)) f->leave |= onehot((int)v);
}

static void look(const struct switch_state *s, struct fronts *f)
{
    const unsigned num_vcs = s->shape.num_vcs;
    for (unsigned v = 0; v < num_vcs; v++) {
        const struct input_lane *lane = &s->in[0][v];
        if (lane->count == 0) continue;
        if (flit_head(&s->shape, lane->flits[0])) {
            look_at_head(s, v, f);
        } else if (f->usable >> (lane->port * num_vcs + lane->vc) & 1) {
            f->go |= onehot((int)(lane->port * num_vcs + v));
            f->leave |= onehot((int)v);
        }
    }
}

// Returns whether a lane has a head at its front, or a flit of another kind.
static bool has(const struct switch_state *s, unsigned v, bool head)
{
    const struct input_lane *lane = &s->in[0][v];
    return lane->count > 0 && flit_head(&s->shape, lane->flits[0]) == head;
}

static void check_wishes(const struct switch_state *s, const struct fronts *f, struct bits *out)
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

static void check_flits(const struct switch_state *s, const struct fronts *f, struct bits *out)
{
    const struct shape *shape = &s->shape;
    for (unsigned v = 0; v < shape->num_vcs; v++)
        expect_if(has(s, v, true), out, "rank", 16,
                  scan_is_stamped(shape->scan) ? flit_rank(shape, s->in[0][v].flits[0]) : 0);
    for (unsigned v = 0; v < shape->num_vcs; v++)
        expect_if(s->in[0][v].count, out, "flit", shape->flit_w + 2, s->in[0][v].flits[0]);
    expect(out, "credit", shape->num_vcs, f->leave);
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
        expect_if(lanes[v].bound, out, "bound_port", port_w, lanes[v].port);
    for (unsigned v = 0; v < num_vcs; v++)
        expect_if(lanes[v].bound, out, "bound_vc", index_width(num_vcs), lanes[v].vc);
    for (unsigned v = 0; v < num_vcs; v++)
        expect_if(lanes[v].count, out, "differs", s->shape.dst_w,
                  (lanes[v].flits[0] ^ HERE) & ones(s->shape.dst_w));
}

// A head that leaves takes the lowest lane that it can take.
static void leave(struct switch_state *s, const struct fronts *f, unsigned v)
{
    struct input_lane *lane = &s->in[0][v];
    struct offer offer = {.lane = (int)v, .flit = lane->flits[0]};
    unsigned port = lane->port;
    if (flit_head(&s->shape, offer.flit)) {
        const bool by_last = f->can_last[v] && ((f->last >> v & 1) || !f->can[v]);
        const uint64_t lanes = by_last ? f->can_last[v] : f->can[v];
        port = route_of_front(s, 0, lane).port + by_last;
        offer.take[port] = (unsigned)cyclic_first(s->shape.num_vcs, lanes, 0);
    }
    leave_lane(s, 0, port, &offer);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct switch_state *s = state;
    const unsigned num_vcs = s->shape.num_vcs, lanes = s->shape.num_ports * num_vcs;
    struct fronts f = {0};
    uint64_t flits[MAX_VCS];
    (void)p;
    const uint64_t valid = take(in, "valid", num_vcs);
    for (unsigned v = 0; v < num_vcs; v++)
        flits[v] = take(in, "flit", s->shape.flit_w + 2);
    take(in, "free", lanes);
    take(in, "has_credit", lanes);
    for (unsigned l = 0; l < lanes; l++)
        take(in, "credits", count_width(s->shape.depth));
    f.usable = take(in, "usable", lanes);
    f.grant = take(in, "grant", num_vcs);
    f.last = take(in, "last", num_vcs);

    look(s, &f);
    check_wishes(s, &f, out);
    check_flits(s, &f, out);
    check_lanes(s, out);
    for (unsigned v = 0; v < num_vcs; v++) {
        if (f.leave >> v & 1) leave(s, &f, v);
        if (valid >> v & 1) enter_lane(&s->in[0][v], flits[v]);
    }
}

static const struct bench_module module = {
    .name = "anl_wide_input",
    .parameters =
        "NumPorts, NumVcs, Depth, FlitW, DstW, Scan, Admission, LengthInHead, Path, PathW",
    .state_bytes = sizeof(struct switch_state),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
