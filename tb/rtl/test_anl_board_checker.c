// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "board_rules.h"

enum { MOST = 27, RUN = 150 };

enum { TERMINALS, INSTANCE };

static const uint32_t expected = 0x58b1cc5a;

struct state {
    unsigned over;             // the cycle in which the run is over
    uint32_t words[MOST + 1];  // inputs, constant from the next cycle on
    uint32_t signature;
    bool pass;
};

// Every other instance must reach the expected signature; in half of the runs the next reset comes
// while it is being checked. Each of the other instances differs from it by a bit of its own.
static void reset(void *state, const int *p)
{
    struct state *s = state;
    const unsigned terminals = (unsigned)p[TERMINALS], instance = (unsigned)p[INSTANCE];
    uint32_t signature = 0;
    s->pass = instance % 2 == 0;
    s->signature = s->pass ? expected : expected ^ UINT32_C(1) << instance / 2;
    s->over = chance(20) ? 0 : (unsigned)random_below(60);
    if (s->pass && chance(50)) s->over = RUN - 1 - (unsigned)random_below(terminals + 4);
    for (unsigned i = 0; i < terminals; i++)
        signature = board_step(signature ^ (s->words[i] = (uint32_t)random_bits(32)));
    s->words[terminals] = signature ^ board_step_back(s->signature);
}

static void drive(void *state, const int *p, struct bits *in)
{
    const struct state *s = state;
    const bool still = !bench_in_reset() && bench_cycle() > s->over;
    const unsigned terminals = (unsigned)p[TERMINALS];
    put(in, 1, bench_in_reset() ? chance(50) : bench_cycle() >= s->over);
    put(in, 32, still ? s->words[terminals] : random_bits(32));
    for (unsigned i = 0; i < terminals; i++)
        put(in, 32, still ? s->words[i] : random_bits(32));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const struct state *s = state;
    const bool judged = bench_cycle() >= s->over + (unsigned)p[TERMINALS] + 4;
    take(in, "over", 1);
    expect(out, "running", 1, !judged);
    expect(out, "pass", 1, judged && s->pass);
    expect(out, "fail", 1, judged && !s->pass);
    if (judged) expect(out, "signature", 32, s->signature);
}

static const struct bench_module module = {
    .name = "anl_board_checker",
    .parameters = "Terminals, Instance",
    .state_bytes = sizeof(struct state),
    .cycles = RUN,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
