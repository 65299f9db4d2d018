// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "rules.h"

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
    struct admission a = {.rule = p[2]};
    (void)state;
    a.head = take(in, "head", 1);
    a.length = (unsigned)take(in, "length", 7);
    a.set = take(in, "set", num_vcs);
    a.bound_vc = cyclic_first(num_vcs, take(in, "bound_vc", num_vcs), 0);
    a.owned = ~take(in, "free", num_vcs);
    take(in, "has_credit", num_vcs);
    for (unsigned w = 0; w < num_vcs; w++)
        a.credits[w] = (unsigned)take(in, "credits", count_width(depth));
    expect(out, "can", num_vcs, admitting_lanes(num_vcs, &a));
}

static const struct bench_module module = {
    .name = "anl_admit",
    .parameters = "NumVcs, Depth, Admission",
    .state_bytes = sizeof(struct state),
    .cycles = 20000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
