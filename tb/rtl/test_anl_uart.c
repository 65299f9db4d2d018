// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

struct state {
    unsigned code;
    unsigned left;  // cycles of the byte on the line still to come, with this one
};

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state, (void)p;
    put(in, 1, chance(mood(0)));
    put(in, 8, random_bits(8));
}

// Returns the level of the line when s->left cycles of the byte are still to come.
static unsigned level(const struct state *s, unsigned bit_cycles)
{
    const unsigned bit = (10 * bit_cycles - s->left) / bit_cycles;
    return bit == 0 ? 0 : bit == 9 ? 1 : s->code >> (bit - 1) & 1;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned bit_cycles = (unsigned)p[0];
    const bool rests = s->left == 0;
    expect(out, "ready", 1, rests);
    expect(out, "uart", 1, rests ? 1 : level(s, bit_cycles));

    const bool valid = take(in, "valid", 1);
    const unsigned code = (unsigned)take(in, "byte", 8);
    if (!rests) {
        s->left--;
    } else if (valid) {
        s->code = code;
        s->left = 10 * bit_cycles;
    }
}

static const struct bench_module module = {
    .name = "anl_uart",
    .parameters = "BitCycles",
    .state_bytes = sizeof(struct state),
    .cycles = 8000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
