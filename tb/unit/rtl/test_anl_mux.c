// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

struct state {
    int unused;
};

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned size = (unsigned)p[0];
    const uint64_t which = random_below(size + 1);  // size: none
    (void)state;
    put(in, size, which < size ? UINT64_C(1) << which : 0);
    for (unsigned i = 0; i < size; i++)
        put(in, (unsigned)p[1], random_bits((unsigned)p[1]));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const uint64_t sel = take(in, "sel", (unsigned)p[0]);
    uint64_t expected = 0;
    (void)state;
    for (unsigned i = 0; i < (unsigned)p[0]; i++) {
        const uint64_t entry = take(in, "entry", (unsigned)p[1]);
        if (sel >> i & 1) expected = entry;
    }
    expect(out, "data", (unsigned)p[1], expected);
}

static const struct bench_module module = {
    .name = "anl_mux",
    .parameters = "Size, Width",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
