// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

enum { CYCLES = 16, LINES = 8, HALVES = 2 };

// What goes into a link in a cycle.
struct passing {
    uint64_t valid, credit;
    uint64_t vc[LINES], flit[LINES][HALVES];
};

struct state {
    struct passing passed[CYCLES];  // that of cycle t at t % CYCLES
};

struct sizes {
    unsigned cycles, num_vcs, lines, vc;
    unsigned flit[HALVES];  // bits of the two parts of a flit that are put and taken
};

static struct sizes sizes_of(const int *p)
{
    const unsigned flit = (unsigned)p[2] + 2, low = flit < 32 ? flit : 32;
    return (struct sizes){.cycles = (unsigned)p[0],
                          .num_vcs = (unsigned)p[1],
                          .lines = (unsigned)p[3],
                          .vc = index_width((unsigned)p[1]),
                          .flit = {low, flit - low}};
}

static void drive(void *state, const int *p, struct bits *in)
{
    const struct sizes size = sizes_of(p);
    uint64_t valid = 0;
    (void)state;
    for (unsigned l = 0; l < size.lines; l++)
        valid |= (uint64_t)chance(mood(l)) << l;
    put(in, size.lines, valid);
    for (unsigned l = 0; l < size.lines; l++)
        put(in, size.vc, random_below(size.num_vcs));
    for (unsigned l = 0; l < size.lines; l++)
        for (unsigned h = 0; h < HALVES; h++)
            if (size.flit[h]) put(in, size.flit[h], random_bits(size.flit[h]));
    put(in, size.num_vcs, random_bits(size.num_vcs));
}

static struct passing take_passing(const struct sizes *size, struct bits *in)
{
    struct passing passing = {.valid = take(in, "valid", size->lines)};
    for (unsigned l = 0; l < size->lines; l++)
        passing.vc[l] = take(in, "vc", size->vc);
    for (unsigned l = 0; l < size->lines; l++)
        for (unsigned h = 0; h < HALVES; h++)
            if (size->flit[h]) passing.flit[l][h] = take(in, "flit", size->flit[h]);
    passing.credit = take(in, "credit", size->num_vcs);
    return passing;
}

// What comes out is what went in Cycles - 1 cycles before. The credits come last, as they do in.
static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const struct sizes size = sizes_of(p);
    const uint64_t now = bench_cycle();
    s->passed[now % CYCLES] = take_passing(&size, in);
    const struct passing nothing = {0};
    const struct passing *comes =
        now + 1 >= size.cycles ? &s->passed[(now + 1 - size.cycles) % CYCLES] : &nothing;
    expect(out, "valid", size.lines, comes->valid);
    for (unsigned l = 0; l < size.lines; l++)
        expect_if(comes->valid >> l & 1, out, "vc", size.vc, comes->vc[l]);
    for (unsigned l = 0; l < size.lines; l++)
        for (unsigned h = 0; h < HALVES; h++)
            if (size.flit[h])
                expect_if(comes->valid >> l & 1, out, "flit", size.flit[h], comes->flit[l][h]);
    expect(out, "credit", size.num_vcs, comes->credit);
}

static const struct bench_module module = {
    .name = "anl_link_slices",
    .parameters = "Cycles, NumVcs, FlitW, Lines",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
