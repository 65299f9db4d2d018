// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "oracle/lanes.h"
#include "oracle/scan.h"

struct state {
    int unused;
};

// The state of the last port's lanes is drawn anew in every cycle; each lane is consistent in
// itself.
static void put_outputs(struct bits *in, unsigned num_vcs, unsigned depth)
{
    unsigned credits[ORACLE_LANES];
    uint64_t has_credit = 0, all_credits = 0;

    for (unsigned w = 0; w < num_vcs; w++) {
        credits[w] = chance(mood(0)) ? depth : (unsigned)random_below(depth + 1);
        has_credit |= (uint64_t)(credits[w] > 0) << w;
        all_credits |= (uint64_t)(credits[w] == depth) << w;
    }
    put(in, num_vcs, random_bits(num_vcs) | (chance(mood(1)) ? ones(num_vcs) : 0));
    put(in, num_vcs, has_credit);
    put(in, num_vcs, all_credits);
    for (unsigned w = 0; w < num_vcs; w++)
        put(in, count_width(depth), credits[w]);
}

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned num_vcs = (unsigned)p[0], depth = (unsigned)p[1];
    (void)state;

    for (unsigned field = 0; field < 4; field++)  // held, head, whole, either
        put(in, num_vcs, random_bits(num_vcs) | (chance(mood(field + 2)) ? ones(num_vcs) : 0));
    for (unsigned v = 0; v < num_vcs; v++)
        put(in, 7, 1 + random_below(depth));
    put(in, num_vcs * num_vcs, random_bits(num_vcs * num_vcs));
    put_outputs(in, num_vcs, depth);
    put(in, num_vcs, chance(90) ? onehot((int)random_below(num_vcs)) : 0);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned num_vcs = (unsigned)p[0], depth = (unsigned)p[1];
    struct oracle_out_lane lanes[ORACLE_LANES] = {0};
    struct oracle_want wants[ORACLE_LANES];
    uint64_t eligible = 0, can[ORACLE_LANES];
    (void)state;

    const uint64_t held = take(in, "held", num_vcs), head = take(in, "head", num_vcs);
    const uint64_t whole = take(in, "whole", num_vcs), either = take(in, "either", num_vcs);
    for (unsigned v = 0; v < num_vcs; v++) {
        const unsigned need = oracle_need(p[2], (unsigned)take(in, "length", 7));
        wants[v] = (struct oracle_want){.need = need, .at_once = true};
    }
    for (unsigned v = 0; v < num_vcs; v++)
        wants[v].set = take(in, "set", num_vcs);
    const uint64_t free = take(in, "free", num_vcs);
    take(in, "has_credit", num_vcs);
    const uint64_t all_credits = take(in, "home", num_vcs);
    for (unsigned w = 0; w < num_vcs; w++) {
        lanes[w].owned = !(free >> w & 1);
        lanes[w].credits = (unsigned)take(in, "credits", count_width(depth));
    }
    const int sel = oracle_cyclic_first(num_vcs, take(in, "sel", num_vcs), 0);

    for (unsigned v = 0; v < num_vcs; v++) {
        const bool asks = head & either & onehot((int)v);
        can[v] = asks ? oracle_takeable(lanes, num_vcs, depth, &wants[v]) : 0;
        eligible |= (uint64_t)((held & whole) >> v & 1 && can[v] != 0) << v;
    }
    expect(out, "eligible", num_vcs, eligible);
    expect(out, "take", num_vcs,
           sel < 0 ? 0 : onehot(oracle_lane_taken(num_vcs, can[sel], all_credits)));
}

static const struct bench_module module = {
    .name = "anl_second_port",
    .parameters = "NumVcs, Depth, FlowControl",
    .state_bytes = sizeof(struct state),
    .cycles = 10000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
