// SPDX-License-Identifier: Apache-2.0
//
// All ports of a switch with wide links, by docs/switch.md, "Wide links". Input lane v of port p
// has the number p * num_vcs + v, and lane w of output port o the number o * num_vcs + w.

#include "switch_rules.h"

struct state {
    struct switch_state s;
    bool chained;
};

// What crosses the links in a cycle.
struct crossing {
    uint64_t credit;                // bit per output lane: a credit comes back
    int from[MAX_PORTS * MAX_VCS];  // [output lane] input lane, or RULES_NONE
    uint64_t leave;                 // bit per input lane
    int first[MAX_PORTS];           // the head that the output port grants first, or RULES_NONE
};

static void reset(void *state, const int *p)
{
    struct state *ports = state;
    ports->chained = p[SHAPE_PARAMETERS] != 0;
    spelled_reset(&ports->s, p);
}

static struct input_lane *input_at(struct switch_state *s, unsigned c)
{
    return &s->in[c / s->shape.num_vcs][c % s->shape.num_vcs];
}

static struct output_lane *output_at(struct switch_state *s, unsigned l)
{
    return &s->out[l / s->shape.num_vcs][l % s->shape.num_vcs];
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct switch_state *s = &((struct state *)state)->s;
    const unsigned v = s->shape.num_vcs, lanes = s->shape.num_ports * v;
    uint64_t flits[MAX_PORTS * MAX_VCS] = {0}, valid = 0, credit = 0;
    (void)p;
    for (unsigned c = 0; c < lanes; c++) {
        const bool room = input_at(s, c)->count < s->shape.depth && !bench_in_reset();
        credit |= (uint64_t)(output_at(s, c)->credits < s->shape.depth && chance(mood(50 + c)))
                  << c;
        if (!room || !chance(mood(c))) continue;
        valid |= onehot((int)c);
        flits[c] = random_flit(s, c / v, &s->left[c / v][c % v]);
    }
    put(in, 8, random_bits(8));
    put(in, lanes, valid);
    for (unsigned c = 0; c < lanes; c++)
        put(in, s->shape.flit_w + 2, flits[c]);
    put(in, lanes, credit);
}

// ---------------------------------------------------------------- the cycle by the rules

// A flit that is not a head goes on if there is a credit for it.
static void follow(struct state *ports, struct crossing *crossing)
{
    struct switch_state *s = &ports->s;
    for (unsigned c = 0; c < s->shape.num_ports * s->shape.num_vcs; c++) {
        const struct input_lane *lane = input_at(s, c);
        if (lane->count == 0 || flit_head(&s->shape, lane->flits[0])) continue;
        const unsigned to = lane->port * s->shape.num_vcs + lane->vc;
        const bool now = ports->chained && (crossing->credit >> to & 1);
        if (output_at(s, to)->credits == 0 && !now) continue;
        crossing->from[to] = (int)c;
        crossing->leave |= onehot((int)c);
    }
}

// The heads that still wait and want a lane of output port o take lanes by the scan.
static void grant(struct switch_state *s, unsigned o, uint8_t random, struct crossing *crossing)
{
    const unsigned v = s->shape.num_vcs, size = s->shape.num_ports * v;
    uint64_t can[MAX_VCS] = {0}, take[MAX_VCS], ask = 0, all_credits = 0;
    uint16_t ranks[MAX_PORTS * MAX_VCS] = {0};
    for (unsigned c = 0; c < size; c++) {
        const struct input_lane *lane = input_at(s, c);
        const bool waits = lane->count > 0 && flit_head(&s->shape, lane->flits[0]);
        if (!waits || (crossing->leave >> c & 1)) continue;
        const struct route route = route_of_front(s, c / v, lane);
        if (o < route.port || o > route.port + route.either) continue;
        const uint64_t lanes = lanes_admitting(s, lane, &route, o);
        ask |= (uint64_t)(lanes != 0) << c;
        for (unsigned w = 0; w < v; w++)
            can[w] |= (lanes >> w & 1) << c;
        ranks[c] = flit_rank(&s->shape, lane->flits[0]);
    }
    for (unsigned w = 0; w < v; w++)
        all_credits |= (uint64_t)(s->out[o][w].credits == s->shape.depth) << w;
    const struct wide_heads heads = {
        size,
        v,
        ask,
        can,
        all_credits,
        {.policy = s->shape.scan, .ptr = s->out_ptr[o], .random = random, .ranks = ranks}};
    crossing->first[o] = wide_grant(&heads, take);
    for (unsigned w = 0; w < v; w++) {
        if (!take[w]) continue;
        crossing->from[o * v + w] = cyclic_first(size, take[w], 0);
        crossing->leave |= take[w];
    }
}

