// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "heads.h"
#include "oracle/lanes.h"
#include "oracle/scan.h"

enum { MAX_CLASSES = 3 };
enum { NUM_VCS, DEPTH, FLIT_W, DST_W, FLOW_CONTROL, LENGTH_IN_HEAD, CREDIT_BYPASS, CLASSES, WIDE };

static const unsigned weights[MAX_CLASSES] = {2, 1, 3};  // of the corners with several classes

// Source and sink of a class of messages. Lanes are counted from 0 within the class.
struct side {
    int bound;         // lane of the worm being injected, or ORACLE_NONE
    uint64_t offered;  // flit that the source shows, until it is taken
    uint64_t vcs;      // lanes that it may take if it is a head
    bool shows;
    unsigned left;  // flits still to come of the worm that the source shows
    int shown;      // lane whose flit the sink saw and did not take, or ORACLE_NONE
};

struct state {
    // A credit that comes back now and counts now does not count for heads if links are wide.
    struct oracle_out_lane injection[ORACLE_LANES];
    struct oracle_in_lane ejection[ORACLE_LANES];
    struct side side[MAX_CLASSES];
    struct oracle_favour favour;
};

struct terminal {
    unsigned num_vcs, depth, flit_w, dst_w;
    int flow_control;
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
                             .flow_control = p[FLOW_CONTROL],
                             .length_in_head = p[LENGTH_IN_HEAD] != 0,
                             .chained = p[CREDIT_BYPASS] != 0,
                             .wide = p[WIDE] != 0,
                             .classes = (unsigned)p[CLASSES],
                             .lanes = (unsigned)(p[NUM_VCS] / p[CLASSES])};
}

static void reset(void *state, const int *p)
{
    struct state *s = state;
    for (unsigned v = 0; v < (unsigned)p[NUM_VCS]; v++)
        s->injection[v].credits = (unsigned)p[DEPTH];
    for (unsigned c = 0; c < (unsigned)p[CLASSES]; c++)
        s->side[c].bound = s->side[c].shown = ORACLE_NONE;
    s->favour.quota = weights[0];
}

static uint64_t next_flit(const struct terminal *t, struct side *side)
{
    const bool head = side->left == 0;
    uint64_t flit = random_bits(t->flit_w);

    if (head)
        side->left =
            1 + (unsigned)random_below(longest_worm(t->flow_control, t->length_in_head, t->depth));
    if (head && says_length(t->flow_control, t->length_in_head))
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
        credit |= (uint64_t)(s->injection[v].credits < t.depth && chance(mood(v + 1))) << v;
    for (unsigned c = 0; c < t.classes; c++)
        put(in, 1, s->side[c].shows);
    for (unsigned c = 0; c < t.classes; c++)
        put(in, t.flit_w + 2, s->side[c].offered);
    for (unsigned c = 0; c < t.classes; c++)
        put(in, t.lanes, s->side[c].vcs);
    put(in, t.num_vcs, credit);
    put(in, 1, s->ejection[to].count < t.depth && chance(mood(6)));
    put(in, index_width(t.num_vcs), to);
    put(in, t.flit_w + 2, random_bits(t.flit_w + 2));
    for (unsigned c = 0; c < t.classes; c++)
        put(in, 1, chance(mood(7 + c)));
}

// Returns the lane, within its class, in which the flit that a source shows could be sent.
static int injection_lane(const struct state *s, const struct terminal *t, unsigned class_)
{
    const struct side *side = &s->side[class_];
    const bool head = side->offered >> (t->flit_w + 1) & 1;
    const unsigned length = (unsigned)(side->offered >> t->dst_w & ones(7));
    const struct oracle_want want = {
        .set = side->vcs, .need = oracle_need(t->flow_control, length), .at_once = !t->wide};
    return oracle_injection_lane(&s->injection[class_ * t->lanes], t->lanes, t->depth,
                                 head ? &want : NULL, side->bound);
}

// Returns the class whose flit is sent, or ORACLE_NONE.
static int class_sent(const struct state *s, const struct terminal *t)
{
    uint64_t candidates = 0;
    for (unsigned c = 0; c < t->classes; c++)
        if (s->side[c].shows && injection_lane(s, t, c) >= 0) candidates |= onehot((int)c);
    return oracle_class_first(t->classes, candidates, &s->favour);
}

static void inject(struct state *s, const struct terminal *t, unsigned class_, int lane)
{
    struct side *side = &s->side[class_];
    const bool tail = side->offered >> t->flit_w & 1;
    s->injection[class_ * t->lanes + (unsigned)lane].credits--;
    side->bound = tail ? ORACLE_NONE : lane;
    side->shows = false;
    oracle_class_moved(t->classes, weights, &s->favour);
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
    for (unsigned v = 0; v < t->num_vcs; v++)
        s->injection[v].returning = t->chained && (credit >> v & 1);
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
        s->injection[v].credits += credit >> v & 1;
}

// Returns the lane of a class whose flit is shown. It stays shown until its flit is taken.
static int lane_shown(const struct state *s, const struct terminal *t, unsigned class_)
{
    return oracle_lane_shown(&s->ejection[class_ * t->lanes], t->lanes, s->side[class_].shown);
}

static void check_sinks(const struct state *s, const struct terminal *t, const int *shown,
                        struct bits *out)
{
    for (unsigned c = 0; c < t->classes; c++)
        expect(out, "snk_valid", 1, shown[c] >= 0);
    for (unsigned c = 0; c < t->classes; c++)
        if (shown[c] >= 0)
            expect(out, "snk_flit", t->flit_w + 2,
                   s->ejection[c * t->lanes + (unsigned)shown[c]].flit[0].data);
        else
            ignore(out, "snk_flit", t->flit_w + 2);
    for (unsigned c = 0; c < t->classes; c++)
        if (shown[c] >= 0)
            expect(out, "snk_vc", index_width(t->lanes), (uint64_t)shown[c]);
        else
            ignore(out, "snk_vc", index_width(t->lanes));
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
        s->side[c].shown = ready >> c & 1 ? ORACLE_NONE : shown[c];
        if (shown[c] >= 0 && ready >> c & 1)
            oracle_pop(&s->ejection[c * t->lanes + (unsigned)shown[c]], 0, 0);
    }
    if (valid) oracle_enter(&s->ejection[vc], &(struct oracle_flit){.data = flit});
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const struct terminal t = terminal(p);
    const struct state before = *s;

    check_injection(s, &t, in, out);
    check_ejection(s, &t, in, out);

    for (unsigned v = 0; v < t.num_vcs; v++)
        expect(out, "count", count_width(t.depth), before.ejection[v].count);
    for (unsigned v = 0; v < t.num_vcs; v++)
        expect(out, "credit", count_width(t.depth), before.injection[v].credits);
    for (unsigned c = 0; c < t.classes; c++)
        expect(out, "bound", t.lanes, onehot(before.side[c].bound));
    if (t.classes == 1) return;
    expect(out, "favoured", index_width(t.classes), before.favour.class_);
    expect(out, "quota", 8, before.favour.quota);
}

static const struct bench_module module = {
    .name = "anl_terminal",
    .parameters =
        "NumVcs, Depth, FlitW, DstW, FlowControl, LengthInHead, CreditBypass, Classes, Wide",
    .state_bytes = sizeof(struct state),
    .cycles = 10000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
