// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom in this cycle, and why (docs/worms.md, "Blocked" and "Waits for"). Nothing is
// computed before somebody asks, and then only once per cycle.

#include "blocking.h"

// --- causes ---

// Masks of the lanes of the wanted link that are owned and that are full. From bit num_vcs on they
// have those of the next link, for heads that want both.
struct blocking_masks {
    uint32_t owned, full;
};

static inline struct blocking_masks blocking_masks(const struct anl_blocking *blocking,
                                                   const struct blocking_buffer *buffer)
{
    const struct blocking_link *link = &blocking->links[buffer->wants];
    const uint32_t vcs = blocking->config.num_vcs;
    return (struct blocking_masks){
        .owned = link[0].owned | (uint32_t)link[1].owned << vcs,
        .full = link[0].full | (uint32_t)link[1].full << vcs,
    };
}

// Returns those of the lanes that have credits for need flits, where whole worms are admitted.
static inline uint32_t roomy(const struct anl_blocking *blocking,
                             const struct blocking_buffer *buffer, uint32_t lanes, uint32_t need)
{
    uint32_t mask = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (credits_now(blocking, buffer->wanted + lowest(rest)) >= need) mask |= rest & (0 - rest);
    return mask;
}

// Returns the cause of a buffer whose front is a head that selects and does not move.
static enum anl_wait cause_selecting(const struct anl_blocking *blocking,
                                     const struct blocking_buffer *buffer)
{
    const struct blocking_worm *worm = &blocking->worms[buffer->front];
    uint32_t lanes[MOST_WANTED];
    enum anl_wait cause = ANL_BOUND_ELSEWHERE;
    if (blocking->config.flow_control == ANL_STORE_AND_FORWARD && !blocking_tail_is_here(buffer))
        return ANL_NOT_YET;
    for (uint32_t i = blocking_wanted(blocking, buffer, lanes); i-- > 0;) {
        if (blocking->buffers[lanes[i]].owner != NONE) continue;
        if (credits_now(blocking, lanes[i]) >= need_in(blocking, lanes[i], worm))
            return ANL_LOST_ARBITRATION;
        cause = ANL_NO_CREDIT;
    }
    return cause;
}

// Returns true if the head at the front of a buffer is at a sender of a source, and the head of an
// earlier worm does not begin.
static bool is_out_of_order(const struct anl_blocking *blocking,
                            const struct blocking_buffer *buffer)
{
    const uint32_t at = (uint32_t)(buffer - blocking->buffers);
    return is_source(blocking, at) && blocking_not_begun(blocking, at) != NONE;
}

// Returns the cause of a buffer whose front does not move, without branches that are hard to
// predict. A body flit owns its lane; otherwise it is treated like a head.
static inline enum anl_wait cause_blocked(const struct anl_blocking *blocking,
                                          const struct blocking_buffer *buffer)
{
    if (blocking->options && is_selecting(blocking, buffer))
        return cause_selecting(blocking, buffer);
    if (blocking->sinks && buffer->ejection) return ANL_REFUSED;
    if (blocking->loses) return ANL_LOST;
    const enum anl_flow_control flow_control = blocking->config.flow_control;
    const struct blocking_masks masks = blocking_masks(blocking, buffer);
    const bool head = buffer->index == 0;
    const uint32_t unowned = buffer->set & ~(masks.owned & (0 - (uint32_t)head));
    uint32_t takeable = unowned & ~masks.full;
    if (blocking->senders > 1 && head && is_out_of_order(blocking, buffer)) return ANL_NOT_YET;
    if (blocking->follows && !head && blocking->buffers[bound_lane(buffer)].moved != STALLS)
        return ANL_LOST_ARBITRATION;
    if (flow_control != ANL_WORMHOLE && head) {
        if (flow_control == ANL_STORE_AND_FORWARD && !blocking_tail_is_here(buffer))
            return ANL_NOT_YET;
        if (takeable)
            takeable = roomy(blocking, buffer, takeable, blocking->worms[buffer->front].length);
    }
    return (enum anl_wait)(ANL_BOUND_ELSEWHERE + (unowned > 0) + (takeable > 0));
}
_Static_assert(ANL_NO_CREDIT == ANL_BOUND_ELSEWHERE + 1 &&
                   ANL_LOST_ARBITRATION == ANL_BOUND_ELSEWHERE + 2,
               "cause_blocked() counts them");

