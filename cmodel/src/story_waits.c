// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom in this cycle, and why (docs/worms.md, "Blocked" and "Waits for"). Nothing is
// found before somebody asks, and then once a cycle.

#include "story_parts.h"

// --- causes ---

// The lanes of the set that the head at the front could have taken.
static uint32_t takeable(const struct anl_story *story, const struct story_place *place)
{
    const struct story_worm *worm = &story->worms[place->front];
    const struct story_masks masks = story_masks(story, place);
    uint32_t takeable = 0;
    for (uint32_t rest = place->set & ~(masks.owned | masks.full); rest; rest &= rest - 1)
        if (credits_now(story, lane_at(story, place->wants, lowest(rest))) >= need(story, worm))
            takeable |= rest & (0 - rest);
    return takeable;
}

uint32_t story_could_take(const struct anl_story *story, uint32_t from)
{
    const struct story_place *place = &story->places[from];
    if (!wants_two(story, place)) return place->wants;
    return place->wants + (lowest(takeable(story, place)) >= story->config.num_vcs);
}

static enum anl_wait cause_of_head(const struct anl_story *story, uint32_t from)
{
    const struct story_place *place = &story->places[from];
    if (story->config.admission == ANL_STORE_AND_FORWARD && !is_source(story, from) &&
        !story_tail_is_here(place))
        return ANL_NOT_YET;
    if (takeable(story, place)) return ANL_LOST_ARBITRATION;
    return place->set & ~story_masks(story, place).owned ? ANL_NO_CREDIT : ANL_BOUND_ELSEWHERE;
}

enum anl_wait story_cause(const struct anl_story *story, uint32_t from)
{
    const struct story_place *place = &story->places[from];
    if (place->moved != STAYS) return ANL_MOVING;
    if (place->index == 0) return cause_of_head(story, from);
    return place->set & story->links[place->wants].full ? ANL_NO_CREDIT : ANL_LOST_ARBITRATION;
}

// --- waits for ---

// The lowest lane at an input port that moves; if there is none, that lost what another one won.
static uint32_t winner_at_port(const struct anl_story *story, uint32_t port)
{
    const uint32_t first = lane_at(story, port, 0), end = first + story->config.num_vcs;
    for (uint32_t lane = first; lane < end; lane++)
        if (story->places[lane].moved != STAYS) return lane;
    for (uint32_t lane = first; lane < end; lane++) {
        const struct story_place *place = &story->places[lane];
        if (place->front != NONE && story_crossed(story, place) != NONE &&
            story_cause_now(story, lane) == ANL_LOST_ARBITRATION)
            return lane;
    }
    return NONE;
}

uint32_t story_winner_at_port(const struct anl_story *story, uint32_t from)
{
    if (is_source(story, from)) return NONE;
    return winner_at_port(story, story->places[from].link);
}

// --- a search ---
//
// It collects stops: the place asked for, those that it waits for, and so on, but for places
// that move or whose ways are known. A place that waits for one that moves is at its end.

static void settle(const struct anl_story *story, uint32_t from, uint32_t distance, uint32_t next)
{
    story->ways[from] = (struct story_way){
        .known = story->turn,
        .distance = distance,
        .next = next,
        .mover = story->ways[next].mover,
    };
}

// Adds what the stop waits for. If it moves, that is the end of the way, and no more are looked
// for.
static inline bool add_target(const struct anl_story *story, struct story_stop *stop,
                              uint32_t target)
{
    if (story->places[target].moved == STAYS) {
        stop->targets[stop->num_targets++] = target;
        return false;
    }
    settle(story, stop->place, 1, target);
    stop->num_targets = 0;
    return true;
}

// Finds what the stop waits for: true if that is the end of its way.
static inline bool is_at_end(const struct anl_story *story, struct story_stop *stop,
                             enum anl_wait cause)
{
    const struct story_place *place = &story->places[stop->place];
    stop->num_targets = 0;
    const uint32_t target = story_target(story, stop->place, cause);
    if (target == NONE) return false;
    if (target != STORY_SEVERAL) return add_target(story, stop, target);
    const uint32_t first = lane_at(story, place->wants, 0);
    for (uint32_t rest = place->set; rest; rest &= rest - 1)
        if (add_target(story, stop, story_place_behind(story, first + lowest(rest)))) return true;
    return false;
}

// Collects stops behind the first, whose targets are known. *in_order: each waits for later ones
// and known ones only.
static uint32_t collect(const struct anl_story *story, bool *in_order)
{
    uint32_t count = 1;
    for (uint32_t i = 0; i < count; i++) {
        struct story_stop *stop = &story->stops[i];
        if (i > 0 && is_at_end(story, stop, story_cause_now(story, stop->place))) continue;
        for (uint32_t j = 0; j < stop->num_targets; j++) {
            struct story_way *way = &story->ways[stop->targets[j]];
            if (way->known == story->turn) {
                *in_order &= way->distance != NONE || story->order[stop->targets[j]] > i;
                continue;
            }
            *way = (struct story_way){story->turn, NONE, NONE, NONE};
            story->order[stop->targets[j]] = count;
            story->stops[count++].place = stop->targets[j];
        }
    }
    return count;
}

