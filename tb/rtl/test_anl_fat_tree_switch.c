// SPDX-License-Identifier: Apache-2.0
//
// A switch of any level at a random address. All six ports are driven, also those above the root.

#include "switch_rules.h"

static struct route route(const struct switch_state *s, struct place at, uint64_t dst,
                          uint64_t path)
{
    const struct tree_head head = {.level = s->k,
                                   .address = s->here[0],
                                   .destination = (unsigned)dst,
                                   .path_rule = s->shape.path,
                                   .path = path,
                                   .random = s->random >> at.port & 1};
    return route_in_tree(&head, s->shape.num_vcs);
}

static int path_of(int routing)
{
    switch (routing) {
    case UP_DOWN_FIXED:
        return PATH_CARRIED;
    case UP_DOWN_RANDOM:
        return PATH_DRAWN;
    case UP_DOWN_GREEDY:
        return PATH_GREEDY;
    default:
        return PATH_NONE;
    }
}

// Half of the worms from below, and all worms from above, go to a terminal below.
static uint64_t destination(const struct switch_state *s, unsigned p)
{
    const unsigned subtree = s->here[0] >> (s->k - 1);
    const uint64_t dst = random_bits(2 * s->n);
    return p < 4 && chance(50) ? dst : (uint64_t)subtree << 2 * s->k | (dst & ones(2 * s->k));
}

static void reset(void *state, const int *p)
{
    struct switch_state *s = state;
    s->n = (unsigned)p[0];
    s->k = (unsigned)p[1];  // level
    s->shape = (struct shape){.num_ports = 6,
                              .num_vcs = (unsigned)p[3],
                              .depth = (unsigned)p[4],
                              .flit_w = (unsigned)p[5],
                              .dst_w = 2 * s->n,
                              .scan = p[6],
                              .admission = p[7],
                              .path = path_of(p[2]),
                              .path_w = p[2] == UP_DOWN_FIXED ? s->n - 1 : 0,
                              .chained = p[8] ? 0x30 : 0,
                              .chained_in = p[8] ? 0x0f : 0};
    s->route = route;
    s->destination = destination;
    s->here[0] = (unsigned)random_below(UINT64_C(1) << (2 * s->n - s->k - 1));
    switch_reset(s);
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct switch_state *s = state;
    (void)p;
    put(in, 2 * s->n, s->here[0]);
    drive_links(s, in);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct switch_state *s = state;
    (void)p;
    take(in, "here", 2 * s->n);
    check_switch(s, in, out);
}

static const struct bench_module module = {
    .name = "anl_fat_tree_switch",
    .parameters = "N, Level, Routing, NumVcs, Depth, FlitW, Scan, Admission, Chained",
    .state_bytes = sizeof(struct switch_state),
    .cycles = 3000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
