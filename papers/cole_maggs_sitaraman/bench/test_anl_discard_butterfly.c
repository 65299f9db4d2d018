// SPDX-License-Identifier: Apache-2.0
//
// The butterfly that discards with a single worm at a time: it is sent from its start on, and comes
// out at its destination as many steps later as there are levels of links, and nowhere else. With
// multiplexed links it comes in the cycles of lane 0. (The lock-step of make discard has many
// worms.)

#include "bench.h"

enum { LEVELS, PASSES, NUM_VCS, MULTIPLEXED, FLIT_W, STEP_W, MOST_LENGTH = 6 };

struct state {
    uint64_t step;
    unsigned lane;
    bool given, taken;  // there is a worm; the network has taken its start
    unsigned source, middle, destination, length, sent;
    uint64_t start;
    uint64_t flits[MOST_LENGTH];
};

static unsigned columns(const int *p) { return 1u << p[LEVELS]; }

// Whether this cycle is the last one of its step.
static bool is_last(const struct state *s, const int *p)
{
    return !p[MULTIPLEXED] || s->lane + 1 == (unsigned)p[NUM_VCS];
}

static void make_worm(struct state *s, const int *p)
{
    const unsigned levels = (unsigned)p[LEVELS], fields = 1 + levels * (unsigned)p[PASSES];
    s->given = true;
    s->taken = false;
    s->sent = 0;
    s->source = (unsigned)random_below(columns(p));
    s->middle = p[PASSES] == 2 ? (unsigned)random_below(columns(p)) : 0;
    s->destination = (unsigned)random_below(columns(p));
    s->length = 1 + (unsigned)random_below(MOST_LENGTH);
    s->start = s->step + 3 + random_below(4);
    for (unsigned i = 0; i < s->length; i++) {
        uint64_t data = random_bits((unsigned)p[FLIT_W]);
        if (i == 0)
            data = (data & ~(ones(fields) - 1)) | s->destination << 1 | s->middle << (levels + 1);
        s->flits[i] = data | (uint64_t)(i + 1 == s->length) << p[FLIT_W] |
                      (uint64_t)(i == 0) << (p[FLIT_W] + 1);
    }
}

// Whether the source sends in this cycle: with multiplexed links in the last cycle of the step
// before that of the flit.
static bool sends(const struct state *s, const int *p)
{
    const uint64_t step = s->step + (p[MULTIPLEXED] != 0);
    return s->given && is_last(s, p) && s->sent < s->length && step == s->start + s->sent;
}

static void drive(void *place, const int *p, struct bits *in)
{
    struct state *s = place;
    if (!s->given && s->step + 60 < ones((unsigned)p[STEP_W])) make_worm(s, p);
    put(in, 1, s->step > 0 || chance(20));
    for (unsigned w = 0; w < columns(p); w++)
        put(in, 1, s->given && !s->taken && w == s->source);
    for (unsigned w = 0; w < columns(p); w++)
        put(in, (unsigned)p[STEP_W], s->start);
    for (unsigned w = 0; w < columns(p); w++)
        put(in, 1, s->given && s->sent < s->length && w == s->source);
    for (unsigned w = 0; w < columns(p); w++)
        put(in, (unsigned)p[FLIT_W] + 2, s->given && s->sent < s->length ? s->flits[s->sent] : 0);
}

// Whether flit *index of the worm comes out in this cycle.
static bool arrives(const struct state *s, const int *p, unsigned *index)
{
    const uint64_t first = s->start + (uint64_t)(p[LEVELS] * p[PASSES]) - 1;
    *index = (unsigned)(s->step - first);
    return s->given && s->step >= first && *index < s->length && s->lane == 0;
}

// Returns by which wire of the outputs the worm comes: in lane 0 of the link from the column in
// which it was before the last level.
static unsigned wire_of(const struct state *s, const int *p)
{
    const unsigned bit = (p[PASSES] == 2 ? s->middle : s->source) & 1;
    return (s->destination * 2 + bit) * (p[MULTIPLEXED] ? 1 : (unsigned)p[NUM_VCS]);
}

static void check_outputs(const struct state *s, const int *p, struct bits *out)
{
    const unsigned wires = columns(p) * 2 * (p[MULTIPLEXED] ? 1 : (unsigned)p[NUM_VCS]);
    unsigned index;
    const bool comes = arrives(s, p, &index);
    for (unsigned wire = 0; wire < wires; wire++)
        expect(out, "ej_valid", 1, comes && wire == wire_of(s, p));
    for (unsigned wire = 0; wire < wires; wire++) {
        if (comes && wire == wire_of(s, p))
            expect(out, "ej_flit", (unsigned)p[FLIT_W] + 2, s->flits[index]);
        else
            ignore(out, "ej_flit", (unsigned)p[FLIT_W] + 2);
    }
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = place;
    const bool run = take(in, "run", 1);
    const unsigned nodes = (unsigned)(p[LEVELS] * p[PASSES]) * columns(p);
    expect(out, "step", (unsigned)p[STEP_W], s->step);
    expect(out, "lane", index_width((unsigned)p[NUM_VCS]), s->lane);
    for (unsigned w = 0; w < columns(p); w++)
        take(out, "start_ready", 1);
    for (unsigned w = 0; w < columns(p); w++)
        expect(out, "src_ready", 1, sends(s, p) && w == s->source);
    check_outputs(s, p, out);
    expect(out, "late", columns(p), 0);
    for (unsigned node = 0; node < nodes; node++)
        expect(out, "discard", 1, 0);

    s->taken = s->given;
    s->sent += sends(s, p);
    const uint64_t end = s->start + (uint64_t)(p[LEVELS] * p[PASSES]) + s->length - 2;
    if (s->given && s->step == end && is_last(s, p)) s->given = false;
    if (run && is_last(s, p) && s->step < ones((unsigned)p[STEP_W])) s->step++;
    s->lane = !p[MULTIPLEXED] || s->lane + 1 == (unsigned)p[NUM_VCS] ? 0 : s->lane + 1;
}

static const struct bench_module module = {
    .name = "anl_discard_butterfly",
    .parameters = "Levels, Passes, NumVcs, Multiplexed, FlitW, StepW",
    .state_bytes = sizeof(struct state),
    .cycles = 4000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
