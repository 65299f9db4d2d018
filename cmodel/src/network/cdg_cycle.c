// SPDX-License-Identifier: Apache-2.0
//
// The shortest cycle of a channel-dependency graph. Lanes on which no other depends are taken away,
// one after the other (Kahn's method): if none is left, there is no cycle. Otherwise a
// breadth-first search from a lane finds the shortest cycle through it. Then this lane is taken
// away too, and so on until none is left.

#include "network.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct search {
    const struct anl_cdg *cdg;
    uint32_t *before;  // [lanes] how many of the lanes that are left lead to this one; NONE: it is
                       // taken away
    uint32_t *from;    // [lanes] breadth-first search: the lane before; NONE: not reached
    uint32_t *queue;   // [lanes] lanes taken away, or reached, in order
    uint32_t *after;   // the lanes on which one depends
    uint32_t *best;    // [num_best] the shortest cycle so far
    size_t num_best;
    uint32_t num_left;
};

// Takes a lane away, and all lanes to which no other leads any more.
static void take_away(struct search *search, uint32_t first)
{
    uint32_t *const after = search->after;
    size_t count = 1;
    search->queue[0] = first;
    search->before[first] = NONE;
    for (size_t at = 0; at < count; at++)
        for (size_t i = anl_cdg_after(search->cdg, search->queue[at], after); i-- > 0;) {
            uint32_t *const before = &search->before[after[i]];
            if (*before == NONE || --*before > 0) continue;
            *before = NONE;
            search->queue[count++] = after[i];
        }
    search->num_left -= (uint32_t)count;
}

static void keep(struct search *search, uint32_t first, uint32_t last)
{
    size_t count = 1;
    for (uint32_t lane = last; lane != first; lane = search->from[lane])
        count++;
    if (search->num_best && count >= search->num_best) return;
    search->num_best = count;
    for (uint32_t lane = last; count-- > 0; lane = search->from[lane])
        search->best[count] = lane;
}

// Keeps the shortest cycle through the lane `first`, if there is one and it is shorter than the
// best.
static void search_from(struct search *search, uint32_t first)
{
    size_t count = 1;
    bool found = false;
    search->queue[0] = search->from[first] = first;
    for (size_t i = 0; i < count && !found; i++) {
        const uint32_t lane = search->queue[i];
        const uint32_t *const after = search->after;
        const size_t num_after = anl_cdg_after(search->cdg, lane, search->after);
        for (size_t j = 0; j < num_after && !found; j++) {
            found = after[j] == first;
            if (found) keep(search, first, lane);
            if (search->before[after[j]] == NONE || search->from[after[j]] != NONE) continue;
            search->from[after[j]] = lane;
            search->queue[count++] = after[j];
        }
    }
    for (size_t i = 0; i < count; i++)
        search->from[search->queue[i]] = NONE;
}

// --- the search as a whole ---

// Takes away the lanes that lie on no cycle and behind none.
static bool search_begin(struct search *search)
{
    const size_t lanes = search->cdg->lanes;
    search->before = calloc(lanes, sizeof *search->before);
    search->from = malloc(lanes * sizeof *search->from);
    search->queue = malloc(lanes * sizeof *search->queue);
    search->best = malloc(lanes * sizeof *search->best);
    search->after = malloc(anl_cdg_most_after(search->cdg) * sizeof *search->after);
    if (!search->before || !search->from || !search->queue || !search->best || !search->after)
        return false;
    memset(search->from, 0xff, lanes * sizeof *search->from);
    search->num_left = search->cdg->lanes;
    for (uint32_t lane = 0; lane < lanes; lane++)
        for (size_t i = anl_cdg_after(search->cdg, lane, search->after); i-- > 0;)
            search->before[search->after[i]]++;
    for (uint32_t lane = 0; lane < lanes; lane++)
        if (search->before[lane] == 0) take_away(search, lane);
    return true;
}

static void search_end(struct search *search)
{
    free(search->before);
    free(search->from);
    free(search->queue);
    free(search->best);
    free(search->after);
}

enum anl_status anl_cdg_is_acyclic(const struct anl_cdg *cdg, bool *acyclic)
{
    struct search search = {.cdg = cdg};
    const bool good = search_begin(&search);
    *acyclic = good && search.num_left == 0;
    search_end(&search);
    return good ? ANL_OK : ANL_ERR_MEMORY;
}

enum anl_status anl_cdg_cycle(const struct anl_cdg *cdg, uint32_t **lanes, size_t *count)
{
    struct search search = {.cdg = cdg};
    const bool good = search_begin(&search);
    *lanes = NULL;
    *count = 0;
    if (good) {
        for (uint32_t lane = 0; lane < cdg->lanes; lane++) {
            if (search.before[lane] == NONE) continue;
            search_from(&search, lane);
            take_away(&search, lane);
        }
        *lanes = search.best;
        *count = search.num_best;
        search.best = NULL;
    }
    search_end(&search);
    return good ? ANL_OK : ANL_ERR_MEMORY;
}

// --- circles of links ---

// Makes the links of a graph, each with one lane, depend on each other as their lanes do.
static void join_lanes(const struct anl_cdg *cdg, struct anl_cdg *links)
{
    const uint32_t ports = cdg->shape.ports;
    for (uint32_t link = 0; link < cdg->shape.links; link++) {
        if (cdg->end[link] != UINT32_MAX) anl_cdg_set_end(links, link, cdg->end[link]);
        for (uint32_t vc = 0; vc < cdg->num_vcs; vc++)
            for (uint32_t port = 0; port < ports; port++)
                if (cdg->after[(size_t)(link * cdg->num_vcs + vc) * ports + port])
                    anl_cdg_add(links, link, port, 1);
    }
}

enum anl_status anl_cdg_circle(const struct anl_config *config, uint32_t **links, size_t *count)
{
    struct anl_config one = *config;
    struct anl_cdg *cdg, *joined;
    *links = NULL;
    one.num_vcs = 1;
    enum anl_status status = anl_cdg_of(config, &cdg);
    if (status) return status;
    status = anl_cdg_create(&one, &joined);
    if (!status) {
        join_lanes(cdg, joined);
        status = anl_cdg_cycle(joined, links, count);
    }
    anl_cdg_destroy(cdg);
    anl_cdg_destroy(joined);
    return status;
}