// Carries out rule 6 for the flit that enters output lane l.
static void move(struct switch_state *s, unsigned l, unsigned from)
{
    const unsigned v = s->shape.num_vcs;
    struct offer offer = {.lane = (int)(from % v), .flit = input_at(s, from)->flits[0]};
    const unsigned ptr = s->out_ptr[l / v];
    offer.take[l / v] = l % v;
    send(s, from / v, l / v, &offer);
    leave_lane(s, from / v, l / v, &offer);
    s->out_ptr[l / v] = ptr;
}

// ---------------------------------------------------------------- what is seen

static void check_links(struct switch_state *s, const struct crossing *crossing, struct bits *out)
{
    const unsigned lanes = s->shape.num_ports * s->shape.num_vcs;
    for (unsigned l = 0; l < lanes; l++)
        expect(out, "valid", 1, crossing->from[l] >= 0);
    for (unsigned l = 0; l < lanes; l++)
        crossing->from[l] >= 0 ? expect(out, "flit", s->shape.flit_w + 2,
                                        input_at(s, (unsigned)crossing->from[l])->flits[0])
                               : ignore(out, "flit", s->shape.flit_w + 2);
    expect(out, "credit", lanes, crossing->leave);
}

static void check_inputs(struct switch_state *s, struct bits *out)
{
    const unsigned port_w = index_width(s->shape.num_ports), vc_w = index_width(s->shape.num_vcs);
    const unsigned lanes = s->shape.num_ports * s->shape.num_vcs;
    for (unsigned c = 0; c < lanes; c++)
        expect(out, "held", 1, input_at(s, c)->count > 0);
    for (unsigned c = 0; c < lanes; c++)
        expect(out, "count", count_width(s->shape.depth), input_at(s, c)->count);
    for (unsigned c = 0; c < lanes; c++)
        expect(out, "bound", 1, input_at(s, c)->bound);
    for (unsigned c = 0; c < lanes; c++)
        expect_if(input_at(s, c)->bound, out, "bound_port", port_w, input_at(s, c)->port);
    for (unsigned c = 0; c < lanes; c++)
        expect_if(input_at(s, c)->bound, out, "bound_vc", vc_w, input_at(s, c)->vc);
}

static void check_outputs(struct switch_state *s, struct bits *out)
{
    const unsigned port_w = index_width(s->shape.num_ports), vc_w = index_width(s->shape.num_vcs);
    const unsigned lanes = s->shape.num_ports * s->shape.num_vcs;
    for (unsigned l = 0; l < lanes; l++)
        expect(out, "credits", count_width(s->shape.depth), output_at(s, l)->credits);
    for (unsigned l = 0; l < lanes; l++)
        expect(out, "owned", 1, output_at(s, l)->owned);
    for (unsigned l = 0; l < lanes; l++)
        expect_if(output_at(s, l)->owned, out, "owner_port", port_w, output_at(s, l)->port);
    for (unsigned l = 0; l < lanes; l++)
        expect_if(output_at(s, l)->owned, out, "owner_vc", vc_w, output_at(s, l)->vc);
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        expect(out, "out_ptr", index_width(lanes), s->out_ptr[o]);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *ports = state;
    struct switch_state *s = &ports->s;
    const unsigned lanes = s->shape.num_ports * s->shape.num_vcs;
    struct crossing crossing = {0};
    uint64_t flits[MAX_PORTS * MAX_VCS];
    (void)p;
    const uint8_t random = (uint8_t)take(in, "random", 8);
    const uint64_t valid = take(in, "valid", lanes);
    for (unsigned c = 0; c < lanes; c++)
        flits[c] = take(in, "flit", s->shape.flit_w + 2);
    crossing.credit = take(in, "credit", lanes);
    for (unsigned l = 0; l < lanes; l++)
        crossing.from[l] = RULES_NONE;
    follow(ports, &crossing);
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        grant(s, o, random, &crossing);

    check_links(s, &crossing, out);
    check_inputs(s, out);
    check_outputs(s, out);
    for (unsigned l = 0; l < lanes; l++) {
        output_at(s, l)->credits += crossing.credit >> l & 1;
        if (crossing.from[l] >= 0) move(s, l, (unsigned)crossing.from[l]);
    }
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        if (s->shape.scan == ROTATING && crossing.first[o] >= 0)
            s->out_ptr[o] = ((unsigned)crossing.first[o] + 1) % lanes;
    for (unsigned c = 0; c < lanes; c++)
        if (valid >> c & 1) enter_lane(input_at(s, c), flits[c]);
}

static const struct bench_module module = {
    .name = "anl_wide_ports",
    .parameters =
        "NumPorts, NumVcs, Depth, FlitW, DstW, Scan, Admission, LengthInHead, Path, PathW, Chained",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
