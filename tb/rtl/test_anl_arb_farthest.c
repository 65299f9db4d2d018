// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "oracle/scan.h"

struct state {
    int unused;
};

// There are few values, so ties are common; 0 and the largest value occur, and those on both sides
// of 256 and 2^15.
static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned size = (unsigned)p[0];
    const uint64_t edges[] = {0, 0xfffc, 0xfe, 0x7ffe, random_bits(16) & 0xfffc};
    const uint64_t base = edges[random_below(5)];
    (void)state;
    put(in, size, random_bits(size) | (chance(50) ? random_bits(size) : 0));
    for (unsigned i = 0; i < size; i++)
        put(in, 16, chance(10) ? random_bits(16) : base + random_below(4));
    put(in, index_width(size), random_below(size));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned size = (unsigned)p[0];
    const uint64_t req = take(in, "req", size);
    uint16_t distances[ORACLE_CANDIDATES];
    (void)state;
    for (unsigned i = 0; i < size; i++)
        distances[i] = (uint16_t)take(in, "distance", 16);
    const unsigned start = (unsigned)take(in, "start", index_width(size));
    expect(out, "gnt", size, onehot(oracle_farthest_first(size, req, start, distances)));
}

static const struct bench_module module = {
    .name = "anl_arb_farthest",
    .parameters = "Size",
    .state_bytes = sizeof(struct state),
    .cycles = 20000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
