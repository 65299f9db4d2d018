// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom: the chain from a place, and the deadlock.

#include "worms.h"

#include <stdlib.h>

// --- chains ---

enum anl_status chain_follow(struct chain *chain, const struct anl_story *story, uint32_t place)
{
    const uint32_t places = anl_story_places(story);
    uint32_t *order = calloc(places, sizeof *order);  // in the chain: 1 + index
    chain->places = malloc(places * sizeof *chain->places);
    chain->back = SIZE_MAX;
    if (!order || !chain->places) {
        free(order);
        return ANL_ERR_MEMORY;
    }
    while (place != ANL_NOTHING && !order[place]) {
        chain->places[chain->count++] = place;
        order[place] = (uint32_t)chain->count;
        place = anl_story_place(story, place).next;
    }
    if (place != ANL_NOTHING) chain->back = order[place] - 1;
    free(order);
    return ANL_OK;
}

// --- deadlock ---

static uint16_t flits_of(const struct anl_story *story, uint32_t place, uint32_t worm)
{
    struct anl_run_of_flits runs[ANL_MAX_DEPTH];
    const size_t count = anl_story_runs(story, place, runs, ANL_MAX_DEPTH);
    for (size_t i = 0; i < count; i++)
        if (runs[i].worm == worm) return runs[i].flits;
    return 0;
}

static enum anl_status note_holds(struct captive *captive, const struct anl_story *story)
{
    const uint32_t worm = captive->worm.id;
    captive->num_holds = anl_story_body(story, worm, NULL, 0);
    captive->holds = calloc(captive->num_holds + 1, sizeof *captive->holds);
    captive->flits = calloc(captive->num_holds + 1, sizeof *captive->flits);
    if (!captive->holds || !captive->flits) return ANL_ERR_MEMORY;
    anl_story_body(story, worm, captive->holds, captive->num_holds);
    for (size_t i = 0; i < captive->num_holds; i++)
        captive->flits[i] = flits_of(story, captive->holds[i], worm);
    return ANL_OK;
}

static enum anl_status note_captive(struct captive *captive, const struct anl_story *story,
                                    uint32_t worm)
{
    struct anl_life life;
    if (anl_story_life(story, worm, &life)) {
        captive->worm = life.worm;
        captive->head_place = life.place;
        captive->head = anl_story_place(story, life.place);
    }
    captive->held_by = anl_story_held_by(story, worm);
    return note_holds(captive, story);
}

enum anl_status deadlock_note(struct deadlock *deadlock, const struct anl_story *story)
{
    size_t count;
    const uint32_t *worms = anl_story_circle(story, &count);
    deadlock->cycle = anl_story_deadlocked(story);
    deadlock->circle = calloc(count + 1, sizeof *deadlock->circle);
    if (!deadlock->circle) return ANL_ERR_MEMORY;
    deadlock->count = count;
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = note_captive(&deadlock->circle[i], story, worms[i]);
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
