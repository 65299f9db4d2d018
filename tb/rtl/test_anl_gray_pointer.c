// SPDX-License-Identifier: Apache-2.0
//
// The pointer counts steps. The gray code is the reflected one: its second half is the first half
// backwards, with the uppermost bit set.

#include "bench.h"

struct state {
    uint64_t steps;
};

static uint64_t reflected(unsigned width, uint64_t number)
{
    const uint64_t half = UINT64_C(1) << (width - 1);
    if (width == 1) return number;
    return number < half ? reflected(width - 1, number)
                         : half | reflected(width - 1, 2 * half - 1 - number);
}

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state, (void)p;
    put(in, 1, chance(mood(0)));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned width = (unsigned)p[0];
    const bool step = take(in, "step", 1);
    expect(out, "ptr", width, s->steps & ones(width));
    expect(out, "gray", width, reflected(width, s->steps & ones(width)));
    s->steps += step;
}

static const struct bench_module module = {
    .name = "anl_gray_pointer",
    .parameters = "Width",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
