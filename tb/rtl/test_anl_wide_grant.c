// SPDX-License-Identifier: Apache-2.0
//
// Heads that take the lanes of a wide link, whatever they ask for and whatever they can take.

#include "bench.h"
#include "oracle/scan.h"
#include "oracle/wide.h"

struct state {
    unsigned ptr;
};

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned num_vcs = (unsigned)p[1], size = (unsigned)p[0] * num_vcs;
    const uint64_t origin = random_bits(16);
    (void)state;
    put(in, 8, random_bits(8));
    uint64_t ask = 0;
    for (unsigned c = 0; c < size; c++)
        ask |= (uint64_t)chance(mood(0)) << c;
    put(in, size, ask);
    for (unsigned w = 0; w < num_vcs; w++) {
        uint64_t can = 0;
        for (unsigned c = 0; c < size; c++)
            can |= (uint64_t)chance(mood(1 + w)) << c;
        put(in, size, can);
    }
    for (unsigned c = 0; c < size; c++)
        put(in, 16, (origin + random_below(8)) & 0xffff);
    put(in, num_vcs, random_bits(num_vcs));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned num_vcs = (unsigned)p[1], size = (unsigned)p[0] * num_vcs;
    uint16_t ranks[ORACLE_CANDIDATES];
    uint64_t can[ORACLE_LANES], takes[ORACLE_LANES];
    const uint8_t random = (uint8_t)take(in, "random", 8);
    struct oracle_heads heads = {
        .size = size,
        .num_vcs = num_vcs,
        .ask = take(in, "ask", size),
        .can = can,
        .scan = {.policy = p[2], .ptr = s->ptr, .random = random, .ranks = ranks}};
    for (unsigned w = 0; w < num_vcs; w++)
        can[w] = take(in, "can", size);
    for (unsigned c = 0; c < size; c++)
        ranks[c] = (uint16_t)take(in, "rank", 16);
    heads.empty = take(in, "all_credits", num_vcs);

    const int first = oracle_grant_heads(&heads, takes);
    for (unsigned w = 0; w < num_vcs; w++)
        expect(out, "take", size, takes[w]);
    expect(out, "out_ptr", index_width(size), s->ptr);
    s->ptr = oracle_wide_pointer(p[2], size, s->ptr, first);
}

static const struct bench_module module = {
    .name = "anl_wide_grant",
    .parameters = "NumPorts, NumVcs, Arbiter",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
