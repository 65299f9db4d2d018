// SPDX-License-Identifier: Apache-2.0
//
// Lanes that hold flits of packets or none, and a sink that takes what is shown or does not. The
// flit that is shown must be that of docs/integrate.md, "One packet at a time".

#include "bench.h"
#include "oracle/words.h"

enum { MAX_LANES = 8 };

struct state {
    unsigned
        left[MAX_LANES];  // flits of the packet at the front of a lane that have not been taken
    uint64_t held;        // lanes that hold a flit
    int open, last;       // lane of the packet that is shown, or ORACLE_NONE; lane of the last one
};

static void reset(void *state, const int *p)
{
    struct state *s = state;
    s->open = ORACLE_NONE;
    s->last = p[0] - 1;
    for (int v = 0; v < p[0]; v++)
        s->left[v] = 1 + (unsigned)random_below(4);
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    const unsigned lanes = (unsigned)p[0];
    uint64_t ends = 0;
    for (unsigned v = 0; v < lanes; v++) {
        if (!bench_in_reset() && chance(mood(v))) s->held |= onehot((int)v);
        ends |= (uint64_t)(s->left[v] == 1) << v;
    }
    put(in, lanes, bench_in_reset() ? 0 : s->held);
    put(in, lanes, ends);
    put(in, 1, chance(mood(lanes)));
}

// Returns the lane that is shown, or ORACLE_NONE.
static int lane_shown(const struct state *s, int lanes, uint64_t held)
{
    if (s->open != ORACLE_NONE) return held >> s->open & 1 ? s->open : ORACLE_NONE;
    for (int n = 1; n <= lanes; n++)
        if (held >> (s->last + n) % lanes & 1) return (s->last + n) % lanes;
    return ORACLE_NONE;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned lanes = (unsigned)p[0];
    const uint64_t held = take(in, "held", lanes);
    const uint64_t ends = take(in, "ends", lanes);
    const bool ready = take(in, "ready", 1);
    const int shown = lane_shown(s, p[0], held);

    expect(out, "valid", 1, shown != ORACLE_NONE);
    expect(out, "gnt", lanes, shown == ORACLE_NONE ? 0 : onehot(shown));
    expect_if(shown != ORACLE_NONE, out, "index", index_width(lanes), (uint64_t)shown);
    if (shown == ORACLE_NONE) return;
    s->open = s->last = shown;
    if (!ready) return;
    s->held &= ~onehot(shown);
    s->left[shown]--;
    if (ends >> shown & 1) {
        s->open = ORACLE_NONE;
        s->left[shown] = 1 + (unsigned)random_below(4);
    }
}

static const struct bench_module module = {
    .name = "anl_axis_packets",
    .parameters = "NumVcs",
    .state_bytes = sizeof(struct state),
    .cycles = 10000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
