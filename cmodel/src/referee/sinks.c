// SPDX-License-Identifier: Apache-2.0
//
// Terminals (docs/switch.md, "Terminals" and "Requests and replies"): which flits the sinks take
// where they may refuse, and whether each reply is created in the cycle in which the tail of its
// request is taken. Links show neither, so the sinks are played here. What they hold back shows as
// a lane that stays full and as credits that stay away.
//
// Without a limit on replies a terminal takes each flit in the cycle after it came, since its link
// brings one flit a cycle; then no sink is played.

#include "referee.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_LANE UINT32_MAX

static bool is_limited(const struct anl_referee *referee)
{
    return referee->shape.config.reply_queue > 0;
}

// --- lists of replies ---

static void add_reply(struct anl_referee *referee, struct referee_replies *list,
                      const struct referee_reply *reply)
{
    struct referee_reply *items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items) {
        referee->status = ANL_ERR_MEMORY;
        return;
    }
    list->items = items;
    list->items[list->count++] = *reply;
}

static void remove_reply(struct referee_replies *list, size_t i)
{
    list->count--;
    memmove(&list->items[i], &list->items[i + 1], (list->count - i) * sizeof *list->items);
}

void referee_sinks_announce(struct anl_referee *referee, const struct anl_worm *worm)
{
    if (worm->role != ANL_REPLY) return;
    add_reply(
        referee, &referee->created,
        &(struct referee_reply){worm->created + 1, worm->source, worm->destination, worm->id});
}

static void owe_reply(struct anl_referee *referee, const struct referee_visit *visit,
                      uint32_t terminal, uint64_t time)
{
    if (visit->role != ANL_REQUEST) return;
    add_reply(referee, &referee->owed,
              &(struct referee_reply){time, terminal, visit->source, visit->worm});
}

// --- sinks ---

bool referee_sinks_init(struct anl_referee *referee)
{
    const struct referee_shape *shape = &referee->shape;
    if (!is_limited(referee)) return true;
    referee->terminals = calloc(shape->terminals, sizeof *referee->terminals);
    if (!referee->terminals) return false;
    for (uint32_t link = 0; link < shape->links; link++)
        if (referee->links[link].end != REFEREE_NO_LINK &&
            referee->links[link].end >= shape->switches)
            referee->terminals[referee->links[link].end - shape->switches].ejection = link;
    return true;
}

void referee_sinks_free(struct anl_referee *referee)
{
    free(referee->terminals);
    free(referee->owed.items);
    free(referee->created.items);
}

static struct referee_lane *ejection_lane(const struct anl_referee *referee, uint32_t terminal,
                                          uint32_t vc)
{
    const uint32_t link = referee->terminals[terminal].ejection;
    return &referee->lanes[(size_t)link * referee->shape.config.num_vcs + vc];
}

// Returns the lane that the sink of a class shows: the one that it has refused, else the lowest one
// that holds a flit; NO_LANE if none does.
static uint32_t shown_lane(const struct anl_referee *referee, uint32_t terminal, uint32_t class_)
{
    const uint32_t lanes = referee->shape.lanes, first = class_ * lanes;
    const struct referee_terminal *at = &referee->terminals[terminal];
    if (at->refusing >> class_ & 1) return at->shown[class_];
    for (uint32_t vc = first; vc < first + lanes; vc++)
        if (ejection_lane(referee, terminal, vc)->count > 0) return vc;
    return NO_LANE;
}

// Returns true if the sink takes the front flit of a worm. The tail of a request needs a
// reservation. The sinks ask in the order of their classes, and a tail that is taken has its
// reservation at once.
static bool takes(struct anl_referee *referee, uint32_t terminal, const struct referee_visit *visit)
{
    struct referee_terminal *at = &referee->terminals[terminal];
    if (visit->role != ANL_REQUEST || visit->taken + 1 < visit->length) return true;
    if (at->reservations >= referee->shape.config.reply_queue) return false;
    at->reservations++;
    return true;
}

// Plays one sink in the cycle of a time. Returns true if it takes a flit.
static bool play_sink(struct anl_referee *referee, uint32_t terminal, uint32_t class_,
                      uint64_t time)
{
    const uint32_t vc = shown_lane(referee, terminal, class_);
    if (vc == NO_LANE) return false;
    struct referee_terminal *at = &referee->terminals[terminal];
    struct referee_lane *lane = ejection_lane(referee, terminal, vc);
    struct referee_visit *visit = &referee->visits[lane->front];

    at->shown[class_] = (uint8_t)vc;
    at->refusing |= (uint8_t)(1u << class_);
    if (!takes(referee, terminal, visit)) return false;
    at->refusing &= (uint8_t)(~(1u << class_));

    lane->count--;
    lane->left = time;
    if (!lane->due) lane->due = time;
    if (++visit->taken < visit->length) return true;
    owe_reply(referee, visit, terminal, time);
    referee_release_front(referee, lane);
    return true;
}

