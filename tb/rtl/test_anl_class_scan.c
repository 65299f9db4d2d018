// SPDX-License-Identifier: Apache-2.0
//
// The scan over classes as docs/switch.md, "Message classes", says it: the first class with a
// candidate from the favoured class on; each flit that moves lowers the quota by one, and when that
// is 0 the next class is favoured, with its weight as the quota. The instances have all weights of
// 1 to 4 of two classes and of 1 to 3 of three. In them a second test goes through all candidates,
// with a flit that moves and without, in each state that is reached, in turn.

#include "bench.h"

enum { MAX_CLASSES = 8 };

struct state {
    unsigned favoured, quota;
    // The test that goes through all inputs: which one comes next in each state of the scan.
    uint16_t next[MAX_CLASSES][256];
};

static unsigned classes_of(const int *p) { return (unsigned)p[0]; }

// Weights have 8 bits each, from p[1] on; 0 stands for 1.
static unsigned weight(const int *p, unsigned class_)
{
    const unsigned given = (unsigned)p[1 + class_ / 4] >> 8 * (class_ % 4) & 255;
    return given ? given : 1;
}

static void reset(void *state, const int *p)
{
    struct state *s = state;
    s->quota = weight(p, 0);
}

static void put_inputs(const int *p, uint64_t candidates, bool moves, struct bits *in)
{
    put(in, classes_of(p), candidates);
    put(in, 1, moves && candidates && !bench_in_reset());
}

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state;
    uint64_t candidates = 0;
    for (unsigned c = 0; c < classes_of(p); c++)
        candidates |= (uint64_t)chance(mood(c)) << c;
    put_inputs(p, candidates, chance(mood(7)), in);
}

static void drive_all(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    const unsigned inputs = 2u << classes_of(p);
    const unsigned number = s->next[s->favoured][s->quota]++ % inputs;
    put_inputs(p, number >> 1, number & 1, in);
}

// Returns the class that is chosen. There is a candidate.
static unsigned chosen(const struct state *s, unsigned classes, uint64_t candidates)
{
    unsigned c = s->favoured;
    while (!(candidates >> c & 1))
        c = (c + 1) % classes;
    return c;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned classes = classes_of(p);
    const uint64_t candidates = take(in, "req", classes);
    const bool moved = take(in, "moved", 1);

    expect(out, "gnt", classes, candidates ? UINT64_C(1) << chosen(s, classes, candidates) : 0);
    expect(out, "favoured", index_width(classes), s->favoured);
    expect(out, "quota", 8, s->quota);
    if (!moved || --s->quota > 0) return;
    s->favoured = (s->favoured + 1) % classes;
    s->quota = weight(p, s->favoured);
}

static const struct bench_module module = {
    .name = "anl_class_scan",
    .parameters = "Classes, weights of classes 0 to 3, of 4 to 7",
    .state_bytes = sizeof(struct state),
    .cycles = 10000,
    .reset = reset,
    .drive = drive,
    .check = check,
    .directed = drive_all,
};

int main(void) { return bench_main(&module); }
