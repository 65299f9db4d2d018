// SPDX-License-Identifier: Apache-2.0
//
// Packets that come in become worms, and worms become packets that go out. Every beat that is taken
// must be the flit on the link in the same cycle, on the lane that the rules of injection select,
// and every lane must give back in order what it got.

#include "bench.h"
#include "heads.h"
#include "oracle/lanes.h"
#include "oracle/scan.h"

enum { MAX_CLASSES = 8 };
enum {
    NUM_VCS,
    DEPTH,
    FLIT_W,
    DST_W,
    FLOW_CONTROL,
    LENGTH_IN_HEAD,
    ARBITER,
    PATH_W,
    CLASSES,
    WHOLE
};

// The streams of a class of messages. Lanes are counted from 0 within the class.
struct streams {
    bool shows, first;  // a beat is shown; the next beat taken is the first of a packet
    uint64_t data, dest, distance, path;
    bool waits;             // the first beat was shown and not taken, with these two:
    uint64_t stamp, drawn;  // cycle in which it was first shown, path that was drawn in it
    unsigned left, length;  // beats still to come, beats in all
    int lane;               // lane of the packet that is being sent
    int shown;              // lane whose beat the sink saw and did not take, or ORACLE_NONE
    int open, last;  // whole packets: lane of the one that is shown, or ORACLE_NONE; the last
};

struct state {
    struct streams of[MAX_CLASSES];
    struct oracle_favour favour;
    uint64_t cycle;  // since reset
    struct oracle_out_lane injection[ORACLE_LANES];
    struct oracle_in_lane ejection[ORACLE_LANES];
    unsigned ejecting[ORACLE_LANES];  // flits still to come of the worm that enters a lane
};

struct terminal {
    unsigned num_vcs, depth, flit_w, dst_w, low_w, ranked_w, path_w, fields_w, data_w;
    int flow_control, arbiter;
    bool length_in_head, whole;
    unsigned classes, lanes;  // lanes: of each class
};

static struct terminal terminal(const int *p)
{
    struct terminal t = {.num_vcs = (unsigned)p[NUM_VCS], .depth = (unsigned)p[DEPTH]};
    t.flit_w = (unsigned)p[FLIT_W];
    t.dst_w = (unsigned)p[DST_W];
    t.flow_control = p[FLOW_CONTROL];
    t.length_in_head = p[LENGTH_IN_HEAD] != 0;
    t.arbiter = p[ARBITER];
    t.path_w = (unsigned)p[PATH_W];
    t.classes = (unsigned)p[CLASSES];
    t.lanes = t.num_vcs / t.classes;
    t.whole = p[WHOLE] != 0;
    t.low_w = t.dst_w + (says_length(t.flow_control, t.length_in_head) ? 7 : 0);
    t.ranked_w = t.low_w + (t.arbiter == AGE || t.arbiter == FARTHEST ? 16 : 0);
    t.fields_w = t.ranked_w + t.path_w;
    t.data_w = t.flit_w - t.fields_w;
    return t;
}

static unsigned weight(unsigned class_) { return 1 + (3 * class_ + 1) % 5; }

static void reset(void *state, const int *p)
{
    struct state *s = state;
    for (unsigned v = 0; v < (unsigned)p[NUM_VCS]; v++)
        s->injection[v].credits = (unsigned)p[DEPTH];
    for (unsigned c = 0; c < (unsigned)p[CLASSES]; c++) {
        s->of[c].first = true;
        s->of[c].shown = s->of[c].open = ORACLE_NONE;
        s->of[c].last = p[NUM_VCS] / p[CLASSES] - 1;
    }
    s->favour.quota = weight(0);
}

static void next_beat(const struct terminal *t, struct streams *s)
{
    if (s->left == 0) {
        s->left = s->length =
            1 + (unsigned)random_below(longest_worm(t->flow_control, t->length_in_head, t->depth));
        s->dest = random_bits(t->dst_w);
        s->distance = random_bits(16);
    }
    s->left--;
    s->data = random_bits(t->data_w);
    s->shows = true;
}

static void drive_ejection(const struct terminal *t, struct state *s, struct bits *in)
{
    const unsigned to = (unsigned)random_below(t->num_vcs);
    const bool sends = !bench_in_reset() && s->ejection[to].count < t->depth && chance(mood(6));

    if (sends && s->ejecting[to]-- == 0) s->ejecting[to] = (unsigned)random_below(5);
    const uint64_t tail = sends && s->ejecting[to] == 0;
    put(in, 1, sends);
    put(in, index_width(t->num_vcs), to);
    put(in, t->flit_w, random_bits(t->flit_w));
    put(in, 2, tail | random_bits(1) << 1);
}

static unsigned path_width(const struct terminal *t) { return t->path_w ? t->path_w : 1; }

