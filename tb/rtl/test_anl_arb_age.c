// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "oracle/scan.h"

struct state {
    int unused;
};

// Stamps come from a few clusters, so that ties, close calls, differences of 2^15 and cycles of
// "older" all occur.
static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned size = (unsigned)p[0];
    const uint64_t origin = random_bits(16);
    (void)state;
    put(in, size, random_bits(size) | (chance(30) ? random_bits(size) : 0));
    for (unsigned i = 0; i < size; i++)
        put(in, 16, (origin + random_below(4) * 0x4000 + random_below(3) + 0xffff) & 0xffff);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned size = (unsigned)p[0];
    const uint64_t req = take(in, "req", size);
    uint16_t ranks[ORACLE_CANDIDATES];
    (void)state;
    for (unsigned i = 0; i < size; i++)
        ranks[i] = (uint16_t)take(in, "stamp", 16);
    expect(out, "gnt", size, onehot(oracle_oldest_first(size, req, ranks)));
}

static const struct bench_module module = {
    .name = "anl_arb_age",
    .parameters = "Size",
    .state_bytes = sizeof(struct state),
    .cycles = 20000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
