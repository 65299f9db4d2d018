// SPDX-License-Identifier: Apache-2.0
//
// Packets that come in become worms, and worms become packets that go out. Every beat that is taken
// must be the flit on the link in the same cycle, on the lane that the rules of injection select,
// and every lane must give back in order what it got.

#include "bench.h"
#include "rules.h"

enum { MAX_DEPTH = 64 };

struct lane {
    uint64_t flits[MAX_DEPTH];  // oldest first
    unsigned count;
};

struct state {
    bool shows, first;  // a beat is shown; the next beat taken is the first of a packet
    uint64_t data, dest, distance, path;
    uint64_t cycle;         // since reset
    bool waits;             // the first beat was shown and not taken, with these two:
    uint64_t stamp, drawn;  // cycle in which it was first shown, path that was drawn in it
    unsigned left, length;  // beats still to come, beats in all
    unsigned credits[8];
    int lane;  // lane of the packet that is being sent
    struct lane lanes[8];
    unsigned ejecting[8];  // flits still to come of the worm that enters a lane
    int shown;             // lane whose beat the sink saw and did not take, or RULES_NONE
};

struct terminal {
    unsigned num_vcs, depth, flit_w, dst_w, low_w, ranked_w, path_w, fields_w, data_w;
    int admission, scan;
};

static struct terminal terminal(const int *p)
{
    struct terminal t = {.num_vcs = (unsigned)p[0], .depth = (unsigned)p[1]};
    t.flit_w = (unsigned)p[2];
    t.dst_w = (unsigned)p[3];
    t.admission = p[4];
    t.scan = p[5];
    t.path_w = (unsigned)p[6];
    t.low_w = t.dst_w + (t.admission == WORMHOLE ? 0 : 7);
    t.ranked_w = t.low_w + (t.scan == OLDEST || t.scan == FARTHEST ? 16 : 0);
    t.fields_w = t.ranked_w + t.path_w;
    t.data_w = t.flit_w - t.fields_w;
    return t;
}

static void reset(void *state, const int *p)
{
    struct state *s = state;
    for (unsigned v = 0; v < (unsigned)p[0]; v++)
        s->credits[v] = (unsigned)p[1];
    s->first = true;
    s->shown = RULES_NONE;
}

