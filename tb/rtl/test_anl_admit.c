// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "oracle/lanes.h"
#include "oracle/scan.h"

struct state {
    int unused;
};

static void put_lanes(struct bits *in, unsigned lanes, unsigned depth)
{
    unsigned credits[64];
    uint64_t has_credit = 0;

    put(in, lanes, random_bits(lanes) | random_bits(lanes));
    for (unsigned w = 0; w < lanes; w++) {
        credits[w] = chance(mood(w)) ? (unsigned)random_below(depth + 1) : depth;
        if (chance(20)) credits[w] = 0;
        has_credit |= (uint64_t)(credits[w] > 0) << w;
    }
    put(in, lanes, has_credit);
    for (unsigned w = 0; w < lanes; w++)
        put(in, count_width(depth), credits[w]);
}

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned num_vcs = (unsigned)p[0], depth = (unsigned)p[1];
    (void)state;
    put(in, 1, chance(70));
    put(in, 7, 1 + random_below(depth));
    put(in, num_vcs, random_bits(num_vcs));
    put(in, num_vcs, UINT64_C(1) << random_below(num_vcs));
    put_lanes(in, num_vcs, depth);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned num_vcs = (unsigned)p[0], depth = (unsigned)p[1];
    struct oracle_out_lane lanes[ORACLE_LANES] = {0};
    struct oracle_want want = {.at_once = true};
    (void)state;
    const bool head = take(in, "head", 1);
    want.need = oracle_need(p[2], (unsigned)take(in, "length", 7));
    want.set = take(in, "set", num_vcs);
    const int bound = oracle_cyclic_first(num_vcs, take(in, "bound_vc", num_vcs), 0);
    const uint64_t free = take(in, "free", num_vcs);
    take(in, "has_credit", num_vcs);
    for (unsigned w = 0; w < num_vcs; w++) {
        lanes[w].owned = !(free >> w & 1);
        lanes[w].credits = (unsigned)take(in, "credits", count_width(depth));
    }
    expect(out, "can", num_vcs,
           head ? oracle_takeable(lanes, num_vcs, depth, &want)
                : oracle_bound(lanes, (unsigned)bound, true));
}

static const struct bench_module module = {
    .name = "anl_admit",
    .parameters = "NumVcs, Depth, FlowControl",
    .state_bytes = sizeof(struct state),
    .cycles = 20000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
