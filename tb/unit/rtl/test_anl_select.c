// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

struct state {
    int unused;
};

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned size = (unsigned)p[0], members = (unsigned)p[2];
    unsigned which;
    (void)state;
    do {
        which = (unsigned)random_below(size + 1);  // size: none
    } while (which < size && !(members >> which & 1));
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
    if (sel)
        expect(out, "data", (unsigned)p[1], expected);
    else
        take(out, "data", (unsigned)p[1]);
}

static const struct bench_module module = {
    .name = "anl_select",
    .parameters = "Size, Width, Members",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
