// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

struct state {
    unsigned count;
};

static void reset(void *state, const int *p)
{
    struct state *s = state;
    s->count = (unsigned)p[1];
}

static void drive(void *state, const int *p, struct bits *in)
{
    const struct state *s = state;
    const bool down = s->count > 0 && chance(mood(0));
    const bool up = (s->count < (unsigned)p[0] || down) && chance(mood(1));

    put(in, 1, up);
    put(in, 1, down);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned up = (unsigned)take(in, "up", 1), down = (unsigned)take(in, "down", 1);

    expect(out, "count", count_width((unsigned)p[0]), s->count);
    expect(out, "least", (unsigned)p[0], ones(s->count));
    s->count = s->count + up - down;
}

static const struct bench_module module = {
    .name = "anl_counter",
    .parameters = "Max, Init",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