// Returns the lanes of the set that the head at the front could have taken.
static uint32_t takeable(const struct anl_blocking *blocking, const struct blocking_buffer *buffer)
{
    const struct blocking_masks masks = blocking_masks(blocking, buffer);
    return roomy(blocking, buffer, buffer->set & ~(masks.owned | masks.full),
                 need(blocking, &blocking->worms[buffer->front]));
}

uint32_t blocking_lost_lane(const struct anl_blocking *blocking,
                            const struct blocking_buffer *buffer)
{
    uint32_t rest = buffer->index == 0 ? takeable(blocking, buffer) : 0;
    while (rest && !blocking_is_crossed(blocking, buffer->wanted + lowest(rest)))
        rest &= rest - 1;
    return rest ? buffer->wanted + lowest(rest) : NONE;
}

// Returns the link of the first lane that a head that selects could have taken.
static uint32_t could_select(const struct anl_blocking *blocking,
                             const struct blocking_buffer *buffer)
{
    const struct blocking_worm *worm = &blocking->worms[buffer->front];
    uint32_t lanes[MOST_WANTED];
    const uint32_t count = blocking_wanted(blocking, buffer, lanes);
    for (uint32_t i = 0; i < count; i++)
        if (blocking->buffers[lanes[i]].owner == NONE &&
            credits_now(blocking, lanes[i]) >= need_in(blocking, lanes[i], worm))
            return blocking->buffers[lanes[i]].link;
    return buffer->wants;
}

uint32_t blocking_could_take(const struct anl_blocking *blocking, uint32_t from)
{
    const struct blocking_buffer *buffer = &blocking->buffers[from];
    if (is_selecting(blocking, buffer)) return could_select(blocking, buffer);
    if (!wants_two(blocking, buffer)) return buffer->wants;
    return buffer->wants + (lowest(takeable(blocking, buffer)) >= blocking->config.num_vcs);
}

enum anl_wait blocking_cause(const struct anl_blocking *blocking, uint32_t from)
{
    const struct blocking_buffer *buffer = &blocking->buffers[from];
    return buffer->moved != STALLS ? ANL_MOVING : cause_blocked(blocking, buffer);
}

// Finds the cause of a blocked buffer and stores it for those who ask when the way is known.
static inline enum anl_wait find_cause(const struct anl_blocking *blocking, uint32_t from)
{
    struct blocking_buffer *const buffer = &blocking->buffers[from];
    const enum anl_wait cause = cause_blocked(blocking, buffer);
    buffer->cause = (uint16_t)cause;
    return cause;
}

// --- waits for ---

// Returns the buffer at the same input port that kept the front flit of `from` from being offered:
// the lowest lane that moves; if none moves, the lowest that lost a link which another flit
// crossed; else NONE.
static uint32_t winner_of(const struct anl_blocking *blocking, uint32_t from)
{
    if (is_source(blocking, from)) return NONE;
    const uint32_t first = lane_at(blocking, blocking->buffers[from].link, 0);
    const uint32_t end = first + blocking->config.num_vcs;
    for (uint32_t lane = first; lane < end; lane++)
        if (is_leaving(&blocking->buffers[lane])) return lane;
    for (uint32_t lane = first; lane < end; lane++) {
        const struct blocking_buffer *buffer = &blocking->buffers[lane];
        if (buffer->front != NONE && buffer->moved == STALLS &&
            blocking_crossed(blocking, buffer) != NONE &&
            cause_blocked(blocking, buffer) == ANL_LOST_ARBITRATION)
            return lane;
    }
    return NONE;
}

