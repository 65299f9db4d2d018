// SPDX-License-Identifier: Apache-2.0
//
// Credits alone: each lane has at most Depth of them under way.

#include "crossing_link.h"

static void reset(void *state, const int *p)
{
    (void)p;
    crossing_reset(state);
}

static uint64_t under_way(const struct crossing *link, unsigned lane)
{
    return link->lanes[lane].returned - link->lanes[lane].gained;
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct crossing *link = state;
    uint64_t credit = 0;
    if (clocks_drive(&link->clocks, in)) crossing_clear(link);
    for (unsigned v = 0; v < (unsigned)p[0]; v++)
        if (under_way(link, v) < (unsigned)p[1] && chance(mood(v))) credit |= UINT64_C(1) << v;
    const bool gives = clocks_tick(&link->clocks, SIDE_B);
    put(in, (unsigned)p[0], gives ? credit : random_bits((unsigned)p[0]));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct crossing *link = state;
    const unsigned num_vcs = (unsigned)p[0];
    clocks_take(&link->clocks, in);
    const struct crossing_wires wires = {.credit_i = take(in, "credit", num_vcs),
                                         .credit_o = ignore(out, "credit", num_vcs)};
    crossing_check_credits(link, num_vcs, (unsigned)p[2], &wires);
    crossing_step(link, num_vcs, &wires);
}

static const struct bench_module module = {
    .name = "anl_credit_cdc",
    .parameters = "NumVcs, Depth, SyncStages",
    .state_bytes = sizeof(struct crossing),
    .cycles = 20000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
