// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "oracle/lanes.h"

struct state {
    int unused;
};

// The counts 0, Depth - 1 and Depth are common. A credit comes back only if the count is below
// Depth.
static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned num_vcs = (unsigned)p[0], depth = (unsigned)p[1];
    uint64_t has_credit = 0, all_credits = 0, credit = 0;
    (void)state;

    for (unsigned v = 0; v < num_vcs; v++) {
        const unsigned usual[] = {0, depth - 1, depth, (unsigned)random_below(depth + 1)};
        const unsigned count = usual[random_below(4)];
        has_credit |= (uint64_t)(count > 0) << v;
        all_credits |= (uint64_t)(count == depth) << v;
        credit |= (uint64_t)(count < depth && chance(50)) << v;
        put(in, count_width(depth), count);
    }
    put(in, num_vcs, has_credit);
    put(in, num_vcs, all_credits);
    put(in, num_vcs, credit);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned num_vcs = (unsigned)p[0], depth = (unsigned)p[1];
    struct oracle_out_lane lanes[ORACLE_LANES] = {0};
    uint64_t has_credit = 0;
    (void)state;

    for (unsigned v = 0; v < num_vcs; v++)
        lanes[v].credits = (unsigned)take(in, "count", count_width(depth));
    take(in, "has_credit", num_vcs);
    take(in, "home", num_vcs);
    const uint64_t credit = take(in, "credit", num_vcs);
    for (unsigned v = 0; v < num_vcs; v++) {
        lanes[v].returning = credit >> v & 1;
        has_credit |= oracle_bound(lanes, v, true);
        expect(out, "count", count_width(depth), oracle_credits(&lanes[v], true));
    }
    expect(out, "has_credit", num_vcs, has_credit);
    expect(out, "home", num_vcs, oracle_empty(lanes, num_vcs, depth, true));
}

static const struct bench_module module = {
    .name = "anl_credit_bypass",
    .parameters = "NumVcs, Depth",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
