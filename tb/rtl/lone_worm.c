// SPDX-License-Identifier: Apache-2.0

#include "lone_worm.h"

#include "oracle/words.h"

enum { GAP = 4 };

static void fill_worm(struct lone_worm *s, const struct lone_network *n, uint64_t label)
{
    for (unsigned i = 0; i < s->length; i++) {
        const uint64_t marks = (uint64_t)(i == 0) << 1 | (uint64_t)(i == s->length - 1);
        s->flits[i] = marks << n->flit_w | random_bits(n->flit_w);
    }
    s->flits[0] = (s->flits[0] & ~ones(n->dst_w)) | label;
    if (n->flow_control != WORMHOLE)
        s->flits[0] = (s->flits[0] & ~(ones(7) << n->dst_w)) | (uint64_t)s->length << n->dst_w;
}

// A worm is no longer than a lane is deep, so the source needs only the credits it starts with.
static void new_worm(struct lone_worm *s, const struct lone_network *n, const int *p)
{
    const unsigned longest = n->depth < LONE_LENGTH ? n->depth : LONE_LENGTH;
    s->source = s->pair / n->terminals % n->terminals;
    s->destination = s->pair % n->terminals;
    s->pair++;
    s->length = 1 + (unsigned)random_below(longest);
    fill_worm(s, n, n->label(p, s->destination));
    const unsigned d = n->links(p, s->source, s->destination);
    s->start = bench_cycle();
    s->last =
        s->start - 1 + (n->flow_control == STORE_AND_FORWARD ? d * s->length : d + s->length - 1);
    s->first = s->last - (s->length - 1);
    s->credits = 0;
    s->under_way = true;
}

void lone_drive(struct lone_worm *s, const struct lone_network *n, const int *p, struct bits *in)
{
    const unsigned vc = (unsigned)random_below(n->num_vcs);

    if (!s->under_way && !bench_in_reset()) new_worm(s, n, p);
    const uint64_t index = bench_cycle() - s->start;
    const bool sends = s->under_way && index < s->length;
    put(in, n->terminals, sends ? onehot((int)s->source) : 0);
    for (unsigned t = 0; t < n->terminals; t++)
        put(in, index_width(n->num_vcs), t == s->source ? 0 : vc);
    for (unsigned t = 0; t < n->terminals; t++)
        put(in, n->flit_w + 2,
            sends && t == s->source ? s->flits[index] : random_bits(n->flit_w + 2));
    // The terminal takes every flit in the cycle after its arrival.
    const uint64_t before = bench_cycle() - 1;
    const bool takes = s->under_way && before >= s->first && before <= s->last && bench_cycle() > 0;
    for (unsigned t = 0; t < n->terminals; t++)
        put(in, n->num_vcs, takes && t == s->destination ? 1 : 0);
}

static void take_inputs(const struct lone_network *n, struct bits *in)
{
    take(in, "inj_valid", n->terminals);
    for (unsigned t = 0; t < n->terminals; t++)
        take(in, "inj_vc", index_width(n->num_vcs));
    for (unsigned t = 0; t < n->terminals; t++)
        take(in, "inj_flit", n->flit_w + 2);
    for (unsigned t = 0; t < n->terminals; t++)
        take(in, "ej_credit", n->num_vcs);
}

void lone_check(struct lone_worm *s, const struct lone_network *n, struct bits *in,
                struct bits *out)
{
    const bool arrives = bench_cycle() >= s->first && bench_cycle() <= s->last;

    take_inputs(n, in);
    expect(out, "ej_valid", n->terminals, arrives ? onehot((int)s->destination) : 0);
    for (unsigned t = 0; t < n->terminals; t++) {
        if (arrives && t == s->destination)
            expect(out, "ej_vc", index_width(n->num_vcs), 0);
        else
            ignore(out, "ej_vc", index_width(n->num_vcs));
    }
    for (unsigned t = 0; t < n->terminals; t++) {
        const uint64_t flit = s->flits[arrives ? bench_cycle() - s->first : 0];
        if (arrives && t == s->destination)
            expect(out, "ej_flit", n->flit_w + 2, flit);
        else
            ignore(out, "ej_flit", n->flit_w + 2);
    }
    for (unsigned t = 0; t < n->terminals; t++) {
        if (t == s->source)
            s->credits += (unsigned)take(out, "inj_credit", n->num_vcs);
        else
            expect(out, "inj_credit", n->num_vcs, 0);
    }
    if (bench_cycle() < s->last + GAP) return;
    require("credits", s->credits, s->length);
    s->under_way = false;
}
