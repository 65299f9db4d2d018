// SPDX-License-Identifier: Apache-2.0
//
// A slow blocking analysis, the oracle, written from docs/worms.md alone. Every flit is an object
// in the list of its buffer, and everything else is found anew in every cycle by plain loops over
// all buffers and worms. It shares nothing with the blocking analysis under test but the public
// records and the shape of the network (annelid/network.h).
//
// Use: oracle_reset(); then for each cycle oracle_worm() for each worm that is created,
// oracle_take_senders(), and oracle_cycle() with the flits that cross a link in it. After that all
// fields hold for that cycle, and contents are those at its start. oracle_advance() ends the cycle.

#ifndef ANNELID_BLOCKING_ORACLE_H
#define ANNELID_BLOCKING_ORACLE_H

#include "oracle_dead.h"

// ---------------------------------------------------------------- blocked, and by what

// Returns whether the flit may take the lane: nobody owns it, for a head, or its own worm owns it.
static bool is_open(const struct oracle *j, uint32_t lane, const struct flit *flit)
{
    return j->buffer[lane].owner == (flit->index == 0 ? ANL_NOTHING : flit->worm);
}

static enum anl_wait cause(const struct oracle *j, uint32_t p)
{
    const struct buffer *buffer = &j->buffer[p];
    const struct flit *front = buffer->front;
    bool could = false, open = false;
    if (waits_for_tail(j, p, front)) return ANL_NOT_YET;
    if (front->index == 0 && earlier_head(j, p, front->worm, stays) != ANL_NOTHING)
        return ANL_NOT_YET;
    for (uint32_t i = 0; i < buffer->want.count; i++) {
        const uint32_t lane = buffer->want.lanes[i];
        if (!is_open(j, lane, front)) continue;
        open = true;
        if (credits_now(j, lane, front) >= need(j, lane, front)) could = true;
    }
    if (could) return ANL_LOST_ARBITRATION;
    return open ? ANL_NO_CREDIT : ANL_BOUND_ELSEWHERE;
}

// Returns whether the front of a buffer is a head that selects: it is in a lane of a switch at
// which its terminal is not.
static bool is_selecting(const struct oracle *j, uint32_t p)
{
    const struct buffer *buffer = &j->buffer[p];
    if (!anl_is_adaptive(&j->c) || is_source(j, p) || is_ejection(j, p)) return false;
    return buffer->front->index == 0 && !is_ejection(j, buffer->want.lanes[0]);
}

// Writes the wanted lanes in the form of the record: a link, and a set counted from its lane 0; of
// a head that selects also all ports with their lanes.
static void write_want(const struct oracle *j, const struct want *want, bool selects,
                       struct anl_buffer *is)
{
    if (want->count == 0) return;
    is->wants = want->lanes[0] / j->c.num_vcs;
    for (uint32_t i = 0; i < want->count; i++) {
        const uint32_t bit = want->lanes[i] - is->wants * j->c.num_vcs;
        if (!selects || bit < j->c.num_vcs) is->wants_vcs |= 1U << bit;
        if (!selects) continue;
        const uint32_t port = want->lanes[i] / j->c.num_vcs % j->ports;
        is->options.ports |= 1U << port;
        is->options.vcs[port] |= (uint8_t)(1U << want->lanes[i] % j->c.num_vcs);
    }
}

static void look(struct oracle *j, uint32_t p)
{
    struct buffer *buffer = &j->buffer[p];
    const struct flit *front = buffer->front;
    struct anl_buffer *is = &buffer->is;
    is->flits = flits_in(j, p);
    is->owner = buffer->owner;
    is->worm = is->wants = is->took = is->next = is->distance = ANL_NOTHING;
    is->index = 0, is->wait = ANL_MOVING, is->wants_vcs = 0;
    is->options = (struct anl_route){0};
    if (buffer->front != buffer->was_front) is->since = front ? j->cycle : 0;
    buffer->was_front = buffer->front;
    if (!front) return;
    buffer->want = wanted(j, p, front);
    is->worm = front->worm;
    is->index = (uint16_t)front->index;
    write_want(j, &buffer->want, is_selecting(j, p), is);
    if (front->moves) is->took = front->to - is->wants * j->c.num_vcs;
    if (!front->moves && !is_ejection(j, p) && !is_in_first_stage(j, front)) is->wait = cause(j, p);
}

