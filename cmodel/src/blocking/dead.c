// SPDX-License-Identifier: Apache-2.0
//
// Which worms can never move again (docs/worms.md, "Deadlock"): the least fixed point of how many
// flits can ever enter and leave each lane, and of which heads are not stuck.

#include "blocking.h"

#include <stdlib.h>
#include <string.h>

#define NO_LIMIT UINT32_MAX

// Returns how many flits of the lane's owner have not entered the lane.
static inline uint32_t blocking_to_come(const struct anl_blocking *blocking, uint32_t lane)
{
    const struct blocking_worm *owner = &blocking->worms[blocking->buffers[lane].owner];
    return (uint32_t)owner->length - blocking->buffers[blocking_upstream(blocking, lane)].index;
}

struct fixed_point {
    const struct anl_blocking *blocking;
    uint32_t *leave;  // [lanes] flits that can ever leave
    bool *free;       // [slots] the head is not stuck
    bool *open;       // [terminals] a reply can ever leave; NULL: terminals do not refuse
    bool changed;
};

static uint32_t sum(uint32_t a, uint32_t b)
{
    return a == NO_LIMIT || b == NO_LIMIT ? NO_LIMIT : a + b;
}

static uint32_t terminal_at(const struct anl_blocking *blocking, uint32_t lane)
{
    return anl_end_of(&blocking->config, blocking->buffers[lane].link).node;
}

// Returns true if the terminal at an ejection lane refuses, and no reply can ever leave it.
static bool is_shut(const struct fixed_point *point, uint32_t lane)
{
    return point->open && !point->open[terminal_at(point->blocking, lane)] &&
           blocking_is_refused(point->blocking, lane);
}

// Returns how many flits can ever enter the lane.
static uint32_t enter(const struct fixed_point *point, uint32_t lane)
{
    if (point->blocking->buffers[lane].ejection)
        return is_shut(point, lane) ? credits(point->blocking, lane) : NO_LIMIT;
    return sum(credits(point->blocking, lane), point->leave[lane]);
}

// Returns how many flits of a run can leave before it gets stuck; NO_LIMIT: all of them.
static uint32_t leave_of_run(const struct fixed_point *point, uint32_t lane, uint32_t slot,
                             uint32_t to_come)
{
    if (point->blocking->worms[slot].head_buffer == lane) return point->free[slot] ? NO_LIMIT : 0;
    const uint32_t room = enter(point, bound_lane(&point->blocking->buffers[lane]));
    return room < to_come ? room : NO_LIMIT;
}

// Returns how many flits of the run's worm have not left the lane.
static uint32_t to_come(const struct anl_blocking *blocking, uint32_t lane, uint32_t run)
{
    return blocking->worms[*run_at(blocking, lane, run)].length - first_of_run(blocking, lane, run);
}

// Returns how many flits can ever leave the lane. *holder is the slot of the first worm whose run
// cannot leave as a whole, or NONE.
static uint32_t leave_of(const struct fixed_point *point, uint32_t lane, uint32_t *holder)
{
    const struct anl_blocking *blocking = point->blocking;
    uint32_t flits = 0;
    *holder = NONE;
    for (uint32_t i = 0; i < blocking->buffers[lane].num_runs; i++) {
        const uint32_t slot = *run_at(blocking, lane, i);
        const uint32_t leave = leave_of_run(point, lane, slot, to_come(blocking, lane, i));
        if (leave != NO_LIMIT) {
            *holder = slot;
            return flits + leave;
        }
        flits += flits_of_run(blocking, lane, i);
    }
    return NO_LIMIT;
}

// Returns the slot of the first worm before one in the order of their source whose head is at a
// sender and is stuck; NONE.
static uint32_t stuck_before(const struct fixed_point *point, uint32_t slot)
{
    const struct anl_blocking *blocking = point->blocking;
    const uint32_t from = blocking->worms[slot].head_buffer;
    if (!is_source(blocking, from)) return NONE;
    uint32_t at = blocking_head_after(blocking, from, NONE);
    while (at != from && point->free[blocking->buffers[at].front])
        at = blocking_head_after(blocking, from, at);
    return at == from ? NONE : blocking->buffers[at].front;
}

