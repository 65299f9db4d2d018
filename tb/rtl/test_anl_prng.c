// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

struct state {
    uint32_t random, seed;
};

static void reset(void *state, const int *p)
{
    struct state *s = state;
    // Seed 1 is the smallest state; its successor can be worked out by hand.
    s->random = s->seed = p[0] ? (uint32_t)random_bits(32) | 1 : 1;
}

static void drive(void *state, const int *p, struct bits *in)
{
    const struct state *s = state;
    (void)p;
    put(in, 32, bench_in_reset() ? s->seed : random_bits(32));
    put(in, 1, chance(mood(0)));
}

static uint32_t step(uint32_t r)
{
    r ^= r << 13;
    r ^= r >> 17;
    r ^= r << 5;
    return r;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    (void)p;
    take(in, "seed", 32);
    expect(out, "random", 32, s->random);
    if (take(in, "step", 1)) s->random = step(s->random);
}

static const struct bench_module module = {
    .name = "anl_prng",
    .parameters = "Instance",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
