// SPDX-License-Identifier: Apache-2.0

#include "lone_worm.h"
#include "oracle/words.h"

enum { K, N, ROUTING, NUM_VCS, DEPTH, FLIT_W, ARBITER, FLOW_CONTROL };

// Every worm crosses all levels. Valiant's routing passes them twice, by any column: heads carry
// random ones.
static unsigned links(const int *p, unsigned from, unsigned to)
{
    (void)from;
    (void)to;
    return (unsigned)((p[ROUTING] == VALIANT ? 2 : 1) * (p[N] - 1)) + 2;
}

static uint64_t label(const int *p, unsigned terminal)
{
    const unsigned k = (unsigned)p[K], width = index_width(k);
    uint64_t digits = 0;
    for (unsigned d = 0; d < (unsigned)p[N]; d++, terminal /= k)
        digits |= (uint64_t)(terminal % k) << d * width;
    return digits;
}

static struct lone_network network(const int *p)
{
    unsigned terminals = 1;
    for (int d = 0; d < p[N]; d++)
        terminals *= (unsigned)p[K];
    return (struct lone_network){.num_vcs = (unsigned)p[NUM_VCS],
                                 .depth = (unsigned)p[DEPTH],
                                 .flit_w = (unsigned)p[FLIT_W],
                                 .terminals = terminals,
                                 .dst_w = (unsigned)p[N] * index_width((unsigned)p[K]),
                                 .flow_control = p[FLOW_CONTROL],
                                 .label = label,
                                 .links = links};
}

static void drive(void *state, const int *p, struct bits *in)
{
    const struct lone_network butterfly = network(p);
    lone_drive(state, &butterfly, p, in);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const struct lone_network butterfly = network(p);
    lone_check(state, &butterfly, in, out);
}

static const struct bench_module module = {
    .name = "anl_butterfly",
    .parameters = "K, N, Routing, NumVcs, Depth, FlitW, Arbiter, FlowControl, CreditBypass",
    .state_bytes = sizeof(struct lone_worm),
    .cycles = 6000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
