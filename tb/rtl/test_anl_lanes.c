// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "oracle/lanes.h"

struct state {
    struct oracle_in_lane lanes[ORACLE_LANES];
    uint64_t here;
};

static void reset(void *state, const int *p)
{
    struct state *s = state;
    s->here = random_bits((unsigned)p[3]);
}

static void drive(void *state, const int *p, struct bits *in)
{
    const struct state *s = state;
    const unsigned num_vcs = (unsigned)p[0], flit_w = (unsigned)p[2];
    const unsigned to = (unsigned)random_below(num_vcs), from = (unsigned)random_below(num_vcs);
    const bool reads = s->lanes[from].count > 0 && chance(mood(1)), pops = chance(mood(2));
    const bool room = s->lanes[to].count < (unsigned)p[1] || (reads && pops && from == to);

    put(in, 1, room && chance(mood(0)));
    put(in, index_width(num_vcs), to);
    put(in, flit_w + 2, random_bits(flit_w + 2));
    put(in, num_vcs, reads ? UINT64_C(1) << from : 0);
    put(in, 1, pops);
    put(in, (unsigned)p[3], s->here);
}

static void check_differs(const struct state *s, unsigned v, unsigned low_w, struct bits *out)
{
    if (s->lanes[v].count)
        expect(out, "differs", low_w, (s->lanes[v].flit[0].data ^ s->here) & ones(low_w));
    else
        ignore(out, "differs", low_w);
}

static void check_front(const struct oracle_in_lane *lane, const int *p, struct bits *out)
{
    const unsigned flit_w = (unsigned)p[2], low_w = (unsigned)p[3];
    const uint64_t flit = lane->flit[0].data;
    const uint64_t front = (flit & ones(low_w)) | flit >> flit_w << low_w;

    if (lane->count)
        expect(out, "front", low_w + 2, front);
    else
        ignore(out, "front", low_w + 2);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned num_vcs = (unsigned)p[0], depth = (unsigned)p[1], flit_w = (unsigned)p[2];
    const uint64_t valid = take(in, "valid", 1), vc = take(in, "vc", index_width(num_vcs));
    const uint64_t flit = take(in, "flit", flit_w + 2);
    const uint64_t sel = take(in, "sel", num_vcs), pops = take(in, "pop", 1);
    uint64_t held = 0, read = 0;

    take(in, "here", (unsigned)p[3]);
    expect(out, "credit", num_vcs, pops ? sel : 0);
    for (unsigned v = 0; v < num_vcs; v++)
        held |= (uint64_t)(s->lanes[v].count > 0) << v;
    expect(out, "held", num_vcs, held);
    for (unsigned v = 0; v < num_vcs; v++)
        expect(out, "count", count_width(depth), s->lanes[v].count);
    for (unsigned v = 0; v < num_vcs; v++)
        check_front(&s->lanes[v], p, out);
    for (unsigned v = 0; v < num_vcs; v++)
        check_differs(s, v, (unsigned)p[3], out);
    for (unsigned v = 0; v < num_vcs; v++)
        read |= sel >> v & 1 ? s->lanes[v].flit[0].data : 0;
    if (sel) expect(out, "flit", flit_w + 2, read);

    for (unsigned v = 0; v < num_vcs; v++)
        if (pops && (sel >> v & 1)) oracle_pop(&s->lanes[v], 0, 0);
    if (valid) oracle_enter(&s->lanes[vc], &(struct oracle_flit){.data = flit});
}

static const struct bench_module module = {
    .name = "anl_lanes",
    .parameters = "NumVcs, Depth, FlitW, LowW",
    .state_bytes = sizeof(struct state),
    .cycles = 10000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
