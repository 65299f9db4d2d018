// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

struct state {
    int unused;
};

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state;
    put(in, index_width((unsigned)p[0]), bench_cycle());
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const uint64_t index = take(in, "index", index_width((unsigned)p[0]));
    (void)state;
    expect(out, "onehot", (unsigned)p[0], index < (unsigned)p[0] ? UINT64_C(1) << index : 0);
}

static const struct bench_module module = {
    .name = "anl_decode",
    .parameters = "Size",
    .state_bytes = sizeof(struct state),
    .cycles = 200,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
