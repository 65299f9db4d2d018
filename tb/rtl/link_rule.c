// SPDX-License-Identifier: Apache-2.0

#include "link_rule.h"

#include "bench.h"

#include <string.h>

static bool has_credits(const struct link_state *link)
{
    return link->style == LINK_CREDIT || link->style == LINK_PULSE;
}

static bool has_ready(const struct link_state *link)
{
    return link->style == LINK_READY || link->style == LINK_READY_LANES;
}

void link_state_reset(struct link_state *link, enum link_style style, unsigned num_vcs,
                      unsigned depth)
{
    memset(link, 0, sizeof *link);
    link->style = style;
    link->num_vcs = num_vcs;
    link->depth = depth;
    for (unsigned v = 0; v < num_vcs; v++)
        link->credits[v] = (int)depth;
}

unsigned link_back_width(const struct link_state *link)
{
    if (link->style == LINK_READY) return 1;
    return link->style == LINK_PULSE ? 1 + index_width(link->num_vcs) : link->num_vcs;
}

bool link_crosses(const struct link_state *link, const struct link_wires *wires)
{
    if (!wires->valid || wires->vc >= link->num_vcs) return false;
    if (link->style == LINK_READY) return wires->back & 1;
    return link->style != LINK_READY_LANES || wires->back >> wires->vc & 1;
}

bool link_credit(const struct link_state *link, const struct link_wires *wires, unsigned vc)
{
    const unsigned width = index_width(link->num_vcs);
    if (link->style == LINK_CREDIT) return wires->back >> vc & 1;
    return link->style == LINK_PULSE && wires->back >> width & 1 &&
           (wires->back & ones(width)) == vc;
}

static bool same_offer(const struct link_state *link, const struct link_wires *a,
                       const struct link_wires *b)
{
    return a->head == b->head && a->tail == b->tail && a->flit == b->flit &&
           (link->style != LINK_READY || a->vc == b->vc);
}

static unsigned slot_of(const struct link_state *link, unsigned vc)
{
    return link->style == LINK_READY ? 0 : vc;
}

// Returns the marks rule that a crossing flit breaks.
static unsigned broken_by_marks(const struct link_state *link, const struct link_wires *wires)
{
    const unsigned vc = wires->vc;
    if (wires->head) {
        const bool fits = !wires->length || wires->tail == (wires->length == 1);
        return (unsigned)link->open[vc] << RULE_LANE_SHARED | (unsigned)!fits << RULE_BAD_MARKS;
    }
    const bool last = link->length[vc] && link->index[vc] + 1 == link->length[vc];
    const bool known = link->length[vc] && link->index[vc] < link->length[vc];
    return (unsigned)(!link->open[vc] || (known && wires->tail != last)) << RULE_BAD_MARKS;
}

static unsigned broken_by_flit(const struct link_state *link, const struct link_wires *wires)
{
    const unsigned vc = wires->vc;
    if (vc >= link->num_vcs) return 1u << RULE_BAD_LINK;
    unsigned broken = link_crosses(link, wires) ? broken_by_marks(link, wires) : 0;
    if (has_credits(link) && link->credits[vc] == 0) broken |= 1u << RULE_NO_CREDIT;
    if (link->style == LINK_STOP_GO && link->stopped[vc]) broken |= 1u << RULE_SENT_AT_STOP;
    const unsigned slot = slot_of(link, vc);
    if (has_ready(link) && link->offered[slot] && !same_offer(link, wires, &link->offer[slot]))
        broken |= 1u << RULE_CHANGED;
    return broken;
}

static unsigned broken_by_credits(const struct link_state *link, const struct link_wires *wires)
{
    unsigned broken = 0;
    const unsigned width = index_width(link->num_vcs);
    if (link->style == LINK_PULSE && wires->back >> width & 1 &&
        (wires->back & ones(width)) >= link->num_vcs)
        broken |= 1u << RULE_BAD_PULSE;
    for (unsigned v = 0; v < link->num_vcs; v++) {
        const int sent = wires->valid && wires->vc == v;
        const int after = link->credits[v] - sent + link_credit(link, wires, v);
        if (after > (int)link->depth) broken |= 1u << RULE_EARLY_CREDIT;
        if (wires->at_rest && link->credits[v] < (int)link->depth) broken |= 1u << RULE_LOST_CREDIT;
    }
    return broken;
}

unsigned link_broken(const struct link_state *link, const struct link_wires *wires)
{
    unsigned broken = has_credits(link) ? broken_by_credits(link, wires) : 0;
    if (wires->valid) broken |= broken_by_flit(link, wires);
    if (link->style == LINK_READY && link->refused && !wires->valid) broken |= 1u << RULE_WITHDRAWN;
    return broken;
}

void link_step(struct link_state *link, const struct link_wires *wires)
{
    const bool crosses = link_crosses(link, wires),
               sent = wires->valid && wires->vc < link->num_vcs;
    for (unsigned v = 0; v < link->num_vcs; v++) {
        if (has_credits(link)) link->credits[v] += link_credit(link, wires, v);
        link->stopped[v] = link->style == LINK_STOP_GO && wires->back >> v & 1;
    }
    link->refused = wires->valid && !crosses;
    if (!sent) return;
    if (has_credits(link)) link->credits[wires->vc]--;
    link->offered[slot_of(link, wires->vc)] = !crosses;
    link->offer[slot_of(link, wires->vc)] = *wires;
    if (!crosses) return;
    link->index[wires->vc] = wires->head ? 1 : link->index[wires->vc] + 1;
    if (wires->head) link->length[wires->vc] = wires->length;
    link->open[wires->vc] = !wires->tail;
}
