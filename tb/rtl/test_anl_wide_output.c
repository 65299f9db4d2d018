// SPDX-License-Identifier: Apache-2.0
//
// The output port of a wide link alone. Each input lane holds a flit that input ports could offer:
// one that is not a head if its worm owns a lane, else a head for any lanes that it could take.

#include "bench.h"
#include "rules.h"

enum { MAX_VCS = 8 };

struct output_lane {
    unsigned credits;
    bool owned;
    unsigned from;  // input lane whose worm owns it
};

struct state {
    unsigned num_vcs, size, depth, flit_w, ptr;
    int scan;
    bool chained;
    struct output_lane out[MAX_VCS];
};

// What the input lanes offer.
struct offers {
    uint64_t ask, go, can[MAX_VCS], bound[MAX_VCS], flits[RULES_MAX];
};

static void reset(void *state, const int *p)
{
    struct state *s = state;
    *s = (struct state){.num_vcs = (unsigned)p[1],
                        .size = (unsigned)(p[0] * p[1]),
                        .depth = (unsigned)p[2],
                        .flit_w = (unsigned)p[3],
                        .scan = p[4],
                        .chained = p[5] != 0};
    for (unsigned w = 0; w < s->num_vcs; w++)
        s->out[w].credits = s->depth;
}

// Returns the output lane that the worm in an input lane owns, or RULES_NONE.
static int lane_of(const struct state *s, unsigned from)
{
    for (unsigned w = 0; w < s->num_vcs; w++)
        if (s->out[w].owned && s->out[w].from == from) return (int)w;
    return RULES_NONE;
}

// Returns whether a flit that is not a head can be sent on a lane.
static bool is_usable(const struct state *s, unsigned w, uint64_t credit)
{
    return s->out[w].credits > 0 || (s->chained && (credit >> w & 1));
}

// Draws what the input lane offers; bits that have no meaning are drawn as well.
static void draw_offer(const struct state *s, unsigned c, uint64_t credit, struct offers *offers)
{
    const int own = lane_of(s, c);
    const bool wants = chance(mood(c)), head = own == RULES_NONE;
    const bool goes = wants && !head && is_usable(s, (unsigned)own, credit);
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
    const struct state *s = state;
    struct offers offers = {0};
    const uint64_t origin = random_bits(16);
    uint64_t credit = 0;
    (void)p;
    for (unsigned w = 0; w < s->num_vcs; w++)
        credit |= (uint64_t)(s->out[w].credits < s->depth && chance(mood(50 + w))) << w;
    for (unsigned c = 0; c < s->size; c++)
        draw_offer(s, c, credit, &offers);
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

static void check_state(const struct state *s, unsigned num_ports, uint64_t credit,
                        struct bits *out)
{
    const unsigned port_w = index_width(num_ports), vc_w = index_width(s->num_vcs);
    for (unsigned w = 0; w < s->num_vcs; w++)
        expect(out, "has_credit", 1, s->out[w].credits > 0);
    for (unsigned w = 0; w < s->num_vcs; w++)
        expect(out, "usable", 1, is_usable(s, w, credit));
    for (unsigned w = 0; w < s->num_vcs; w++)
        expect(out, "credits", count_width(s->depth), s->out[w].credits);
    for (unsigned w = 0; w < s->num_vcs; w++)
        expect(out, "owned", 1, s->out[w].owned);
    for (unsigned w = 0; w < s->num_vcs; w++)
        s->out[w].owned ? expect(out, "owner_port", port_w, s->out[w].from / s->num_vcs)
                        : ignore(out, "owner_port", port_w);
    for (unsigned w = 0; w < s->num_vcs; w++)
        s->out[w].owned ? expect(out, "owner_vc", vc_w, s->out[w].from % s->num_vcs)
                        : ignore(out, "owner_vc", vc_w);
    expect(out, "out_ptr", index_width(s->size), s->ptr);
}

// Carries out rule 6 for the flit of an input lane that is sent on lane w.
static void send(struct state *s, unsigned w, unsigned from, uint64_t flit)
{
    struct output_lane *lane = &s->out[w];
    const bool tail = flit >> s->flit_w & 1;
    lane->credits--;
    lane->owned = !tail;
    lane->from = from;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    uint16_t ranks[RULES_MAX];
    struct offers offers;
    uint64_t takes[MAX_VCS], sent[MAX_VCS], all_credits = 0;
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

    for (unsigned w = 0; w < s->num_vcs; w++)
        all_credits |= (uint64_t)(s->out[w].credits == s->depth) << w;
    const struct wide_heads heads = {
        s->size,     s->num_vcs,
        offers.ask,  offers.can,
        all_credits, {.policy = s->scan, .ptr = s->ptr, .random = random, .ranks = ranks}};
    const int first = wide_grant(&heads, takes);
    for (unsigned w = 0; w < s->num_vcs; w++)
        sent[w] = takes[w] | (offers.go & offers.bound[w]);
    for (unsigned w = 0; w < s->num_vcs; w++)
        expect(out, "take", s->size, takes[w]);
    for (unsigned w = 0; w < s->num_vcs; w++)
        expect(out, "valid", 1, sent[w] != 0);
    for (unsigned w = 0; w < s->num_vcs; w++)
        sent[w]
            ? expect(out, "flit", s->flit_w + 2, offers.flits[cyclic_first(s->size, sent[w], 0)])
            : ignore(out, "flit", s->flit_w + 2);
    check_state(s, (unsigned)p[0], credit, out);

    for (unsigned w = 0; w < s->num_vcs; w++) {
        const int from = cyclic_first(s->size, sent[w], 0);
        s->out[w].credits += credit >> w & 1;
        if (from >= 0) send(s, w, (unsigned)from, offers.flits[from]);
    }
    if (s->scan == ROTATING && first >= 0) s->ptr = ((unsigned)first + 1) % s->size;
}

static const struct bench_module module = {
    .name = "anl_wide_output",
    .parameters = "NumPorts, NumVcs, Depth, FlitW, Scan, Chained",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
