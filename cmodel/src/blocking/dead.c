// SPDX-License-Identifier: Apache-2.0
//
// Which worms can never move again (docs/worms.md, "Deadlock"): the fixed point from below of what
// can ever enter and leave each lane, and of which heads are stuck.

#include "story.h"

#include <stdlib.h>
#include <string.h>

#define NO_LIMIT UINT32_MAX

struct fixed_point {
    const struct anl_story *story;
    uint32_t *leave;  // [lanes]
    bool *free;       // [slots] the head is not stuck
    bool changed;
};

static uint32_t sum(uint32_t a, uint32_t b)
{
    return a == NO_LIMIT || b == NO_LIMIT ? NO_LIMIT : a + b;
}

// Flits that can ever enter the lane.
static uint32_t enter(const struct fixed_point *point, uint32_t lane)
{
    if (point->story->places[lane].ejection) return NO_LIMIT;
    return sum(credits(point->story, lane), point->leave[lane]);
}

static bool head_is_in(const struct anl_story *story, uint32_t lane, uint32_t slot)
{
    return story->worms[slot].head_place == lane;
}

// Flits of a run that is gone through that can leave before it gets stuck; NO_LIMIT: all.
static uint32_t leave_of_run(const struct fixed_point *point, uint32_t lane, uint32_t slot,
                             uint32_t to_come)
{
    if (head_is_in(point->story, lane, slot)) return point->free[slot] ? NO_LIMIT : 0;
    const uint32_t room = enter(point, bound_lane(&point->story->places[lane]));
    return room < to_come ? room : NO_LIMIT;
}

// Flits of the run's worm that have not left the lane.
static uint32_t to_come(const struct anl_story *story, uint32_t lane, uint32_t run)
{
    return story->worms[*run_at(story, lane, run)].length - first_of_run(story, lane, run);
}

// Flits that can ever leave the lane; *holder is the worm of the run that cannot leave whole, a
// slot, or NONE.
static uint32_t leave_of(const struct fixed_point *point, uint32_t lane, uint32_t *holder)
{
    const struct anl_story *story = point->story;
    uint32_t flits = 0;
    *holder = NONE;
    for (uint32_t i = 0; i < story->places[lane].num_runs; i++) {
        const uint32_t slot = *run_at(story, lane, i);
        const uint32_t leave = leave_of_run(point, lane, slot, to_come(story, lane, i));
        if (leave != NO_LIMIT) {
            *holder = slot;
            return flits + leave;
        }
        flits += flits_of_run(story, lane, i);
    }
    return NO_LIMIT;
}

// Flits before the head in its place.
static uint32_t position_of_head(const struct anl_story *story, uint32_t slot)
{
    const uint32_t lane = story->worms[slot].head_place;
    uint32_t flits = 0;
    if (is_source(story, lane)) return 0;
    for (uint32_t i = 0; *run_at(story, lane, i) != slot; i++)
        flits += flits_of_run(story, lane, i);
    return flits;
}

static struct story_route route_of_head(const struct anl_story *story, uint32_t slot)
{
    const struct story_worm *worm = &story->worms[slot];
    if (!is_source(story, worm->head_place)) return story_route(story, worm->head_place, worm);
    return (struct story_route){story->places[worm->head_place].wants, story->all_vcs};
}

static bool is_closed(const struct fixed_point *point, uint32_t lane, uint32_t slot)
{
    const struct anl_story *story = point->story;
    uint64_t wanted = need(story, &story->worms[slot]);
    if (story->places[lane].owner != NONE) wanted += story_to_come(story, lane);
    return enter(point, lane) < wanted;
}

static bool is_stuck(const struct fixed_point *point, uint32_t slot)
{
    const struct anl_story *story = point->story;
    const uint32_t place = story->worms[slot].head_place;
    if (!is_source(story, place) && point->leave[place] < position_of_head(story, slot))
        return true;
    const struct story_route route = route_of_head(story, slot);
    for (uint32_t rest = route.set; rest; rest &= rest - 1)
        if (!is_closed(point, lane_at(story, route.link, lowest(rest)), slot)) return false;
    return true;
}