// ---------------------------------------------------------------- waits for

// Returns the nearest buffer upstream of a lane that holds flits of its owner.
static uint32_t upstream(const struct oracle *j, uint32_t lane)
{
    const uint32_t owner = j->buffer[lane].owner;
    uint32_t p = j->buffer[lane].feed;
    while (flits_of(j, p, owner) == 0) {
        assert_true(!is_source(j, p) && j->buffer[p].owner == owner);
        p = j->buffer[p].feed;
    }
    return p;
}

// Returns the buffer whose flit entered the lowest lane that a head could have taken, or
// ANL_NOTHING.
static uint32_t taker(const struct oracle *j, const struct buffer *buffer)
{
    for (uint32_t i = 0; buffer->front->index == 0 && i < buffer->want.count; i++) {
        const uint32_t lane = buffer->want.lanes[i];
        const bool could = is_open(j, lane, buffer->front) &&
                           credits_now(j, lane, buffer->front) >= need(j, lane, buffer->front);
        if (could && j->crossed[lane] != ANL_NOTHING) return j->crossed[lane];
    }
    return ANL_NOTHING;
}

// Returns the buffer whose flit crossed a wanted link, the lower link of two, or ANL_NOTHING.
static uint32_t crosser(const struct oracle *j, const struct buffer *buffer)
{
    for (uint32_t i = 0; i < buffer->want.count; i++) {
        const uint32_t crossed = j->crossed[line_of(j, buffer->want.lanes[i])];
        if (crossed != ANL_NOTHING) return crossed;
    }
    return ANL_NOTHING;
}

static uint32_t winner(const struct oracle *j, uint32_t p)
{
    const struct buffer *buffer = &j->buffer[p];
    if (is_wide(j)) return taker(j, buffer);
    if (crosser(j, buffer) != ANL_NOTHING) return crosser(j, buffer);
    const uint32_t first = buffer->is.link * j->c.num_vcs;  // first lane of the same input port
    for (uint32_t q = first; !is_source(j, p) && q < first + j->c.num_vcs; q++)
        if (j->buffer[q].front && j->buffer[q].front->moves) return q;
    for (uint32_t q = first; !is_source(j, p) && q < first + j->c.num_vcs; q++)
        if (j->buffer[q].is.wait == ANL_LOST_ARBITRATION &&
            crosser(j, &j->buffer[q]) != ANL_NOTHING)
            return q;
    return ANL_NOTHING;
}

// Returns whether the worm at the front of a lane has its tail there.
static bool has_tail(const struct oracle *j, uint32_t p)
{
    const uint32_t worm = j->buffer[p].front->worm;
    return j->worm[worm].flits[length_of(j, worm) - 1].buffer == p;
}

static void find_waits(struct oracle *j, uint32_t p)
{
    struct buffer *buffer = &j->buffer[p];
    buffer->num_waits_for = 0;
    switch (buffer->is.wait) {
    case ANL_NOT_YET:
        if (!is_source(j, p) && has_tail(j, p)) return;
        buffer->waits_for[buffer->num_waits_for++] =
            is_source(j, p)
                ? j->worm[earlier_head(j, p, buffer->front->worm, stays)].flits[0].buffer
                : upstream(j, p);
        return;
    case ANL_LOST_ARBITRATION:
        buffer->waits_for[0] = winner(j, p);
        buffer->num_waits_for = buffer->waits_for[0] != ANL_NOTHING;
        return;
    case ANL_NO_CREDIT:
    case ANL_BOUND_ELSEWHERE:
        for (uint32_t i = 0; i < buffer->want.count; i++) {
            const uint32_t lane = buffer->want.lanes[i];
            const bool open = is_open(j, lane, buffer->front);
            if (open && credits(j, lane) >= need(j, lane, buffer->front)) continue;
            buffer->waits_for[buffer->num_waits_for++] = open ? lane : upstream(j, lane);
        }
        return;
    default:
        return;
    }
}

