// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

struct state {
    unsigned steps;
};

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state, (void)p;
    put(in, 1, chance(mood(0)));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned size = (unsigned)p[0];

    expect(out, "ptr", index_width(size), s->steps % size);
    s->steps += (unsigned)take(in, "step", 1);
}

static const struct bench_module module = {
    .name = "anl_pointer",
    .parameters = "Size",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