// Returns the buffer to whose flit the front flit of `from` lost an arbitration; NONE.
static inline uint32_t target_of_loser(const struct anl_blocking *blocking, uint32_t from)
{
    const struct blocking_buffer *buffer = &blocking->buffers[from];
    if (blocking->config.link == ANL_WIDE) {
        const uint32_t lane = blocking_lost_lane(blocking, buffer);
        return lane == NONE ? NONE : blocking->lines[lane].crossed;
    }
    const uint32_t crossed = blocking_crossed(blocking, buffer);
    return crossed != NONE ? crossed : winner_of(blocking, from);
}

static inline bool wants_several(const struct anl_blocking *blocking,
                                 const struct blocking_buffer *buffer)
{
    return (buffer->set & (buffer->set - 1)) != 0 || is_selecting(blocking, buffer);
}

#define SEVERAL (NONE - 1)

// Returns the buffer for which an ejection lane waits: the lane that its sink shows and refuses or,
// if it is this one, the source of the replies that have taken the reservations of the terminal.
static uint32_t target_of_refused(const struct anl_blocking *blocking, uint32_t lane)
{
    const uint32_t shown = blocking_shown_lane(blocking, lane);
    const uint32_t source = blocking_reply_source(blocking, lane);
    if (shown != lane) return shown;
    return blocking->buffers[source].front == NONE ? NONE : source;
}

// Returns the buffer for which `from` waits if it is blocked for this cause; SEVERAL; NONE.
static inline uint32_t target_of(const struct anl_blocking *blocking, uint32_t from,
                                 enum anl_wait cause)
{
    const struct blocking_buffer *buffer = &blocking->buffers[from];
    if (cause == ANL_NOT_YET && is_source(blocking, from))
        return blocking_not_begun(blocking, from);
    if (cause == ANL_NOT_YET)
        return blocking_tail_has_come(buffer) ? NONE : blocking_upstream(blocking, from);
    if (cause == ANL_REFUSED) return target_of_refused(blocking, from);
    if (cause == ANL_LOST) return NONE;
    if (cause == ANL_LOST_ARBITRATION) return target_of_loser(blocking, from);
    if (wants_several(blocking, buffer)) return SEVERAL;
    if (buffer->index > 0)
        return blocking_is_credited(blocking, bound_lane(buffer), 1) ? NONE : bound_lane(buffer);
    return blocking_buffer_behind(blocking, buffer, bound_lane(buffer));
}

// --- a search ---
//
// A search collects stops: the buffer asked for, the buffers for which it waits, and so on, except
// buffers that move or whose ways are known. A buffer that waits for one that moves is at the end
// of its way.

static void settle(const struct anl_blocking *blocking, uint32_t from, uint32_t distance,
                   uint32_t next)
{
    blocking->buffers[from].way = (struct blocking_way){
        .known = blocking->round,
        .distance = distance,
        .next = next,
        .root_blocker = blocking->buffers[next].way.root_blocker,
    };
}

static inline uint32_t *targets_of(const struct anl_blocking *blocking,
                                   const struct blocking_stop *stop)
{
    const size_t at = (size_t)(stop - blocking->search.stops);
    return &blocking->search.targets[at * blocking->search.most_targets];
}

// Adds a target to a stop. If the target moves, the way of the stop is complete, no other targets
// matter, and true is returned.
static inline bool add_target(const struct anl_blocking *blocking, struct blocking_stop *stop,
                              uint32_t target)
{
    if (target == NONE) return false;
    if (blocking->buffers[target].moved == STALLS) {
        targets_of(blocking, stop)[stop->num_targets++] = target;
        return false;
    }
    settle(blocking, stop->buffer, 1, target);
    stop->num_targets = 0;
    return true;
}