static uint32_t least_distance(const struct oracle *j, const struct buffer *buffer)
{
    uint32_t least = ENDLESS;
    for (uint32_t i = 0; i < buffer->num_waits_for; i++) {
        assert_non_null(j->buffer[buffer->waits_for[i]].front);
        const uint32_t distance = j->buffer[buffer->waits_for[i]].is.distance;
        if (distance < least) least = distance;
    }
    return least;
}

// The algorithm of Bellman and Ford: paths get longer by one step until none gets shorter.
static void find_distances(struct oracle *j)
{
    for (uint32_t p = 0; p < j->buffers; p++)
        if (j->buffer[p].front && j->buffer[p].is.wait == ANL_MOVING) j->buffer[p].is.distance = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t p = 0; p < j->buffers; p++) {
            const uint32_t least = least_distance(j, &j->buffer[p]);
            if (least == ENDLESS || least + 1 >= j->buffer[p].is.distance) continue;
            j->buffer[p].is.distance = least + 1;
            changed = true;
        }
    }
}

static void find_next(struct oracle *j, uint32_t p)
{
    struct buffer *buffer = &j->buffer[p];
    const uint32_t least = least_distance(j, buffer);
    for (uint32_t i = buffer->num_waits_for; i-- > 0;)
        if (j->buffer[buffer->waits_for[i]].is.distance == least)
            buffer->is.next = buffer->waits_for[i];
}

// Returns the worm at the end of the chain of a buffer, or ANL_NOTHING if nothing moves there.
static uint32_t root_blocker(const struct oracle *j, uint32_t p)
{
    for (uint32_t steps = 0; steps <= j->buffers && p != ANL_NOTHING; steps++) {
        if (j->buffer[p].is.distance == 0) return j->buffer[p].front->worm;
        p = j->buffer[p].is.next;
    }
    return ANL_NOTHING;
}

// ---------------------------------------------------------------- worms

static const struct flit *leading(const struct oracle *j, const struct worm *w)
{
    const struct flit *flit = w->flits;
    while (flit->buffer == ANL_NOTHING || is_ejection(j, flit->buffer))
        flit++;
    assert_true(flit < w->flits + w->life.worm.length);
    return flit;
}

static enum anl_wait class_of(const struct oracle *j, const struct flit *flit)
{
    if (flit->moves) return ANL_MOVING;
    if (j->buffer[flit->buffer].front == flit) return j->buffer[flit->buffer].is.wait;
    return is_source(j, flit->buffer) ? ANL_QUEUED : ANL_BEHIND;
}

static uint32_t blocker(const struct oracle *j, const struct anl_life *life)
{
    const struct buffer *buffer = &j->buffer[life->buffer];
    if (life->wait == ANL_BEHIND) return buffer->front->worm;
    return buffer->is.next == ANL_NOTHING ? ANL_NOTHING : j->buffer[buffer->is.next].front->worm;
}

static void stay_on(const struct oracle *j, struct worm *w)
{
    struct anl_life *life = &w->life;
    struct anl_stall *stall = &life->stall;
    if (stall->worm == ANL_NOTHING)
        *stall = (struct anl_stall){.worm = life->worm.id,
                                    .buffer = life->buffer,
                                    .begin = j->cycle,
                                    .blocker = blocker(j, life),
                                    .root_blocker = root_blocker(j, life->buffer)};
    stall->end = j->cycle;
    stall->cycles[life->wait]++;
    const bool longer = stall->end - stall->begin > life->longest.end - life->longest.begin;
    if (life->longest.worm == ANL_NOTHING || longer) life->longest = *stall;
    if (life->longest.begin == stall->begin) life->longest = *stall;
}

static void live(struct oracle *j, struct worm *w)
{
    const struct flit *flit = leading(j, w), *tail = &w->flits[w->life.worm.length - 1];
    w->life.buffer = flit->buffer;
    w->life.wait = class_of(j, flit);
    w->life.cycles[w->life.wait]++;
    j->totals.cycles[w->life.wait]++;
    w->ended.worm = ANL_NOTHING;
    if (w->life.wait == ANL_MOVING || w->life.wait == ANL_QUEUED) {
        w->ended = w->life.stall;
        w->life.stall.worm = ANL_NOTHING;
    } else {
        const uint32_t by = root_blocker(j, w->life.buffer);
        stay_on(j, w);
        if (by != ANL_NOTHING) j->delays[w->life.worm.id][by]++, w->delayed++;
    }
    if (tail->moves && is_ejection(j, tail->to)) {
        w->life.delivered = j->cycle;
        j->totals.delivered++;
    }
}