// Chooses the best of the places that the stop waits for. True if that is news.
static bool choose(const struct anl_story *story, const struct story_stop *stop)
{
    struct story_way *const way = &story->ways[stop->place];
    const struct story_way before = *way;
    uint32_t best = NONE, next = stop->targets[0];
    for (uint32_t i = 0; i < stop->num_targets; i++) {
        const uint32_t distance = story->ways[stop->targets[i]].distance;
        if (distance >= best) continue;
        best = distance;
        next = stop->targets[i];
    }
    if (best != NONE)
        settle(story, stop->place, best + 1, next);
    else
        way->next = next;
    return way->distance != before.distance || way->next != before.next ||
           way->mover != before.mover;
}

// From the first stop.
static void search_on(const struct anl_story *story)
{
    bool in_order = true, news;
    const uint32_t count = collect(story, &in_order);
    do {
        news = false;
        for (uint32_t i = count; i-- > 0;)
            if (story->stops[i].num_targets > 0) news |= choose(story, &story->stops[i]);
    } while (news && !in_order);
}

static void search(const struct anl_story *story, uint32_t from)
{
    struct story_stop *const first = &story->stops[0];
    story->ways[from] = (struct story_way){story->turn, NONE, NONE, NONE};
    first->place = from;
    story->order[from] = 0;
    if (!is_at_end(story, first, story_cause_now(story, from))) search_on(story);
}

// --- a walk ---
//
// Most places wait for one other: a walk goes straight on to where the way is known and notes it
// on the way back. Where there is a choice it walks to each. If it meets itself, a search has to
// find out.

enum { DEEPEST = 32 };  // choices on the way

static bool walk(const struct anl_story *story, uint32_t from, uint32_t *path, uint32_t deep);

static inline bool walk_if_new(const struct anl_story *story, uint32_t place, uint32_t *path,
                               uint32_t deep)
{
    const uint32_t known = story->ways[place].known;
    if (known == story->turn) return true;
    return known != story->turn - 1 && deep < DEEPEST && walk(story, place, path, deep + 1);
}

// Walks to all that the head at the front of a place waits for, and chooses.
static bool walk_to_each(const struct anl_story *story, uint32_t from, uint32_t *path,
                         uint32_t deep)
{
    const struct story_place *place = &story->places[from];
    struct story_choice *const choice = &story->choices[place->wants];
    const uint32_t first = lane_at(story, place->wants, 0);
    struct story_way best = {story->turn, NONE, NONE, NONE};
    if (choice->known == story->turn && choice->set == place->set) {
        story->ways[from] = choice->way;
        return true;
    }
    for (uint32_t rest = place->set; rest && best.distance > 1; rest &= rest - 1) {
        const uint32_t target = story_place_behind(story, first + lowest(rest));
        if (!walk_if_new(story, target, path, deep)) return false;
        const struct story_way *way = &story->ways[target];
        if (best.next == NONE) best.next = target;
        if (way->distance == NONE || way->distance + 1 >= best.distance) continue;
        best.distance = way->distance + 1;
        best.next = target;
        best.mover = way->mover;
    }
    *choice = (struct story_choice){story->turn, place->set, best};
    story->ways[from] = best;
    return true;
}

// False if it meets itself, or too many choices. Places on the path to and from here are known one
// turn ago.
static bool walk(const struct anl_story *story, uint32_t from, uint32_t *path, uint32_t deep)
{
    struct story_way *const ways = story->ways;
    const struct story_way nothing = {story->turn, NONE, NONE, NONE}, *end = &nothing;
    uint32_t *top = path;
    for (uint32_t at = from; at != NONE;) {
        const uint32_t target = story_target(story, at, story_cause_now(story, at));
        ways[at].known = story->turn - 1;
        if (target == STORY_SEVERAL) {
            if (!walk_to_each(story, at, top, deep)) return false;
            end = &ways[at];
            break;
        }
        ways[at].next = target;
        *top++ = at;
        at = target;
        if (at == NONE || ways[at].known < story->turn - 1) continue;
        if (ways[at].known != story->turn) return false;
        end = &ways[at];
        break;
    }
    uint32_t distance = end->distance;
    const uint32_t mover = end->mover;
    while (top > path) {
        struct story_way *const way = &ways[*--top];
        distance += distance != NONE;
        *way = (struct story_way){story->turn, distance, way->next, mover};
    }
    return true;
}

bool story_choose(const struct anl_story *story, uint32_t from)
{
    story->ways[from].known = story->turn - 1;
    return walk_to_each(story, from, story->order, 0);
}

void story_search(const struct anl_story *story, uint32_t from)
{
    if (!walk(story, from, story->order, 0)) search(story, from);
}
