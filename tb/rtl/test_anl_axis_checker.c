// SPDX-License-Identifier: Apache-2.0
//
// A stream that keeps the rules of docs/checker.md, "Streams", but for one cycle in ten or so. The
// rules that are broken must be those of the page, in that cycle. unknown is not there in two
// states.

#include "bench.h"

enum { TDATA_W, TID_W, TDEST_W, TUSER_W, PATIENCE, RULES };
enum { VALID_IN_RESET, WITHDRAWN, CHANGED_DATA, CHANGED_LAST, CHANGED_ROUTE, MIXED, GAP };
enum { READY_IN_RESET = 7, UNKNOWN, STALLED, NUM_RULES = 10 };

struct beat {
    bool reset, valid, ready, last;
    uint64_t data, keep, id, dest, user;
};

struct state {
    struct beat before;  // the cycle before
    struct beat first;   // of the packet that is open
    bool open;
    unsigned waited;    // cycles for which the beat has been shown
    unsigned in_reset;  // cycles for which a reset of its own still lasts
};

static void reset(void *state, const int *p)
{
    struct state *s = state;
    (void)p;
    s->before.reset = true;
}

static bool waits(const struct beat *beat) { return !beat->reset && beat->valid && !beat->ready; }

static struct beat some_beat(const struct state *s, const int *p)
{
    const unsigned bytes = (unsigned)p[TDATA_W] / 8;
    struct beat beat = {.valid = chance(mood(0)), .ready = chance(mood(1)), .last = chance(30)};
    beat.data = random_bits((unsigned)p[TDATA_W]);
    beat.user = random_bits((unsigned)p[TUSER_W]);
    beat.id = random_bits((unsigned)p[TID_W]);
    beat.dest = random_bits((unsigned)p[TDEST_W]);
    beat.keep = (UINT64_C(1) << bytes) - 1;
    if (beat.last) beat.keep >>= random_below(bytes);
    if (s->open) {
        beat.id = s->first.id;
        beat.dest = s->first.dest;
    }
    if (waits(&s->before)) {
        const bool ready = beat.ready;
        beat = s->before;
        beat.ready = ready;
    }
    return beat;
}

// Breaks something, most often one rule.
static void spoil(struct beat *beat, const int *p)
{
    switch (random_below(8)) {
    case 0:
        beat->valid = !beat->valid;
        break;
    case 1:
        beat->data ^= UINT64_C(1) << random_below((unsigned)p[TDATA_W]);
        break;
    case 2:
        beat->keep ^= UINT64_C(1) << random_below((unsigned)p[TDATA_W] / 8);
        break;
    case 3:
        beat->last = !beat->last;
        break;
    case 4:
        beat->id ^= UINT64_C(1) << random_below((unsigned)p[TID_W]);
        break;
    case 5:
        beat->dest ^= UINT64_C(1) << random_below((unsigned)p[TDEST_W]);
        break;
    case 6:
        beat->user ^= UINT64_C(1) << random_below((unsigned)p[TUSER_W]);
        break;
    default:
        beat->keep = random_bits((unsigned)p[TDATA_W] / 8);
        break;
    }
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    if (s->in_reset > 0)
        s->in_reset--;
    else if (chance(1))
        s->in_reset = 1 + (unsigned)random_below(3);
    struct beat beat = some_beat(s, p);
    if (s->in_reset > 0 || s->before.reset) beat.valid = chance(20);
    if (s->in_reset > 0 && chance(70)) beat.ready = false;
    if (chance(10)) spoil(&beat, p);
    put(in, 1, s->in_reset > 0);
    put(in, 1, beat.valid);
    put(in, 1, beat.ready);
    put(in, (unsigned)p[TDATA_W], beat.data);
    put(in, (unsigned)p[TDATA_W] / 8, beat.keep);
    put(in, 1, beat.last);
    put(in, (unsigned)p[TID_W], beat.id);
    put(in, (unsigned)p[TDEST_W], beat.dest);
    put(in, (unsigned)p[TUSER_W], beat.user);
}

static struct beat take_beat(const int *p, struct bits *in)
{
    struct beat beat = {.reset = take(in, "restart", 1)};
    beat.reset |= bench_in_reset();
    beat.valid = take(in, "tvalid", 1);
    beat.ready = take(in, "tready", 1);
    beat.data = take(in, "tdata", (unsigned)p[TDATA_W]);
    beat.keep = take(in, "tkeep", (unsigned)p[TDATA_W] / 8);
    beat.last = take(in, "tlast", 1);
    beat.id = take(in, "tid", (unsigned)p[TID_W]);
    beat.dest = take(in, "tdest", (unsigned)p[TDEST_W]);
    beat.user = take(in, "tuser", (unsigned)p[TUSER_W]);
    return beat;
}

// Returns whether the bytes that a beat keeps are those that packets without gaps have.
static bool has_gap(const struct beat *beat, unsigned bytes)
{
    unsigned lowest = 0;
    while (lowest < bytes && beat->keep >> lowest & 1)
        lowest++;
    if (!beat->last) return lowest < bytes;
    return lowest == 0 || beat->keep >> lowest != 0;
}

static bool same_route(const struct beat *a, const struct beat *b)
{
    return a->id == b->id && a->dest == b->dest;
}

// The rules of the page that a beat breaks.
static uint64_t broken_by(const struct state *s, const struct beat *beat, const int *p)
{
    uint64_t broken = 0;
    const struct beat *before = &s->before;
    if (beat->valid && (beat->reset || before->reset)) broken |= 1u << VALID_IN_RESET;
    if (beat->reset) return broken | (uint64_t)beat->ready << READY_IN_RESET;
    if (waits(before) && !beat->valid) broken |= 1u << WITHDRAWN;
    if (!beat->valid) return broken;
    if (waits(before)) {
        if (beat->data != before->data || beat->keep != before->keep || beat->user != before->user)
            broken |= 1u << CHANGED_DATA;
        if (beat->last != before->last) broken |= 1u << CHANGED_LAST;
        if (!same_route(beat, before)) broken |= 1u << CHANGED_ROUTE;
    }
    if (s->open && !same_route(beat, &s->first)) broken |= 1u << MIXED;
    if (has_gap(beat, (unsigned)p[TDATA_W] / 8)) broken |= 1u << GAP;
    if (p[PATIENCE] && !beat->ready && s->waited == (unsigned)p[PATIENCE]) broken |= 1u << STALLED;
    return broken;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const struct beat beat = take_beat(p, in);
    if (bench_cycle() == 0 && !beat.reset) s->before.reset = true;
    const uint64_t broken = broken_by(s, &beat, p);
    expect(out, "broken", NUM_RULES, broken & (unsigned)p[RULES]);
    const bool taken = !beat.reset && beat.valid && beat.ready;
    if (taken && !s->open) s->first = beat;
    s->open = !beat.reset && (taken ? !beat.last : s->open);
    s->waited = beat.reset || !beat.valid || beat.ready ? 0 : s->waited + 1;
    s->before = beat;
}

static const struct bench_module module = {
    .name = "anl_axis_checker",
    .parameters = "TdataW, TidW, TdestW, TuserW, Patience, Rules",
    .state_bytes = sizeof(struct state),
    .cycles = 20000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