// Returns true if flits before the head in its buffer can never leave.
static bool is_held_in_buffer(const struct fixed_point *point, uint32_t slot)
{
    const struct anl_blocking *blocking = point->blocking;
    const uint32_t lane = blocking->worms[slot].head_buffer;
    uint32_t before = 0;
    if (is_source(blocking, lane)) return false;
    for (uint32_t i = 0; *run_at(blocking, lane, i) != slot; i++)
        before += flits_of_run(blocking, lane, i);
    return point->leave[lane] < before;
}

// Writes the lanes that a head wants or will want, ascending. Returns how many there are.
static uint32_t lanes_of_head(const struct anl_blocking *blocking, uint32_t slot,
                              uint32_t lanes[MOST_WANTED])
{
    const struct blocking_worm *worm = &blocking->worms[slot];
    if (!is_source(blocking, worm->head_buffer))
        return blocking_route_lanes(blocking, worm->head_buffer, worm, lanes);
    const uint32_t link = blocking->buffers[worm->head_buffer].wants;
    uint32_t count = 0;
    for (uint32_t set = blocking_injection_set(blocking, worm->head_buffer, slot); set;
         set &= set - 1)
        lanes[count++] = lane_at(blocking, link, lowest(set));
    return count;
}

static bool is_closed(const struct fixed_point *point, uint32_t lane, uint32_t slot)
{
    const struct anl_blocking *blocking = point->blocking;
    uint64_t wanted = need_in(blocking, lane, &blocking->worms[slot]);
    if (blocking->buffers[lane].owner != NONE) wanted += blocking_to_come(blocking, lane);
    return enter(point, lane) < wanted;
}

static bool is_stuck(const struct fixed_point *point, uint32_t slot)
{
    const struct anl_blocking *blocking = point->blocking;
    if (is_held_in_buffer(point, slot) || stuck_before(point, slot) != NONE) return true;
    uint32_t lanes[MOST_WANTED];
    for (uint32_t i = lanes_of_head(blocking, slot, lanes); i-- > 0;)
        if (!is_closed(point, lanes[i], slot)) return false;
    return true;
}

// Returns true if the worm is in the network or at the front of its source, and its head has not
// left.
static bool has_head(const struct anl_blocking *blocking, uint32_t slot)
{
    return is_active(blocking, slot) && blocking->worms[slot].lead == 0;
}

static void look_at_lanes(struct fixed_point *point)
{
    const struct anl_blocking *blocking = point->blocking;
    uint32_t holder;
    for (uint32_t lane = 0; lane < blocking->lanes; lane++) {
        if (!blocking->buffers[lane].count && blocking->buffers[lane].owner == NONE) continue;
        if (blocking->buffers[lane].ejection || point->leave[lane] == NO_LIMIT) continue;
        const uint32_t leave = leave_of(point, lane, &holder);
        point->changed |= leave != point->leave[lane];
        point->leave[lane] = leave;
    }
}

static void look_at_heads(struct fixed_point *point)
{
    const struct anl_blocking *blocking = point->blocking;
    for (uint32_t slot = 0; slot < blocking->slots.count; slot++) {
        if (point->free[slot] || !has_head(blocking, slot) || is_stuck(point, slot)) continue;
        point->free[slot] = point->changed = true;
    }
}

// Returns true if the worm at the front of a source can ever leave it. Nothing is known of an empty
// source.
static bool can_leave_source(const struct fixed_point *point, uint32_t source)
{
    const struct anl_blocking *blocking = point->blocking;
    const struct blocking_buffer *buffer = &blocking->buffers[source];
    if (buffer->front == NONE) return true;
    if (blocking->worms[buffer->front].head_buffer == source) return point->free[buffer->front];
    return enter(point, bound_lane(buffer)) >= buffer->count;
}