static bool has_head(const struct anl_story *story, uint32_t slot)
{
    return story->worms[slot].lead == 0;
}

static void look_at_lanes(struct fixed_point *point)
{
    const struct anl_story *story = point->story;
    uint32_t holder;
    for (uint32_t lane = 0; lane < story->lanes; lane++) {
        if (!story->places[lane].count && story->places[lane].owner == NONE) continue;
        if (story->places[lane].ejection || point->leave[lane] == NO_LIMIT) continue;
        const uint32_t leave = leave_of(point, lane, &holder);
        point->changed |= leave != point->leave[lane];
        point->leave[lane] = leave;
    }
}

static void look_at_heads(struct fixed_point *point)
{
    const struct anl_story *story = point->story;
    for (uint32_t slot = 0; slot < story->num_slots; slot++) {
        if (!is_active(story, slot) || point->free[slot] || !has_head(story, slot) ||
            is_stuck(point, slot))
            continue;
        point->free[slot] = point->changed = true;
    }
}

static void release(struct fixed_point *point)
{
    free(point->leave);
    free(point->free);
}

static enum anl_status find_fixed_point(const struct anl_story *story, struct fixed_point *point)
{
    *point = (struct fixed_point){
        .story = story,
        .leave = calloc(story->lanes, sizeof *point->leave),
        .free = calloc(story->num_slots + 1u, sizeof *point->free),
    };
    if (!point->leave || !point->free) {
        release(point);
        return ANL_ERR_MEMORY;
    }
    for (uint32_t lane = 0; lane < story->lanes; lane++)
        if (!story->places[lane].count && story->places[lane].owner == NONE)
            point->leave[lane] = NO_LIMIT;
    do {
        point->changed = false;
        look_at_lanes(point);
        look_at_heads(point);
    } while (point->changed);
    return ANL_OK;
}

static bool is_dead(const struct fixed_point *point, uint32_t slot)
{
    return is_active(point->story, slot) && has_head(point->story, slot) && !point->free[slot];
}

// The slot that a dead worm is held by.
static uint32_t holder_of(const struct fixed_point *point, uint32_t slot)
{
    const struct anl_story *story = point->story;
    const uint32_t place = story->worms[slot].head_place;
    uint32_t holder;
    if (!is_source(story, place) && point->leave[place] < position_of_head(story, slot)) {
        leave_of(point, place, &holder);
        return holder;
    }
    const struct story_route route = route_of_head(story, slot);
    const uint32_t lane = lane_at(story, route.link, lowest(route.set));
    leave_of(point, lane, &holder);
    return holder != NONE ? holder : story->places[lane].owner;
}

// --- the circle ---

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Lowest dead worm, a slot; NONE.
static uint32_t lowest_dead(const struct fixed_point *point)
{
    const struct anl_story *story = point->story;
    uint32_t lowest = NONE;
    for (uint32_t slot = 0; slot < story->num_slots; slot++)
        if (is_dead(point, slot) && worm_id(story, slot) < worm_id(story, lowest)) lowest = slot;
    return lowest;
}

static enum anl_status keep_circle(struct anl_story *story, const struct fixed_point *point,
                                   uint32_t slot)
{
    for (uint32_t i = 0; i < story->num_slots; i++)
        slot = holder_of(point, slot);  // now surely on the circle

    uint32_t count = 0, lowest = slot, at = slot;
    do {
        if (worm_id(story, at) < worm_id(story, lowest)) lowest = at;
        at = holder_of(point, at);
        count++;
    } while (at != slot);
    story->circle = malloc(count * sizeof *story->circle);
    if (!story->circle) return ANL_ERR_MEMORY;
    for (story->num_circle = 0; story->num_circle < count; lowest = holder_of(point, lowest))
        story->circle[story->num_circle++] = worm_id(story, lowest);
    story->deadlocked = story->cycle;
    return ANL_OK;
}

