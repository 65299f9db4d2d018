// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

struct state {
    int unused;
};

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned size = (unsigned)p[0], which = (unsigned)bench_cycle() % (size + 1);
    (void)state;
    put(in, size, which < size ? UINT64_C(1) << which : 0);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const uint64_t onehot = take(in, "onehot", (unsigned)p[0]);
    unsigned index = 0;
    (void)state;
    while (onehot && !(onehot >> index & 1))
        index++;
    expect(out, "index", index_width((unsigned)p[0]), index);
}

static const struct bench_module module = {
    .name = "anl_encode",
    .parameters = "Size",
    .state_bytes = sizeof(struct state),
    .cycles = 200,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
