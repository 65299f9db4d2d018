// SPDX-License-Identifier: Apache-2.0

#include "crossing_link.h"

#include <string.h>

enum { LANE_AT = 56 };  // the bit of the lane beside a flit

static uint64_t flits;

uint64_t crossing_flits(void) { return flits; }

void crossing_reset(struct crossing *link) { clocks_reset(&link->clocks); }

void crossing_clear(struct crossing *link)
{
    memset(link->lanes, 0, sizeof link->lanes);
    link->sent = link->arrived = 0;
    link->clocks.edges[SIDE_A] = link->clocks.edges[SIDE_B] = 0;
}

uint64_t crossing_credits(const struct crossing *link, unsigned lane, unsigned depth)
{
    return depth + link->lanes[lane].gained - link->lanes[lane].sent;
}

uint64_t crossing_held(const struct crossing *link, unsigned lane)
{
    return link->lanes[lane].arrived - link->lanes[lane].returned;
}

void crossing_check_credits(struct crossing *link, unsigned num_vcs, unsigned stages,
                            const struct crossing_wires *wires)
{
    if (!clocks_tick(&link->clocks, SIDE_A)) return;
    for (unsigned v = 0; v < num_vcs; v++) {
        const struct crossing_lane *lane = &link->lanes[v];
        const uint64_t edges =
            link->clocks.edges[SIDE_A] - lane->given[lane->gained % CROSSING_DEPTH];
        const bool some = lane->returned > lane->gained;
        require_seen("credit", some ? clocks_seen(edges, stages) : SEEN_NOT,
                     wires->credit_o >> v & 1);
    }
}

void crossing_check_flits(struct crossing *link, unsigned num_vcs, unsigned depth, unsigned stages,
                          const struct crossing_wires *wires)
{
    if (!clocks_tick(&link->clocks, SIDE_B)) return;
    const uint64_t place = link->arrived % CROSSING_FLITS;
    const uint64_t edges = link->clocks.edges[SIDE_B] - link->sent_at[place];
    const bool some = link->sent > link->arrived;
    require_seen("valid", some ? clocks_seen(edges, stages) : SEEN_NOT, wires->valid_o);
    if (!wires->valid_o || !some) return;
    require("lane and flit", (uint64_t)wires->vc_o << LANE_AT | wires->flit_o, link->flits[place]);
    if (wires->vc_o < num_vcs)
        require("lane has room", crossing_held(link, wires->vc_o) < depth, true);
}

void crossing_step(struct crossing *link, unsigned num_vcs, const struct crossing_wires *wires)
{
    const bool a = clocks_tick(&link->clocks, SIDE_A), b = clocks_tick(&link->clocks, SIDE_B);
    for (unsigned v = 0; v < num_vcs; v++) {
        struct crossing_lane *lane = &link->lanes[v];
        if (a && wires->credit_o >> v & 1) lane->gained++;
        if (b && wires->credit_i >> v & 1)
            lane->given[lane->returned++ % CROSSING_DEPTH] = link->clocks.edges[SIDE_A] + a;
    }
    if (b && wires->valid_o) {
        if (wires->vc_o < num_vcs) link->lanes[wires->vc_o].arrived++;
        link->arrived++;
        flits++;
    }
    if (a && wires->valid_i) {
        const uint64_t place = link->sent++ % CROSSING_FLITS;
        link->lanes[wires->vc_i].sent++;
        link->flits[place] = (uint64_t)wires->vc_i << LANE_AT | wires->flit_i;
        link->sent_at[place] = link->clocks.edges[SIDE_B] + b;
    }
    clocks_step(&link->clocks);
}
