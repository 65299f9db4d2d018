// SPDX-License-Identifier: Apache-2.0
//
// The second form of a run holds the depth that full rate needs against docs/clocks.md: one lane
// alone, whose flits leave it as soon as they can. ANL_PAIRS=1 in the environment prints how many
// pairs of clocks and flits there were.

#include "crossing_link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SETTLED = 400, LONG_RUN = 30000, SHORT_RUN = 12000 };

struct sizes {
    unsigned num_vcs, depth, flit, stages, vc;
};

static struct sizes sizes_of(const int *p)
{
    return (struct sizes){.num_vcs = (unsigned)p[0],
                          .depth = (unsigned)p[1],
                          .flit = (unsigned)p[2] + 2,
                          .stages = (unsigned)p[3],
                          .vc = index_width((unsigned)p[0])};
}

static void reset(void *state, const int *p)
{
    (void)p;
    crossing_reset(state);
}

// Puts a flit for a lane that has a credit, if there is one; without an edge, or in reset,
// anything.
static void put_flit(struct crossing *link, const struct sizes *size, unsigned percent, bool one,
                     struct bits *in)
{
    const bool sends = clocks_tick(&link->clocks, SIDE_A);
    const unsigned lane = one ? 0 : (unsigned)random_below(size->num_vcs);
    const bool may = crossing_credits(link, lane, size->depth) > 0;
    put(in, 1, sends ? may && chance(percent) : random_bits(1));
    put(in, size->vc, sends ? lane : random_bits(size->vc));
    put(in, size->flit, random_bits(size->flit));
}

static void put_credits(struct crossing *link, const struct sizes *size, bool now, struct bits *in)
{
    const bool gives = clocks_tick(&link->clocks, SIDE_B);
    uint64_t credit = 0;
    for (unsigned v = 0; v < size->num_vcs; v++)
        if (crossing_held(link, v) && (now || chance(mood(2 + v)))) credit |= UINT64_C(1) << v;
    put(in, size->num_vcs, gives ? credit : random_bits(size->num_vcs));
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct crossing *link = state;
    const struct sizes size = sizes_of(p);
    if (clocks_drive(&link->clocks, in)) crossing_clear(link);
    put_flit(link, &size, mood(0), false, in);
    put_credits(link, &size, false, in);
}

// Periods of b in hundredths of those of a, by the depth of the corner and its lanes: each corner
// has one.
static unsigned ratio_of(const struct sizes *size)
{
    static const unsigned ratios[] = {100, 20, 500, 101, 99, 33, 300, 150};
    return ratios[(size->depth + size->flit) % (sizeof ratios / sizeof *ratios)];
}

static void directed(void *state, const int *p, struct bits *in)
{
    struct crossing *link = state;
    const struct sizes size = sizes_of(p);
    if (!bench_in_reset()) clocks_fix(&link->clocks, ratio_of(&size));
    link->rate = true;
    clocks_drive(&link->clocks, in);
    put_flit(link, &size, 100, true, in);
    put_credits(link, &size, true, in);
}

// docs/clocks.md, "Depth for full rate".
static bool is_deep_enough(const struct sizes *size)
{
    const unsigned ratio = ratio_of(size), slow = ratio > 100 ? ratio : 100,
                   fast = ratio > 100 ? 100 : ratio;
    return size->depth * slow >= (size->stages + 3) * (slow + fast);
}

// At full rate the slower clock has a flit in each of its cycles.
static void check_rate(const struct crossing *link, const struct sizes *size,
                       const struct crossing_wires *wires)
{
    if (!link->rate || bench_cycle() < SETTLED || !is_deep_enough(size)) return;
    const bool sender_is_slow = ratio_of(size) <= 100;
    if (sender_is_slow && clocks_tick(&link->clocks, SIDE_A))
        require("flit in each cycle of the sender", wires->valid_i, true);
    if (!sender_is_slow && clocks_tick(&link->clocks, SIDE_B))
        require("flit in each cycle of the receiver", wires->valid_o, true);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct crossing *link = state;
    const struct sizes size = sizes_of(p);
    clocks_take(&link->clocks, in);
    const struct crossing_wires wires = {
        .valid_i = take(in, "valid", 1),
        .vc_i = (unsigned)take(in, "vc", size.vc),
        .flit_i = take(in, "flit", size.flit),
        .credit_i = take(in, "credit", size.num_vcs),
        .valid_o = ignore(out, "valid", 1),
        .vc_o = (unsigned)ignore(out, "vc", size.vc),
        .flit_o = ignore(out, "flit", size.flit),
        .credit_o = ignore(out, "credit", size.num_vcs),
    };
    crossing_check_credits(link, size.num_vcs, size.stages, &wires);
    crossing_check_flits(link, size.num_vcs, size.depth, size.stages, &wires);
    check_rate(link, &size, &wires);
    crossing_step(link, size.num_vcs, &wires);
}

int main(void)
{
    const char *sample = getenv("BENCH_SAMPLE");
    const struct bench_module module = {
        .name = "anl_link_cdc",
        .parameters = "NumVcs, Depth, FlitW, SyncStages",
        .state_bytes = sizeof(struct crossing),
        .cycles = sample && *sample ? SHORT_RUN : LONG_RUN,
        .reset = reset,
        .drive = drive,
        .check = check,
        .directed = directed,
    };
    const int failed = bench_main(&module);
    printf("%" PRIu64 " pairs of clocks, %" PRIu64 " flits\n", clocks_pairs(), crossing_flits());
    return failed;
}
