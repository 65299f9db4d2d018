// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "rules.h"

enum { MAX_VCS = 8 };

struct state {
    int unused;
};

// The state of the last port's lanes is drawn anew in every cycle; each lane is consistent in
// itself.
static void put_outputs(struct bits *in, unsigned num_vcs, unsigned depth)
{
    unsigned credits[MAX_VCS];
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
    struct admission lanes[MAX_VCS], a = {.rule = p[2], .head = true, .bound_vc = RULES_NONE};
    uint64_t eligible = 0, can[MAX_VCS];
    (void)state;

    const uint64_t held = take(in, "held", num_vcs), head = take(in, "head", num_vcs);
    const uint64_t whole = take(in, "whole", num_vcs), either = take(in, "either", num_vcs);
    for (unsigned v = 0; v < num_vcs; v++) {
        lanes[v] = a;
        lanes[v].length = (unsigned)take(in, "length", 7);
    }
    for (unsigned v = 0; v < num_vcs; v++)
        lanes[v].set = take(in, "set", num_vcs);
    a.owned = ~take(in, "free", num_vcs);
    take(in, "has_credit", num_vcs);
    const uint64_t all_credits = take(in, "home", num_vcs);
    for (unsigned w = 0; w < num_vcs; w++)
        a.credits[w] = (unsigned)take(in, "credits", count_width(depth));
    const int sel = cyclic_first(num_vcs, take(in, "sel", num_vcs), 0);

    for (unsigned v = 0; v < num_vcs; v++) {
        a.length = lanes[v].length;
        a.set = lanes[v].set;
        can[v] = head & either & onehot((int)v) ? admitting_lanes(num_vcs, &a) : 0;
        eligible |= (uint64_t)((held & whole) >> v & 1 && can[v] != 0) << v;
    }
    expect(out, "eligible", num_vcs, eligible);
    expect(out, "take", num_vcs, sel < 0 ? 0 : onehot(lane_taken(num_vcs, can[sel], all_credits)));
}

static const struct bench_module module = {
    .name = "anl_second_port",
    .parameters = "NumVcs, Depth, Admission",
    .state_bytes = sizeof(struct state),
    .cycles = 10000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
