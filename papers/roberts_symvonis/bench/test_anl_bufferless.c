// SPDX-License-Identifier: Apache-2.0
//
// The switch without buffers under a policy that is drawn in every cycle. Worms come at all inputs,
// most of them whole; some miss a flit or have a second head.

#include "bench.h"

enum { FLIT_W, TURNS, P = 5, T = 4 };

struct input {
    bool valid;      // a flit stands here; at the terminal: comes here
    uint64_t flit;   // {head, tail, data}
    unsigned latch;  // one-hot or 0
    bool sends;      // the neighbour is inside a worm
};

struct state {
    struct input inputs[P];
    unsigned links;
    bool fault;
};

static void reset(void *place, const int *p)
{
    struct state *s = place;
    (void)p;
    s->links = chance(50) ? 31 : (unsigned)random_bits(5) | 16;
}

// Puts a flit that may come next at an input.
static uint64_t next_flit(struct input *input, const int *p, bool valid)
{
    const bool strange = chance(3), tail = chance(30);
    const bool head = input->sends ? strange : !strange;
    if (valid) input->sends = !tail;
    return (uint64_t)head << (p[FLIT_W] + 1) | (uint64_t)tail << p[FLIT_W] |
           random_bits((unsigned)p[FLIT_W]);
}

static bool is_next(const struct input *input)
{
    return input->sends ? chance(97) : chance(mood(0));
}

static void drive(void *place, const int *p, struct bits *in)
{
    struct state *s = place;
    const unsigned link_w = (unsigned)p[FLIT_W] + 2;
    bool valid[P];
    put(in, P, s->links);
    for (unsigned i = 0; i < P; i++)
        valid[i] = is_next(&s->inputs[i]);
    for (unsigned i = 0; i < T; i++)
        put(in, 1, valid[i]);
    for (unsigned i = 0; i < T; i++)
        put(in, link_w, next_flit(&s->inputs[i], p, valid[i]));
    put(in, 1, valid[T]);
    put(in, link_w, next_flit(&s->inputs[T], p, valid[T]));
    for (unsigned i = 0; i < P; i++)
        put(in, P, chance(95) ? 1u << random_below(P) : 0);
    put(in, 1, bench_cycle() > 1500 && chance(1));
}

// Returns the way of what stands at an input, one-hot or 0.
static unsigned way_of(const struct state *s, const int *p, unsigned i, unsigned asked)
{
    const struct input *input = &s->inputs[i];
    const unsigned turn = (unsigned)p[TURNS] >> (i * P) & 31;
    return input->flit >> (p[FLIT_W] + 1) & 1 ? asked & turn & s->links : input->latch;
}

struct seen {
    bool valid[P], late;
    uint64_t flits[P];
    unsigned asked[P];
};

static struct seen see(const int *p, struct bits *in)
{
    const unsigned link_w = (unsigned)p[FLIT_W] + 2;
    struct seen seen;
    take(in, "links", P);
    for (unsigned i = 0; i < T; i++)
        seen.valid[i] = take(in, "valid", 1);
    for (unsigned i = 0; i < T; i++)
        seen.flits[i] = take(in, "flit", link_w);
    seen.valid[T] = take(in, "inj_valid", 1);
    seen.flits[T] = take(in, "inj_flit", link_w);
    for (unsigned i = 0; i < P; i++)
        seen.asked[i] = (unsigned)take(in, "way", P);
    seen.late = take(in, "late", 1);
    return seen;
}

// What the rules say of a cycle.
struct verdict {
    unsigned ways[P];
    unsigned astray, broken, collision, sent;  // masks
    uint64_t flits[P];                         // by output
};

static struct verdict judge(const struct state *s, const int *p, const struct seen *seen)
{
    struct verdict v = {0};
    for (unsigned i = 0; i < P; i++) {
        const struct input *input = &s->inputs[i];
        const bool head = input->flit >> (p[FLIT_W] + 1) & 1;
        v.ways[i] = input->valid ? way_of(s, p, i, seen->asked[i]) : 0;
        v.astray |= (unsigned)(input->valid && !v.ways[i]) << i;
        v.broken |= (unsigned)(input->latch && (!input->valid || head)) << i;
        for (unsigned o = 0; o < P; o++) {
            if (!(v.ways[i] >> o & 1)) continue;
            v.collision |= (v.sent | v.collision) & 1u << o;
            v.sent |= 1u << o;
            v.flits[o] = input->flit;
        }
    }
    v.sent &= ~v.collision;
    return v;
}

static void advance(struct state *s, const int *p, const struct seen *seen, const struct verdict *v)
{
    for (unsigned i = 0; i < P; i++) {
        struct input *input = &s->inputs[i];
        input->latch = input->flit >> p[FLIT_W] & 1 ? 0 : v->ways[i];
        if (i == T) continue;
        input->valid = seen->valid[i];
        input->flit = seen->flits[i];
    }
    s->fault |= seen->late || v->astray || v->broken || v->collision;
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = place;
    const unsigned link_w = (unsigned)p[FLIT_W] + 2;
    const struct seen seen = see(p, in);
    s->inputs[T].valid = seen.valid[T];
    s->inputs[T].flit = seen.flits[T];
    const struct verdict v = judge(s, p, &seen);
    for (unsigned i = 0; i < P; i++) {
        if (s->inputs[i].valid)
            expect(out, "front", link_w, s->inputs[i].flit);
        else
            ignore(out, "front", link_w);
    }
    for (unsigned i = 0; i < P; i++)
        expect(out, "head", 1, s->inputs[i].valid && s->inputs[i].flit >> (link_w - 1) & 1);
    expect(out, "valid", P, v.sent);
    for (unsigned o = 0; o < P; o++) {
        if (v.sent >> o & 1)
            expect(out, "flit", link_w, v.flits[o]);
        else
            ignore(out, "flit", link_w);
    }
    for (unsigned i = 0; i < P; i++)
        expect(out, "latch", P, s->inputs[i].latch);
    expect(out, "astray", P, v.astray);
    expect(out, "broken", P, v.broken);
    expect(out, "collision", P, v.collision);
    expect(out, "fault", 1, s->fault);
    advance(s, p, &seen, &v);
}

static const struct bench_module module = {
    .name = "anl_bufferless",
    .parameters = "FlitW, Turns",
    .state_bytes = sizeof(struct state),
    .cycles = 4000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
