// SPDX-License-Identifier: Apache-2.0
//
// Flits enter lanes and leave them in order (docs/link.md), and of those at the front marks, fields
// and routes are shown. A route is drawn in every cycle; one that is early is kept with its flit.

#include "bench.h"
#include "heads.h"

#include "oracle/lanes.h"
#include "oracle/scan.h"

// Parameters, in their order.
enum { PORTS, VCS, DEPTH, FLIT_W, DST_W, ARBITER };
enum { FLOW = ARBITER + 1, SAYS_LENGTH, PATH_W, EARLY, CLASSES, TURNS };

struct route {
    uint64_t port, vcs;
};

// Of each lane, the routes of its flits stand in the order of the flits.
struct state {
    struct oracle_in_lane lanes[ORACLE_LANES];
    struct route routes[ORACLE_LANES][ORACLE_DEPTH + 1];
    uint64_t here;
};

static void reset(void *state, const int *p)
{
    struct state *s = state;
    s->here = random_bits((unsigned)p[DST_W]);
}

static unsigned class_vcs(const int *p) { return (unsigned)(p[VCS] / p[CLASSES]); }

static void drive(void *state, const int *p, struct bits *in)
{
    const struct state *s = state;
    const unsigned num_vcs = (unsigned)p[VCS], num_ports = (unsigned)p[PORTS];
    const unsigned to = (unsigned)random_below(num_vcs), from = (unsigned)random_below(num_vcs);
    const bool reads = s->lanes[from].count > 0 && chance(mood(1)), pops = chance(mood(2));
    const uint64_t turns = (uint64_t)p[TURNS] & ones(num_ports);

    put(in, 1, s->lanes[to].count < (unsigned)p[DEPTH] && chance(mood(0)));
    put(in, index_width(num_vcs), to);
    put(in, (unsigned)p[FLIT_W] + 2, random_bits((unsigned)p[FLIT_W] + 2));
    put(in, (unsigned)p[DST_W], s->here);
    for (unsigned v = 0; v < num_vcs; v++) {
        const unsigned at = (unsigned)random_below(num_ports);
        put(in, num_ports, onehot(oracle_cyclic_first(num_ports, turns, at)));
    }
    for (unsigned v = 0; v < num_vcs; v++)
        put(in, class_vcs(p), random_bits(class_vcs(p)));
    put(in, num_vcs, reads ? onehot((int)from) : 0);
    put(in, 1, pops);
}

static uint64_t field(const struct oracle_in_lane *lane, unsigned at, unsigned width)
{
    return lane->flit[0].data >> at & ones(width);
}

static bool shows_head(const struct state *s, unsigned v)
{
    return s->lanes[v].count > 0 && s->lanes[v].flit[0].head;
}

// What route units read: the head at the front, or if routes are early the flit on the link.
static void check_destinations(const struct state *s, const int *p, uint64_t flit, struct bits *out)
{
    const unsigned num_vcs = (unsigned)p[VCS], dst_w = (unsigned)p[DST_W];

    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned v = 0; v < num_vcs; v++) {
            const uint64_t dst = (p[EARLY] ? flit : field(&s->lanes[v], 0, dst_w)) & ones(dst_w);
            expect_if(p[EARLY] || shows_head(s, v), out, pass ? "differs" : "dst", dst_w,
                      pass ? dst ^ s->here : dst);
        }
    }
}

static bool is_whole(const struct oracle_in_lane *lane, int flow_control)
{
    bool tail = flow_control != STORE_AND_FORWARD;
    for (unsigned i = 0; i < lane->count; i++)
        tail = tail || lane->flit[i].tail;
    return tail;
}

static void check_marks(const struct state *s, const int *p, struct bits *out)
{
    const unsigned num_vcs = (unsigned)p[VCS];

    for (unsigned v = 0; v < num_vcs; v++)
        expect(out, "held", 1, s->lanes[v].count > 0);
    for (unsigned v = 0; v < num_vcs; v++)
        expect(out, "count", count_width((unsigned)p[DEPTH]), s->lanes[v].count);
    for (unsigned v = 0; v < num_vcs; v++)
        expect_if(s->lanes[v].count > 0, out, "head", 1, s->lanes[v].flit[0].head);
    for (unsigned v = 0; v < num_vcs; v++)
        expect(out, "whole", 1, is_whole(&s->lanes[v], p[FLOW]));
}