static void drive_streams(const struct terminal *t, const struct state *s, struct bits *in)
{
    for (unsigned c = 0; c < t->classes; c++)
        put(in, 1, s->of[c].shows);
    for (unsigned c = 0; c < t->classes; c++)
        put(in, t->data_w, s->of[c].data);
    for (unsigned c = 0; c < t->classes; c++)
        put(in, 1, s->of[c].left == 0);
    for (unsigned c = 0; c < t->classes; c++)
        put(in, t->dst_w, s->of[c].dest);
    for (unsigned c = 0; c < t->classes; c++)
        put(in, 7, s->of[c].length);
    for (unsigned c = 0; c < t->classes; c++)
        put(in, 16, s->of[c].distance);
    for (unsigned c = 0; c < t->classes; c++)
        put(in, path_width(t), random_bits(path_width(t)));
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    const struct terminal t = terminal(p);
    uint64_t credit = 0;

    for (unsigned c = 0; c < t.classes; c++)
        if (!s->of[c].shows && chance(mood(c % 2 ? 5 : 0))) next_beat(&t, &s->of[c]);
    for (unsigned v = 0; v < t.num_vcs; v++)
        credit |= (uint64_t)(s->injection[v].credits < t.depth && chance(mood(v + 1))) << v;
    drive_streams(&t, s, in);
    for (unsigned c = 0; c < t.classes; c++)
        put(in, 1, chance(mood(7 + c)));
    put(in, t.num_vcs, credit);
    drive_ejection(&t, s, in);
}

// Takes the beats from the inputs, and sets flits to what they become.
static void take_beats(const struct terminal *t, struct state *s, struct bits *in, uint64_t *flits)
{
    for (unsigned c = 0; c < t->classes; c++)
        take(in, "s_tvalid", 1);
    for (unsigned c = 0; c < t->classes; c++)
        flits[c] = take(in, "s_tdata", t->data_w) << t->fields_w | (uint64_t)s->of[c].first
                                                                       << (t->flit_w + 1);
    for (unsigned c = 0; c < t->classes; c++)
        flits[c] |= take(in, "s_tlast", 1) << t->flit_w;
    for (unsigned c = 0; c < t->classes; c++)
        flits[c] |= take(in, "s_tdest", t->dst_w);
    for (unsigned c = 0; c < t->classes; c++) {
        const uint64_t beats = take(in, "s_beats", 7);
        if (says_length(t->flow_control, t->length_in_head)) flits[c] |= beats << t->dst_w;
    }
    for (unsigned c = 0; c < t->classes; c++) {
        const uint64_t distance = take(in, "distance", 16);
        if (!s->of[c].waits) s->of[c].stamp = s->cycle & 0xffff;
        if (t->arbiter == AGE) flits[c] |= s->of[c].stamp << t->low_w;
        if (t->arbiter == FARTHEST) flits[c] |= distance << t->low_w;
    }
    for (unsigned c = 0; c < t->classes; c++) {
        const uint64_t path = take(in, "path", path_width(t));
        if (!s->of[c].waits) s->of[c].drawn = path & ones(t->path_w);
        flits[c] |= s->of[c].drawn << t->ranked_w;
    }
}

// Returns the lane of a class to which its beat can go, or ORACLE_NONE.
static int injection_lane(const struct terminal *t, const struct state *s, unsigned class_)
{
    const struct streams *of = &s->of[class_];
    const struct oracle_want want = {
        .set = ones(t->lanes), .need = oracle_need(t->flow_control, of->length), .at_once = true};
    return oracle_injection_lane(&s->injection[class_ * t->lanes], t->lanes, t->depth,
                                 of->first ? &want : NULL, of->lane);
}

// Returns the class whose beat is sent, or ORACLE_NONE.
static int class_sent(const struct terminal *t, const struct state *s)
{
    uint64_t candidates = 0;
    for (unsigned c = 0; c < t->classes; c++)
        if (s->of[c].shows && injection_lane(t, s, c) >= 0) candidates |= onehot((int)c);
    return oracle_class_first(t->classes, candidates, &s->favour);
}

// A stream that shows nothing may see any ready.
static void check_ready(const struct terminal *t, struct state *s, int sent, struct bits *out)
{
    for (unsigned c = 0; c < t->classes; c++) {
        s->of[c].waits = s->of[c].shows && sent != (int)c && s->of[c].first;
        if (s->of[c].shows)
            expect(out, "s_tready", 1, sent == (int)c);
        else
            ignore(out, "s_tready", 1);
    }
}

// The flit must go on that lane of that class, or nowhere if sent is ORACLE_NONE.
static void check_injection(const struct terminal *t, struct state *s, uint64_t flit, int sent,
                            int lane, struct bits *out)
{
    expect(out, "inj_valid", 1, sent >= 0);
    if (sent < 0) {
        ignore(out, "inj_vc", index_width(t->num_vcs));
        ignore(out, "inj_flit", t->flit_w + 2);
        return;
    }
    const unsigned vc = (unsigned)sent * t->lanes + (unsigned)lane;
    unsigned weights[MAX_CLASSES];
    expect(out, "inj_vc", index_width(t->num_vcs), vc);
    expect(out, "inj_flit", t->flit_w + 2, flit);
    s->of[sent].lane = lane;
    s->of[sent].first = flit >> t->flit_w & 1;
    s->of[sent].shows = false;
    s->injection[vc].credits--;
    for (unsigned c = 0; c < t->classes; c++)
        weights[c] = weight(c);
    oracle_class_moved(t->classes, weights, &s->favour);
}

