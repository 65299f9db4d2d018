// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "rules.h"

enum { MAX_DEPTH = 64, MAX_CLASSES = 3 };
enum { NUM_VCS, DEPTH, FLIT_W, DST_W, ADMISSION, LENGTH_IN_HEAD, CHAINED, CLASSES, WIDE };

static const unsigned weights[MAX_CLASSES] = {2, 1, 3};  // of the corners with several classes

struct lane {
    uint64_t flits[MAX_DEPTH];  // oldest first
    unsigned count;
};

// Source and sink of a class of messages. Lanes are counted from 0 within the class.
struct side {
    int bound;         // lane of the worm being injected, or RULES_NONE
    uint64_t offered;  // flit that the source shows, until it is taken
    uint64_t vcs;      // lanes that it may take if it is a head
    bool shows;
    unsigned left;  // flits still to come of the worm that the source shows
    int shown;      // lane whose flit the sink saw and did not take, or RULES_NONE
};

struct state {
    unsigned credits[8];   // of the injection link
    uint64_t returning;    // bit per lane: a credit comes back now and counts now, but not for
                           // heads if links are wide
    struct lane lanes[8];  // ejection lanes
    struct side side[MAX_CLASSES];
    unsigned favoured, quota;  // of the scan over classes
};

struct terminal {
    unsigned num_vcs, depth, flit_w, dst_w;
    int admission;
    bool length_in_head, chained, wide;
    unsigned classes;
    unsigned lanes;  // of each class
};

static struct terminal terminal(const int *p)
{
    return (struct terminal){.num_vcs = (unsigned)p[NUM_VCS],
                             .depth = (unsigned)p[DEPTH],
                             .flit_w = (unsigned)p[FLIT_W],
                             .dst_w = (unsigned)p[DST_W],
                             .admission = p[ADMISSION],
                             .length_in_head = p[LENGTH_IN_HEAD] != 0,
                             .chained = p[CHAINED] != 0,
                             .wide = p[WIDE] != 0,
                             .classes = (unsigned)p[CLASSES],
                             .lanes = (unsigned)(p[NUM_VCS] / p[CLASSES])};
}

static void reset(void *state, const int *p)
{
    struct state *s = state;
    for (unsigned v = 0; v < (unsigned)p[NUM_VCS]; v++)
        s->credits[v] = (unsigned)p[DEPTH];
    for (unsigned c = 0; c < (unsigned)p[CLASSES]; c++)
        s->side[c].bound = s->side[c].shown = RULES_NONE;
    s->quota = weights[0];
}

static uint64_t next_flit(const struct terminal *t, struct side *side)
{
    const bool head = side->left == 0;
    uint64_t flit = random_bits(t->flit_w);

    if (head)
        side->left =
            1 + (unsigned)random_below(longest_worm(t->admission, t->length_in_head, t->depth));
    if (head && says_length(t->admission, t->length_in_head))
        flit = (flit & ~(ones(7) << t->dst_w)) | (uint64_t)side->left << t->dst_w;
    side->left--;
    return flit | (uint64_t)(side->left == 0) << t->flit_w | (uint64_t)head << (t->flit_w + 1);
}

// A flit that a source shows stays until it is taken.
static void show(const struct terminal *t, struct side *side, unsigned class_)
{
    if (side->shows || !chance(mood(class_ % 2 ? 5 : 0))) return;
    side->offered = next_flit(t, side);
    side->vcs = 1 + random_below(ones(t->lanes));
    side->shows = true;
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    const struct terminal t = terminal(p);
    const unsigned to = (unsigned)random_below(t.num_vcs);
    uint64_t credit = 0;

    for (unsigned c = 0; c < t.classes; c++)
        show(&t, &s->side[c], c);
    for (unsigned v = 0; v < t.num_vcs; v++)
        credit |= (uint64_t)(s->credits[v] < t.depth && chance(mood(v + 1))) << v;
    for (unsigned c = 0; c < t.classes; c++)
        put(in, 1, s->side[c].shows);
    for (unsigned c = 0; c < t.classes; c++)
        put(in, t.flit_w + 2, s->side[c].offered);
    for (unsigned c = 0; c < t.classes; c++)
        put(in, t.lanes, s->side[c].vcs);
    put(in, t.num_vcs, credit);
    put(in, 1, s->lanes[to].count < t.depth && chance(mood(6)));
    put(in, index_width(t.num_vcs), to);
    put(in, t.flit_w + 2, random_bits(t.flit_w + 2));
    for (unsigned c = 0; c < t.classes; c++)
        put(in, 1, chance(mood(7 + c)));
}

// Returns the lane, within its class, in which the flit that a source shows could be sent.
static int injection_lane(const struct state *s, const struct terminal *t, unsigned class_)
{
    const struct side *side = &s->side[class_];
    struct admission a = {.rule = t->admission, .head = side->offered >> (t->flit_w + 1) & 1};
    uint64_t empty = 0;

    a.length = (unsigned)(side->offered >> t->dst_w & ones(7));
    a.set = side->vcs;
    a.bound_vc = side->bound;
    const uint64_t returning = t->wide && a.head ? 0 : s->returning;
    for (unsigned v = 0; v < t->lanes; v++) {
        const unsigned vc = class_ * t->lanes + v;
        a.credits[v] = s->credits[vc] + (unsigned)(returning >> vc & 1);
        empty |= (uint64_t)(a.credits[v] == t->depth) << v;
    }
    return lane_taken(t->lanes, admitting_lanes(t->lanes, &a), empty);
}