// ---------------------------------------------------------------- a cycle

static void cross(struct oracle *j, const struct anl_flit *is)
{
    struct worm *w = &j->worm[is->worm];
    struct flit *flit = &w->flits[is->index];
    const uint32_t first = first_link(j, flit->buffer);
    const uint32_t last = is_source(j, flit->buffer) ? first : first + j->ports - 1;
    assert_true(is->worm < j->num_worms && is->index < w->life.worm.length);
    assert_ptr_equal(j->buffer[flit->buffer].front, flit);
    assert_false(is_in_first_stage(j, flit));
    flit->moves = true;
    flit->to = is->link * j->c.num_vcs + is->vc;
    j->buffer[flit->to].comes = flit;
    assert_true(is->link >= first && is->link <= last);
    assert_true(j->crossed[line_of(j, flit->to)] == ANL_NOTHING);
    j->crossed[line_of(j, flit->to)] = flit->buffer;
    if (is->index > 0) return;
    assert_false(w->stuck);  // it was dead in the previous cycle
    w->head_moved = j->cycle;
    if (w->life.injected == NEVER) w->life.injected = j->cycle;
    if (++w->life.links > j->totals.dilation) j->totals.dilation = w->life.links;
    if (++j->heads[is->link] > j->totals.congestion) j->totals.congestion = j->heads[is->link];
}

static void count_buffers(struct oracle *j)
{
    for (uint32_t w = 0; w < j->num_worms; w++)
        j->worm[w].buffers =
            is_source(j, j->worm[w].flits[length_of(j, w) - 1].buffer) && !j->worm[w].gone;
    for (uint32_t p = 0; p < j->links * j->c.num_vcs; p++) {
        struct run runs[MAX_RUNS];
        const uint32_t count = runs_of(j, p, runs);
        for (uint32_t i = 0; i < count; i++)
            j->worm[runs[i].worm].buffers++;
    }
}

static void oracle_cycle(struct oracle *j, const struct anl_flit *flits, size_t count)
{
    for (uint32_t p = 0; p < j->buffers; p++)
        j->crossed[p] = ANL_NOTHING, j->buffer[p].comes = NULL;
    for (size_t i = 0; i < count; i++)
        cross(j, &flits[i]);
    for (uint32_t p = 0; p < j->buffers; p++) {
        const struct flit *front = j->buffer[p].front;
        if (front && front->moves && front->index == 0)
            assert_true(earlier_head(j, p, front->worm, stays) == ANL_NOTHING);
    }
    for (uint32_t p = 0; p < j->buffers; p++)
        look(j, p);
    for (uint32_t p = 0; p < j->buffers; p++)
        find_waits(j, p);
    find_distances(j);
    for (uint32_t p = 0; p < j->buffers; p++)
        find_next(j, p);
    for (uint32_t w = 0; w < j->num_worms; w++)
        if (!j->worm[w].gone) live(j, &j->worm[w]);
    oracle_deadlock(j);
    count_buffers(j);
}

static void oracle_advance(struct oracle *j)
{
    static struct flit *moving[MAX_BUFFERS];
    size_t count = 0;
    for (uint32_t p = 0; p < j->buffers; p++) {
        struct flit *front = j->buffer[p].front;
        if (!front || (!front->moves && !is_ejection(j, p))) continue;
        j->buffer[p].front = front->behind;
        j->buffer[p].left = j->cycle;
        front->buffer = ANL_NOTHING;
        if (front->moves) moving[count++] = front, front->buffer = p;
    }
    j->cycle++;
    for (size_t i = 0; i < count; i++) {
        struct flit *flit = moving[i];
        struct buffer *to = &j->buffer[flit->to];
        if (flit->index == 0) to->owner = flit->worm, to->feed = flit->buffer;
        if (flit->index + 1 == length_of(j, flit->worm)) to->owner = ANL_NOTHING;
        flit->moves = false;
        append(j, flit->to, flit);
    }
    for (uint32_t w = 0; w < j->num_worms; w++)
        j->worm[w].gone = j->worm[w].life.delivered != NEVER;
}

#endif
