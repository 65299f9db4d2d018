// SPDX-License-Identifier: Apache-2.0
//
// The oracle's version of "Deadlock" in docs/worms.md. At first all heads are stuck and no flit can
// leave; then the rules are applied to every lane and every head until nothing changes.

#ifndef ANNELID_BLOCKING_ORACLE_DEAD_H
#define ANNELID_BLOCKING_ORACLE_DEAD_H

#include "oracle_buffers.h"

struct run {
    uint32_t worm, flits;
    bool head;  // the run has the head
};

// Returns the runs of a lane, front first; the last one is the owner's, if there is an owner.
static uint32_t runs_of(const struct oracle *j, uint32_t p, struct run *runs)
{
    uint32_t count = 0;
    for (const struct flit *f = j->buffer[p].front; f; f = f->behind) {
        if (count == 0 || runs[count - 1].worm != f->worm)
            runs[count++] = (struct run){.worm = f->worm, .head = f->index == 0};
        runs[count - 1].flits++;
    }
    const uint32_t owner = j->buffer[p].owner;
    if (owner != ANL_NOTHING && (count == 0 || runs[count - 1].worm != owner))
        runs[count++] = (struct run){.worm = owner};
    return count;
}

// Returns the flits of the owner of a lane that have not entered it.
static uint32_t outside(const struct oracle *j, uint32_t lane)
{
    const uint32_t owner = j->buffer[lane].owner;
    uint32_t count = 0;
    for (uint32_t p = lane; !is_source(j, p) && j->buffer[p].owner == owner;) {
        p = j->buffer[p].feed;
        count += flits_of(j, p, owner);
    }
    return count;
}

static uint32_t enter(const struct oracle *j, uint32_t lane)
{
    if (is_ejection(j, lane) || j->buffer[lane].leave == ENDLESS) return ENDLESS;
    return credits(j, lane) + j->buffer[lane].leave;
}

static uint32_t leave(const struct oracle *j, uint32_t lane)
{
    struct run runs[MAX_RUNS];
    const uint32_t count = runs_of(j, lane, runs);
    uint32_t passed = 0;
    for (uint32_t i = 0; i < count; passed += runs[i++].flits) {
        if (runs[i].head) {
            if (j->worm[runs[i].worm].stuck) return passed;
            continue;
        }
        const uint32_t y = bound_lane(j, lane, runs[i].worm);
        if (enter(j, y) < outside(j, y)) return passed + enter(j, y);
    }
    return ENDLESS;
}

static uint32_t flits_before(const struct oracle *j, const struct flit *flit)
{
    uint32_t count = 0;
    for (const struct flit *f = j->buffer[flit->buffer].front; f != flit; f = f->behind)
        count++;
    return count;
}

static bool is_known_stuck(const struct oracle *j, const struct flit *head)
{
    return j->worm[head->worm].stuck;
}

static bool is_stuck(const struct oracle *j, const struct flit *head)
{
    if (earlier_head(j, head->buffer, head->worm, is_known_stuck) != ANL_NOTHING) return true;
    const struct want want = wanted(j, head->buffer, head);
    if (j->buffer[head->buffer].leave < flits_before(j, head)) return true;
    for (uint32_t i = 0; i < want.count; i++) {
        const uint32_t lane = want.lanes[i];
        const uint32_t before = j->buffer[lane].owner == ANL_NOTHING ? 0 : outside(j, lane);
        if (enter(j, lane) >= before + need(j, lane, head)) return false;
    }
    return true;
}

// Returns whether the rule asks if the head can still cross a link: it is neither queued nor at its
// end.
static bool has_head(const struct oracle *j, const struct worm *w)
{
    const struct flit *head = w->flits;
    if (w->gone || head->buffer == ANL_NOTHING || is_ejection(j, head->buffer)) return false;
    return !is_source(j, head->buffer) || j->buffer[head->buffer].front == head;
}

static void find_dead(struct oracle *j)
{
    for (uint32_t p = 0; p < j->buffers; p++)
        j->buffer[p].leave = 0;
    for (uint32_t w = 0; w < j->num_worms; w++) {
        j->worm[w].was_stuck = j->worm[w].stuck;
        j->worm[w].stuck = j->worm[w].has_head = has_head(j, &j->worm[w]);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t p = 0; p < j->links * j->c.num_vcs; p++) {
            if (is_ejection(j, p)) continue;
            const uint32_t was = j->buffer[p].leave;
            j->buffer[p].leave = leave(j, p);
            assert_true(j->buffer[p].leave >= was);
            changed = changed || j->buffer[p].leave > was;
        }
        for (uint32_t w = 0; w < j->num_worms; w++) {
            if (!j->worm[w].stuck || is_stuck(j, j->worm[w].flits)) continue;
            j->worm[w].stuck = false;
            changed = true;
        }
    }
}

// Returns the worm of the first run of a lane that cannot leave whole, or ANL_NOTHING if all can.
static uint32_t first_held(const struct oracle *j, uint32_t lane)
{
    struct run runs[MAX_RUNS];
    const uint32_t count = runs_of(j, lane, runs);
    uint32_t passed = 0;
    for (uint32_t i = 0; i < count; i++) {
        passed += runs[i].flits;
        if (j->buffer[lane].leave < passed) return runs[i].worm;
    }
    return ANL_NOTHING;
}

static uint32_t held_by(const struct oracle *j, uint32_t worm)
{
    if (!j->worm[worm].stuck) return ANL_NOTHING;
    const struct flit *head = j->worm[worm].flits;
    const struct want want = wanted(j, head->buffer, head);
    const uint32_t earlier = earlier_head(j, head->buffer, worm, is_known_stuck);
    if (earlier != ANL_NOTHING) return earlier;
    if (j->buffer[head->buffer].leave < flits_before(j, head)) return first_held(j, head->buffer);
    const uint32_t lane = want.lanes[0], held = first_held(j, lane);
    return held == ANL_NOTHING ? j->buffer[lane].owner : held;
}

// Stores the circle that the lowest dead worm leads to, from the circle's lowest worm on.
static void close_circle(struct oracle *j, uint32_t worm)
{
    for (uint32_t steps = 0; steps < j->num_worms; steps++) {
        worm = held_by(j, worm);
        assert_true(worm != ANL_NOTHING && j->worm[worm].stuck);
    }
    uint32_t lowest = worm;
    for (uint32_t w = held_by(j, worm); w != worm; w = held_by(j, w))
        if (w < lowest) lowest = w;
    worm = lowest;
    do {
        j->circle[j->circle_length++] = worm;
        worm = held_by(j, worm);
    } while (worm != lowest);
}

// A deadlock must close right after the last move of a head that is dead from then on.
static void check_dead(const struct oracle *j, bool first)
{
    bool moved_last = false;
    for (uint32_t w = 0; w < j->num_worms; w++) {
        assert_true(j->worm[w].stuck || !j->worm[w].was_stuck);
        if (j->worm[w].stuck && j->worm[w].head_moved + 1 == j->cycle) moved_last = true;
    }
    assert_true(moved_last || !first);
}

static void oracle_deadlock(struct oracle *j)
{
    find_dead(j);
    uint32_t w = 0;
    while (w < j->num_worms && !j->worm[w].stuck)
        w++;
    const bool first = j->deadlocked == NEVER && w < j->num_worms;
    check_dead(j, first);
    if (!first) return;
    j->deadlocked = j->cycle;
    close_circle(j, w);
}

#endif
