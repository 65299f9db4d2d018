// SPDX-License-Identifier: Apache-2.0
//
// A link whose two ends keep the rules, but for one cycle in fifty or so. What is broken then must
// be what the page says (link_rule.h), in that cycle; and the checker starts again.

#include "bench.h"
#include "link_rule.h"

enum { LENGTH_BITS = 4, FLIT_BITS = 8, NUM_RULES = 10 };

struct state {
    struct link_state link;
    bool restart;
};

static void reset(void *state, const int *p)
{
    struct state *s = state;
    link_state_reset(&s->link, (enum link_style)p[0], (unsigned)p[1], (unsigned)p[2]);
}

// Returns a lane, or more rarely a number that is none.
static unsigned some_lane(const struct link_state *link)
{
    return (unsigned)(chance(3) ? random_bits(index_width(link->num_vcs))
                                : random_below(link->num_vcs));
}

static uint64_t some_back(const struct link_state *link)
{
    const unsigned width = index_width(link->num_vcs);
    if (link->style == LINK_PULSE) return (uint64_t)chance(mood(1)) << width | some_lane(link);
    uint64_t back = 0;
    for (unsigned v = 0; v < link_back_width(link); v++)
        back |= (uint64_t)chance(mood(1 + v)) << v;
    return back;
}

static struct link_wires some_wires(const struct link_state *link)
{
    struct link_wires wires = {.valid = chance(mood(0)), .vc = some_lane(link)};
    wires.back = some_back(link);
    wires.at_rest = chance(5);
    wires.flit = random_bits(FLIT_BITS);
    wires.head = random_bits(1);
    wires.tail = chance(30);
    wires.length = chance(50) ? (unsigned)random_below(1u << LENGTH_BITS) : wires.tail;
    const unsigned slot = link->style == LINK_READY ? 0 : wires.vc;
    if (slot < link->num_vcs && link->offered[slot] && chance(95)) {
        const uint64_t back = wires.back;
        wires = link->offer[slot];
        wires.back = back;
        wires.tail ^= chance(15);  // a change of this bit alone
    }
    return wires;
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    struct link_wires wires = some_wires(&s->link);
    (void)p;
    for (int tries = 0; tries < 60 && link_broken(&s->link, &wires) && !chance(1); tries++)
        wires = some_wires(&s->link);
    put(in, 1, s->restart);
    put(in, 1, wires.valid);
    put(in, index_width(s->link.num_vcs), wires.vc);
    put(in, 1, wires.head);
    put(in, 1, wires.tail);
    put(in, FLIT_BITS, wires.flit);
    put(in, link_back_width(&s->link), wires.back);
    put(in, LENGTH_BITS, wires.length);
    put(in, 1, wires.at_rest);
}

static struct link_wires take_wires(const struct link_state *link, struct bits *in)
{
    struct link_wires wires = {.valid = take(in, "valid", 1)};
    wires.vc = (unsigned)take(in, "vc", index_width(link->num_vcs));
    wires.head = take(in, "head", 1);
    wires.tail = take(in, "tail", 1);
    wires.flit = take(in, "flit", FLIT_BITS);
    wires.back = take(in, "back", link_back_width(link));
    wires.length = (unsigned)take(in, "length", LENGTH_BITS);
    wires.at_rest = take(in, "at_rest", 1);
    return wires;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    if (take(in, "restart", 1)) {
        reset(state, p);
        s->restart = false;
        expect(out, "broken", NUM_RULES, 0);
        return;
    }
    const struct link_wires wires = take_wires(&s->link, in);
    const unsigned broken = link_broken(&s->link, &wires);
    expect(out, "broken", NUM_RULES, broken & (unsigned)p[3]);
    expect(out, "crosses", 1, link_crosses(&s->link, &wires));
    for (unsigned v = 0; v < s->link.num_vcs; v++)
        expect(out, "open", 1, s->link.open[v]);
    s->restart = broken != 0;
    if (!broken) link_step(&s->link, &wires);
}

static const struct bench_module module = {
    .name = "anl_link_checker",
    .parameters = "Style, NumVcs, Depth, Rules",
    .state_bytes = sizeof(struct state),
    .cycles = 20000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