static void next_beat(const struct terminal *t, struct state *s)
{
    if (s->left == 0) {
        s->left = s->length = 1 + (unsigned)random_below(longest_worm(t->admission, t->depth));
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
    const bool sends = !bench_in_reset() && s->lanes[to].count < t->depth && chance(mood(6));

    if (sends && s->ejecting[to]-- == 0) s->ejecting[to] = (unsigned)random_below(5);
    const uint64_t tail = sends && s->ejecting[to] == 0;
    put(in, 1, sends);
    put(in, index_width(t->num_vcs), to);
    put(in, t->flit_w, random_bits(t->flit_w));
    put(in, 2, tail | random_bits(1) << 1);
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    const struct terminal t = terminal(p);
    uint64_t credit = 0;

    if (!s->shows && !bench_in_reset() && chance(mood(0))) next_beat(&t, s);
    for (unsigned v = 0; v < t.num_vcs; v++)
        credit |= (uint64_t)(s->credits[v] < t.depth && chance(mood(v + 1))) << v;
    put(in, 1, s->shows);
    put(in, t.data_w, s->data);
    put(in, 1, s->left == 0);
    put(in, t.dst_w, s->dest);
    put(in, 7, s->length);
    put(in, 16, s->distance);
    put(in, t.path_w ? t.path_w : 1, random_bits(t.path_w ? t.path_w : 1));
    put(in, 1, chance(mood(7)));
    put(in, t.num_vcs, credit);
    drive_ejection(&t, s, in);
}

// The flit must go on that lane, or nowhere if lane is RULES_NONE.
static void check_injection(const struct terminal *t, struct state *s, uint64_t flit, int lane,
                            struct bits *out)
{
    const bool sends = lane >= 0;

    expect(out, "inj_valid", 1, sends);
    if (!sends) {
        ignore(out, "inj_vc", index_width(t->num_vcs));
        ignore(out, "inj_flit", t->flit_w + 2);
        return;
    }
    expect(out, "inj_vc", index_width(t->num_vcs), (uint64_t)lane);
    expect(out, "inj_flit", t->flit_w + 2, flit);
    s->lane = lane;
    s->credits[lane]--;
    s->first = flit >> t->flit_w & 1;
    s->shows = false;
}

// Returns the lane whose flit is shown to the sink, or RULES_NONE. A beat that is shown stays until
// it is taken, as AXI4-Stream demands.
static int check_ejection(const struct terminal *t, struct state *s, bool ready, struct bits *out)
{
    unsigned v = 0;
    while (v < t->num_vcs && s->lanes[v].count == 0)
        v++;
    if (s->shown >= 0) v = (unsigned)s->shown;
    const bool holds = v < t->num_vcs;
    const uint64_t flit = holds ? s->lanes[v].flits[0] : 0;

    expect(out, "m_tvalid", 1, holds);
    if (holds) {
        expect(out, "m_tdata", t->data_w, flit >> t->fields_w & ones(t->data_w));
        expect(out, "m_tlast", 1, flit >> t->flit_w & 1);
        expect(out, "m_tid", index_width(t->num_vcs), v);
    } else {
        ignore(out, "m_tdata", t->data_w);
        ignore(out, "m_tlast", 1);
        ignore(out, "m_tid", index_width(t->num_vcs));
    }
    s->shown = holds && !ready ? (int)v : RULES_NONE;
    if (!holds || !ready) return RULES_NONE;
    s->lanes[v].count--;
    for (unsigned i = 0; i < s->lanes[v].count; i++)
        s->lanes[v].flits[i] = s->lanes[v].flits[i + 1];
    return (int)v;
}

// Returns the lane to which the beat can go, or RULES_NONE.
static int injection_lane(const struct terminal *t, const struct state *s, unsigned beats)
{
    struct admission a = {.rule = t->admission, .head = s->first, .length = beats};
    uint64_t empty = 0;

    a.set = ones(t->num_vcs);
    a.bound_vc = s->lane;
    for (unsigned v = 0; v < t->num_vcs; v++) {
        a.credits[v] = s->credits[v];
        empty |= (uint64_t)(s->credits[v] == t->depth) << v;
    }
    return lane_taken(t->num_vcs, admitting_lanes(t->num_vcs, &a), empty);
}

// Takes a beat from the inputs and returns the flit that it becomes.
static uint64_t take_beat(const struct terminal *t, struct state *s, struct bits *in,
                          unsigned *beats)
{
    const uint64_t data = take(in, "s_tdata", t->data_w), last = take(in, "s_tlast", 1);
    const uint64_t dest = take(in, "s_tdest", t->dst_w);
    *beats = (unsigned)take(in, "s_tuser", 7);
    const uint64_t distance = take(in, "distance", 16);
    const uint64_t path = take(in, "path", t->path_w ? t->path_w : 1);
    if (!s->waits) s->stamp = s->cycle & 0xffff;
    if (!s->waits) s->drawn = path & ones(t->path_w);
    uint64_t fields = dest | (t->admission == WORMHOLE ? 0 : (uint64_t)*beats << t->dst_w);
    if (t->scan == OLDEST) fields |= s->stamp << t->low_w;
    if (t->scan == FARTHEST) fields |= distance << t->low_w;
    fields |= s->drawn << t->ranked_w;
    return (uint64_t)s->first << (t->flit_w + 1) | last << t->flit_w | data << t->fields_w | fields;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const struct terminal t = terminal(p);
    unsigned beats;
    const bool valid = take(in, "s_tvalid", 1);
    const uint64_t flit = take_beat(&t, s, in, &beats);
    const bool m_ready = take(in, "m_tready", 1);
    const uint64_t credit = take(in, "inj_credit", t.num_vcs);
    const bool ej_valid = take(in, "ej_valid", 1);
    const unsigned ej_vc = (unsigned)take(in, "ej_vc", index_width(t.num_vcs));
    const uint64_t ej_flit = take(in, "ej_flit", t.flit_w + 2);

    const int lane = valid ? injection_lane(&t, s, beats) : RULES_NONE;
    s->waits = valid && lane == RULES_NONE && s->first;
    if (valid)
        expect(out, "s_tready", 1, lane >= 0);
    else
        ignore(out, "s_tready", 1);
    const int popped = check_ejection(&t, s, m_ready, out);
    check_injection(&t, s, flit, lane, out);
    expect(out, "ej_credit", t.num_vcs, onehot(popped));

    s->cycle++;
    for (unsigned v = 0; v < t.num_vcs; v++)
        s->credits[v] += credit >> v & 1;
    if (ej_valid) s->lanes[ej_vc].flits[s->lanes[ej_vc].count++] = ej_flit;
}

static const struct bench_module module = {
    .name = "anl_axis_terminal",
    .parameters = "NumVcs, Depth, FlitW, DstW, Admission, Scan, PathW",
    .state_bytes = sizeof(struct state),
    .cycles = 10000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
