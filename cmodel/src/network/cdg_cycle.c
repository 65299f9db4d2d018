// SPDX-License-Identifier: Apache-2.0
//
// The shortest cycle of a channel-dependency graph. Every cycle lies in one strongly connected
// component. Tarjan's method, without recursion, finds the components; a breadth-first search from
// each lane of a component finds the shortest cycle.

#include "network.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_AFTER = ANL_MAX_PORTS * ANL_MAX_VCS };
#define NONE UINT32_MAX

struct search {
    const struct anl_cdg *cdg;
    uint32_t *number;     // [lanes] the order in which the lanes were met, from 1 on; 0: not yet
    uint32_t *lowest;     // [lanes] lowest number of an open lane that this lane reaches
    uint32_t *component;  // [lanes] a lane that names the component; NONE: not yet known
    uint32_t *path;       // [lanes] stack: the lanes from the first to the present one
    uint32_t *open;       // [lanes] stack: the lanes met whose component is not yet known
    uint32_t *from;       // [lanes] breadth-first search: the lane before; NONE: not reached
    uint32_t *queue;      // [lanes] breadth-first search: the lanes reached, in order
    size_t num_path, num_open;
    uint32_t num_met;
    uint32_t *best;  // [num_best] the shortest cycle so far
    size_t num_best;
};

// --- components ---

static void meet(struct search *search, uint32_t lane)
{
    search->number[lane] = search->lowest[lane] = ++search->num_met;
    search->open[search->num_open++] = lane;
    search->path[search->num_path++] = lane;
}

static void lower(uint32_t *lowest, uint32_t to)
{
    if (to < *lowest) *lowest = to;
}

// Returns a successor of the lane that was not yet met, or NONE. Lowers lowest[lane] to that of
// each successor that was met and is open.
static uint32_t next_to_meet(struct search *search, uint32_t lane)
{
    uint32_t after[MOST_AFTER];
    const size_t count = anl_cdg_after(search->cdg, lane, after);
    for (size_t i = 0; i < count; i++) {
        if (!search->number[after[i]]) return after[i];
        if (search->component[after[i]] == NONE)
            lower(&search->lowest[lane], search->lowest[after[i]]);
    }
    return NONE;
}

// Takes the lane off the path: all lanes that it reaches were met. If it is the first lane of its
// component, the component is complete and gets its name.
static void leave(struct search *search, uint32_t lane)
{
    search->num_path--;
    if (search->lowest[lane] < search->number[lane]) return;
    uint32_t member;
    do {
        member = search->open[--search->num_open];
        search->component[member] = lane;
    } while (member != lane);
}

static void find_components(struct search *search)
{
    for (uint32_t first = 0; first < search->cdg->lanes; first++) {
        if (search->number[first]) continue;
        meet(search, first);
        while (search->num_path > 0) {
            const uint32_t lane = search->path[search->num_path - 1];
            const uint32_t next = next_to_meet(search, lane);
            if (next != NONE)
                meet(search, next);
            else
                leave(search, lane);
        }
    }
}

// --- cycles ---

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

// Undoes the marks of a breadth-first search, so that the next one can begin.
static void forget(struct search *search, size_t count)
{
    for (size_t i = 0; i < count; i++)
        search->from[search->queue[i]] = NONE;
}

// Keeps the shortest cycle through the lane `first`, if there is one and it is shorter than the
// best.
static void search_from(struct search *search, uint32_t first)
{
    size_t count = 1;
    search->queue[0] = search->from[first] = first;
    for (size_t i = 0; i < count; i++) {
        const uint32_t lane = search->queue[i];
        uint32_t after[MOST_AFTER];
        const size_t num_after = anl_cdg_after(search->cdg, lane, after);
        for (size_t j = 0; j < num_after; j++) {
            if (after[j] == first) {
                keep(search, first, lane);
                forget(search, count);
                return;
            }
            if (search->component[after[j]] != search->component[first]) continue;
            if (search->from[after[j]] != NONE) continue;
            search->from[after[j]] = lane;
            search->queue[count++] = after[j];
        }
    }
    forget(search, count);
}

// --- the search as a whole ---

static uint32_t *numbers(uint32_t lanes, int value)
{
    uint32_t *made = malloc(lanes * sizeof *made);
    if (made) memset(made, value, lanes * sizeof *made);
    return made;
}

static bool search_begin(struct search *search)
{
    const uint32_t lanes = search->cdg->lanes;
    search->number = numbers(lanes, 0);
    search->lowest = numbers(lanes, 0);
    search->component = numbers(lanes, 0xff);
    search->path = numbers(lanes, 0);
    search->open = numbers(lanes, 0);
    search->from = numbers(lanes, 0xff);
    search->queue = numbers(lanes, 0);
    search->best = numbers(lanes, 0);
    return search->number && search->lowest && search->component && search->path && search->open &&
           search->from && search->queue && search->best;
}

static void search_end(struct search *search)
{
    free(search->number);
    free(search->lowest);
    free(search->component);
    free(search->path);
    free(search->open);
    free(search->from);
    free(search->queue);
    free(search->best);
}

// Returns true if the lane has a successor in its own component: another lane, or itself.
static bool is_on_cycle(const struct search *search, uint32_t lane)
{
    uint32_t after[MOST_AFTER];
    const size_t count = anl_cdg_after(search->cdg, lane, after);
    for (size_t i = 0; i < count; i++)
        if (search->component[after[i]] == search->component[lane]) return true;
    return false;
}

enum anl_status anl_cdg_is_acyclic(const struct anl_cdg *cdg, bool *acyclic)
{
    struct search search = {.cdg = cdg};
    const bool good = search_begin(&search);
    *acyclic = good;
    if (good) find_components(&search);
    for (uint32_t lane = 0; *acyclic && lane < cdg->lanes; lane++)
        *acyclic = !is_on_cycle(&search, lane);
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
        find_components(&search);
        for (uint32_t lane = 0; lane < cdg->lanes; lane++)
            search_from(&search, lane);
        *lanes = search.best;
        *count = search.num_best;
        search.best = NULL;
    }
    search_end(&search);
    return good ? ANL_OK : ANL_ERR_MEMORY;
}
