// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

struct state {
    int unused;
};

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned vc = index_width((unsigned)p[0]);
    (void)state;
    put(in, 1, chance(mood(0)));
    put(in, vc, random_below((uint64_t)p[0]));
    put(in, (unsigned)p[1] + 2, random_bits((unsigned)p[1] + 2));
    put(in, 1, chance(mood(1)));
    put(in, vc, random_below((uint64_t)p[0]));
}

// Flits pass, and a pulse is the credit of its lane (docs/link.md, "Links of other styles").
static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned num_vcs = (unsigned)p[0], vc = index_width(num_vcs), flit = (unsigned)p[1] + 2;
    const uint64_t valid = take(in, "valid", 1), lane = take(in, "vc", vc),
                   data = take(in, "flit", flit);
    const uint64_t pulse = take(in, "pulse", 1), credit = take(in, "lane", vc);
    (void)state;
    expect(out, "credit", num_vcs, pulse << credit);
    expect(out, "valid", 1, valid);
    expect_if(valid, out, "vc", vc, lane);
    expect_if(valid, out, "flit", flit, data);
}

static const struct bench_module module = {
    .name = "anl_credit_to_pulse",
    .parameters = "NumVcs, FlitW",
    .state_bytes = sizeof(struct state),
    .cycles = 2000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