static void look_at_terminals(struct fixed_point *point)
{
    const struct anl_blocking *blocking = point->blocking;
    for (uint32_t t = 0; point->open && t < blocking->shape.terminals; t++) {
        const uint32_t lane = lane_at(blocking, anl_ejection_link(&blocking->config, t), 0);
        if (point->open[t] || !can_leave_source(point, blocking_reply_source(blocking, lane)))
            continue;
        point->open[t] = point->changed = true;
    }
}

static void release(struct fixed_point *point)
{
    free(point->leave);
    free(point->free);
    free(point->open);
}

static enum anl_status find_fixed_point(const struct anl_blocking *blocking,
                                        struct fixed_point *point)
{
    *point = (struct fixed_point){
        .blocking = blocking,
        .leave = calloc(blocking->lanes, sizeof *point->leave),
        .free = calloc(blocking->slots.count + 1u, sizeof *point->free),
    };
    if (blocking->sinks) point->open = calloc(blocking->shape.terminals, sizeof *point->open);
    if (!point->leave || !point->free || (blocking->sinks && !point->open)) {
        release(point);
        return ANL_ERR_MEMORY;
    }
    for (uint32_t lane = 0; lane < blocking->lanes; lane++)
        if (!blocking->buffers[lane].count && blocking->buffers[lane].owner == NONE)
            point->leave[lane] = NO_LIMIT;
    do {
        point->changed = false;
        look_at_lanes(point);
        look_at_heads(point);
        look_at_terminals(point);
    } while (point->changed);
    return ANL_OK;
}

// Returns true if the head of a worm has left the network, but not all of its flits ever can.
static bool is_held_at_terminal(const struct fixed_point *point, uint32_t slot)
{
    const struct anl_blocking *blocking = point->blocking;
    const struct blocking_worm *worm = &blocking->worms[slot];
    if (!point->open || !is_active(blocking, slot)) return false;
    if (worm->lead == 0 || worm->lead >= worm->length) return false;
    return enter(point, worm->head_buffer) < (uint32_t)worm->length - worm->lead;
}

static bool is_dead(const struct fixed_point *point, uint32_t slot)
{
    if (is_held_at_terminal(point, slot)) return true;
    return has_head(point->blocking, slot) && !point->free[slot];
}

// What holds a dead worm.
struct holder {
    uint32_t slot;      // of the worm
    uint32_t terminal;  // that refuses until this worm leaves its source; NONE: none stands between
};

// Returns the worm for which a terminal waits that refuses what comes by a lane.
static struct holder holder_at_terminal(const struct fixed_point *point, uint32_t lane)
{
    const struct anl_blocking *blocking = point->blocking;
    const uint32_t source = blocking_reply_source(blocking, lane);
    return (struct holder){blocking->buffers[source].front, terminal_at(blocking, lane)};
}

static struct holder holder_in_network(uint32_t slot) { return (struct holder){slot, NONE}; }

static struct holder holder_of(const struct fixed_point *point, uint32_t slot)
{
    const struct anl_blocking *blocking = point->blocking;
    uint32_t holder;
    if (is_held_at_terminal(point, slot))
        return holder_at_terminal(point, blocking->worms[slot].head_buffer);
    if (is_held_in_buffer(point, slot)) {
        leave_of(point, blocking->worms[slot].head_buffer, &holder);
        return holder_in_network(holder);
    }
    if (stuck_before(point, slot) != NONE) return holder_in_network(stuck_before(point, slot));
    uint32_t lanes[MOST_WANTED];
    lanes_of_head(blocking, slot, lanes);
    if (blocking->buffers[lanes[0]].ejection) return holder_at_terminal(point, lanes[0]);
    leave_of(point, lanes[0], &holder);
    return holder_in_network(holder != NONE ? holder : blocking->buffers[lanes[0]].owner);
}

