// SPDX-License-Identifier: Apache-2.0
//
// Wiring: one worm at a time, from every terminal to every other, must come out at its destination,
// whole, in the cycle that the latency formula of docs/switch.md says, and nothing anywhere else.

#include "bench.h"
#include "routes.h"
#include "rules.h"

enum { MAX_LENGTH = 4, GAP = 4 };

struct state {
    unsigned pair;  // number of the worm: source and destination
    unsigned source, destination, length;
    uint64_t flits[MAX_LENGTH];
    uint64_t start, first, last;  // cycles: head injected, head and tail ejected
    unsigned credits;             // that came back to the source
    bool under_way;
};

struct cube {
    unsigned k, n, num_vcs, depth, flit_w, s;
    int kind, admission;
};

static struct cube cube(const int *p)
{
    return (struct cube){(unsigned)p[0], (unsigned)p[1],
                         (unsigned)p[3], (unsigned)p[4],
                         (unsigned)p[5], num_switches((unsigned)p[0], (unsigned)p[1]),
                         p[2],           p[7]};
}

static unsigned ring_distance(const struct cube *c, unsigned from, unsigned to)
{
    const unsigned forward = (to + c->k - from) % c->k;
    switch (c->kind % WITHOUT_DATELINE) {
    case MESH:
        return from < to ? to - from : from - to;
    case UNIDIRECTIONAL_TORUS:
        return forward;
    default:
        return forward < c->k - forward ? forward : c->k - forward;
    }
}

static unsigned links(const struct cube *c, unsigned from, unsigned to)
{
    unsigned distance = 0;
    for (unsigned d = 0; d < c->n; d++, from /= c->k, to /= c->k)
        distance += ring_distance(c, from % c->k, to % c->k);
    return distance + 2;  // injection and ejection
}

static uint64_t label(const struct cube *c, unsigned terminal)
{
    uint64_t label = 0;
    for (unsigned d = 0; d < c->n; d++, terminal /= c->k)
        label |= (uint64_t)(terminal % c->k) << d * index_width(c->k);
    return label;
}

static void fill_worm(struct state *s, const struct cube *c)
{
    const unsigned dst_w = c->n * index_width(c->k);
    for (unsigned i = 0; i < s->length; i++) {
        const uint64_t marks = (uint64_t)(i == 0) << 1 | (uint64_t)(i == s->length - 1);
        s->flits[i] = marks << c->flit_w | random_bits(c->flit_w);
    }
    s->flits[0] = (s->flits[0] & ~ones(dst_w)) | label(c, s->destination);
    if (c->admission != WORMHOLE)
        s->flits[0] = (s->flits[0] & ~(ones(7) << dst_w)) | (uint64_t)s->length << dst_w;
}

// No longer than the lane is deep: then the source needs no credits but those it starts with.
static void new_worm(struct state *s, const struct cube *c)
{
    const unsigned longest = c->depth < MAX_LENGTH ? c->depth : MAX_LENGTH;
    s->source = s->pair / c->s % c->s;
    s->destination = s->pair % c->s;
    s->pair++;
    s->length = 1 + (unsigned)random_below(longest);
    fill_worm(s, c);
    const unsigned d = links(c, s->source, s->destination);
    s->start = bench_cycle();
    s->last =
        s->start - 1 + (c->admission == STORE_AND_FORWARD ? d * s->length : d + s->length - 1);
    s->first = s->last - (s->length - 1);
    s->credits = 0;
    s->under_way = true;
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    const struct cube c = cube(p);
    const unsigned vc = (unsigned)random_below(c.num_vcs);

    if (!s->under_way && !bench_in_reset()) new_worm(s, &c);
    const uint64_t index = bench_cycle() - s->start;
    const bool sends = s->under_way && index < s->length;
    put(in, c.s, sends ? onehot((int)s->source) : 0);
    for (unsigned t = 0; t < c.s; t++)
        put(in, index_width(c.num_vcs), t == s->source ? 0 : vc);
    for (unsigned t = 0; t < c.s; t++)
        put(in, c.flit_w + 2,
            sends && t == s->source ? s->flits[index] : random_bits(c.flit_w + 2));
    // The terminal takes every flit in the cycle after it came.
    const uint64_t before = bench_cycle() - 1;
    const bool takes = s->under_way && before >= s->first && before <= s->last && bench_cycle() > 0;
    for (unsigned t = 0; t < c.s; t++)
        put(in, c.num_vcs, takes && t == s->destination ? 1 : 0);
}

static void take_inputs(const struct cube *c, struct bits *in)
{
    take(in, "inj_valid", c->s);
    for (unsigned t = 0; t < c->s; t++)
        take(in, "inj_vc", index_width(c->num_vcs));
    for (unsigned t = 0; t < c->s; t++)
        take(in, "inj_flit", c->flit_w + 2);
    for (unsigned t = 0; t < c->s; t++)
        take(in, "ej_credit", c->num_vcs);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const struct cube c = cube(p);
    const bool arrives = bench_cycle() >= s->first && bench_cycle() <= s->last;

    take_inputs(&c, in);
    expect(out, "ej_valid", c.s, arrives ? onehot((int)s->destination) : 0);
    for (unsigned t = 0; t < c.s; t++) {
        if (arrives && t == s->destination)
            expect(out, "ej_vc", index_width(c.num_vcs), 0);
        else
            ignore(out, "ej_vc", index_width(c.num_vcs));
    }
    for (unsigned t = 0; t < c.s; t++) {
        const uint64_t flit = s->flits[arrives ? bench_cycle() - s->first : 0];
        if (arrives && t == s->destination)
            expect(out, "ej_flit", c.flit_w + 2, flit);
        else
            ignore(out, "ej_flit", c.flit_w + 2);
    }
    for (unsigned t = 0; t < c.s; t++) {
        if (t == s->source)
            s->credits += (unsigned)take(out, "inj_credit", c.num_vcs);
        else
            expect(out, "inj_credit", c.num_vcs, 0);
    }
    if (bench_cycle() < s->last + GAP) return;
    require("credits", s->credits, s->length);
    s->under_way = false;
}

static const struct bench_module module = {
    .name = "anl_cube",
    .parameters = "K, N, Kind, NumVcs, Depth, FlitW, Scan, Admission",
    .state_bytes = sizeof(struct state),
    .cycles = 6000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
