// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "board_rules.h"

struct state {
    uint32_t signature;
};

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state, (void)p;
    put(in, 1, chance(mood(0)));
    put(in, 32, chance(20) ? UINT64_C(1) << random_below(32) : random_bits(32));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    (void)p;
    expect(out, "signature", 32, s->signature);
    const bool valid = take(in, "valid", 1);
    const uint32_t word = (uint32_t)take(in, "word", 32);
    if (valid) s->signature = board_step(s->signature ^ word);
}

static const struct bench_module module = {
    .name = "anl_board_signature",
    .parameters = "none",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
