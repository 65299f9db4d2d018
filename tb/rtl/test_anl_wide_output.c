// SPDX-License-Identifier: Apache-2.0
//
// The output port of a wide link alone. Each input lane holds a flit that input ports could offer:
// one that is not a head if its worm owns a lane, else a head for any lanes that it could take.

#include "bench.h"
#include "oracle/scan.h"
#include "oracle/wide.h"

struct state {
    unsigned num_vcs, size, depth, flit_w, ptr;
    int arbiter;
    bool chained;
    struct oracle_out_lane out[ORACLE_LANES];
};

// What the input lanes offer.
struct offers {
    uint64_t ask, go, can[ORACLE_LANES], bound[ORACLE_LANES], flits[ORACLE_CANDIDATES];
};

static void reset(void *state, const int *p)
{
    struct state *s = state;
    *s = (struct state){.num_vcs = (unsigned)p[1],
                        .size = (unsigned)(p[0] * p[1]),
                        .depth = (unsigned)p[2],
                        .flit_w = (unsigned)p[3],
                        .arbiter = p[4],
                        .chained = p[5] != 0};
    for (unsigned w = 0; w < s->num_vcs; w++)
        s->out[w].credits = s->depth;
}

// Returns the output lane that the worm in an input lane owns, or ORACLE_NONE.
static int lane_of(const struct state *s, unsigned from)
{
    for (unsigned w = 0; w < s->num_vcs; w++)
        if (s->out[w].owned && s->out[w].port * s->num_vcs + s->out[w].vc == from) return (int)w;
    return ORACLE_NONE;
}

// Says which credits come back in this cycle.
static void return_credits(struct state *s, uint64_t credit)
{
    for (unsigned w = 0; w < s->num_vcs; w++)
        s->out[w].returning = s->chained && (credit >> w & 1);
}

// Returns whether a flit that is not a head can be sent on a lane.
static bool is_usable(const struct state *s, unsigned w)
{
    return oracle_bound(s->out, w, true) != 0;
}

// Draws what the input lane offers; bits that have no meaning are drawn as well.
static void draw_offer(const struct state *s, unsigned c, struct offers *offers)
{
    const int own = lane_of(s, c);
    const bool wants = chance(mood(c)), head = own == ORACLE_NONE;
    const bool goes = wants && !head && is_usable(s, (unsigned)own);
    const bool asks = wants && head;
    for (unsigned w = 0; w < s->num_vcs; w++) {
        const bool takeable = !s->out[w].owned && s->out[w].credits > 0;
        offers->can[w] |= (uint64_t)(chance(70) && (takeable || !asks)) << c;
        offers->bound[w] |= (uint64_t)(goes ? (int)w == own : chance(50)) << c;
    }
    offers->ask |= (uint64_t)asks << c;
    offers->go |= (uint64_t)goes << c;
    const uint64_t marks = (uint64_t)head << 1 | (uint64_t)chance(mood(40));
    offers->flits[c] = marks << s->flit_w | random_bits(s->flit_w);
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    struct offers offers = {0};
    const uint64_t origin = random_bits(16);
    uint64_t credit = 0;
    (void)p;
    for (unsigned w = 0; w < s->num_vcs; w++)
        credit |= (uint64_t)(s->out[w].credits < s->depth && chance(mood(50 + w))) << w;
    return_credits(s, credit);
    for (unsigned c = 0; c < s->size; c++)
        draw_offer(s, c, &offers);
    put(in, 8, random_bits(8));
    put(in, s->size, offers.ask);
    for (unsigned w = 0; w < s->num_vcs; w++)
        put(in, s->size, offers.can[w]);
    for (unsigned c = 0; c < s->size; c++)
        put(in, 16, (origin + random_below(8)) & 0xffff);
    put(in, s->size, offers.go);
    for (unsigned w = 0; w < s->num_vcs; w++)
        put(in, s->size, offers.bound[w]);
    for (unsigned c = 0; c < s->size; c++)
        put(in, s->flit_w + 2, offers.flits[c]);
    put(in, s->num_vcs, credit);
}

