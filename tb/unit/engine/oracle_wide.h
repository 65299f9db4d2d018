// SPDX-License-Identifier: Apache-2.0
//
// The oracle's version of wide links: docs/switch.md, "Wide links". What goes on over chained links
// is found by looking at all flits again and again until no further one can go.

#ifndef ANNELID_NET_ORACLE_WIDE_H
#define ANNELID_NET_ORACLE_WIDE_H

#include "oracle.h"

enum { CANDIDATES = MAX_PORTS * VCS };

// What the front flit of an input lane does in this cycle.
struct step_of_lane {
    bool goes;
    uint32_t port, vc;
};

struct wide_cycle {
    struct step_of_lane lanes[MAX_SWITCHES][MAX_PORTS][VCS];
    uint32_t first[MAX_SWITCHES][MAX_PORTS];  // candidate granted first; CANDIDATES: none
    bool sends[MAX_TERMINALS][VCS];           // a flit crosses the injection link in this lane
    uint32_t begins[MAX_TERMINALS][VCS];      // the worm that begins there; NO_WORM_HERE
};

static bool has_head(const struct oracle *j, uint32_t s, uint32_t p, uint32_t v)
{
    const struct input_lane *lane = &j->in[s][p][v];
    return lane->count > 0 && lane->flit[0].index == 0;
}

static bool has_body(const struct oracle *j, uint32_t s, uint32_t p, uint32_t v)
{
    return j->in[s][p][v].count > 0 && j->in[s][p][v].flit[0].index > 0;
}

// Returns whether a head is offered to output port o, and could take a lane there that is not
// taken; then *lane is the lane.
static bool could_take(const struct oracle *j, uint32_t s, uint32_t o, uint32_t c, uint32_t taken,
                       uint32_t *lane)
{
    const uint32_t p = c / j->vcs, v = c % j->vcs;
    if (!has_head(j, s, p, v)) return false;
    if (j->c.admission == ANL_STORE_AND_FORWARD && !holds_tail(j, &j->in[s][p][v])) return false;
    const struct anl_worm *worm = &j->worms[j->in[s][p][v].flit[0].worm];
    struct way way = way_of(j, s, p, v, worm);
    if (way.ports == 2 && j->c.routing == ANL_UP_DOWN_RANDOM) {
        way.port += j->random[s] >> p & 1;
        way.ports = 1;
    }
    if (o < way.port || o >= way.port + way.ports) return false;
    const struct set set = {way.lanes & ~taken, 0, 0};
    return take(j, j->out[s][o], set, worm->length, lane);
}

static void grant_wide(const struct oracle *j, struct wide_cycle *cycle, uint32_t s, uint32_t o)
{
    const uint32_t n = j->ports * j->vcs;
    const uint32_t start = start_of(j, j->out_ptr[s][o], j->random[s] >> 8 & 0xff, n);
    uint32_t taken = 0;
    cycle->first[s][o] = CANDIDATES;
    for (;;) {
        bool candidate[CANDIDATES] = {0};
        uint32_t keys[CANDIDATES] = {0}, lanes[CANDIDATES];
        for (uint32_t c = 0; c < n; c++) {
            const uint32_t p = c / j->vcs, v = c % j->vcs;
            candidate[c] = !cycle->lanes[s][p][v].goes && could_take(j, s, o, c, taken, &lanes[c]);
            if (candidate[c]) keys[c] = key_of(j, s, p, v);
        }
        const uint32_t winner = scan(j, candidate, keys, start, n);
        if (winner == n) return;
        cycle->lanes[s][winner / j->vcs][winner % j->vcs] =
            (struct step_of_lane){true, o, lanes[winner]};
        taken |= 1u << lanes[winner];
        if (cycle->first[s][o] == CANDIDATES) cycle->first[s][o] = winner;
    }
}

// Returns whether the flit at the front of the lane at the end of a link leaves in this cycle.
static bool makes_room(const struct oracle *j, const struct wide_cycle *cycle,
                       const struct side *end, uint32_t vc)
{
    if (j->c.space != ANL_CHAINED) return false;
    return end->what == TERMINAL || cycle->lanes[end->node][end->port][vc].goes;
}

// Lets all flits that are not heads go that can, as far as is known. Returns whether there was one.
static bool some_follow(const struct oracle *j, struct wide_cycle *cycle)
{
    bool news = false;
    for (uint32_t s = 0; s < j->switches; s++)
        for (uint32_t p = 0; p < j->ports; p++)
            for (uint32_t v = 0; v < j->vcs; v++) {
                const struct place *to = &j->in[s][p][v].bound;
                if (!has_body(j, s, p, v) || cycle->lanes[s][p][v].goes) continue;
                if (j->out[s][to->port][to->vc].credit == 0 &&
                    !makes_room(j, cycle, &j->to[s][to->port], to->vc))
                    continue;
                cycle->lanes[s][p][v] = (struct step_of_lane){true, to->port, to->vc};
                news = true;
            }
    return news;
}

