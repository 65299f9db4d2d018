// SPDX-License-Identifier: Apache-2.0
//
// A switch of any level of the first or the last pass. Digits that are no port do not come.

#include "switch_bench.h"

enum { K, N, TAG, NUM_VCS, DEPTH, FLIT_W, ARBITER, FLOW_CONTROL, LENGTH_IN_HEAD, CREDIT_BYPASS };

// Here n is the number of digits of a destination, and here[0] is the tag.
static struct oracle_route route(const struct switch_bench *b, struct oracle_place at, uint64_t dst,
                                 uint64_t path)
{
    const unsigned width = index_width(b->k), tag = b->here[0];
    const uint64_t field = tag < b->n ? dst : path;
    (void)at;
    return oracle_one_port((unsigned)(field >> (tag % b->n) * width & ones(width)),
                           ones(b->s.shape.num_vcs));
}

static uint64_t destination(const struct switch_bench *b, unsigned p)
{
    uint64_t dst = 0;
    (void)p;
    for (unsigned d = 0; d < b->n; d++)
        dst |= random_below(b->k) << d * index_width(b->k);
    return dst;
}

static void reset(void *state, const int *p)
{
    struct switch_bench *b = state;
    const unsigned width = index_width((unsigned)p[K]);
    b->k = (unsigned)p[K];
    b->n = (unsigned)p[N];
    b->here[0] = (unsigned)p[TAG];
    b->s.shape = (struct oracle_shape){.num_ports = b->k,
                                       .num_vcs = (unsigned)p[NUM_VCS],
                                       .depth = (unsigned)p[DEPTH],
                                       .arbiter = p[ARBITER],
                                       .flow_control = p[FLOW_CONTROL]};
    b->layout =
        (struct layout){.flit_w = (unsigned)p[FLIT_W],
                        .dst_w = b->n * width,
                        .length_in_head = p[LENGTH_IN_HEAD] != 0,
                        .path_w = p[TAG] < p[N] ? 0 : (unsigned)(p[TAG] - p[N] + 1) * width};
    b->chained = b->chained_in = p[CREDIT_BYPASS] ? (unsigned)ones(b->k) : 0;
    b->route = route;
    b->destination = destination;
    reset_bench(b);
}

static void drive(void *state, const int *p, struct bits *in)
{
    (void)p;
    drive_links(state, in);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    (void)p;
    check_switch(state, in, out);
}

static const struct bench_module module = {
    .name = "anl_butterfly_switch",
    .parameters =
        "K, N, Tag, NumVcs, Depth, FlitW, Arbiter, FlowControl, LengthInHead, CreditBypass",
    .state_bytes = sizeof(struct switch_bench),
    .cycles = 3000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
