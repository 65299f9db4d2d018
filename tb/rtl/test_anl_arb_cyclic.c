// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "oracle/scan.h"

struct state {
    int unused;
};

// Small sizes meet every request with every start, also requests of places that are not members.
static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned size = (unsigned)p[0], cycle = (unsigned)bench_cycle();
    (void)state;
    if (size <= 8) {
        put(in, size, cycle / size);
        put(in, index_width(size), cycle % size);
    } else {
        put(in, size, random_bits(size) & random_bits(size) & random_bits(size));
        put(in, index_width(size), random_below(size));
    }
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned size = (unsigned)p[0];
    const uint64_t members = (uint64_t)p[1], req = take(in, "req", size) & members;
    const unsigned start = (unsigned)take(in, "start", index_width(size));
    const unsigned width = index_width(members_below(size, members));
    const int winner = oracle_cyclic_first(size, req, start);
    (void)state;
    expect(out, "gnt", size, onehot(winner));
    if (winner != ORACLE_NONE)
        expect(out, "index", width, members_below((unsigned)winner, members));
    else
        ignore(out, "index", width);
}

static const struct bench_module module = {
    .name = "anl_arb_cyclic",
    .parameters = "Size, Members",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
