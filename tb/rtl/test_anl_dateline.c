// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

struct state {
    int unused;
};

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state, (void)p;
    put(in, 2, bench_cycle());
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned num_vcs = (unsigned)p[0];
    const uint64_t class_0 = ones(num_vcs / 2), all = ones(num_vcs);
    const bool wrap_ahead = take(in, "wrap_ahead", 1), to_terminal = take(in, "to_terminal", 1);
    (void)state;
    if (!p[1] || to_terminal)
        expect(out, "vcs", num_vcs, all);
    else
        expect(out, "vcs", num_vcs, wrap_ahead ? class_0 : all & ~class_0);
}

static const struct bench_module module = {
    .name = "anl_dateline",
    .parameters = "NumVcs, Dateline",
    .state_bytes = sizeof(struct state),
    .cycles = 100,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
