// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom in this cycle, and why (docs/worms.md, "Blocked" and "Waits for"). Nothing is
// found before somebody asks, and then once a cycle.

#include "story.h"

// --- causes ---

// Those of the wanted lanes that have credits for need flits, where whole worms are admitted.
static inline uint32_t roomy(const struct anl_story *story, const struct story_place *place,
                             uint32_t lanes, uint32_t need)
{
    uint32_t mask = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (credits_now(story, place->wanted + lowest(rest)) >= need) mask |= rest & (0 - rest);
    return mask;
}

// The cause of a place whose front does not move, without a branch where it is hard to foresee. A
// body flit has its lane for itself; else it is like a head.
static inline enum anl_wait cause_blocked(const struct anl_story *story,
                                          const struct story_place *place)
{
    const enum anl_admission admission = story->config.admission;
    const struct story_masks masks = story_masks(story, place);
    const bool head = place->index == 0;
    const uint32_t unowned = place->set & ~(masks.owned & (0 - (uint32_t)head));
    uint32_t takeable = unowned & ~masks.full;
    if (admission != ANL_WORMHOLE && head) {
        if (admission == ANL_STORE_AND_FORWARD && !story_tail_is_here(place)) return ANL_NOT_YET;
        if (takeable) takeable = roomy(story, place, takeable, story->worms[place->front].length);
    }
    return (enum anl_wait)(ANL_BOUND_ELSEWHERE + (unowned > 0) + (takeable > 0));
}
_Static_assert(ANL_NO_CREDIT == ANL_BOUND_ELSEWHERE + 1 &&
                   ANL_LOST_ARBITRATION == ANL_BOUND_ELSEWHERE + 2,
               "cause_blocked() counts them");

// The lanes of the set that the head at the front could have taken.
static uint32_t takeable(const struct anl_story *story, const struct story_place *place)
{
    const struct story_masks masks = story_masks(story, place);
    return roomy(story, place, place->set & ~(masks.owned | masks.full),
                 need(story, &story->worms[place->front]));
}

uint32_t story_could_take(const struct anl_story *story, uint32_t from)
{
    const struct story_place *place = &story->places[from];
    if (!wants_two(story, place)) return place->wants;
    return place->wants + (lowest(takeable(story, place)) >= story->config.num_vcs);
}

enum anl_wait story_cause(const struct anl_story *story, uint32_t from)
{
    const struct story_place *place = &story->places[from];
    return place->moved != STAYS ? ANL_MOVING : cause_blocked(story, place);
}

// Of a place that is blocked; for those, too, who ask when its way is known.
static inline enum anl_wait find_cause(const struct anl_story *story, uint32_t from)
{
    struct story_place *const place = &story->places[from];
    const enum anl_wait cause = cause_blocked(story, place);
    place->cause = (uint16_t)cause;
    return cause;
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
            cause_blocked(story, place) == ANL_LOST_ARBITRATION)
            return lane;
    }
    return NONE;
}

// The place whose flit won what the flit at the front of `from` lost; NONE.
static uint32_t winner_of(const struct anl_story *story, uint32_t from)
{
    if (is_source(story, from)) return NONE;
    return winner_at_port(story, story->places[from].link);
}

static inline bool wants_several(const struct story_place *place)
{
    return (place->set & (place->set - 1)) != 0;
}

#define SEVERAL (NONE - 1)

// The place that another one, blocked for that cause, waits for; SEVERAL; NONE.
static inline uint32_t target_of(const struct anl_story *story, uint32_t from, enum anl_wait cause)
{
    const struct story_place *place = &story->places[from];
    if (cause == ANL_NOT_YET) return story_upstream(story, from);
    if (cause == ANL_LOST_ARBITRATION) {
        const uint32_t crossed = story_crossed(story, place);
        return crossed != NONE ? crossed : winner_of(story, from);
    }
    if (wants_several(place)) return SEVERAL;
    if (cause == ANL_NO_CREDIT) return bound_lane(place);
    return story_place_behind(story, bound_lane(place));
}

