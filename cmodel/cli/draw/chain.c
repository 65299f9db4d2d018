// SPDX-License-Identifier: Apache-2.0
//
// Follows a delay chain from a worm to the root blocker, or round the circle of a deadlock.

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

// Adds a link to the chain. Of several buffers of one worm the last one counts, for there its front
// flit waits for another worm.
static void add(struct draw_chain *chain, uint32_t worm, uint32_t buffer, uint32_t next)
{
    const bool again = chain->count > 0 && chain->links[chain->count - 1].worm == worm;
    if (!again) chain->count++;
    chain->links[chain->count - 1] = (struct draw_link){worm, buffer, next};
}

// Follows the chain from a buffer of worm. visited has a byte for every buffer, all 0.
static void follow(const struct anl_blocking *blocking, uint32_t worm, uint32_t buffer,
                   struct draw_chain *chain, uint8_t *visited)
{
    if (anl_blocking_buffer(blocking, buffer).worm != worm) add(chain, worm, buffer, buffer);
    while (buffer != ANL_NOTHING && !visited[buffer]) {
        const struct anl_buffer here = anl_blocking_buffer(blocking, buffer);
        if (here.worm == ANL_NOTHING) return;
        add(chain, here.worm, buffer, here.next);
        visited[buffer] = 1;
        buffer = here.next;
    }
    if (buffer != ANL_NOTHING)
        chain->back_to = draw_chain_find(chain, anl_blocking_buffer(blocking, buffer).worm);
}

// The front flit of buffer waits for worm holder. Returns the buffer where it meets holder: the one
// that it waits for, if holder has flits there, else that of holder's leading flit.
static uint32_t met_at(const struct anl_blocking *blocking, uint32_t buffer, uint32_t holder)
{
    struct anl_flit_run runs[ANL_MAX_DEPTH];
    const uint32_t next = anl_blocking_buffer(blocking, buffer).next;
    const size_t count =
        next == ANL_NOTHING ? 0 : anl_blocking_runs(blocking, next, runs, ANL_MAX_DEPTH);
    for (size_t i = 0; i < count; i++)
        if (runs[i].worm == holder) return next;
    struct anl_life life;
    return anl_blocking_life(blocking, holder, &life) ? life.buffer : ANL_NOTHING;
}

// Returns the lane of a terminal that its sink shows and refuses to a class of messages;
// ANL_NOTHING: none.
static uint32_t refused_lane(const struct anl_blocking *blocking, uint32_t terminal,
                             uint32_t class_)
{
    const struct anl_config *config = anl_blocking_config(blocking);
    const uint32_t lanes = config->num_vcs / anl_num_classes(config);
    const uint32_t first = anl_ejection_link(config, terminal) * config->num_vcs + class_ * lanes;
    for (uint32_t lane = first; lane < first + lanes; lane++) {
        const struct anl_buffer at = anl_blocking_buffer(blocking, lane);
        if (at.worm == ANL_NOTHING || at.wait != ANL_REFUSED || at.next == ANL_NOTHING) continue;
        if (anl_blocking_buffer(blocking, at.next).link == ANL_NOTHING) return lane;
    }
    return ANL_NOTHING;
}

// Adds a worm of the deadlock, which waits for `holder`; and the flit that stands between them, if
// a terminal refuses it.
static void add_held(const struct anl_blocking *blocking, const struct anl_life *life,
                     uint32_t holder, uint32_t terminal, struct draw_chain *chain)
{
    const uint32_t lane =
        terminal == ANL_NOTHING ? ANL_NOTHING : refused_lane(blocking, terminal, life->worm.class_);
    if (lane == ANL_NOTHING) {
        add(chain, life->worm.id, life->buffer, met_at(blocking, life->buffer, holder));
        return;
    }
    const struct anl_buffer at = anl_blocking_buffer(blocking, lane);
    add(chain, life->worm.id, life->buffer, lane);
    add(chain, at.worm, lane, at.next);
}

static void go_round(const struct anl_blocking *blocking, const uint32_t *circle, size_t count,
                     struct draw_chain *chain)
{
    const uint32_t *terminals = anl_blocking_circle_terminals(blocking);
    for (size_t i = 0; i < count; i++) {
        struct anl_life life;
        if (!anl_blocking_life(blocking, circle[i], &life)) continue;
        add_held(blocking, &life, circle[(i + 1) % count], terminals[i], chain);
    }
    chain->back_to = 0;
}

// Returns whether the chain comes back to itself by all worms of the deadlock.
static bool is_deadlock(const struct draw_chain *chain, const uint32_t *circle, size_t count)
{
    if (count == 0 || chain->back_to == SIZE_MAX) return false;
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        for (size_t j = chain->back_to; j < chain->count; j++)
            found |= chain->links[j].worm == circle[i];
        if (!found) return false;
    }
    return true;
}

static void list_lost(const struct anl_blocking *blocking, struct draw_chain *chain)
{
    for (uint32_t i = 0; i < anl_blocking_num_buffers(blocking); i++) {
        const struct anl_buffer buffer = anl_blocking_buffer(blocking, i);
        if (buffer.worm == ANL_NOTHING || buffer.wait != ANL_LOST) continue;
        chain->links[chain->count++] = (struct draw_link){buffer.worm, i, ANL_NOTHING};
        chain->fault = true;
    }
}

static void find(const struct anl_blocking *blocking, uint32_t worm, struct draw_chain *chain,
                 uint8_t *visited)
{
    size_t count;
    const uint32_t *circle = anl_blocking_circle(blocking, &count);
    struct anl_life life;
    if (worm == ANL_NOTHING)
        count > 0 ? go_round(blocking, circle, count, chain) : list_lost(blocking, chain);
    else if (anl_blocking_life(blocking, worm, &life))
        follow(blocking, worm, life.buffer, chain, visited);
    chain->deadlock = is_deadlock(chain, circle, count);
}

enum anl_status draw_chain_of(const struct anl_blocking *blocking, uint32_t worm,
                              struct draw_chain *chain)
{
    const uint32_t buffers = anl_blocking_num_buffers(blocking);
    size_t circle;
    anl_blocking_circle(blocking, &circle);
    *chain = (struct draw_chain){.back_to = SIZE_MAX};
    chain->links = calloc(buffers + 2 * circle + 1, sizeof *chain->links);
    uint8_t *visited = calloc(buffers, 1);
    const bool enough = chain->links && visited;
    if (enough) find(blocking, worm, chain, visited);
    free(visited);
    if (!enough) draw_chain_free(chain);
    return enough ? ANL_OK : ANL_ERR_MEMORY;
}
