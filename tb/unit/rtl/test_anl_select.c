// SPDX-License-Identifier: Apache-2.0

#include "mux_rule.h"

struct state {
    int unused;
};

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state;
    mux_put(in, (unsigned)p[0], (unsigned)p[1], (unsigned)p[2]);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    uint64_t sel;
    const uint64_t selected = mux_take(in, (unsigned)p[0], (unsigned)p[1], &sel);
    (void)state;
    if (sel)
        expect(out, "data", (unsigned)p[1], selected);
    else
        ignore(out, "data", (unsigned)p[1]);
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
