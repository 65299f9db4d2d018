// SPDX-License-Identifier: Apache-2.0
//
// From a worm along what the places wait for to a front that moves, or back to where it was before.

#include "draw.h"

#include <stdlib.h>

size_t draw_chain_find(const struct draw_chain *chain, uint32_t worm)
{
    for (size_t i = 0; i < chain->count; i++)
        if (chain->links[i].worm == worm) return i;
    return SIZE_MAX;
}

void draw_chain_free(struct draw_chain *chain)
{
    free(chain->links);
    *chain = (struct draw_chain){.back_to = SIZE_MAX};
}

// The last place of a worm counts: there its front waits for another one.
static void add(struct draw_chain *chain, uint32_t worm, uint32_t place, uint32_t next)
{
    const bool again = chain->count > 0 && chain->links[chain->count - 1].worm == worm;
    if (!again) chain->count++;
    chain->links[chain->count - 1] = (struct draw_link){worm, place, next};
}

// visited: one byte for every place, all 0.
static void follow(const struct anl_story *story, uint32_t worm, uint32_t place,
                   struct draw_chain *chain, uint8_t *visited)
{
    if (anl_story_place(story, place).worm != worm) add(chain, worm, place, place);
    while (place != ANL_NOTHING && !visited[place]) {
        const struct anl_place here = anl_story_place(story, place);
        if (here.worm == ANL_NOTHING) return;
        add(chain, here.worm, place, here.next);
        visited[place] = 1;
        place = here.next;
    }
    if (place != ANL_NOTHING)
        chain->back_to = draw_chain_find(chain, anl_story_place(story, place).worm);
}

// Where holder is met by the one that it holds: the place waited for if holder has flits there.
static uint32_t met_at(const struct anl_story *story, uint32_t place, uint32_t holder)
{
    struct anl_run_of_flits runs[ANL_MAX_DEPTH];
    const uint32_t next = anl_story_place(story, place).next;
    const size_t count = next == ANL_NOTHING ? 0 : anl_story_runs(story, next, runs, ANL_MAX_DEPTH);
    for (size_t i = 0; i < count; i++)
        if (runs[i].worm == holder) return next;
    struct anl_life life;
    return anl_story_life(story, holder, &life) ? life.place : ANL_NOTHING;
}

static void go_round(const struct anl_story *story, const uint32_t *circle, size_t count,
                     struct draw_chain *chain)
{
    for (size_t i = 0; i < count; i++) {
        struct anl_life life;
        if (!anl_story_life(story, circle[i], &life)) continue;
        add(chain, circle[i], life.place, met_at(story, life.place, circle[(i + 1) % count]));
    }
    chain->back_to = 0;
}

static void find(const struct anl_story *story, uint32_t worm, struct draw_chain *chain,
                 uint8_t *visited)
{
    size_t count;
    const uint32_t *circle = anl_story_circle(story, &count);
    struct anl_life life;
    if (worm == ANL_NOTHING)
        go_round(story, circle, count, chain);
    else if (anl_story_life(story, worm, &life))
        follow(story, worm, life.place, chain, visited);
    chain->deadlock = count > 0 && chain->back_to != SIZE_MAX;
    for (size_t i = chain->back_to; chain->deadlock && i < chain->count; i++) {
        bool found = false;
        for (size_t j = 0; j < count; j++)
            found |= circle[j] == chain->links[i].worm;
        chain->deadlock = found;
    }
}

enum anl_status draw_chain_of(const struct anl_story *story, uint32_t worm,
                              struct draw_chain *chain)
{
    const uint32_t places = anl_story_places(story);
    size_t circle;
    anl_story_circle(story, &circle);
    *chain = (struct draw_chain){.back_to = SIZE_MAX};
    chain->links = calloc(places + circle + 1, sizeof *chain->links);
    uint8_t *visited = calloc(places, 1);
    const bool enough = chain->links && visited;
    if (enough) find(story, worm, chain, visited);
    free(visited);
    if (!enough) draw_chain_free(chain);
    return enough ? ANL_OK : ANL_ERR_MEMORY;
}
