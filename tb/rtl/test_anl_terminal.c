// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "rules.h"

enum { MAX_DEPTH = 64 };

struct lane {
    uint64_t flits[MAX_DEPTH];  // oldest first
    unsigned count;
};

struct state {
    unsigned credits[8];  // of the injection link
    uint64_t returning;   // bit per lane: a credit comes back now and counts now
    int bound;            // lane of the worm being injected, or RULES_NONE
    uint64_t offered;     // flit that the source shows, until it is taken
    uint64_t vcs;         // lanes that it may take if it is a head
    bool shows;
    unsigned left;         // flits still to come of the worm that the source shows
    struct lane lanes[8];  // ejection lanes
    int shown;             // lane whose flit the sink saw and did not take, or RULES_NONE
};

struct terminal {
    unsigned num_vcs, depth, flit_w, dst_w;
    int admission;
    bool chained;
};

static struct terminal terminal(const int *p)
{
    return (struct terminal){(unsigned)p[0], (unsigned)p[1], (unsigned)p[2],
                             (unsigned)p[3], p[4],           p[5] != 0};
}

static void reset(void *state, const int *p)
{
    struct state *s = state;
    for (unsigned v = 0; v < (unsigned)p[0]; v++)
        s->credits[v] = (unsigned)p[1];
    s->bound = s->shown = RULES_NONE;
}

static uint64_t next_flit(const struct terminal *t, struct state *s)
{
    const bool head = s->left == 0;
    uint64_t flit = random_bits(t->flit_w);

    if (head) s->left = 1 + (unsigned)random_below(longest_worm(t->admission, t->depth));
    if (head && t->admission != WORMHOLE)
        flit = (flit & ~(ones(7) << t->dst_w)) | (uint64_t)s->left << t->dst_w;
    s->left--;
    return flit | (uint64_t)(s->left == 0) << t->flit_w | (uint64_t)head << (t->flit_w + 1);
}

// A flit that the source shows stays until it is taken.
static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    const struct terminal t = terminal(p);
    const unsigned to = (unsigned)random_below(t.num_vcs);
    uint64_t credit = 0;

    if (!s->shows && !bench_in_reset() && chance(mood(0))) {
        s->offered = next_flit(&t, s);
        s->vcs = 1 + random_below(ones(t.num_vcs));
        s->shows = true;
    }
    for (unsigned v = 0; v < t.num_vcs; v++)
        credit |= (uint64_t)(s->credits[v] < t.depth && chance(mood(v + 1))) << v;
    put(in, 1, s->shows);
    put(in, t.flit_w + 2, s->offered);
    put(in, t.num_vcs, s->vcs);
    put(in, t.num_vcs, credit);
    put(in, 1, s->lanes[to].count < t.depth && chance(mood(6)));
    put(in, index_width(t.num_vcs), to);
    put(in, t.flit_w + 2, random_bits(t.flit_w + 2));
    put(in, 1, chance(mood(7)));
}

static int injection_lane(const struct state *s, const struct terminal *t, uint64_t flit,
                          uint64_t vcs)
{
    struct admission a = {.rule = t->admission, .head = flit >> (t->flit_w + 1) & 1};
    uint64_t empty = 0;

    a.length = (unsigned)(flit >> t->dst_w & ones(7));
    a.set = vcs;
    a.bound_vc = s->bound;
    for (unsigned v = 0; v < t->num_vcs; v++) {
        a.credits[v] = s->credits[v] + (unsigned)(s->returning >> v & 1);
        empty |= (uint64_t)(a.credits[v] == t->depth) << v;
    }
    return lane_taken(t->num_vcs, admitting_lanes(t->num_vcs, &a), empty);
}

static void inject(struct state *s, const struct terminal *t, uint64_t flit, int lane)
{
    const bool tail = flit >> t->flit_w & 1;
    s->credits[lane]--;
    s->bound = tail ? RULES_NONE : lane;
    s->shows = false;
}

static void check_injection(struct state *s, const struct terminal *t, struct bits *in,
                            struct bits *out)
{
    const bool valid = take(in, "src_valid", 1);
    const uint64_t flit = take(in, "src_flit", t->flit_w + 2);
    const uint64_t vcs = take(in, "src_vcs", t->num_vcs);
    const uint64_t credit = take(in, "inj_credit", t->num_vcs);
    s->returning = t->chained ? credit : 0;
    const int lane = injection_lane(s, t, flit, vcs);
    const bool sends = valid && lane >= 0;

    if (valid)
        expect(out, "src_ready", 1, sends);
    else
        ignore(out, "src_ready", 1);
    expect(out, "inj_valid", 1, sends);
    if (sends) {
        expect(out, "inj_vc", index_width(t->num_vcs), (uint64_t)lane);
        expect(out, "inj_flit", t->flit_w + 2, flit);
        inject(s, t, flit, lane);
    } else {
        ignore(out, "inj_vc", index_width(t->num_vcs));
        ignore(out, "inj_flit", t->flit_w + 2);
    }
    for (unsigned v = 0; v < t->num_vcs; v++)
        s->credits[v] += credit >> v & 1;
}

// A lane that is shown stays shown until its flit is taken.
static int lane_shown(const struct state *s, const struct terminal *t)
{
    if (s->shown >= 0) return s->shown;
    for (unsigned v = 0; v < t->num_vcs; v++)
        if (s->lanes[v].count) return (int)v;
    return RULES_NONE;
}

static void check_ejection(struct state *s, const struct terminal *t, struct bits *in,
                           struct bits *out)
{
    const bool valid = take(in, "ej_valid", 1);
    const unsigned vc = (unsigned)take(in, "ej_vc", index_width(t->num_vcs));
    const uint64_t flit = take(in, "ej_flit", t->flit_w + 2);
    const bool ready = take(in, "snk_ready", 1);
    const int lane = lane_shown(s, t);

    expect(out, "ej_credit", t->num_vcs, ready ? onehot(lane) : 0);
    expect(out, "snk_valid", 1, lane >= 0);
    if (lane >= 0) {
        expect(out, "snk_flit", t->flit_w + 2, s->lanes[lane].flits[0]);
        expect(out, "snk_vc", index_width(t->num_vcs), (uint64_t)lane);
    } else {
        ignore(out, "snk_flit", t->flit_w + 2);
        ignore(out, "snk_vc", index_width(t->num_vcs));
    }
    s->shown = ready ? RULES_NONE : lane;
    if (lane >= 0 && ready) {
        struct lane *from = &s->lanes[lane];
        from->count--;
        for (unsigned i = 0; i < from->count; i++)
            from->flits[i] = from->flits[i + 1];
    }
    if (valid) s->lanes[vc].flits[s->lanes[vc].count++] = flit;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const struct terminal t = terminal(p);
    const struct state before = *s;

    check_injection(s, &t, in, out);
    check_ejection(s, &t, in, out);

    for (unsigned v = 0; v < t.num_vcs; v++)
        expect(out, "count", count_width(t.depth), before.lanes[v].count);
    for (unsigned v = 0; v < t.num_vcs; v++)
        expect(out, "credit", count_width(t.depth), before.credits[v]);
    expect(out, "bound", t.num_vcs, onehot(before.bound));
}

static const struct bench_module module = {
    .name = "anl_terminal",
    .parameters = "NumVcs, Depth, FlitW, DstW, Admission, Chained",
    .state_bytes = sizeof(struct state),
    .cycles = 10000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