static void decide_terminal(const struct oracle *j, struct wide_cycle *cycle, uint32_t t)
{
    const struct terminal *terminal = &j->terminal[t];
    uint32_t next = terminal->class_[0].first, lane, taken = 0;
    for (uint32_t v = 0; v < j->vcs; v++) {
        const bool idle = terminal->sending[v].worm == NO_WORM_HERE;
        cycle->begins[t][v] = NO_WORM_HERE;
        cycle->sends[t][v] =
            !idle && (terminal->injection[v].credit > 0 || makes_room(j, cycle, &j->entry[t], v));
        if (!idle) taken |= 1u << v;
    }
    for (; next != NO_WORM_HERE; next = j->behind[next]) {
        const struct set set = {lanes_between(0, j->vcs) & ~taken, 0, 0};
        if (!take(j, terminal->injection, set, j->worms[next].length, &lane)) return;
        cycle->begins[t][lane] = next;
        cycle->sends[t][lane] = true;
        taken |= 1u << lane;
    }
}

static void inject_wide(struct oracle *j, const struct wide_cycle *cycle, uint32_t t, uint32_t v)
{
    struct terminal *terminal = &j->terminal[t];
    const struct side *entry = &j->entry[t];
    struct place unused = {0};
    if (cycle->begins[t][v] != NO_WORM_HERE) {
        terminal->sending[v].worm = cycle->begins[t][v];
        terminal->sending[v].sent = 0;
        terminal->class_[0].first = j->behind[terminal->class_[0].first];
    }
    const uint32_t worm = terminal->sending[v].worm;
    struct anl_flit flit = {.link = j->switches * j->ports + t,
                            .worm = worm,
                            .index = (uint16_t)terminal->sending[v].sent++,
                            .vc = (uint8_t)v};
    flit = cross(j, flit, 0, 0, &terminal->injection[v], &j->in[entry->node][entry->port][v]);
    bind_or_not(flit, &unused, &terminal->injection[v], (struct place){true, 0, 0}, unused);
    if (terminal->sending[v].sent == j->worms[worm].length)
        terminal->sending[v].worm = NO_WORM_HERE;
}

static void drain_wide(struct oracle *j, uint32_t t)
{
    const struct side *home = &j->home[t];
    for (uint32_t v = 0; v < j->vcs; v++)
        if (j->terminal[t].ejection[v].count > 0) {
            pop(&j->terminal[t].ejection[v]);
            j->out[home->node][home->port][v].credit++;
        }
}

// Moves what goes to one output lane.
static void move_wide(struct oracle *j, const struct wide_cycle *cycle, uint32_t s, uint32_t o,
                      uint32_t w)
{
    for (uint32_t p = 0; p < j->ports; p++)
        for (uint32_t v = 0; v < j->vcs; v++) {
            const struct step_of_lane *lane = &cycle->lanes[s][p][v];
            if (!lane->goes || lane->port != o || lane->vc != w) continue;
            struct offer offer = {.lane = v, .port = o};
            const uint32_t out_ptr = j->out_ptr[s][o];
            offer.vc[o] = w;
            move(j, s, p, &offer);
            j->in_ptr[s][p][0] = 0;
            j->out_ptr[s][o] = out_ptr;
        }
}

static void decide_wide(const struct oracle *j, struct wide_cycle *cycle)
{
    memset(cycle, 0, sizeof *cycle);
    for (uint32_t s = 0; s < j->switches; s++)
        for (uint32_t o = 0; o < j->ports; o++)
            grant_wide(j, cycle, s, o);
    while (some_follow(j, cycle))
        ;
    for (uint32_t t = 0; t < j->terminals; t++)
        decide_terminal(j, cycle, t);
}

static void step_wide(struct oracle *j)
{
    static struct wide_cycle cycle;
    decide_wide(j, &cycle);
    for (uint32_t t = 0; t < j->terminals; t++)
        drain_wide(j, t);
    for (uint32_t s = 0; s < j->switches; s++)
        if (holds_flit(j, s)) j->random[s] = next_random(j->random[s]);
    j->num_flits = 0;
    for (uint32_t s = 0; s < j->switches; s++)
        for (uint32_t o = 0; o < j->ports; o++) {
            for (uint32_t w = 0; w < j->vcs; w++)
                move_wide(j, &cycle, s, o, w);
            if (cycle.first[s][o] != CANDIDATES)
                j->out_ptr[s][o] = (cycle.first[s][o] + 1) % (j->ports * j->vcs);
        }
    for (uint32_t t = 0; t < j->terminals; t++)
        for (uint32_t v = 0; v < j->vcs; v++)
            if (cycle.sends[t][v]) inject_wide(j, &cycle, t, v);
    come(j);
    settle_accounts(j);
    j->cycle++;
}

#endif
