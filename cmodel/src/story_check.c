// SPDX-License-Identifier: Apache-2.0
//
// Flits held against what they can be: at the front of a place that leads over their link to their
// lane, and let in there by the rules of docs/switch.md.

#include "story_parts.h"

#include <inttypes.h>
#include <stdio.h>

static enum anl_status refuse(const struct anl_story *story, const struct anl_flit *flit,
                              const char *why, struct anl_error *error)
{
    char name[96];
    if (flit->link < story->shape.links)
        anl_link_name(&story->config, flit->link, name, sizeof name);
    else
        snprintf(name, sizeof name, "link %" PRIu32, flit->link);
    return anl_fail(error, ANL_ERR_FORMAT, "", 0,
                    "cycle %" PRIu64 ": flit %u of worm %" PRIu32 " on lane %u of %s: %s",
                    story->cycle, flit->index, flit->worm, flit->vc, name, why);
}

// True if the front flit wants the lane, and has not gone to another one in this cycle: where two
// links are as good, it may be told of both.
static inline bool wants(const struct anl_story *story, const struct story_place *place,
                         uint32_t lane)
{
    const uint32_t bit = lane - lane_at(story, place->wants, 0);
    return (bit < 2 * ANL_MAX_VCS) & (place->set >> (bit % 16)) & (place->moved == STAYS);
}

// Place that the flit comes from, if it is at its front and wants to go there; else NONE.
static uint32_t origin(const struct anl_story *story, const struct anl_flit *flit, uint32_t lane)
{
    uint32_t from;
    if (flit->link >= story->network_links) {
        from = story->lanes + flit->link - story->network_links;
    } else if (flit->index > 0) {
        if (story->places[lane].owner == NONE) return NONE;
        from = story->places[lane].feed;
    } else {
        const struct story_entry *entry = story_worms_find(story, flit->worm);
        if (!entry || entry->slot == NONE) return NONE;
        from = story->worms[entry->slot].head_place;
    }
    const struct story_place *place = &story->places[from];
    const bool there = place->front != NONE && place->index == flit->index &&
                       story->worms[place->front].id == flit->worm && wants(story, place, lane);
    return there ? from : NONE;
}

static const char *why_not(const struct anl_story *story, const struct story_move *move)
{
    const struct story_worm *worm = &story->worms[move->slot];
    const struct story_place *lane = &story->places[move->to];
    const uint32_t room = credits_now(story, move->to);
    if (move->head != (move->index == 0) || move->tail != (move->index + 1 == worm->length))
        return "its head or tail mark does not fit its index";
    if (room == 0) return "the lane is full";
    if (lane->owner != (move->head ? NONE : move->slot)) return "the lane belongs to another worm";
    if (!move->head) return NULL;
    if (room < need(story, worm)) return "the whole worm does not fit there";
    if (story->config.admission == ANL_STORE_AND_FORWARD && !is_source(story, move->from) &&
        !story_tail_is_here(&story->places[move->from]))
        return "its tail is not in the lane that it leaves";
    return NULL;
}

static enum anl_status check_flit(const struct anl_story *story, const struct anl_flit *flit,
                                  struct story_move *move, struct anl_error *error)
{
    if (flit->link >= story->shape.links || story->links[flit->link].end == NONE)
        return refuse(story, flit, "there is no such link", error);
    if (flit->vc >= story->config.num_vcs)
        return refuse(story, flit, "there is no such lane", error);
    const uint32_t lane = lane_at(story, flit->link, flit->vc);
    const uint32_t place = origin(story, flit, lane);
    if (place == NONE)
        return refuse(story, flit, "it is not at the front of a place from which it goes there",
                      error);
    *move = (struct story_move){
        .from = place,
        .to = lane,
        .slot = story->places[place].front,
        .index = flit->index,
        .head = flit->head,
        .tail = flit->tail,
        .since = story->since[place],
    };
    const char *why = why_not(story, move);
    return why ? refuse(story, flit, why, error) : ANL_OK;
}

