// SPDX-License-Identifier: Apache-2.0
//
// Flits held against what they can be: at the front of a place that leads over their link to their
// lane, and let in there by the rules of docs/switch.md.

#include "story.h"

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
static inline bool wants(const struct story_place *place, uint32_t lane)
{
    const uint32_t bit = lane - place->wanted;
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
                       story->worms[place->front].id == flit->worm && wants(place, lane);
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
    };
    const char *why = why_not(story, move);
    return why ? refuse(story, flit, why, error) : ANL_OK;
}

static inline bool has_room(const struct anl_story *story, const struct story_place *lane)
{
    return (lane->count < story->config.depth) | (lane->chained & (lane->moved != STAYS));
}

// What a head needs besides where whole worms are admitted.
static inline bool is_admitted(const struct anl_story *story, const struct story_move *move)
{
    if (credits_now(story, move->to) < story->worms[move->slot].length) return false;
    return story->config.admission == ANL_CUT_THROUGH || is_source(story, move->from) ||
           story_tail_is_here(&story->places[move->from]);
}

// The same for the common case: a flit that follows its head into the lane. False: look closer.
static inline bool follows(const struct anl_story *story, const struct anl_flit *flit, uint32_t to,
                           struct story_move *move)
{
    const struct story_place *lane = &story->places[to];
    const uint32_t slot = lane->owner, from = lane->feed;
    if (slot == NONE) return false;
    const struct story_place *place = &story->places[from];
    const struct story_worm *worm = &story->worms[slot];
    *move = (struct story_move){from, to, slot, flit->index, flit->head, flit->tail};
    const uint32_t tail = flit->index + 1 == worm->length;
    const uint32_t wrong = (worm->id ^ flit->worm) | (place->front ^ slot) |
                           (uint32_t)(place->index ^ flit->index) | (flit->tail ^ tail) |
                           flit->head | !has_room(story, lane);
    return wrong == 0;
}

// And a head. A slot that is guessed wrong is found out like any other.
static inline bool begins(const struct anl_story *story, const struct anl_flit *flit, uint32_t to,
                          struct story_move *move)
{
    const struct story_place *lane = &story->places[to];
    const bool injection = flit->link >= story->network_links;
    const uint32_t slot = story->guesses[flit->worm % GUESSES];
    if (slot >= story->num_slots) return false;
    const struct story_worm *worm = &story->worms[slot];
    const uint32_t source = story->lanes + flit->link - story->network_links;
    const uint32_t from = (uint32_t)pick(injection, source, worm->head_place);
    const struct story_place *place = &story->places[from];
    *move = (struct story_move){from, to, slot, flit->index, flit->head, flit->tail};
    if (story->config.admission != ANL_WORMHOLE && !is_admitted(story, move)) return false;
    const uint32_t tail = worm->length == 1;
    const uint32_t wrong = (worm->id ^ flit->worm) | (place->front ^ slot) | place->index |
                           (flit->tail ^ tail) | (flit->head ^ 1u) | (lane->owner ^ NONE) |
                           !wants(place, to) | !has_room(story, lane);
    return wrong == 0;
}

static enum anl_status refuse_order(const struct anl_story *story, const struct anl_flit *flit,
                                    uint32_t before, struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_FORMAT, "", 0,
                    "cycle %" PRIu64 ": link %" PRIu32 " after link %" PRIu32
                    ", expected ascending links, one flit on each",
                    story->cycle, flit->link, before);
}

static enum anl_status check_order(const struct anl_story *story, const struct anl_flit *flits,
                                   size_t count, struct anl_error *error)
{
    bool wrong = false;
    for (size_t i = 1; i < count; i++)
        wrong |= flits[i].link <= flits[i - 1].link;
    if (!wrong) return ANL_OK;
    size_t i = 1;
    while (flits[i].link > flits[i - 1].link)
        i++;
    return refuse_order(story, &flits[i], flits[i - 1].link, error);
}

// How many flits cross links of switches; those of sources are behind them.
static size_t count_inner(const struct anl_story *story, const struct anl_flit *flits, size_t count)
{
    while (count > 0 && flits[count - 1].link >= story->network_links)
        count--;
    return count;
}

// Where the next move is noted, and which of them are of heads, of tails, over ejection links.
struct pens {
    struct story_move *move;
    uint32_t *head, *tail, *ejection;
};

// Turns one flit after the other into moves, in steps of 1 or -1.
static enum anl_status check_all(struct anl_story *story, const struct anl_flit *flit, size_t count,
                                 ptrdiff_t step, struct pens *pens, struct anl_error *error)
{
    const uint32_t links = story->shape.links, vcs = story->config.num_vcs;
    const struct story_move *const told = story->told;
    struct pens at = *pens;
    enum anl_status status = ANL_OK;
    for (; count > 0; count--, flit += step) {
        const uint32_t to = flit->link * vcs + flit->vc;
        bool known = (flit->link < links) & (flit->vc < vcs);
        if (known)
            known = flit->index > 0 ? follows(story, flit, to, at.move)
                                    : begins(story, flit, to, at.move);
        if (!known) status = check_flit(story, flit, at.move, error);
        if (status) break;
        story_mark(story, at.move, flit->link, flit->worm);
        *at.head = *at.tail = *at.ejection = (uint32_t)(at.move - told);
        at.head += flit->head;
        at.tail += flit->tail;
        at.ejection += story->places[to].ejection;
        at.move++;
    }
    *pens = at;
    return status;
}

// On chained links a flit may come to where another one leaves in the same cycle, which is to be
// known before: the moves are gone through as they are decided, from the root down, terminals last
// (docs/switch.md, "Space").
enum anl_status story_check(struct anl_story *story, const struct anl_flit *flits, size_t count,
                            struct anl_error *error)
{
    const size_t turned = story->config.space == ANL_CHAINED ? count_inner(story, flits, count) : 0;
    struct pens pens = {&story->told[story->num_told_taken], story->heads, story->tails,
                        story->ejections};
    enum anl_status status = check_order(story, flits, count, error);
    if (!status && turned > 0)
        status = check_all(story, flits + turned - 1, turned, -1, &pens, error);
    if (!status && count > turned)
        status = check_all(story, flits + turned, count - turned, 1, &pens, error);
    story->num_heads = (size_t)(pens.head - story->heads);
    story->num_tails = (size_t)(pens.tail - story->tails);
    story->num_ejections = (size_t)(pens.ejection - story->ejections);
    story->num_told = (size_t)(pens.move - story->told);
    return status;
}