// --- a search ---
//
// It collects stops: the place asked for, those that it waits for, and so on, but for places
// that move or whose ways are known. A place that waits for one that moves is at its end.

static void settle(const struct anl_story *story, uint32_t from, uint32_t distance, uint32_t next)
{
    story->places[from].way = (struct story_way){
        .known = story->turn,
        .distance = distance,
        .next = next,
        .mover = story->places[next].way.mover,
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
    const uint32_t target = target_of(story, stop->place, cause);
    if (target == NONE) return false;
    if (target != SEVERAL) return add_target(story, stop, target);
    const uint32_t first = place->wanted;
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
        if (i > 0 && is_at_end(story, stop, find_cause(story, stop->place))) continue;
        for (uint32_t j = 0; j < stop->num_targets; j++) {
            struct story_way *way = &story->places[stop->targets[j]].way;
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
    struct story_way *const way = &story->places[stop->place].way;
    const struct story_way before = *way;
    uint32_t best = NONE, next = stop->targets[0];
    for (uint32_t i = 0; i < stop->num_targets; i++) {
        const uint32_t distance = story->places[stop->targets[i]].way.distance;
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
    story->places[from].way = (struct story_way){story->turn, NONE, NONE, NONE};
    first->place = from;
    story->order[from] = 0;
    if (!is_at_end(story, first, find_cause(story, from))) search_on(story);
}

// --- a walk ---
//
// Most places wait for one other: a walk goes straight on to where the way is known and notes it
// on the way back. Where there is a choice it walks to each. If it meets itself, a search has to
// find out.

enum { DEEPEST = 32 };  // choices on the way

static bool walk(const struct anl_story *story, uint32_t at, uint32_t *path, uint32_t *top,
                 uint32_t deep);

static inline bool walk_if_new(const struct anl_story *story, uint32_t place, uint32_t *path,
                               uint32_t deep)
{
    const uint32_t known = story->places[place].way.known;
    if (known == story->turn) return true;
    return known != story->turn - 1 && deep < DEEPEST && walk(story, place, path, path, deep + 1);
}

// Lists the places that the head at the front of a place waits for, in the order of their lanes;
// if any of them moves, the first of those alone: none is better. Returns how many.
static inline uint32_t list_targets(const struct anl_story *story, const struct story_place *place,
                                    uint32_t *targets)
{
    uint32_t count = 0, rest = place->set;
    do {
        targets[count] = story_place_behind(story, place->wanted + lowest(rest));
        if (story->places[targets[count]].moved != STAYS) {
            targets[0] = targets[count];
            return 1;
        }
        count++;
    } while (rest &= rest - 1);
    return count;
}

// Walks to the targets, and chooses the best. If one moves it is alone, so none is nearer than 2.
static bool choose_target(const struct anl_story *story, const uint32_t *targets, uint32_t count,
                          uint32_t *path, uint32_t deep, struct story_way *best)
{
    *best = (struct story_way){story->turn, NONE, targets[0], NONE};
    for (uint32_t i = 0; i < count && best->distance > 2; i++) {
        if (!walk_if_new(story, targets[i], path, deep)) return false;
        const struct story_way *way = &story->places[targets[i]].way;
        if (way->distance == NONE || way->distance + 1 >= best->distance) continue;
        *best = (struct story_way){story->turn, way->distance + 1, targets[i], way->mover};
    }
    return true;
}

// True if none of the wanted lanes can be taken by a worm of any length: then each head that wants
// the same ones has the same cause.
static inline bool is_common(const struct anl_story *story, const struct story_place *place)
{
    const struct story_masks masks = story_masks(story, place);
    return !(place->set & ~(masks.owned | masks.full));
}

// The way from a head that waits for several places; the last one of each link is kept.
static bool walk_to_each(const struct anl_story *story, struct story_place *place, uint32_t *path,
                         uint32_t deep)
{
    uint32_t targets[2 * ANL_MAX_VCS];
    struct story_way best;
    const uint32_t count = list_targets(story, place, targets);
    if (!choose_target(story, targets, count, path, deep, &best)) return false;
    place->way = best;
    if (is_common(story, place))
        story->choices[place->wants] = (struct story_choice){place->set, place->cause, best};
    return true;
}

// True if the way from a head that wants several lanes is that of another one that wants the same.
static inline bool goes_along(const struct anl_story *story, struct story_place *place)
{
    const struct story_choice *const choice = &story->choices[place->wants];
    if (choice->way.known != story->turn || choice->set != place->set) return false;
    if (story->config.admission == ANL_STORE_AND_FORWARD && !story_tail_is_here(place))
        return false;
    place->cause = choice->cause;
    place->way = choice->way;
    return true;
}

// From a place that waits for another one, whose way is known.
static inline void join(const struct anl_story *story, struct story_place *place, uint32_t target)
{
    const struct story_way *const way = &story->places[target].way;
    place->way = (struct story_way){story->turn, way->distance + (way->distance != NONE), target,
                                    way->mover};
}

// From a place at the end of a path, of which all others wait for the next. False if it meets
// itself, or too many choices. Places on the path to and from here are known one turn ago.
static bool walk(const struct anl_story *story, uint32_t at, uint32_t *path, uint32_t *top,
                 uint32_t deep)
{
    struct story_place *place;
    for (;; *top++ = at, at = place->way.next) {
        place = &story->places[at];
        if (place->way.known == story->turn - 1) return false;
        if (wants_several(place) && goes_along(story, place)) break;
        const uint32_t target = target_of(story, at, find_cause(story, at));
        place->way.known = story->turn - 1;
        if (target == SEVERAL) {
            if (!walk_to_each(story, place, top, deep)) return false;
            break;
        }
        if (target == NONE) {
            place->way = (struct story_way){story->turn, NONE, NONE, NONE};
            break;
        }
        if (story->places[target].way.known == story->turn) {
            join(story, place, target);
            break;
        }
        place->way.next = target;
    }
    uint32_t distance = place->way.distance;
    const uint32_t mover = place->way.mover;
    while (top > path) {
        struct story_way *const way = &story->places[*--top].way;
        distance += distance != NONE;
        *way = (struct story_way){story->turn, distance, way->next, mover};
    }
    return true;
}

void story_search(const struct anl_story *story, uint32_t from)
{
    if (!walk(story, from, story->order, story->order, 0)) search(story, from);
}

// The way from a place whose front does not move; most are one step. False as in a walk.
static inline bool find_way(const struct anl_story *story, uint32_t from)
{
    struct story_place *const place = &story->places[from];
    uint32_t *const path = story->order;
    if (wants_several(place) && goes_along(story, place)) return true;
    const uint32_t target = target_of(story, from, find_cause(story, from));
    if (target < SEVERAL && story->places[target].way.known == story->turn) {
        join(story, place, target);
        return true;
    }
    if (target == NONE) return walk(story, from, path, path, 0);
    place->way.known = story->turn - 1;
    if (target == SEVERAL) return walk_to_each(story, place, path, 0);
    place->way.next = target;
    path[0] = from;
    return walk(story, target, path, path + 1, 0);
}

// Notes who delays a worm whose leading flit waits in the place.
static inline void note_mover(struct anl_story *story, uint32_t slot, struct story_worm *worm,
                              uint32_t mover)
{
    story->movers[(size_t)MOST_MOVERS * slot + worm->num_movers] = mover;
    worm->num_movers = (uint16_t)(worm->num_movers + (mover != NONE));
    if (worm->num_movers == MOST_MOVERS) story->full[story->num_full++] = slot;
}

struct story_change *story_wait(struct anl_story *story, enum anl_wait old, const uint32_t *slots,
                                uint32_t count, struct story_change *change)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = slots[i];
        struct story_worm *worm = &story->worms[slot];
        const uint32_t from = worm->lead_place;
        const struct story_place *place = &story->places[from];
        if (place->way.known != story->turn && !find_way(story, from)) search(story, from);
        note_mover(story, slot, worm, place->way.mover);
        const uint32_t wait = place->front == slot ? place->cause : (uint32_t)ANL_BEHIND;
        *change = (struct story_change){slot, wait};
        change += wait != (uint32_t)old;
    }
    return change;
}