// Finds the targets of the stop. Returns true if one of them moves, so that the way is complete.
static inline bool is_at_end(const struct anl_blocking *blocking, struct blocking_stop *stop,
                             enum anl_wait cause)
{
    const struct blocking_buffer *buffer = &blocking->buffers[stop->buffer];
    stop->num_targets = 0;
    const uint32_t target = target_of(blocking, stop->buffer, cause);
    if (target != SEVERAL) return add_target(blocking, stop, target);
    uint32_t lanes[MOST_WANTED];
    const uint32_t count = blocking_wanted(blocking, buffer, lanes);
    for (uint32_t i = 0; i < count; i++)
        if (add_target(blocking, stop, blocking_buffer_behind(blocking, buffer, lanes[i])))
            return true;
    return false;
}

// Collects the stops behind the first one, whose targets are known, and returns how many there are
// with it. *in_order becomes false unless each stop waits only for later stops and for known
// buffers.
static uint32_t collect(const struct anl_blocking *blocking, bool *in_order)
{
    uint32_t count = 1;
    for (uint32_t i = 0; i < count; i++) {
        struct blocking_stop *stop = &blocking->search.stops[i];
        if (i > 0 && is_at_end(blocking, stop, find_cause(blocking, stop->buffer))) continue;
        const uint32_t *targets = targets_of(blocking, stop);
        for (uint32_t j = 0; j < stop->num_targets; j++) {
            struct blocking_way *way = &blocking->buffers[targets[j]].way;
            if (way->known == blocking->round) {
                *in_order &= way->distance != NONE || blocking->search.order[targets[j]] > i;
                continue;
            }
            *way = (struct blocking_way){blocking->round, NONE, NONE, NONE};
            blocking->search.order[targets[j]] = count;
            blocking->search.stops[count++].buffer = targets[j];
        }
    }
    return count;
}

// Chooses the nearest of the buffers for which the stop waits. Returns true if this changes its
// way.
static bool choose(const struct anl_blocking *blocking, const struct blocking_stop *stop)
{
    struct blocking_way *const way = &blocking->buffers[stop->buffer].way;
    const struct blocking_way before = *way;
    const uint32_t *targets = targets_of(blocking, stop);
    uint32_t best = NONE, next = targets[0];
    for (uint32_t i = 0; i < stop->num_targets; i++) {
        const uint32_t distance = blocking->buffers[targets[i]].way.distance;
        if (distance >= best) continue;
        best = distance;
        next = targets[i];
    }
    if (best != NONE)
        settle(blocking, stop->buffer, best + 1, next);
    else
        way->next = next;
    return way->distance != before.distance || way->next != before.next ||
           way->root_blocker != before.root_blocker;
}

// Collects stops from the first one and chooses their ways until nothing changes.
static void search_on(const struct anl_blocking *blocking)
{
    bool in_order = true, changes;
    const uint32_t count = collect(blocking, &in_order);
    do {
        changes = false;
        for (uint32_t i = count; i-- > 0;)
            if (blocking->search.stops[i].num_targets > 0)
                changes |= choose(blocking, &blocking->search.stops[i]);
    } while (changes && !in_order);
}

static void search(const struct anl_blocking *blocking, uint32_t from)
{
    struct blocking_stop *const first = &blocking->search.stops[0];
    blocking->buffers[from].way = (struct blocking_way){blocking->round, NONE, NONE, NONE};
    first->buffer = from;
    blocking->search.order[from] = 0;
    if (!is_at_end(blocking, first, find_cause(blocking, from))) search_on(blocking);
}

// --- a walk ---
//
// Most buffers wait for one other buffer. A walk follows them to a buffer whose way is known and
// writes down the ways on its way back. Where there is a choice, it walks to each target. If it
// meets itself, a search is needed.

enum { DEEPEST = 32 };  // choices on one path

static bool walk(const struct anl_blocking *blocking, uint32_t at, uint32_t *path, uint32_t *top,
                 uint32_t deep);

static inline bool walk_if_new(const struct anl_blocking *blocking, uint32_t buffer, uint32_t *path,
                               uint32_t deep)
{
    const uint32_t known = blocking->buffers[buffer].way.known;
    if (known == blocking->round) return true;
    return known != blocking->round - 1 && deep < DEEPEST &&
           walk(blocking, buffer, path, path, deep + 1);
}

