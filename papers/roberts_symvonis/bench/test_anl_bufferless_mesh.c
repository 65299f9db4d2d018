// SPDX-License-Identifier: Apache-2.0
//
// The mesh without buffers with a single worm at a time: it is sent from its start on, and consumed
// at its destination as many steps later as the links of its path, and nowhere else. (The lock-step
// of make bufferless has many worms.)

#include "bench.h"

#include <stdlib.h>

enum { K, FLIT_W, STEP_W, MOST_LENGTH = 6 };

struct state {
    uint64_t step;
    bool given, taken;  // there is a worm; the mesh has taken its start
    unsigned source, destination, length;
    uint64_t start;
    uint64_t flits[MOST_LENGTH];
};

static unsigned distance(const int *p, unsigned a, unsigned b)
{
    const int k = p[K], from = (int)a, to = (int)b;
    return (unsigned)(abs(from / k - to / k) + abs(from % k - to % k));
}

static void make_worm(struct state *s, const int *p)
{
    const unsigned k = (unsigned)p[K], nodes = k * k, coord_w = index_width(k);
    s->given = true;
    s->taken = false;
    s->source = (unsigned)random_below(nodes);
    s->destination = (s->source + 1 + (unsigned)random_below(nodes - 1)) % nodes;
    s->length = 1 + (unsigned)random_below(MOST_LENGTH);
    s->start = s->step + 2 + random_below(4);
    for (unsigned i = 0; i < s->length; i++) {
        uint64_t data = random_bits((unsigned)p[FLIT_W]);
        if (i == 0)
            data = (data & ~ones(2 * coord_w)) | s->destination % k | s->destination / k << coord_w;
        s->flits[i] = data | (uint64_t)(i + 1 == s->length) << p[FLIT_W] |
                      (uint64_t)(i == 0) << (p[FLIT_W] + 1);
    }
}

// Returns which flit the source shows: the next one that it has not sent; length if it sent all.
static unsigned shown(const struct state *s)
{
    if (s->step < s->start) return 0;
    return s->step - s->start < s->length ? (unsigned)(s->step - s->start) : s->length;
}

static void drive(void *place, const int *p, struct bits *in)
{
    struct state *s = place;
    const unsigned nodes = (unsigned)(p[K] * p[K]), step_w = (unsigned)p[STEP_W];
    if (!s->given && s->step + 40 < ones(step_w)) make_worm(s, p);
    const bool shows = s->given && shown(s) < s->length;
    put(in, 1, s->step > 0 || chance(20));
    put_one(in, 1, nodes, s->source, s->given && !s->taken);
    put_one(in, step_w, nodes, s->source, s->start);
    put_one(in, 1, nodes, s->source, shows);
    put_one(in, (unsigned)p[FLIT_W] + 2, nodes, s->source, shows ? s->flits[shown(s)] : 0);
}

static bool arrives(const struct state *s, const int *p, unsigned node, unsigned *index)
{
    const uint64_t first = s->start + distance(p, s->source, s->destination);
    *index = (unsigned)(s->step - first);
    return s->given && node == s->destination && s->step >= first && *index < s->length;
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = place;
    const unsigned nodes = (unsigned)(p[K] * p[K]), step_w = (unsigned)p[STEP_W];
    const bool run = take(in, "run", 1);
    unsigned index;
    expect(out, "step", step_w, s->step);
    for (unsigned node = 0; node < nodes; node++)
        take(out, "start_ready", 1);
    for (unsigned node = 0; node < nodes; node++)
        expect(out, "src_ready", 1,
               s->given && node == s->source && s->step >= s->start && shown(s) < s->length);
    for (unsigned node = 0; node < nodes; node++)
        expect(out, "ej_valid", 1, arrives(s, p, node, &index));
    for (unsigned node = 0; node < nodes; node++) {
        if (arrives(s, p, node, &index))
            expect(out, "ej_flit", (unsigned)p[FLIT_W] + 2, s->flits[index]);
        else
            ignore(out, "ej_flit", (unsigned)p[FLIT_W] + 2);
    }
    expect(out, "fault", nodes, 0);

    s->taken = s->given;
    const uint64_t last = s->start + distance(p, s->source, s->destination) + s->length - 1;
    if (s->given && s->step == last) s->given = false;
    if (run && s->step < ones(step_w)) s->step++;
}

static const struct bench_module module = {
    .name = "anl_bufferless_mesh",
    .parameters = "K, FlitW, StepW",
    .state_bytes = sizeof(struct state),
    .cycles = 4000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
