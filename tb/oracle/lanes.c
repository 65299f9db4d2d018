// SPDX-License-Identifier: Apache-2.0

#include "oracle/lanes.h"

#include "oracle/scan.h"

#include <assert.h>

void oracle_enter(struct oracle_in_lane *lane, const struct oracle_flit *flit)
{
    assert(lane->count <= ORACLE_DEPTH);
    lane->flit[lane->count++] = *flit;
}

void oracle_bind(struct oracle_in_lane *lane, const struct oracle_flit *flit, unsigned port,
                 unsigned vc)
{
    if (flit->head) {
        lane->bound = true;
        lane->port = port;
        lane->vc = vc;
        lane->rank = flit->rank;
    }
    if (flit->tail) {
        lane->bound = false;
        lane->port = lane->vc = lane->rank = 0;
    }
}

void oracle_pop(struct oracle_in_lane *lane, unsigned port, unsigned vc)
{
    assert(lane->count > 0);
    oracle_bind(lane, &lane->flit[0], port, vc);
    lane->count--;
    for (unsigned i = 0; i < lane->count; i++)
        lane->flit[i] = lane->flit[i + 1];
}

void oracle_spend(struct oracle_out_lane *lane, const struct oracle_flit *flit, unsigned port,
                  unsigned vc)
{
    lane->credits--;
    if (flit->head) {
        lane->owned = true;
        lane->port = port;
        lane->vc = vc;
    }
    if (flit->tail) {
        lane->owned = false;
        lane->port = lane->vc = 0;
    }
}

unsigned oracle_credits(const struct oracle_out_lane *lane, bool at_once)
{
    return lane->credits + (at_once && lane->returning ? 1 : 0);
}

uint64_t oracle_empty(const struct oracle_out_lane *lanes, unsigned num_vcs, unsigned depth,
                      bool at_once)
{
    uint64_t empty = 0;
    for (unsigned w = 0; w < num_vcs; w++)
        if (oracle_credits(&lanes[w], at_once) == depth) empty |= onehot((int)w);
    return empty;
}

uint64_t oracle_takeable(const struct oracle_out_lane *lanes, unsigned num_vcs, unsigned depth,
                         const struct oracle_want *want)
{
    uint64_t takeable = 0;
    for (unsigned w = 0; w < num_vcs; w++) {
        const unsigned credits = oracle_credits(&lanes[w], want->at_once);
        if (!(want->set >> w & 1) || lanes[w].owned || credits < want->need) continue;
        if (want->atomic >> w & 1 && credits < depth) continue;
        takeable |= onehot((int)w);
    }
    return takeable;
}

uint64_t oracle_bound(const struct oracle_out_lane *lanes, unsigned vc, bool at_once)
{
    return oracle_credits(&lanes[vc], at_once) > 0 ? onehot((int)vc) : 0;
}

int oracle_lane_taken(unsigned num_vcs, uint64_t can, uint64_t empty)
{
    const int lane = oracle_cyclic_first(num_vcs, can & empty, 0);
    return lane != ORACLE_NONE ? lane : oracle_cyclic_first(num_vcs, can, 0);
}

unsigned oracle_need(int flow_control, unsigned length)
{
    return admits_whole(flow_control) ? length : 1;
}

int oracle_injection_lane(const struct oracle_out_lane *lanes, unsigned num_vcs, unsigned depth,
                          const struct oracle_want *head, int bound)
{
    if (!head) return oracle_bound(lanes, (unsigned)bound, true) ? bound : ORACLE_NONE;
    return oracle_lane_taken(num_vcs, oracle_takeable(lanes, num_vcs, depth, head),
                             oracle_empty(lanes, num_vcs, depth, head->at_once));
}

int oracle_lane_shown(const struct oracle_in_lane *lanes, unsigned num_vcs, int shown)
{
    if (shown != ORACLE_NONE) return shown;
    for (unsigned v = 0; v < num_vcs; v++)
        if (lanes[v].count > 0) return (int)v;
    return ORACLE_NONE;
}

struct oracle_route oracle_one_port(unsigned port, uint64_t lanes)
{
    struct oracle_route route = {0};
    route.lanes[port] = (uint8_t)lanes;
    return route;
}

// ---------------------------------------------------------------- adaptive routes

// Returns the takeable lanes of the option of port o, of its adaptive or of its escape lanes.
static uint64_t takeable_part(const struct oracle_selection *s, const struct oracle_route *options,
                              unsigned o, bool escape_part)
{
    const uint64_t adaptive = first_of(s->num_vcs - s->escapes);
    struct oracle_want want = {.set = options->lanes[o], .need = s->need, .at_once = true};
    if (s->terminals >> o & 1)
        want.set = escape_part ? 0 : want.set;
    else
        want.set &= escape_part ? ~adaptive : adaptive;
    if (s->atomic && !(s->terminals >> o & 1)) want.atomic = adaptive;
    return oracle_takeable(s->out[o], s->num_vcs, s->depth, &want);
}

static unsigned credits_of_port(const struct oracle_selection *s, unsigned o)
{
    unsigned sum = 0;
    for (unsigned w = 0; w < s->num_vcs; w++)
        sum += s->out[o][w].credits;
    return sum;
}

static unsigned richest(const struct oracle_selection *s, const unsigned *open, unsigned count)
{
    unsigned best = open[0];
    for (unsigned i = 1; i < count; i++)
        if (credits_of_port(s, open[i]) > credits_of_port(s, best)) best = open[i];
    return best;
}

// Chooses one of the open ports, which ascend.
static unsigned choose(const struct oracle_selection *s, const unsigned *open, unsigned count)
{
    if (s->select == MOST_CREDITS) return richest(s, open, count);
    if (s->select == SELECT_RANDOM) return open[s->random * count >> 8];
    for (unsigned i = 0; i < count; i++)
        if ((int)open[i] == s->straight) return open[i];
    return open[0];
}

// Returns false if no option is open when some of its lanes are considered alone.
static bool select_part(const struct oracle_selection *s, const struct oracle_route *options,
                        bool escape_part, unsigned *port)
{
    unsigned open[ORACLE_PORTS], count = 0;
    for (unsigned o = 0; o < s->num_ports; o++)
        if (takeable_part(s, options, o, escape_part)) open[count++] = o;
    if (count == 0) return false;
    *port = choose(s, open, count);
    return true;
}

int oracle_select(const struct oracle_selection *s, const struct oracle_route *options,
                  uint64_t *lanes)
{
    unsigned port;
    *lanes = 0;
    for (int escape_part = 0; escape_part < 2; escape_part++) {
        if (!select_part(s, options, escape_part, &port)) continue;
        *lanes = takeable_part(s, options, port, escape_part);
        return (int)port;
    }
    return ORACLE_NONE;
}