// Returns the class whose flit is sent, or RULES_NONE: the first one from the favoured class on.
static int class_sent(const struct state *s, const struct terminal *t)
{
    for (unsigned i = 0; i < t->classes; i++) {
        const unsigned c = (s->favoured + i) % t->classes;
        if (s->side[c].shows && injection_lane(s, t, c) >= 0) return (int)c;
    }
    return RULES_NONE;
}

static void inject(struct state *s, const struct terminal *t, unsigned class_, int lane)
{
    struct side *side = &s->side[class_];
    const bool tail = side->offered >> t->flit_w & 1;
    s->credits[class_ * t->lanes + (unsigned)lane]--;
    side->bound = tail ? RULES_NONE : lane;
    side->shows = false;
    if (--s->quota > 0) return;
    s->favoured = (s->favoured + 1) % t->classes;
    s->quota = weights[s->favoured];
}

// A source that shows nothing may see any ready, if there is one class.
static void check_ready(const struct state *s, const struct terminal *t, int sent, struct bits *out)
{
    for (unsigned c = 0; c < t->classes; c++)
        if (s->side[c].shows)
            expect(out, "src_ready", 1, sent == (int)c);
        else
            ignore(out, "src_ready", 1);
}

static void check_injection(struct state *s, const struct terminal *t, struct bits *in,
                            struct bits *out)
{
    for (unsigned c = 0; c < t->classes; c++)
        take(in, "src_valid", 1);
    for (unsigned c = 0; c < t->classes; c++)
        take(in, "src_flit", t->flit_w + 2);
    for (unsigned c = 0; c < t->classes; c++)
        take(in, "src_vcs", t->lanes);
    const uint64_t credit = take(in, "inj_credit", t->num_vcs);
    s->returning = t->chained ? credit : 0;
    const int sent = class_sent(s, t);

    check_ready(s, t, sent, out);
    expect(out, "inj_valid", 1, sent >= 0);
    if (sent >= 0) {
        const int lane = injection_lane(s, t, (unsigned)sent);
        expect(out, "inj_vc", index_width(t->num_vcs), (unsigned)sent * t->lanes + (unsigned)lane);
        expect(out, "inj_flit", t->flit_w + 2, s->side[sent].offered);
        inject(s, t, (unsigned)sent, lane);
    } else {
        ignore(out, "inj_vc", index_width(t->num_vcs));
        ignore(out, "inj_flit", t->flit_w + 2);
    }
    for (unsigned v = 0; v < t->num_vcs; v++)
        s->credits[v] += credit >> v & 1;
}

// Returns the lane of a class whose flit is shown. It stays shown until its flit is taken.
static int lane_shown(const struct state *s, const struct terminal *t, unsigned class_)
{
    if (s->side[class_].shown >= 0) return s->side[class_].shown;
    for (unsigned v = 0; v < t->lanes; v++)
        if (s->lanes[class_ * t->lanes + v].count) return (int)v;
    return RULES_NONE;
}

static void check_sinks(const struct state *s, const struct terminal *t, const int *shown,
                        struct bits *out)
{
    for (unsigned c = 0; c < t->classes; c++)
        expect(out, "snk_valid", 1, shown[c] >= 0);
    for (unsigned c = 0; c < t->classes; c++)
        if (shown[c] >= 0)
            expect(out, "snk_flit", t->flit_w + 2,
                   s->lanes[c * t->lanes + (unsigned)shown[c]].flits[0]);
        else
            ignore(out, "snk_flit", t->flit_w + 2);
    for (unsigned c = 0; c < t->classes; c++)
        if (shown[c] >= 0)
            expect(out, "snk_vc", index_width(t->lanes), (uint64_t)shown[c]);
        else
            ignore(out, "snk_vc", index_width(t->lanes));
}

static void pop(struct lane *lane)
{
    lane->count--;
    for (unsigned i = 0; i < lane->count; i++)
        lane->flits[i] = lane->flits[i + 1];
}

static void check_ejection(struct state *s, const struct terminal *t, struct bits *in,
                           struct bits *out)
{
    const bool valid = take(in, "ej_valid", 1);
    const unsigned vc = (unsigned)take(in, "ej_vc", index_width(t->num_vcs));
    const uint64_t flit = take(in, "ej_flit", t->flit_w + 2);
    int shown[MAX_CLASSES];
    uint64_t credit = 0, ready = 0;

    for (unsigned c = 0; c < t->classes; c++) {
        shown[c] = lane_shown(s, t, c);
        ready |= take(in, "snk_ready", 1) << c;
        if (ready >> c & 1) credit |= onehot(shown[c]) << c * t->lanes;
    }
    expect(out, "ej_credit", t->num_vcs, credit);
    check_sinks(s, t, shown, out);
    for (unsigned c = 0; c < t->classes; c++) {
        s->side[c].shown = ready >> c & 1 ? RULES_NONE : shown[c];
        if (shown[c] >= 0 && ready >> c & 1) pop(&s->lanes[c * t->lanes + (unsigned)shown[c]]);
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
    for (unsigned c = 0; c < t.classes; c++)
        expect(out, "bound", t.lanes, onehot(before.side[c].bound));
    if (t.classes == 1) return;
    expect(out, "favoured", index_width(t.classes), before.favoured);
    expect(out, "quota", 8, before.quota);
}

static const struct bench_module module = {
    .name = "anl_terminal",
    .parameters = "NumVcs, Depth, FlitW, DstW, Admission, LengthInHead, Chained, Classes, Wide",
    .state_bytes = sizeof(struct state),
    .cycles = 10000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
