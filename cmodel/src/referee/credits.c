// SPDX-License-Identifier: Apache-2.0
//
// Credits (docs/link.md): of each lane come back as many as flits have left it, never before the
// flit has left and never more. How long a credit takes is up to the receiver, so a lost one shows
// only when the network is at rest.

#include "referee.h"

#include <inttypes.h>
#include <stdio.h>

static struct referee_lane *lane_of(const struct anl_referee *referee, uint32_t link, uint32_t vc)
{
    return &referee->lanes[(size_t)link * referee->shape.config.num_vcs + vc];
}

// Returns the flits whose credits cannot be back in this cycle: those that are in the lane, or on
// the way to it, at its end, and those that have left so lately that their credits are on the way.
// A terminal takes a flit in the cycle after the one in which it entered.
static uint32_t held(const struct anl_referee *referee, uint32_t link,
                     const struct referee_lane *lane)
{
    const uint32_t slices = referee->links[link].cycles - 1u;
    const uint32_t lately = slices ? referee_left_lately(referee, lane, slices) : 0;
    return lane->count + lately + (lane->left > referee->now);
}

// Records a violation that is no flit's and returns the place for its text.
static char *note(struct anl_referee *referee, enum anl_rule rule, uint64_t time, uint32_t link)
{
    referee->violation =
        (struct anl_violation){.rule = rule, .cycle = time - 1, .link = link, .worm = UINT32_MAX};
    return referee->violation.text;
}

enum { TEXT_BYTES = sizeof((struct anl_violation *)0)->text };

// --- one cycle ---

static bool strange_credit(struct anl_referee *referee, const struct anl_credits *credits)
{
    char name[REFEREE_NAME_BYTES];
    referee_link_name(&referee->shape, credits->link, name);
    snprintf(note(referee, ANL_RULE_BAD_LINK, referee->now, credits->link), TEXT_BYTES,
             "cycle %" PRIu64 ": credits of lanes 0x%" PRIx32 " of %s come back, but there is no "
             "such link or lane",
             referee->now - 1, credits->lanes, name);
    return false;
}

static bool early_credit(struct anl_referee *referee, uint32_t link, uint32_t vc)
{
    char name[REFEREE_NAME_BYTES];
    referee_link_name(&referee->shape, link, name);
    snprintf(note(referee, ANL_RULE_EARLY_CREDIT, referee->now, link), TEXT_BYTES,
             "cycle %" PRIu64 ": a credit of %s lane %" PRIu32
             " comes back, but the credits of all "
             "flits that have left the lane are back; flits in the lane: %" PRIu32,
             referee->now - 1, name, vc, held(referee, link, lane_of(referee, link, vc)));
    return false;
}

static bool take_credit(struct anl_referee *referee, uint32_t link, uint32_t vc)
{
    struct referee_lane *lane = lane_of(referee, link, vc);
    if (lane->spent == held(referee, link, lane)) return early_credit(referee, link, vc);
    lane->spent--;
    if (lane->spent == held(referee, link, lane))
        lane->due = lane->left > referee->now || lane->spent > lane->count ? lane->left : 0;
    return true;
}

static bool take_credits(struct anl_referee *referee, const struct anl_credits *credits)
{
    if (credits->link >= referee->shape.links ||
        referee->links[credits->link].end == REFEREE_NO_LINK ||
        credits->lanes >> referee->shape.config.num_vcs)
        return strange_credit(referee, credits);
    for (uint32_t vc = 0; vc < referee->shape.config.num_vcs; vc++)
        if (credits->lanes >> vc & 1 && !take_credit(referee, credits->link, vc)) return false;
    return true;
}

// Checks that the senders had credits for the flits of this cycle: for all those that may use the
// credits that come back in it, or for all others.
static bool were_allowed(struct anl_referee *referee, bool chained)
{
    const uint32_t depth = referee->shape.config.depth;
    for (size_t i = 0; i < referee->count; i++) {
        const struct anl_flit *flit = &referee->flits[i];
        if (referee_is_chained(referee, flit) != chained) continue;
        if (lane_of(referee, flit->link, flit->vc)->spent <= depth) continue;
        return referee_breaks(referee, ANL_RULE_NO_CREDIT, flit,
                              "its sender has no credit for the lane (depth %" PRIu32 ")", depth);
    }
    return true;
}

// Of several credits that break a rule, that of the lowest link is named, in whatever order they
// come.
bool referee_check_credits(struct anl_referee *referee, const struct anl_credits *credits,
                           size_t count)
{
    if (!were_allowed(referee, false)) return false;
    bool fine = true;
    for (size_t i = 0; i < count; i++)
        if (fine || credits[i].link < referee->violation.link)
            fine = take_credits(referee, &credits[i]) && fine;
    return fine && were_allowed(referee, true);
}

// --- at rest ---

static size_t num_lanes(const struct anl_referee *referee)
{
    return (size_t)referee->shape.links * referee->shape.config.num_vcs;
}

uint64_t anl_referee_credits_due(const struct anl_referee *referee)
{
    uint64_t due = 0;
    for (size_t i = 0; i < num_lanes(referee); i++)
        due += referee->lanes[i].spent - referee->lanes[i].count;
    return due;
}

bool referee_check_rest(struct anl_referee *referee)
{
    const struct referee_lane *lost = NULL;
    for (size_t i = 0; i < num_lanes(referee); i++) {
        const struct referee_lane *lane = &referee->lanes[i];
        if (lane->spent > lane->count && (!lost || lane->due < lost->due)) lost = lane;
    }
    if (!lost) return true;

    const size_t number = (size_t)(lost - referee->lanes);
    const uint32_t num_vcs = referee->shape.config.num_vcs, link = (uint32_t)(number / num_vcs);
    char name[REFEREE_NAME_BYTES];
    referee_link_name(&referee->shape, link, name);
    snprintf(note(referee, ANL_RULE_LOST_CREDIT, lost->due, link), TEXT_BYTES,
             "cycle %" PRIu64 ": a flit leaves %s lane %zu, and from then on a credit of the lane "
             "is missing; at rest in cycle %" PRIu64 " it is %" PRIu32,
             lost->due - 1, name, number % num_vcs, referee->now - 1, lost->spent - lost->count);
    return false;
}
