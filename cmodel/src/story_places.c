// SPDX-License-Identifier: Apache-2.0
//
// Where flits lie: moves carried out and taken back, and flits held against what they can be.

#include "story_parts.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

struct anl_route story_route(const struct anl_story *story, uint32_t lane, uint32_t destination)
{
    const uint32_t switch_ = story->link_switch[link_of(story, lane)];
    struct anl_route route = anl_route_at(&story->config, switch_, destination);
    route.port += switch_ * story->shape.ports;
    return route;
}

uint32_t story_upstream(const struct anl_story *story, uint32_t lane)
{
    uint32_t place = story->feed[lane];
    while (story->front[place] == NONE)
        place = story->feed[place];
    return place;
}

uint32_t story_to_come(const struct anl_story *story, uint32_t lane)
{
    const uint32_t slot = story->owner[lane];
    return story->worms[slot].worm.length - (uint32_t)story->index[story_upstream(story, lane)];
}

bool story_tail_is_here(const struct anl_story *story, uint32_t lane)
{
    const struct story_run *run = run_at(story, lane, 0);
    return run->first + run->flits == story->worms[run->slot].worm.length;
}

// --- what is at the front ---

static void see_lane(struct anl_story *story, uint32_t lane)
{
    if (story->count[lane] == 0) {
        story->front[lane] = NONE;
        return;
    }
    const struct story_run *run = run_at(story, lane, 0);
    story->front[lane] = run->slot;
    story->index[lane] = run->first;
    if (run->first > 0 || is_ejection(story, lane)) return;

    const uint32_t destination = story->worms[run->slot].worm.destination;
    const struct anl_route route = story_route(story, lane, destination);
    story->wants[lane] = route.port;
    story->set[lane] = (uint8_t)route.vcs;
}

void story_see_source(struct anl_story *story, uint32_t terminal)
{
    const uint32_t place = story->lanes + terminal, entry = story->sources[terminal].front;
    story->front[place] = entry == NONE ? NONE : story->entries[entry].slot;
}

// --- flits of a lane ---

static void set_bit(uint8_t *mask, uint32_t bit, bool on)
{
    *mask = (uint8_t)(on ? *mask | 1u << bit : *mask & ~(1u << bit));
}

static void count_flits(struct anl_story *story, uint32_t lane, int change)
{
    const uint32_t link = link_of(story, lane), vc = vc_of(story, lane);
    const uint32_t count = story->count[lane] = (uint8_t)(story->count[lane] + change);
    set_bit(&story->filled[link], vc, count > 0);
    set_bit(&story->full[link], vc, count == story->config.depth);
}

static void push(struct anl_story *story, uint32_t lane, uint32_t slot, uint16_t index)
{
    struct story_run *last = run_at(story, lane, story->num_runs[lane] - 1u);
    assert(story->count[lane] < story->config.depth);

    if (story->num_runs[lane] > 0 && last->slot == slot)
        last->flits++;
    else
        *run_at(story, lane, story->num_runs[lane]++) = (struct story_run){slot, index, 1};
    count_flits(story, lane, 1);
}

static void unpush(struct anl_story *story, uint32_t lane)
{
    if (--run_at(story, lane, story->num_runs[lane] - 1u)->flits == 0) story->num_runs[lane]--;
    count_flits(story, lane, -1);
}

static void pop(struct anl_story *story, uint32_t lane)
{
    struct story_run *run = run_at(story, lane, 0);
    run->first++;
    if (--run->flits == 0) {
        story->num_runs[lane]--;
        if (++story->first_run[lane] == story->config.depth) story->first_run[lane] = 0;
    }
    count_flits(story, lane, -1);
}

static void unpop(struct anl_story *story, uint32_t lane, uint32_t slot, uint16_t index)
{
    struct story_run *run = run_at(story, lane, 0);
    if (story->num_runs[lane] > 0 && run->slot == slot) {
        run->first--;
        run->flits++;
    } else {
        const uint32_t depth = story->config.depth, first = story->first_run[lane];
        story->first_run[lane] = (uint8_t)(first > 0 ? first - 1 : depth - 1);
        story->num_runs[lane]++;
        *run_at(story, lane, 0) = (struct story_run){slot, index, 1};
    }
    count_flits(story, lane, 1);
}

// --- moves ---

static void leave(struct anl_story *story, const struct story_move *move)
{
    const uint32_t place = move->from;
    story->since[place] = story->cycle + 1;
    if (move->to != NONE) story->set[place] = (uint8_t)(1u << vc_of(story, move->to));
    if (!is_source(story, place)) {
        pop(story, place);
        see_lane(story, place);
        return;
    }
    story->index[place]++;
    if (!move->tail) return;
    const uint32_t terminal = place - story->lanes;
    story->sources[terminal].front = story->entries[story->worms[move->slot].entry].next;
    story->index[place] = 0;
    story->set[place] = story->all_vcs;
    story_see_source(story, terminal);
}