static void check_state(const struct state *s, unsigned num_ports, struct bits *out)
{
    const unsigned port_w = index_width(num_ports), vc_w = index_width(s->num_vcs);
    for (unsigned w = 0; w < s->num_vcs; w++)
        expect(out, "has_credit", 1, s->out[w].credits > 0);
    for (unsigned w = 0; w < s->num_vcs; w++)
        expect(out, "usable", 1, is_usable(s, w));
    for (unsigned w = 0; w < s->num_vcs; w++)
        expect(out, "credits", count_width(s->depth), s->out[w].credits);
    for (unsigned w = 0; w < s->num_vcs; w++)
        expect(out, "owned", 1, s->out[w].owned);
    for (unsigned w = 0; w < s->num_vcs; w++)
        s->out[w].owned ? expect(out, "owner_port", port_w, s->out[w].port)
                        : ignore(out, "owner_port", port_w);
    for (unsigned w = 0; w < s->num_vcs; w++)
        s->out[w].owned ? expect(out, "owner_vc", vc_w, s->out[w].vc)
                        : ignore(out, "owner_vc", vc_w);
    expect(out, "out_ptr", index_width(s->size), s->ptr);
}

// Carries out rule 6 for the flit of an input lane that is sent on lane w.
static void send(struct state *s, unsigned w, unsigned from, uint64_t bits)
{
    const struct oracle_flit flit = {.head = bits >> (s->flit_w + 1) & 1,
                                     .tail = bits >> s->flit_w & 1};
    oracle_spend(&s->out[w], &flit, from / s->num_vcs, from % s->num_vcs);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    uint16_t ranks[ORACLE_CANDIDATES];
    struct offers offers;
    uint64_t takes[ORACLE_LANES], sent[ORACLE_LANES];
    const uint8_t random = (uint8_t)take(in, "random", 8);
    offers.ask = take(in, "ask", s->size);
    for (unsigned w = 0; w < s->num_vcs; w++)
        offers.can[w] = take(in, "can", s->size);
    for (unsigned c = 0; c < s->size; c++)
        ranks[c] = (uint16_t)take(in, "rank", 16);
    offers.go = take(in, "go", s->size);
    for (unsigned w = 0; w < s->num_vcs; w++)
        offers.bound[w] = take(in, "bound", s->size);
    for (unsigned c = 0; c < s->size; c++)
        offers.flits[c] = take(in, "flit", s->flit_w + 2);
    const uint64_t credit = take(in, "credit", s->num_vcs);

    return_credits(s, credit);
    const struct oracle_heads heads = {
        s->size,
        s->num_vcs,
        offers.ask,
        offers.can,
        oracle_empty(s->out, s->num_vcs, s->depth, false),
        {.policy = s->arbiter, .ptr = s->ptr, .random = random, .ranks = ranks}};
    const int first = oracle_grant_heads(&heads, takes);
    for (unsigned w = 0; w < s->num_vcs; w++)
        sent[w] = takes[w] | (offers.go & offers.bound[w]);
    for (unsigned w = 0; w < s->num_vcs; w++)
        expect(out, "take", s->size, takes[w]);
    for (unsigned w = 0; w < s->num_vcs; w++)
        expect(out, "valid", 1, sent[w] != 0);
    for (unsigned w = 0; w < s->num_vcs; w++)
        sent[w] ? expect(out, "flit", s->flit_w + 2,
                         offers.flits[oracle_cyclic_first(s->size, sent[w], 0)])
                : ignore(out, "flit", s->flit_w + 2);
    check_state(s, (unsigned)p[0], out);

    for (unsigned w = 0; w < s->num_vcs; w++) {
        const int from = oracle_cyclic_first(s->size, sent[w], 0);
        s->out[w].credits += credit >> w & 1;
        if (from >= 0) send(s, w, (unsigned)from, offers.flits[from]);
    }
    s->ptr = oracle_wide_pointer(s->arbiter, s->size, s->ptr, first);
}

static const struct bench_module module = {
    .name = "anl_wide_output",
    .parameters = "NumPorts, NumVcs, Depth, FlitW, Arbiter, CreditBypass",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