// Lists the buffers for which the head at the front of a buffer waits, in the order of their lanes.
// If one of them moves, the first that moves is listed alone, because none is nearer. Returns how
// many are listed.
static inline uint32_t list_targets(const struct anl_blocking *blocking,
                                    const struct blocking_buffer *buffer, uint32_t *targets)
{
    const uint32_t count = blocking_wanted(blocking, buffer, targets);
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t target = blocking_buffer_behind(blocking, buffer, targets[i]);
        if (target == NONE) continue;
        targets[listed++] = target;
        if (blocking->buffers[target].moved == STALLS) continue;
        targets[0] = target;
        return 1;
    }
    return listed;
}

// Walks to the targets and chooses the nearest. A target that moves is listed alone, so of several
// none is nearer than 2. Returns false like walk().
static bool choose_target(const struct anl_blocking *blocking, const uint32_t *targets,
                          uint32_t count, uint32_t *path, uint32_t deep, struct blocking_way *best)
{
    *best = (struct blocking_way){blocking->round, NONE, count ? targets[0] : NONE, NONE};
    for (uint32_t i = 0; i < count && best->distance > 2; i++) {
        if (!walk_if_new(blocking, targets[i], path, deep)) return false;
        const struct blocking_way *way = &blocking->buffers[targets[i]].way;
        if (way->distance == NONE || way->distance + 1 >= best->distance) continue;
        *best = (struct blocking_way){blocking->round, way->distance + 1, targets[i],
                                      way->root_blocker};
    }
    return true;
}

// Returns true if no worm of any length could take one of the wanted lanes. Then all heads that
// want the same lanes have the same cause, and wait for the same buffers: but if credits are on
// their way, those may do for short worms alone.
static inline bool is_common(const struct anl_blocking *blocking,
                             const struct blocking_buffer *buffer)
{
    if (blocking->two_stages && blocking->config.flow_control != ANL_WORMHOLE) return false;
    const struct blocking_masks masks = blocking_masks(blocking, buffer);
    return !(buffer->set & ~(masks.owned | masks.full));
}

// Finds the way from a head that waits for several buffers; the link keeps it for other heads.
static bool walk_to_each(const struct anl_blocking *blocking, struct blocking_buffer *buffer,
                         uint32_t *path, uint32_t deep)
{
    uint32_t targets[MOST_WANTED];
    struct blocking_way best;
    const uint32_t count = list_targets(blocking, buffer, targets);
    if (!choose_target(blocking, targets, count, path, deep, &best)) return false;
    buffer->way = best;
    if (buffer->set && is_common(blocking, buffer))
        blocking->search.choices[buffer->wants] =
            (struct blocking_choice){buffer->set, buffer->cause, best};
    return true;
}

// Takes over the way that the link keeps, if it belongs to a head that wants the same lanes.
// Returns true if it does.
static inline bool goes_along(const struct anl_blocking *blocking, struct blocking_buffer *buffer)
{
    const struct blocking_choice *const choice = &blocking->search.choices[buffer->wants];
    if (choice->way.known != blocking->round || choice->set != buffer->set || !buffer->set)
        return false;
    if (blocking->config.flow_control == ANL_STORE_AND_FORWARD && !blocking_tail_is_here(buffer))
        return false;
    if (blocking->senders > 1 && is_out_of_order(blocking, buffer)) return false;
    buffer->cause = choice->cause;
    buffer->way = choice->way;
    return true;
}

// Writes the way from a buffer that waits for another one whose way is known.
static inline void join(const struct anl_blocking *blocking, struct blocking_buffer *buffer,
                        uint32_t target)
{
    const struct blocking_way *const way = &blocking->buffers[target].way;
    buffer->way = (struct blocking_way){blocking->round, way->distance + (way->distance != NONE),
                                        target, way->root_blocker};
}