static void unleave(struct anl_story *story, const struct story_move *move)
{
    const uint32_t place = move->from;
    story->since[place] = move->since;
    if (move->to != NONE) {
        story->wants[place] = link_of(story, move->to);
        story->set[place] = (uint8_t)(1u << vc_of(story, move->to));
    }
    if (!is_source(story, place)) {
        unpop(story, place, move->slot, move->index);
        see_lane(story, place);
        return;
    }
    story->index[place] = move->index;
    story->front[place] = move->slot;
    story->sources[place - story->lanes].front = story->worms[move->slot].entry;
    if (move->head) story->set[place] = story->all_vcs;
}

static void set_owner(struct anl_story *story, uint32_t lane, uint32_t slot)
{
    story->owner[lane] = slot;
    set_bit(&story->owned[link_of(story, lane)], vc_of(story, lane), slot != NONE);
}

static void enter(struct anl_story *story, const struct story_move *move)
{
    const uint32_t lane = move->to;
    struct story_worm *worm = &story->worms[move->slot];

    if (story->count[lane] == 0) story->since[lane] = story->cycle + 1;
    push(story, lane, move->slot, move->index);
    if (story->count[lane] == 1) see_lane(story, lane);

    story->feed[lane] = move->from;
    set_owner(story, lane, move->tail ? NONE : move->slot);
    if (move->head) worm->head_place = lane;
    if (move->index != worm->lead) return;
    if (is_ejection(story, lane))
        worm->lead++;
    else
        worm->lead_place = lane;
}

static void unenter(struct anl_story *story, const struct story_move *move)
{
    const uint32_t lane = move->to;
    struct story_worm *worm = &story->worms[move->slot];

    unpush(story, lane);
    see_lane(story, lane);
    set_owner(story, lane, move->head ? NONE : move->slot);
    if (move->head) worm->head_place = move->from;
    if (is_ejection(story, lane)) worm->lead = move->index;
    if (move->index == worm->lead) worm->lead_place = move->from;
}

// All of them leave before one is looked for: a flit may be anywhere upstream.
static void find_leading_flits(struct anl_story *story)
{
    for (size_t i = 0; i < story->num_moves; i++) {
        const struct story_move *move = &story->moves[i];
        if (move->to == NONE || move->tail || !is_ejection(story, move->to)) continue;
        story->worms[move->slot].lead_place = story_upstream(story, move->to);
    }
}

void story_apply(struct anl_story *story)
{
    for (size_t i = 0; i < story->num_moves; i++) {
        const struct story_move *move = &story->moves[i];
        leave(story, move);
        if (move->to != NONE)
            enter(story, move);
        else if (move->tail)
            story->gone[story->num_gone++] = move->slot;
    }
    find_leading_flits(story);
}

void story_take_back(struct anl_story *story)
{
    for (size_t i = story->num_moves; i-- > 0;) {
        const struct story_move *move = &story->moves[i];
        if (move->to != NONE) unenter(story, move);
        unleave(story, move);
    }
    story->num_gone = 0;
}

// --- flits that can be ---

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

// Place that the flit comes from, if it is at its front and wants to go there; else NONE.
static uint32_t origin(const struct anl_story *story, const struct anl_flit *flit, uint32_t lane)
{
    uint32_t place;
    if (flit->link >= story->network_links) {
        place = story->lanes + flit->link - story->network_links;
    } else if (flit->index > 0) {
        if (story->owner[lane] == NONE) return NONE;
        place = story->feed[lane];
    } else {
        const struct story_entry *entry = story_worms_find(story, flit->worm);
        if (!entry || entry->slot == NONE) return NONE;
        place = story->worms[entry->slot].head_place;
    }
    const bool there = story->front[place] != NONE && story->index[place] == flit->index &&
                       worm_id(story, story->front[place]) == flit->worm &&
                       story->wants[place] == flit->link && story->set[place] >> flit->vc & 1;
    return there ? place : NONE;
}

static const char *why_not(const struct anl_story *story, const struct story_move *move)
{
    const struct anl_worm *worm = &story->worms[move->slot].worm;
    if (move->head != (move->index == 0) || move->tail != (move->index + 1 == worm->length))
        return "its head or tail mark does not fit its index";
    if (credits(story, move->to) == 0) return "the lane is full";
    if (!move->head) {
        const bool own = story->owner[move->to] == move->slot;
        return own ? NULL : "the lane belongs to another worm";
    }
    if (story->owner[move->to] != NONE) return "the lane belongs to another worm";
    if (credits(story, move->to) < need(story, worm)) return "the whole worm does not fit there";
    if (story->config.admission == ANL_STORE_AND_FORWARD && !is_source(story, move->from) &&
        !story_tail_is_here(story, move->from))
        return "its tail is not in the lane that it leaves";
    return NULL;
}

enum anl_status story_check_flit(const struct anl_story *story, const struct anl_flit *flit,
                                 struct story_move *move, struct anl_error *error)
{
    if (flit->link >= story->shape.links || !story->exists[flit->link])
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
        .slot = story->front[place],
        .index = flit->index,
        .head = flit->head,
        .tail = flit->tail,
        .since = story->since[place],
    };
    const char *why = why_not(story, move);
    return why ? refuse(story, flit, why, error) : ANL_OK;
}
