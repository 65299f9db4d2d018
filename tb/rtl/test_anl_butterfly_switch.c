// SPDX-License-Identifier: Apache-2.0
//
// A switch of any level of the first or the last pass. Digits that are no port do not come.

#include "switch_rules.h"

enum { K, N, TAG, NUM_VCS, DEPTH, FLIT_W, SCAN, ADMISSION, LENGTH_IN_HEAD, CHAINED };

// Here n is the number of digits of a destination, and here[0] is the tag.
static struct route route(const struct switch_state *s, struct place at, uint64_t dst,
                          uint64_t path)
{
    const unsigned width = index_width(s->k), tag = s->here[0];
    const uint64_t field = tag < s->n ? dst : path;
    (void)at;
    return (struct route){.port = (unsigned)(field >> (tag % s->n) * width & ones(width)),
                          .vcs = ones(s->shape.num_vcs)};
}

static uint64_t destination(const struct switch_state *s, unsigned p)
{
    uint64_t dst = 0;
    (void)p;
    for (unsigned d = 0; d < s->n; d++)
        dst |= random_below(s->k) << d * index_width(s->k);
    return dst;
}

static void reset(void *state, const int *p)
{
    struct switch_state *s = state;
    const unsigned width = index_width((unsigned)p[K]);
    s->k = (unsigned)p[K];
    s->n = (unsigned)p[N];
    s->here[0] = (unsigned)p[TAG];
    s->shape = (struct shape){.num_ports = s->k,
                              .num_vcs = (unsigned)p[NUM_VCS],
                              .depth = (unsigned)p[DEPTH],
                              .flit_w = (unsigned)p[FLIT_W],
                              .dst_w = s->n * width,
                              .scan = p[SCAN],
                              .admission = p[ADMISSION],
                              .length_in_head = p[LENGTH_IN_HEAD] != 0,
                              .path_w = p[TAG] < p[N] ? 0 : (unsigned)(p[TAG] - p[N] + 1) * width,
                              .chained = p[CHAINED] ? (unsigned)ones(s->k) : 0,
                              .chained_in = p[CHAINED] ? (unsigned)ones(s->k) : 0};
    s->route = route;
    s->destination = destination;
    switch_reset(s);
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
    .parameters = "K, N, Tag, NumVcs, Depth, FlitW, Scan, Admission, LengthInHead, Chained",
    .state_bytes = sizeof(struct switch_state),
    .cycles = 3000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
