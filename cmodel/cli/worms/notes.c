// SPDX-License-Identifier: Apache-2.0
//
// Collects parts of the findings: the delay chain, the deadlock, the history of the worm that was
// asked for.

#include "worms.h"

#include <stdlib.h>

// --- chains ---

enum anl_status chain_follow(struct chain *chain, const struct anl_blocking *blocking,
                             uint32_t buffer)
{
    const uint32_t buffers = anl_blocking_num_buffers(blocking);
    uint32_t *order =
        calloc(buffers, sizeof *order);  // [buffers] 1 + index in the chain; 0: not on it
    chain->buffers = malloc(buffers * sizeof *chain->buffers);
    chain->back = SIZE_MAX;
    if (!order || !chain->buffers) {
        free(order);
        return ANL_ERR_MEMORY;
    }
    while (buffer != ANL_NOTHING && !order[buffer]) {
        chain->buffers[chain->count++] = buffer;
        order[buffer] = (uint32_t)chain->count;
        buffer = anl_blocking_buffer(blocking, buffer).next;
    }
    if (buffer != ANL_NOTHING) chain->back = order[buffer] - 1;
    free(order);
    return ANL_OK;
}

// --- deadlock ---

static uint16_t flits_of(const struct anl_blocking *blocking, uint32_t buffer, uint32_t worm)
{
    struct anl_flit_run runs[ANL_MAX_DEPTH];
    const size_t count = anl_blocking_runs(blocking, buffer, runs, ANL_MAX_DEPTH);
    for (size_t i = 0; i < count; i++)
        if (runs[i].worm == worm) return runs[i].flits;
    return 0;
}

static enum anl_status note_holds(struct deadlocked_worm *deadlocked_worm,
                                  const struct anl_blocking *blocking)
{
    const uint32_t worm = deadlocked_worm->worm.id;
    deadlocked_worm->num_holds = anl_blocking_body(blocking, worm, NULL, 0);
    deadlocked_worm->holds = calloc(deadlocked_worm->num_holds + 1, sizeof *deadlocked_worm->holds);
    deadlocked_worm->flits = calloc(deadlocked_worm->num_holds + 1, sizeof *deadlocked_worm->flits);
    if (!deadlocked_worm->holds || !deadlocked_worm->flits) return ANL_ERR_MEMORY;
    anl_blocking_body(blocking, worm, deadlocked_worm->holds, deadlocked_worm->num_holds);
    for (size_t i = 0; i < deadlocked_worm->num_holds; i++)
        deadlocked_worm->flits[i] = flits_of(blocking, deadlocked_worm->holds[i], worm);
    return ANL_OK;
}

static enum anl_status note_worm(struct deadlocked_worm *deadlocked_worm,
                                 const struct anl_blocking *blocking, uint32_t worm)
{
    struct anl_life life;
    if (anl_blocking_life(blocking, worm, &life)) {
        deadlocked_worm->worm = life.worm;
        deadlocked_worm->head_buffer = life.buffer;
        deadlocked_worm->head = anl_blocking_buffer(blocking, life.buffer);
    }
    deadlocked_worm->held_by = anl_blocking_held_by(blocking, worm);
    return note_holds(deadlocked_worm, blocking);
}

enum anl_status deadlock_note(struct deadlock *deadlock, const struct anl_blocking *blocking)
{
    size_t count;
    const uint32_t *worms = anl_blocking_circle(blocking, &count);
    deadlock->cycle = anl_blocking_deadlocked(blocking);
    deadlock->circle = calloc(count + 1, sizeof *deadlock->circle);
    if (!deadlock->circle) return ANL_ERR_MEMORY;
    deadlock->count = count;
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = note_worm(&deadlock->circle[i], blocking, worms[i]);
    return status;
}

void deadlock_free(struct deadlock *deadlock)
{
    for (size_t i = 0; i < deadlock->count; i++) {
        free(deadlock->circle[i].holds);
        free(deadlock->circle[i].flits);
    }
    free(deadlock->circle);
    free(deadlock->dead);
    *deadlock = (struct deadlock){.cycle = UINT64_MAX};
}

// --- the life of a worm ---

static enum anl_status head_crosses(struct worm_history *worm, uint64_t cycle,
                                    const struct anl_flit *flit)
{
    struct crossing *path = gather_room(worm->path, worm->num_path, &worm->size_path, sizeof *path);
    if (!path) return ANL_ERR_MEMORY;
    worm->path = path;
    path[worm->num_path++] =
        (struct crossing){.link = flit->link, .vc = flit->vc, .head = cycle, .tail = UINT64_MAX};
    return ANL_OK;
}

static void tail_crosses(struct worm_history *worm, uint64_t cycle, const struct anl_flit *flit)
{
    for (size_t i = 0; i < worm->num_path; i++)
        if (worm->path[i].link == flit->link) worm->path[i].tail = cycle;
}

enum anl_status worm_history_flits(struct worm_history *worm, uint32_t id, uint64_t cycle,
                                   const struct anl_flit *flits, size_t count)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        if (flits[i].worm != id) continue;
        if (flits[i].head) status = head_crosses(worm, cycle, &flits[i]);
        if (!status && flits[i].tail) tail_crosses(worm, cycle, &flits[i]);
    }
    return status;
}

enum anl_status worm_history_stall(struct worm_history *worm, const struct anl_stall *stall)
{
    struct anl_stall *stalls =
        gather_room(worm->stalls, worm->num_stalls, &worm->size_stalls, sizeof *stalls);
    if (!stalls) return ANL_ERR_MEMORY;
    worm->stalls = stalls;
    stalls[worm->num_stalls++] = *stall;
    return ANL_OK;
}

enum anl_status worm_history_life(struct worm_history *worm, const struct anl_life *life)
{
    free(worm->delays);
    worm->delays = sorted_delays(life);
    if (!worm->delays) return ANL_ERR_MEMORY;
    worm->life = *life;
    worm->life.delays = worm->delays;
    worm->born = true;
    return ANL_OK;
}

void worm_history_free(struct worm_history *worm)
{
    free(worm->delays);
    free(worm->path);
    free(worm->stalls);
    *worm = (struct worm_history){0};
}