// Plays all sinks in the cycle of a time. Returns true if one takes a flit.
static bool play_sinks(struct anl_referee *referee, uint64_t time)
{
    bool taken = false;
    for (uint32_t terminal = 0; terminal < referee->shape.terminals; terminal++)
        for (uint32_t class_ = 0; class_ < referee->shape.classes; class_++)
            taken |= play_sink(referee, terminal, class_, time);
    return taken;
}

void referee_sinks_enter(struct anl_referee *referee, const struct anl_flit *flit)
{
    const uint32_t link = flit->link;
    struct referee_lane *lane =
        &referee->lanes[(size_t)link * referee->shape.config.num_vcs + flit->vc];
    if (is_limited(referee)) {
        lane->count++;
        return;
    }
    lane->left = referee->now + 1;
    if (!lane->due) lane->due = lane->left;
    if (!flit->tail) return;
    owe_reply(referee, &referee->visits[lane->back],
              referee->links[link].end - referee->shape.switches, lane->left);
    referee_release_front(referee, lane);
}

void referee_sinks_injected(struct anl_referee *referee, const struct referee_visit *visit)
{
    if (is_limited(referee) && visit->role == ANL_REPLY)
        referee->terminals[visit->source].reservations--;
}

// --- are the replies created? ---

// Returns which reply of a list is the given one, or count if none is.
static size_t find_reply(const struct referee_replies *list, const struct referee_reply *reply)
{
    size_t i = 0;
    while (i < list->count &&
           (list->items[i].time != reply->time || list->items[i].source != reply->source ||
            list->items[i].destination != reply->destination))
        i++;
    return i;
}

// Removes the replies that are both owed and created.
static void match_replies(struct anl_referee *referee)
{
    for (size_t i = 0; i < referee->owed.count;) {
        const size_t found = find_reply(&referee->created, &referee->owed.items[i]);
        if (found == referee->created.count) {
            i++;
            continue;
        }
        remove_reply(&referee->created, found);
        remove_reply(&referee->owed, i);
    }
}

// Returns the first reply of a list whose time has come, or NULL.
static const struct referee_reply *first_due(const struct referee_replies *list, uint64_t time)
{
    const struct referee_reply *first = NULL;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].time <= time && (!first || list->items[i].time < first->time))
            first = &list->items[i];
    return first;
}

static bool breaks_reply(struct anl_referee *referee, const struct referee_reply *reply,
                         const char *what, const char *but)
{
    const uint32_t injection = referee->shape.switches * referee->shape.ports;
    referee->violation = (struct anl_violation){.rule = ANL_RULE_BAD_REPLY,
                                                .cycle = reply->time - 1,
                                                .link = injection + reply->source,
                                                .worm = reply->worm};
    snprintf(referee->violation.text, sizeof referee->violation.text,
             "cycle %" PRIu64 ": %s %" PRIu32 ", but %s from terminal %" PRIu32 " to %" PRIu32,
             reply->time - 1, what, reply->worm, but, reply->source, reply->destination);
    return false;
}

static bool check_replies(struct anl_referee *referee, uint64_t time)
{
    if (referee->owed.count == 0 && referee->created.count == 0) return true;
    match_replies(referee);
    const struct referee_reply *owed = first_due(&referee->owed, time);
    const struct referee_reply *created = first_due(&referee->created, time);
    if (owed && (!created || owed->time <= created->time))
        return breaks_reply(referee, owed, "a terminal takes the tail of request",
                            "in this cycle no reply is created");
    if (created)
        return breaks_reply(referee, created, "a terminal creates reply",
                            "in this cycle it takes no tail of a request that wants one");
    return true;
}

bool referee_check_sinks(struct anl_referee *referee, uint64_t time)
{
    // Once no sink takes a flit, none does until flits cross links again.
    for (uint64_t t = referee->now + 1; is_limited(referee) && t <= time; t++)
        if (!play_sinks(referee, t)) break;
    return referee->status == ANL_OK && check_replies(referee, time);
}
