// SPDX-License-Identifier: Apache-2.0
//
// The arbiter matrix as docs/switch.md, "Arbitration policies", says it: an order of the inputs,
// out of which the one that is served goes to the end.

#include "bench.h"
#include "oracle/scan.h"

struct state {
    struct oracle_order order;
    unsigned last;
};

static void reset(void *state, const int *p)
{
    struct state *s = state;
    oracle_order_reset(&s->order, (unsigned)p[0]);
    s->last = (unsigned)p[0] - 1;
}

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state;
    uint64_t requests = 0;
    for (unsigned i = 0; i < (unsigned)p[0]; i++)
        requests |= (uint64_t)chance(mood(i % 6)) << i;
    put(in, (unsigned)p[0], requests);
    put(in, 1, chance(mood(7)));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned size = (unsigned)p[0];
    const uint64_t requests = take(in, "req", size);
    const bool taken = take(in, "taken", 1);
    const int winner = oracle_order_first(&s->order, requests);

    expect(out, "gnt", size, onehot(winner));
    expect(out, "ptr", index_width(size), (s->last + 1) % size);
    if (!taken || winner == ORACLE_NONE) return;
    s->last = (unsigned)winner;
    oracle_order_serve(&s->order, s->last);
}

static const struct bench_module module = {
    .name = "anl_arb_matrix",
    .parameters = "Size",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
