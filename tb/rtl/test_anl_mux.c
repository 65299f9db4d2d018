// SPDX-License-Identifier: Apache-2.0

#include "mux_rule.h"

struct state {
    int unused;
};

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned size = (unsigned)p[0];
    const uint64_t which = random_below(size + 1);  // size: no entry
    (void)state;
    put(in, size, which < size ? UINT64_C(1) << which : 0);
    mux_put(in, size, (unsigned)p[1]);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned size = (unsigned)p[0], width = (unsigned)p[1];
    const uint64_t sel = take(in, "sel", size);
    unsigned which = 0;
    (void)state;
    while (which < size && !(sel >> which & 1))
        which++;
    expect(out, "data", width, mux_take(in, size, width, which));
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
