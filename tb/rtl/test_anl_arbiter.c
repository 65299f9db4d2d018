// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "oracle/scan.h"

static void reset(void *state, const int *p) { oracle_arbiter_reset(state, p[1], (unsigned)p[0]); }

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned size = (unsigned)p[0];
    const uint64_t members = (uint64_t)p[2];
    const uint64_t origin = random_bits(16);
    (void)state;
    put(in, size, (chance(mood(0)) ? random_bits(size) : ones(size)) & members);
    for (unsigned i = 0; i < size; i++)
        put(in, 16, (origin + random_below(8)) & 0xffff);
    put(in, 8, random_bits(8));
    put(in, 1, chance(mood(1)));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct oracle_arbiter *arbiter = state;
    const unsigned size = (unsigned)p[0];
    const uint64_t members = (uint64_t)p[2];
    const unsigned width = index_width(members_below(size, members));
    uint16_t ranks[ORACLE_CANDIDATES];
    const uint64_t req = take(in, "req", size);
    for (unsigned i = 0; i < size; i++)
        ranks[i] = (uint16_t)take(in, "stamp", 16);
    const uint8_t random = (uint8_t)take(in, "random", 8);
    const bool accept = take(in, "accept", 1);

    const int winner = oracle_arbiter_first(arbiter, req, random, ranks);

    expect(out, "gnt", size, onehot(winner));
    if (winner != ORACLE_NONE)
        expect(out, "way", width, members_below((unsigned)winner, members));
    else
        ignore(out, "way", width);
    expect(out, "ptr", index_width(size), arbiter->ptr);
    if (accept && winner != ORACLE_NONE) oracle_arbiter_serve(arbiter, (unsigned)winner);
}

static const struct bench_module module = {
    .name = "anl_arbiter",
    .parameters = "Size, Arbiter, Members",
    .state_bytes = sizeof(struct oracle_arbiter),
    .cycles = 20000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