// --- the circle ---

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Returns the slot of the lowest dead worm; NONE.
static uint32_t lowest_dead(const struct fixed_point *point)
{
    const struct anl_blocking *blocking = point->blocking;
    uint32_t lowest = NONE;
    for (uint32_t slot = 0; slot < blocking->slots.count; slot++)
        if (is_dead(point, slot) && worm_id(blocking, slot) < worm_id(blocking, lowest))
            lowest = slot;
    return lowest;
}

static enum anl_status keep_circle(struct anl_blocking *blocking, const struct fixed_point *point,
                                   uint32_t slot)
{
    struct blocking_deadlock *dead = &blocking->dead;
    for (uint32_t i = 0; i < blocking->slots.count; i++)
        slot = holder_of(point, slot).slot;  // this many steps lead onto the circle

    uint32_t count = 0, lowest = slot, at = slot;
    do {
        if (worm_id(blocking, at) < worm_id(blocking, lowest)) lowest = at;
        at = holder_of(point, at).slot;
        count++;
    } while (at != slot);
    dead->circle = malloc(2 * count * sizeof *dead->circle);
    if (!dead->circle) return ANL_ERR_MEMORY;
    dead->terminals = dead->circle + count;
    for (dead->num_circle = 0; dead->num_circle < count; dead->num_circle++) {
        const struct holder holder = holder_of(point, lowest);
        dead->circle[dead->num_circle] = worm_id(blocking, lowest);
        dead->terminals[dead->num_circle] = holder.terminal;
        lowest = holder.slot;
    }
    dead->cycle = blocking->cycle;
    return ANL_OK;
}

// --- when to look ---
//
// A deadlock closes only when a head comes to a buffer in which it has to wait: all other worms of
// the circle waited before. So only heads that have come are followed, and the fixed point is
// computed only if one of them has no obvious way out. (Earlier heads at senders of its source are
// not looked at: if one of them is dead, so is a head that has come and is behind none of them.)

enum { FARTHEST = 1000 };  // most worms that are followed one after the other

static bool gets_away(struct anl_blocking *blocking, uint32_t slot, uint32_t far);

// Returns true if all worms in the lane get away; if slot is one of them, only those before it.
static bool all_get_away(struct anl_blocking *blocking, uint32_t lane, uint32_t slot, uint32_t far)
{
    for (uint32_t i = 0; i < blocking->buffers[lane].num_runs; i++) {
        const uint32_t other = *run_at(blocking, lane, i);
        if (other == slot) return true;
        if (!gets_away(blocking, other, far)) return false;
    }
    return true;
}

static bool finds_way_out(struct anl_blocking *blocking, uint32_t slot, uint32_t far)
{
    const uint32_t from = blocking->worms[slot].head_buffer;
    if (!is_source(blocking, from) && !all_get_away(blocking, from, slot, far)) return false;
    uint32_t lanes[MOST_WANTED];
    const uint32_t count = lanes_of_head(blocking, slot, lanes);
    for (uint32_t i = 0; i < count; i++)
        if (blocking->buffers[lanes[i]].ejection ? !blocking_is_refused(blocking, lanes[i])
                                                 : all_get_away(blocking, lanes[i], NONE, far))
            return true;
    return false;
}

// Returns true if all flits of a worm whose head has left the network obviously follow it. (That
// one of them moves in this cycle is not enough: the terminal may refuse the others.)
static bool is_taken(const struct anl_blocking *blocking, const struct blocking_worm *worm)
{
    return !(blocking->sinks && blocking->buffers[worm->head_buffer].ejection &&
             blocking_is_refused(blocking, worm->head_buffer));
}

// Returns true only if the worm is not dead. A worm that is met again is taken for dead.
static bool gets_away(struct anl_blocking *blocking, uint32_t slot, uint32_t far)
{
    const struct blocking_worm *worm = &blocking->worms[slot];
    struct blocking_record *record = &blocking->records[slot];
    if (worm->lead > 0) return is_taken(blocking, worm);
    if (worm->wait == ANL_MOVING && blocking->buffers[worm->lead_buffer].moved != ARRIVES)
        return true;
    if (worm->wait == ANL_LOST_ARBITRATION) return true;
    if (record->followed == blocking->round) return record->gets_away;
    if (far == FARTHEST) return false;
    record->followed = blocking->round;
    record->gets_away = false;
    return record->gets_away = finds_way_out(blocking, slot, far + 1);
}