// A field that heads have not, or that nobody reads, is 0.
static void check_field(const struct state *s, const int *p, struct bits *out, const char *name,
                        unsigned at, unsigned width, bool is_read)
{
    for (unsigned v = 0; v < (unsigned)p[VCS]; v++)
        expect_if(!is_read || shows_head(s, v), out, name, width,
                  is_read ? field(&s->lanes[v], at, width) : 0);
}

static void check_fields(const struct state *s, const int *p, struct bits *out)
{
    const struct head_places at =
        head_places((unsigned)p[DST_W], p[ARBITER], p[FLOW], p[SAYS_LENGTH] != 0);
    const unsigned path_w = (unsigned)p[PATH_W];

    check_field(s, p, out, "length", at.length, 7, admits_whole(p[FLOW]));
    check_field(s, p, out, "rank", at.rank, 16, scan_is_stamped(p[ARBITER]));
    check_field(s, p, out, "path", at.path, path_w ? path_w : 1, path_w > 0);
}

static void check_routes(const struct state *s, const int *p, const struct route *now,
                         struct bits *out)
{
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned v = 0; v < (unsigned)p[VCS]; v++) {
            const struct route *route = p[EARLY] ? &s->routes[v][0] : &now[v];
            expect_if(shows_head(s, v), out, pass ? "route_vcs" : "route_port",
                      pass ? class_vcs(p) : (unsigned)p[PORTS], pass ? route->vcs : route->port);
        }
    }
}

static void leave(struct state *s, unsigned v)
{
    oracle_pop(&s->lanes[v], 0, 0);
    for (unsigned i = 0; i < s->lanes[v].count; i++)
        s->routes[v][i] = s->routes[v][i + 1];
}

static void enter(struct state *s, unsigned v, uint64_t flit, unsigned flit_w, struct route route)
{
    s->routes[v][s->lanes[v].count] = route;
    oracle_enter(&s->lanes[v], &(struct oracle_flit){.head = flit >> (flit_w + 1) & 1,
                                                     .tail = flit >> flit_w & 1,
                                                     .data = flit});
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned num_vcs = (unsigned)p[VCS], flit_w = (unsigned)p[FLIT_W];
    struct route now[ORACLE_LANES];
    const bool valid = take(in, "valid", 1);
    const unsigned vc = (unsigned)take(in, "vc", index_width(num_vcs));
    const uint64_t flit = take(in, "flit", flit_w + 2);
    take(in, "here", (unsigned)p[DST_W]);
    for (unsigned v = 0; v < num_vcs; v++)
        now[v].port = take(in, "route_port", (unsigned)p[PORTS]);
    for (unsigned v = 0; v < num_vcs; v++)
        now[v].vcs = take(in, "route_vcs", class_vcs(p));
    const int sel = oracle_cyclic_first(num_vcs, take(in, "sel", num_vcs), 0);
    const bool pops = take(in, "pop", 1) && sel != ORACLE_NONE;

    expect(out, "credit", num_vcs, pops ? onehot(sel) : 0);
    check_destinations(s, p, flit, out);
    check_marks(s, p, out);
    check_fields(s, p, out);
    check_routes(s, p, now, out);
    expect_if(sel != ORACLE_NONE, out, "flit", flit_w + 2,
              sel == ORACLE_NONE ? 0 : s->lanes[sel].flit[0].data);
    if (pops) leave(s, (unsigned)sel);
    if (valid) enter(s, vc, flit, flit_w, now[0]);
}

static const struct bench_module module = {
    .name = "anl_input_lanes",
    .parameters =
        "NumPorts, NumVcs, Depth, FlitW, DstW, Arbiter, FlowControl, LengthInHead, PathW, "
        "Early, Classes, Turns",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