// The same for the common case: a flit on the link that follows its head into the lane. False: look
// closer.
static inline bool follows(const struct anl_story *story, const struct anl_flit *flit, uint32_t to,
                           struct story_move *move)
{
    const struct story_place *lane = &story->places[to];
    if (lane->owner == NONE) return false;
    const struct story_place *place = &story->places[lane->feed];
    const struct story_worm *worm = &story->worms[lane->owner];
    *move = (struct story_move){
        .from = lane->feed,
        .to = to,
        .slot = lane->owner,
        .index = flit->index,
        .head = flit->head,
        .tail = flit->tail,
        .since = story->since[lane->feed],
    };
    const uint32_t tail = flit->index + 1 == worm->length;
    const uint32_t wrong = (worm->id ^ flit->worm) | (place->front ^ lane->owner) |
                           (uint32_t)(place->index ^ flit->index) | (flit->tail ^ tail) |
                           flit->head;
    return wrong == 0;
}

// And for a head. A slot that is guessed wrong is found out like any other.
static inline bool begins(const struct anl_story *story, const struct anl_flit *flit, uint32_t to,
                          struct story_move *move)
{
    const struct story_place *lane = &story->places[to];
    const bool injection = flit->link >= story->network_links;
    const uint32_t guess = story->guesses[flit->worm % GUESSES];
    if (guess >= story->num_slots) return false;
    const struct story_worm *worm = &story->worms[guess];
    const uint32_t from = (uint32_t)pick(
        injection, story->lanes + flit->link - story->network_links, worm->head_place);
    const struct story_place *place = &story->places[from];
    *move = (struct story_move){
        .from = from,
        .to = to,
        .slot = guess,
        .index = flit->index,
        .head = flit->head,
        .tail = flit->tail,
        .since = story->since[from],
    };
    const enum anl_admission admission = story->config.admission;
    if (admission != ANL_WORMHOLE && credits_now(story, to) < worm->length) return false;
    if (admission == ANL_STORE_AND_FORWARD && !injection && !story_tail_is_here(place))
        return false;
    return (worm->id == flit->worm) & (place->front == guess) & (place->index == 0) &
           (flit->index == 0) & wants(story, place, to) & flit->head &
           (flit->tail == (worm->length == 1)) & (lane->owner == NONE);
}

static enum anl_status check_order(const struct anl_story *story, const struct anl_flit *flits,
                                   size_t count, struct anl_error *error)
{
    for (size_t i = 1; i < count; i++)
        if (flits[i].link <= flits[i - 1].link)
            return anl_fail(error, ANL_ERR_FORMAT, "", 0,
                            "cycle %" PRIu64 ": link %" PRIu32 " after link %" PRIu32
                            ", expected ascending links, one flit on each",
                            story->cycle, flits[i].link, flits[i - 1].link);
    return ANL_OK;
}

// How many flits cross links of switches; those of sources are behind them.
static size_t count_inner(const struct anl_story *story, const struct anl_flit *flits, size_t count)
{
    while (count > 0 && flits[count - 1].link >= story->network_links)
        count--;
    return count;
}

// On chained links a flit may come to where another one leaves in the same cycle, which is to be
// known before: the moves are gone through as they are decided, from the root down, terminals last
// (docs/switch.md, "Space").
enum anl_status story_check(struct anl_story *story, const struct anl_flit *flits, size_t count,
                            struct anl_error *error)
{
    const uint32_t links = story->shape.links, vcs = story->config.num_vcs;
    const size_t turned = story->config.space == ANL_CHAINED ? count_inner(story, flits, count) : 0;
    struct story_move *move = &story->told[story->num_told_taken];
    enum anl_status status = check_order(story, flits, count, error);
    for (size_t i = 0; i < count && !status; i++) {
        const struct anl_flit *const flit = &flits[i < turned ? turned - 1 - i : i];
        const uint32_t to = flit->link * vcs + flit->vc;
        bool known = flit->link < links && flit->vc < vcs && credits_now(story, to) > 0;
        if (known && flit->index > 0)
            known = follows(story, flit, to, move);
        else if (known)
            known = begins(story, flit, to, move);
        if (!known) status = check_flit(story, flit, move, error);
        if (status) break;
        story_mark(story, move++);
    }
    story->num_told = (size_t)(move - story->told);
    return status;
}