static bool is_closing(struct anl_blocking *blocking)
{
    if (blocking->sinks && blocking->sinks->changes) return true;
    for (size_t i = 0; i < blocking->slots.num_come; i++) {
        const uint32_t slot = blocking->slots.come[i];
        if (!gets_away(blocking, slot, 0)) return true;
    }
    return false;
}

enum anl_status blocking_look_for_deadlock(struct anl_blocking *blocking)
{
    struct fixed_point point;
    if (blocking->dead.safe || blocking->dead.cycle != UINT64_MAX || !is_closing(blocking))
        return ANL_OK;
    enum anl_status status = find_fixed_point(blocking, &point);
    if (status) return status;
    const uint32_t slot = lowest_dead(&point);
    if (slot != NONE) status = keep_circle(blocking, &point, slot);
    release(&point);
    return status;
}

// --- questions ---

uint64_t anl_blocking_deadlocked(const struct anl_blocking *blocking)
{
    return blocking->dead.cycle;
}

const uint32_t *anl_blocking_circle(const struct anl_blocking *blocking, size_t *count)
{
    *count = blocking->dead.num_circle;
    return blocking->dead.circle;
}

const uint32_t *anl_blocking_circle_terminals(const struct anl_blocking *blocking)
{
    return blocking->dead.terminals;
}

enum anl_status anl_blocking_dead(const struct anl_blocking *blocking, uint32_t **worms,
                                  size_t *count)
{
    struct fixed_point point;
    *worms = NULL;
    *count = 0;
    enum anl_status status = find_fixed_point(blocking, &point);
    if (status) return status;
    uint32_t *dead = malloc((blocking->slots.count + 1u) * sizeof *dead);
    for (uint32_t slot = 0; dead && slot < blocking->slots.count; slot++)
        if (is_dead(&point, slot)) dead[(*count)++] = worm_id(blocking, slot);
    if (dead) qsort(dead, *count, sizeof *dead, ascending);
    *worms = dead;
    release(&point);
    return dead ? ANL_OK : ANL_ERR_MEMORY;
}

uint32_t anl_blocking_held_by(const struct anl_blocking *blocking, uint32_t worm)
{
    struct fixed_point point;
    const struct blocking_entry *entry = blocking_worms_find(blocking, worm);
    if (!entry || entry->slot == NONE || find_fixed_point(blocking, &point)) return NONE;
    const uint32_t slot = entry->slot;
    const uint32_t holder = is_dead(&point, slot) ? holder_of(&point, slot).slot : NONE;
    release(&point);
    return worm_id(blocking, holder);
}

// --- networks without deadlock ---

// Finds out whether a worm can ever be dead in this network. It cannot if the network is safe
// (docs/cdg.md). Without a cycle in the channel-dependency graph the lanes that depend on none
// (those of ejection links) can always empty, therefore those that depend on these can, and so on
// (docs/worms.md, "Deadlock": leave has no limit).
enum anl_status blocking_find_safe(struct anl_blocking *blocking)
{
    blocking->dead.safe = anl_is_acyclic_by_rule(&blocking->config);
    if (blocking->dead.safe || !blocking->routes) return ANL_OK;  // or too large to search
    if (blocking->config.routing == ANL_SOURCE) return ANL_OK;    // worms bring routes of their own
    struct anl_safety safety;
    const enum anl_status status = anl_safety_of(&blocking->config, &safety);
    if (status == ANL_ERR_ARGUMENT) return ANL_OK;  // too large to search
    if (status) return status;
    blocking->dead.safe = safety.is_safe;
    anl_safety_free(&safety);
    return ANL_OK;
}
