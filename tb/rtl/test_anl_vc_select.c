// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "oracle/lanes.h"

struct state {
    int unused;
};

// Every combination of can_i and all_credits_i.
static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned num_vcs = (unsigned)p[0];
    (void)state;
    put(in, num_vcs, bench_cycle());
    put(in, num_vcs, bench_cycle() >> num_vcs);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned num_vcs = (unsigned)p[0];
    const uint64_t can = take(in, "can", num_vcs), all_credits = take(in, "home", num_vcs);
    (void)state;
    expect(out, "lane", num_vcs, onehot(oracle_lane_taken(num_vcs, can, all_credits)));
}

static const struct bench_module module = {
    .name = "anl_vc_select",
    .parameters = "NumVcs",
    .state_bytes = sizeof(struct state),
    .cycles = 65536,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
