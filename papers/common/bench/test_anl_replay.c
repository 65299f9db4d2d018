// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

enum { FLIT_W, STEP_W };

struct state {
    bool holds, sends;  // a start; a worm has begun and its tail was not sent
    uint64_t start, step;
};

// The step goes on from 0, and when it is at its end it begins again, which it does nowhere else.
static void drive(void *place, const int *p, struct bits *in)
{
    struct state *s = place;
    const unsigned step_w = (unsigned)p[STEP_W], flit_w = (unsigned)p[FLIT_W];
    put(in, step_w, s->step);
    put(in, 1, chance(mood(0)));
    put(in, step_w, chance(90) ? s->step + random_below(6) : random_bits(step_w));
    put(in, 1, chance(mood(1)));
    put(in, flit_w, random_bits(flit_w));
    put(in, 1, chance(30));
    put(in, 1, chance(50));
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = place;
    const unsigned step_w = (unsigned)p[STEP_W], flit_w = (unsigned)p[FLIT_W];
    const uint64_t step = take(in, "step", step_w);
    const bool start_valid = take(in, "start_valid", 1);
    const uint64_t start = take(in, "start", step_w);
    const bool src_valid = take(in, "src_valid", 1);
    const uint64_t flit = take(in, "src_flit", flit_w + 2);
    const bool begins = s->holds && !s->sends && src_valid && step == s->start;

    expect(out, "start_ready", 1, !s->holds || begins);
    expect(out, "src_ready", 1, begins || s->sends);
    expect(out, "inj_valid", 1, begins || (s->sends && src_valid));
    expect(out, "inj_flit", flit_w + 2, flit);
    expect(out, "late", 1, s->holds && !s->sends && step > s->start);

    if (begins || s->sends) s->sends = !src_valid || !(flit >> flit_w & 1);
    if (!s->holds || begins) {
        s->holds = start_valid;
        s->start = start;
    }
    s->step = (s->step + 1) & ones(step_w);
}

static const struct bench_module module = {
    .name = "anl_replay",
    .parameters = "FlitW, StepW",
    .state_bytes = sizeof(struct state),
    .cycles = 20000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