// Walks from buffer `at`, to which a path leads on which each buffer waits for the next. Returns
// false if the walk meets itself or too many choices. A buffer on the path is marked as known in
// round - 1.
static bool walk(const struct anl_blocking *blocking, uint32_t at, uint32_t *path, uint32_t *top,
                 uint32_t deep)
{
    struct blocking_buffer *buffer;
    for (;; *top++ = at, at = buffer->way.next) {
        buffer = &blocking->buffers[at];
        if (buffer->way.known == blocking->round - 1) return false;
        if (wants_several(blocking, buffer) && goes_along(blocking, buffer)) break;
        const uint32_t target = target_of(blocking, at, find_cause(blocking, at));
        buffer->way.known = blocking->round - 1;
        if (target == SEVERAL) {
            if (!walk_to_each(blocking, buffer, top, deep)) return false;
            break;
        }
        if (target == NONE) {
            buffer->way = (struct blocking_way){blocking->round, NONE, NONE, NONE};
            break;
        }
        if (blocking->buffers[target].way.known == blocking->round) {
            join(blocking, buffer, target);
            break;
        }
        buffer->way.next = target;
    }
    uint32_t distance = buffer->way.distance;
    const uint32_t root_blocker = buffer->way.root_blocker;
    while (top > path) {
        struct blocking_way *const way = &blocking->buffers[*--top].way;
        distance += distance != NONE;
        *way = (struct blocking_way){blocking->round, distance, way->next, root_blocker};
    }
    return true;
}

void blocking_search(const struct anl_blocking *blocking, uint32_t from)
{
    if (!walk(blocking, from, blocking->search.order, blocking->search.order, 0))
        search(blocking, from);
}

// Finds the way from a buffer whose front does not move; most ways are one step. Returns false like
// walk().
static inline bool find_way(const struct anl_blocking *blocking, uint32_t from)
{
    struct blocking_buffer *const buffer = &blocking->buffers[from];
    uint32_t *const path = blocking->search.order;
    if (wants_several(blocking, buffer) && goes_along(blocking, buffer)) return true;
    const uint32_t target = target_of(blocking, from, find_cause(blocking, from));
    if (target < SEVERAL && blocking->buffers[target].way.known == blocking->round) {
        join(blocking, buffer, target);
        return true;
    }
    if (target == NONE) return walk(blocking, from, path, path, 0);
    buffer->way.known = blocking->round - 1;
    if (target == SEVERAL) return walk_to_each(blocking, buffer, path, 0);
    buffer->way.next = target;
    path[0] = from;
    return walk(blocking, target, path, path + 1, 0);
}

// Notes the root blocker of a worm whose leading flit waits.
static inline void note_root_blocker(struct anl_blocking *blocking, uint32_t slot,
                                     struct blocking_worm *worm, uint32_t root_blocker)
{
    blocking->lives.root_blockers[(size_t)MOST_ROOT_BLOCKERS * slot + worm->num_root_blockers] =
        root_blocker;
    worm->num_root_blockers = (uint16_t)(worm->num_root_blockers + (root_blocker != NONE));
    if (worm->num_root_blockers == MOST_ROOT_BLOCKERS)
        blocking->lives.full[blocking->lives.num_full++] = slot;
}

struct blocking_change *blocking_wait(struct anl_blocking *blocking, enum anl_wait old,
                                      const uint32_t *slots, uint32_t count,
                                      struct blocking_change *change)
{
    for (uint32_t i = 0; blocking->loses && i < count; i++) {
        *change = (struct blocking_change){slots[i], ANL_MOVING};  // none waits, if some are lost
        change += old != ANL_MOVING;
    }
    if (blocking->loses) return change;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = slots[i];
        struct blocking_worm *worm = &blocking->worms[slot];
        const uint32_t from = worm->lead_buffer;
        const struct blocking_buffer *buffer = &blocking->buffers[from];
        if (buffer->way.known != blocking->round && !find_way(blocking, from))
            search(blocking, from);
        note_root_blocker(blocking, slot, worm, buffer->way.root_blocker);
        const uint32_t wait = buffer->front == slot ? buffer->cause : (uint32_t)ANL_BEHIND;
        *change = (struct blocking_change){slot, wait};
        change += wait != (uint32_t)old;
    }
    return change;
}