// Returns the lane of a class from which the stream gets a beat of a whole packet, or ORACLE_NONE:
// that of the packet that is open, or else the first that holds a flit, from the one after the
// last.
static int lane_of_packet(const struct terminal *t, const struct state *s, unsigned class_)
{
    const struct oracle_in_lane *lanes = &s->ejection[class_ * t->lanes];
    const struct streams *of = &s->of[class_];
    if (of->open != ORACLE_NONE) return lanes[of->open].count ? of->open : ORACLE_NONE;
    for (unsigned n = 1; n <= t->lanes; n++)
        if (lanes[((unsigned)of->last + n) % t->lanes].count)
            return (int)(((unsigned)of->last + n) % t->lanes);
    return ORACLE_NONE;
}

// Returns the lane of a class whose beat is shown, or ORACLE_NONE. A beat that is shown stays until
// it is taken, as AXI4-Stream demands.
static int lane_shown(const struct terminal *t, const struct state *s, unsigned class_)
{
    if (t->whole) return lane_of_packet(t, s, class_);
    return oracle_lane_shown(&s->ejection[class_ * t->lanes], t->lanes, s->of[class_].shown);
}

// Returns the lanes whose flits are taken.
static uint64_t check_ejection(const struct terminal *t, struct state *s, uint64_t ready,
                               struct bits *out)
{
    int shown[MAX_CLASSES];
    uint64_t flits[MAX_CLASSES] = {0}, popped = 0;
    for (unsigned c = 0; c < t->classes; c++) {
        shown[c] = lane_shown(t, s, c);
        if (shown[c] >= 0) flits[c] = s->ejection[c * t->lanes + (unsigned)shown[c]].flit[0].data;
        s->of[c].shown = ready >> c & 1 ? ORACLE_NONE : shown[c];
        if (ready >> c & 1) popped |= onehot(shown[c]) << c * t->lanes;
        if (shown[c] >= 0) {
            const bool ends = (ready >> c & 1) && (flits[c] >> t->flit_w & 1);
            s->of[c].open = ends ? ORACLE_NONE : shown[c];
            s->of[c].last = shown[c];
        }
        expect(out, "m_tvalid", 1, shown[c] >= 0);
    }
    for (unsigned c = 0; c < t->classes; c++)
        expect_if(shown[c] >= 0, out, "m_tdata", t->data_w,
                  flits[c] >> t->fields_w & ones(t->data_w));
    for (unsigned c = 0; c < t->classes; c++)
        expect_if(shown[c] >= 0, out, "m_tlast", 1, flits[c] >> t->flit_w & 1);
    for (unsigned c = 0; c < t->classes; c++)
        expect_if(shown[c] >= 0, out, "m_lane", index_width(t->lanes), (uint64_t)shown[c]);
    return popped;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const struct terminal t = terminal(p);
    uint64_t flits[MAX_CLASSES], ready = 0;
    take_beats(&t, s, in, flits);
    for (unsigned c = 0; c < t.classes; c++)
        ready |= take(in, "m_tready", 1) << c;
    const uint64_t credit = take(in, "inj_credit", t.num_vcs);
    const bool ej_valid = take(in, "ej_valid", 1);
    const unsigned ej_vc = (unsigned)take(in, "ej_vc", index_width(t.num_vcs));
    const uint64_t ej_flit = take(in, "ej_flit", t.flit_w + 2);

    const int sent = class_sent(&t, s);
    const int lane = sent >= 0 ? injection_lane(&t, s, (unsigned)sent) : ORACLE_NONE;
    check_ready(&t, s, sent, out);
    const uint64_t popped = check_ejection(&t, s, ready, out);
    check_injection(&t, s, sent >= 0 ? flits[sent] : 0, sent, lane, out);
    expect(out, "ej_credit", t.num_vcs, popped);

    s->cycle++;
    for (unsigned v = 0; v < t.num_vcs; v++) {
        s->injection[v].credits += credit >> v & 1;
        if (popped >> v & 1) oracle_pop(&s->ejection[v], 0, 0);
    }
    if (ej_valid) oracle_enter(&s->ejection[ej_vc], &(struct oracle_flit){.data = ej_flit});
}

static const struct bench_module module = {
    .name = "anl_axis_terminal",
    .parameters =
        "NumVcs, Depth, FlitW, DstW, FlowControl, LengthInHead, Arbiter, PathW, Classes, Whole",
    .state_bytes = sizeof(struct state),
    .cycles = 10000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
