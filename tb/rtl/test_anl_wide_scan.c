// SPDX-License-Identifier: Apache-2.0
//
// The choice of one head for a lane of a wide link. The start of the arbiter is drawn, so that each
// one is tried: for the policies that draw it, too, it stands in the place of the pointer.

#include "bench.h"
#include "oracle/scan.h"

struct state {
    int unused;
};

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned size = (unsigned)p[0];
    const uint64_t origin = random_bits(16);
    (void)state;
    put(in, size, chance(mood(0)) ? random_bits(size) : ones(size));
    for (unsigned i = 0; i < size; i++)
        put(in, 16, (origin + random_below(8)) & 0xffff);
    put(in, size, ones(size) << random_below(size) & ones(size));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned size = (unsigned)p[0];
    uint16_t ranks[ORACLE_CANDIDATES];
    (void)state;
    const uint64_t req = take(in, "req", size);
    for (unsigned i = 0; i < size; i++)
        ranks[i] = (uint16_t)take(in, "rank", 16);
    const unsigned start = size - members_below(size, take(in, "from", size));
    int winner;
    if (p[1] == ROUND_ROBIN || p[1] == RANDOM)
        winner = oracle_cyclic_first(size, req, start);
    else if (p[1] == FARTHEST)
        winner = oracle_farthest_first(size, req, start, ranks);
    else
        winner =
            p[1] == AGE ? oracle_oldest_first(size, req, ranks) : oracle_cyclic_first(size, req, 0);
    expect(out, "gnt", size, onehot(winner));
}

static const struct bench_module module = {
    .name = "anl_wide_scan",
    .parameters = "Size, Arbiter",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
