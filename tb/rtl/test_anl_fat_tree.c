// SPDX-License-Identifier: Apache-2.0

#include "lone_worm.h"

enum { N, ROUTING, NUM_VCS, DEPTH, FLIT_W, ARBITER, FLOW_CONTROL };

// The path goes up to the lowest level where both terminals are in one subtree, and then down.
static unsigned links(const int *p, unsigned from, unsigned to)
{
    unsigned level = 1;
    (void)p;
    while (from >> 2 * level != to >> 2 * level)
        level++;
    return 2 * level;
}

static uint64_t label(const int *p, unsigned terminal)
{
    (void)p;
    return terminal;
}

static struct lone_network network(const int *p)
{
    return (struct lone_network){.num_vcs = (unsigned)p[NUM_VCS],
                                 .depth = (unsigned)p[DEPTH],
                                 .flit_w = (unsigned)p[FLIT_W],
                                 .terminals = 1u << 2 * p[N],
                                 .dst_w = 2 * (unsigned)p[N],
                                 .flow_control = p[FLOW_CONTROL],
                                 .label = label,
                                 .links = links};
}

static void drive(void *state, const int *p, struct bits *in)
{
    const struct lone_network tree = network(p);
    lone_drive(state, &tree, p, in);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const struct lone_network tree = network(p);
    lone_check(state, &tree, in, out);
}

static const struct bench_module module = {
    .name = "anl_fat_tree",
    .parameters = "N, Routing, NumVcs, Depth, FlitW, Arbiter, FlowControl, CreditBypass",
    .state_bytes = sizeof(struct lone_worm),
    .cycles = 6000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