// --- when to look ---
//
// A deadlock closes only when a head comes to a place where it has to wait: all others of its
// circle waited before. So only heads that have come are followed, and only if one of them has no
// way out that is easily seen is the fixed point worth its price.

enum { FARTHEST = 1000 };  // worms followed one after the other

static bool gets_away(struct anl_story *story, uint32_t slot, uint32_t far);

// All worms in the lane, before that of slot if it is there.
static bool all_get_away(struct anl_story *story, uint32_t lane, uint32_t slot, uint32_t far)
{
    for (uint32_t i = 0; i < story->places[lane].num_runs; i++) {
        const uint32_t other = *run_at(story, lane, i);
        if (other == slot) return true;
        if (!gets_away(story, other, far)) return false;
    }
    return true;
}

static bool finds_way_out(struct anl_story *story, uint32_t slot, uint32_t far)
{
    const struct story_worm *worm = &story->worms[slot];
    if (!is_source(story, worm->head_place) && !all_get_away(story, worm->head_place, slot, far))
        return false;
    const struct story_route route = route_of_head(story, slot);
    for (uint32_t rest = route.set; rest; rest &= rest - 1) {
        const uint32_t lane = lane_at(story, route.link, lowest(rest));
        if (story->places[lane].ejection || all_get_away(story, lane, NONE, far)) return true;
    }
    return false;
}

// True only if the head of the worm is not stuck. A worm met again on the way is taken for stuck.
static bool gets_away(struct anl_story *story, uint32_t slot, uint32_t far)
{
    const struct story_worm *worm = &story->worms[slot];
    struct story_record *record = &story->records[slot];
    if (worm->wait == ANL_MOVING || worm->wait == ANL_LOST_ARBITRATION || worm->lead > 0)
        return true;
    if (record->followed == story->turn) return record->gets_away;
    if (far == FARTHEST) return false;
    record->followed = story->turn;
    record->gets_away = false;
    return record->gets_away = finds_way_out(story, slot, far + 1);
}

static bool is_closing(struct anl_story *story)
{
    for (size_t i = 0; i < story->num_come; i++) {
        const uint32_t slot = story->come[i];
        if (!gets_away(story, slot, 0)) return true;
    }
    return false;
}

enum anl_status story_look_for_deadlock(struct anl_story *story)
{
    struct fixed_point point;
    if (story->safe || story->deadlocked != UINT64_MAX || !is_closing(story)) return ANL_OK;
    enum anl_status status = find_fixed_point(story, &point);
    if (status) return status;
    const uint32_t slot = lowest_dead(&point);
    if (slot != NONE) status = keep_circle(story, &point, slot);
    release(&point);
    return status;
}

// --- questions ---

uint64_t anl_story_deadlocked(const struct anl_story *story) { return story->deadlocked; }

const uint32_t *anl_story_circle(const struct anl_story *story, size_t *count)
{
    *count = story->num_circle;
    return story->circle;
}

enum anl_status anl_story_dead(const struct anl_story *story, uint32_t **worms, size_t *count)
{
    struct fixed_point point;
    *worms = NULL;
    *count = 0;
    enum anl_status status = find_fixed_point(story, &point);
    if (status) return status;
    uint32_t *dead = malloc((story->num_slots + 1u) * sizeof *dead);
    for (uint32_t slot = 0; dead && slot < story->num_slots; slot++)
        if (is_dead(&point, slot)) dead[(*count)++] = worm_id(story, slot);
    if (dead) qsort(dead, *count, sizeof *dead, ascending);
    *worms = dead;
    release(&point);
    return dead ? ANL_OK : ANL_ERR_MEMORY;
}

uint32_t anl_story_held_by(const struct anl_story *story, uint32_t worm)
{
    struct fixed_point point;
    const struct story_entry *entry = story_worms_find(story, worm);
    if (!entry || entry->slot == NONE || find_fixed_point(story, &point)) return NONE;
    const uint32_t slot = entry->slot;
    const uint32_t holder = is_dead(&point, slot) ? holder_of(&point, slot) : NONE;
    release(&point);
    return worm_id(story, holder);
}
