// SPDX-License-Identifier: Apache-2.0
//
// A switch of any level at a random address. All six ports are driven, also those above the root.

#include "switch_bench.h"

static struct oracle_route route(const struct switch_bench *b, struct oracle_place at, uint64_t dst,
                                 uint64_t path)
{
    const struct oracle_tree_head head = {.level = b->k,
                                          .address = b->here[0],
                                          .destination = (unsigned)dst,
                                          .path_rule = b->layout.path,
                                          .path = path,
                                          .random = b->s.random >> at.port & 1};
    return oracle_tree_route(&head, b->s.shape.num_vcs);
}

// Half of the worms from below, and all worms from above, go to a terminal below.
static uint64_t destination(const struct switch_bench *b, unsigned p)
{
    const unsigned subtree = b->here[0] >> (b->k - 1);
    const uint64_t dst = random_bits(2 * b->n);
    return p < 4 && chance(50) ? dst : (uint64_t)subtree << 2 * b->k | (dst & ones(2 * b->k));
}

static void reset(void *state, const int *p)
{
    struct switch_bench *b = state;
    b->n = (unsigned)p[0];
    b->k = (unsigned)p[1];  // level
    b->s.shape = (struct oracle_shape){.num_ports = 6,
                                       .num_vcs = (unsigned)p[3],
                                       .depth = (unsigned)p[4],
                                       .arbiter = p[6],
                                       .flow_control = p[7]};
    b->layout = (struct layout){.flit_w = (unsigned)p[5],
                                .dst_w = 2 * b->n,
                                .path = oracle_path_rule(p[2]),
                                .path_w = p[2] == UP_DOWN_FIXED ? b->n - 1 : 0};
    b->chained = p[8] ? 0x30 : 0;
    b->chained_in = p[8] ? 0x0f : 0;
    b->route = route;
    b->destination = destination;
    b->here[0] = (unsigned)random_below(UINT64_C(1) << (2 * b->n - b->k - 1));
    reset_bench(b);
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct switch_bench *b = state;
    (void)p;
    put(in, 2 * b->n, b->here[0]);
    drive_links(b, in);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct switch_bench *b = state;
    (void)p;
    take(in, "here", 2 * b->n);
    check_switch(b, in, out);
}

static const struct bench_module module = {
    .name = "anl_fat_tree_switch",
    .parameters = "N, Level, Routing, NumVcs, Depth, FlitW, Arbiter, FlowControl, CreditBypass",
    .state_bytes = sizeof(struct switch_bench),
    .cycles = 3000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
