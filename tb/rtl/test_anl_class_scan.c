// SPDX-License-Identifier: Apache-2.0
//
// The scan over classes: the instances have all weights of 1 to 4 of two classes and of 1 to 3 of
// three. In them a second test goes through all candidates,
// with a flit that moves and without, in each state that is reached, in turn.

#include "bench.h"
#include "oracle/scan.h"

enum { MAX_CLASSES = 8 };

struct state {
    struct oracle_favour favour;
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
    s->favour.quota = weight(p, 0);
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
    const unsigned number = s->next[s->favour.class_][s->favour.quota]++ % inputs;
    put_inputs(p, number >> 1, number & 1, in);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned classes = classes_of(p);
    const uint64_t candidates = take(in, "req", classes);
    const bool moved = take(in, "moved", 1);
    unsigned weights[MAX_CLASSES];

    expect(out, "gnt", classes, onehot(oracle_class_first(classes, candidates, &s->favour)));
    expect(out, "favoured", index_width(classes), s->favour.class_);
    expect(out, "quota", 8, s->favour.quota);
    for (unsigned c = 0; c < classes; c++)
        weights[c] = weight(p, c);
    if (moved) oracle_class_moved(classes, weights, &s->favour);
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
