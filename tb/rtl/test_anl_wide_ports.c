// SPDX-License-Identifier: Apache-2.0
//
// All ports of a switch with wide links, by docs/switch.md, "Wide links". Input lane v of port p
// has the number p * num_vcs + v, and lane w of output port o the number o * num_vcs + w.

#include "oracle/wide.h"
#include "switch_bench.h"

struct state {
    struct switch_bench b;
    bool chained;
};

static void reset(void *state, const int *p)
{
    struct state *ports = state;
    ports->chained = p[SHAPE_PARAMETERS] != 0;
    spelled_reset(&ports->b, p);
    ports->b.s.shape.wide = true;
}

static const struct oracle_in_lane *input_at(const struct oracle_switch *s, unsigned c)
{
    return &s->in[c / s->shape.num_vcs][c % s->shape.num_vcs];
}

static struct oracle_out_lane *output_at(struct oracle_switch *s, unsigned l)
{
    return &s->out[l / s->shape.num_vcs][l % s->shape.num_vcs];
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct switch_bench *b = &((struct state *)state)->b;
    struct oracle_switch *s = &b->s;
    const unsigned v = s->shape.num_vcs, lanes = s->shape.num_ports * v;
    uint64_t flits[ORACLE_CANDIDATES] = {0}, valid = 0, credit = 0;
    (void)p;
    for (unsigned c = 0; c < lanes; c++) {
        const bool room = input_at(s, c)->count < s->shape.depth && !bench_in_reset();
        credit |= (uint64_t)(output_at(s, c)->credits < s->shape.depth && chance(mood(50 + c)))
                  << c;
        if (!room || !chance(mood(c))) continue;
        valid |= onehot((int)c);
        flits[c] = random_flit(b, c / v, &b->left[c / v][c % v]);
    }
    put(in, 8, random_bits(8));
    put(in, lanes, valid);
    for (unsigned c = 0; c < lanes; c++)
        put(in, b->layout.flit_w + 2, flits[c]);
    put(in, lanes, credit);
}

static void check_links(const struct switch_bench *b, const struct oracle_links *links,
                        struct bits *out)
{
    const unsigned v = b->s.shape.num_vcs, lanes = b->s.shape.num_ports * v;
    const unsigned width = b->layout.flit_w + 2;
    uint64_t credit = 0;
    for (unsigned l = 0; l < lanes; l++)
        expect(out, "valid", 1, links->valid[l / v] >> l % v & 1);
    for (unsigned l = 0; l < lanes; l++)
        expect_if(links->valid[l / v] >> l % v & 1, out, "flit", width,
                  links->flit[l / v][l % v].data);
    for (unsigned p = 0; p < b->s.shape.num_ports; p++)
        credit |= links->credit[p] << p * v;
    expect(out, "credit", lanes, credit);
}

static void check_inputs(const struct oracle_switch *s, struct bits *out)
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

static void check_outputs(struct oracle_switch *s, struct bits *out)
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
        expect(out, "out_ptr", index_width(lanes), s->grants[o].ptr);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *ports = state;
    struct switch_bench *b = &ports->b;
    struct oracle_switch *s = &b->s;
    const unsigned v = s->shape.num_vcs, lanes = s->shape.num_ports * v;
    struct oracle_wide wide;
    struct oracle_links links;
    uint64_t flits[ORACLE_CANDIDATES];
    (void)p;
    const uint8_t random = (uint8_t)take(in, "random", 8);
    const uint64_t valid = take(in, "valid", lanes);
    for (unsigned c = 0; c < lanes; c++)
        flits[c] = take(in, "flit", b->layout.flit_w + 2);
    const uint64_t credit = take(in, "credit", lanes);
    for (unsigned l = 0; l < lanes; l++)
        output_at(s, l)->returning = ports->chained && (credit >> l & 1);
    oracle_wide_decide(s, random, &wide);
    oracle_wide_follow(s, &wide);
    oracle_wide_show(s, &wide, &links);

    check_links(b, &links, out);
    check_inputs(s, out);
    check_outputs(s, out);
    oracle_wide_move(s, &wide);
    for (unsigned l = 0; l < lanes; l++) {
        output_at(s, l)->credits += credit >> l & 1;
        if (valid >> l & 1) enter_lane(b, l / v, l % v, flits[l]);
    }
}

static const struct bench_module module = {
    .name = "anl_wide_ports",
    .parameters = "NumPorts, NumVcs, Depth, FlitW, DstW, Arbiter, FlowControl, LengthInHead, Path, "
                  "PathW, CreditBypass",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
