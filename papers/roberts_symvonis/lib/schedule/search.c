// SPDX-License-Identifier: Apache-2.0
//
// The search for an order with a short schedule. A worm that starts late was kept from starting
// earlier by another worm, its blocker, and that one perhaps by a third: a chain of delays, from a
// worm that ends last back to one that starts at 1. A try takes one worm of such a chain and puts
// it before its blocker, or moves any worm. The new order is kept if its schedule is not worse, so
// that the search can walk through schedules that are equally good.

#include "schedule.h"

#include <stdlib.h>
#include <string.h>

struct search {
    const struct anl_permutation *permutation;
    uint32_t k, nodes, count;
    struct anl_scheduler *scheduler;
    uint32_t *starts;  // of the last run
    // Of the order that is kept:
    uint32_t *order;     // [count]
    uint32_t *blockers;  // [nodes]
    uint32_t *late;      // [num_late] worms that end last
    uint32_t num_late;
    uint64_t cost;
    struct anl_rng rng;
};

static uint32_t end_of(const struct search *search, uint32_t worm)
{
    const struct route route =
        route_of(search->permutation->n, worm, search->permutation->destinations[worm]);
    return route.distance ? search->starts[worm] + route.distance + search->k - 2 : 0;
}

// Schedules the order. *cost receives the makespan, and of equal ones the number of worms that end
// last.
static struct anl_schedule evaluate(struct search *search, uint64_t *cost)
{
    const struct anl_schedule schedule =
        anl_scheduler_run(search->scheduler, search->order, search->count, search->starts);
    *cost = (uint64_t)schedule.makespan << 32;
    for (uint32_t i = 0; i < search->count; i++)
        *cost += end_of(search, search->order[i]) == schedule.makespan;
    return schedule;
}

// Keeps the order that was evaluated last.
static void keep(struct search *search, uint64_t cost)
{
    search->cost = cost;
    search->num_late = 0;
    for (uint32_t i = 0; i < search->count; i++)
        if (end_of(search, search->order[i]) == cost >> 32)
            search->late[search->num_late++] = search->order[i];
    memcpy(search->blockers, scheduler_blockers(search->scheduler),
           search->nodes * sizeof *search->blockers);
}

// --- a change of the order ---

void anl_order_move(uint32_t *order, uint32_t from, uint32_t to)
{
    const uint32_t worm = order[from];
    if (to < from)
        memmove(order + to + 1, order + to, (from - to) * sizeof *order);
    else
        memmove(order + from, order + from + 1, (to - from) * sizeof *order);
    order[to] = worm;
}

static uint32_t place_of(const struct search *search, uint32_t worm)
{
    uint32_t place = 0;
    while (search->order[place] != worm)
        place++;
    return place;
}

// Returns a worm of a chain of delays that has a blocker, ANL_NO_NODE if the chain has none. Each
// has the same probability.
static uint32_t choose_delayed(struct search *search)
{
    uint32_t chosen = ANL_NO_NODE, seen = 0;
    uint32_t worm = search->late[anl_rng_below(&search->rng, search->num_late)];
    for (; search->blockers[worm] != ANL_NO_NODE; worm = search->blockers[worm])
        if (anl_rng_below(&search->rng, ++seen) == 0) chosen = worm;
    return chosen;
}

// Half of the tries move a worm of a chain of delays before its blocker, the others any worm to any
// place: without them the search ends in schedules that no change of a chain makes shorter.
static void choose_change(struct search *search, uint32_t *from, uint32_t *to)
{
    const uint32_t worm = choose_delayed(search);
    if (worm == ANL_NO_NODE || anl_rng_below(&search->rng, 2) == 0) {
        *from = anl_rng_below(&search->rng, search->count);
        *to = anl_rng_below(&search->rng, search->count);
    } else {
        *from = place_of(search, worm);
        *to = place_of(search, search->blockers[worm]);
    }
}

// One of a hundred schedules that are one step longer is kept, too.
static bool is_welcome(struct search *search, uint64_t cost)
{
    if (cost <= search->cost) return true;
    return cost >> 32 <= (search->cost >> 32) + 1 && anl_rng_below(&search->rng, 100) == 0;
}

static struct anl_schedule try_change(struct search *search)
{
    uint32_t from, to;
    uint64_t cost;
    choose_change(search, &from, &to);
    anl_order_move(search->order, from, to);
    const struct anl_schedule schedule = evaluate(search, &cost);
    if (is_welcome(search, cost))
        keep(search, cost);
    else
        anl_order_move(search->order, to, from);
    return schedule;
}

// --- the search ---

static bool is_shorter(const struct anl_schedule *a, const struct anl_schedule *b)
{
    return a->makespan < b->makespan;
}

static bool goes_on(const struct anl_search_options *options, struct anl_search_result *result)
{
    if (!options->go_on || options->go_on(options->user, result->tries, &result->schedule))
        return true;
    result->stopped = true;
    return false;
}

// Begins with the best of the fixed orders.
static enum anl_status try_fixed(struct search *search, const struct anl_search_options *options,
                                 uint32_t *starts, struct anl_search_result *result)
{
    for (int i = 0; i < (int)ANL_FIXED_ORDERS && !result->stopped; i++) {
        uint64_t cost;
        const enum anl_status status =
            anl_order_make(search->permutation, (enum anl_order)i, 0, search->order);
        if (status) return status;
        const struct anl_schedule schedule = evaluate(search, &cost);
        if (i == 0 || is_shorter(&schedule, &result->schedule)) {
            *result = (struct anl_search_result){
                .schedule = schedule, .order = (enum anl_order)i, .begin = schedule.makespan};
            memcpy(starts, search->starts, search->nodes * sizeof *starts);
            keep(search, cost);
        }
        goes_on(options, result);
    }
    return anl_order_make(search->permutation, result->order, 0, search->order);
}

static void try_changes(struct search *search, const struct anl_search_options *options,
                        uint32_t least, uint32_t *starts, struct anl_search_result *result)
{
    while (result->schedule.makespan > least && result->tries < options->tries &&
           !result->stopped) {
        const struct anl_schedule schedule = try_change(search);
        result->tries++;
        if (is_shorter(&schedule, &result->schedule)) {
            result->schedule = schedule;
            memcpy(starts, search->starts, search->nodes * sizeof *starts);
        }
        goes_on(options, result);
    }
    result->shortest = result->schedule.makespan == least;
}

static enum anl_status begin(struct search *search)
{
    const enum anl_status status =
        anl_scheduler_create(search->permutation, search->k, &search->scheduler);
    if (status) return status;
    search->starts = calloc(search->nodes, sizeof *search->starts);
    search->order = calloc(search->nodes, sizeof *search->order);
    search->blockers = calloc(search->nodes, sizeof *search->blockers);
    search->late = calloc(search->nodes, sizeof *search->late);
    return search->starts && search->order && search->blockers && search->late ? ANL_OK
                                                                               : ANL_ERR_MEMORY;
}

enum anl_status anl_schedule_search(const struct anl_permutation *permutation, uint32_t k,
                                    const struct anl_search_options *options, uint32_t *starts,
                                    struct anl_search_result *result)
{
    const uint32_t nodes = permutation->n * permutation->n;
    struct anl_schedule_lower lower;
    struct search search = {.permutation = permutation,
                            .k = k,
                            .nodes = nodes,
                            .count = anl_permutation_worms(permutation),
                            .rng = anl_rng_seed(options->seed, nodes + 2)};
    *result = (struct anl_search_result){0};
    enum anl_status status = begin(&search);
    if (!status) status = anl_schedule_lower(permutation, k, &lower);
    if (!status) status = try_fixed(&search, options, starts, result);
    if (!status) try_changes(&search, options, lower.one_bend, starts, result);
    anl_scheduler_destroy(search.scheduler);
    free(search.starts);
    free(search.order);
    free(search.blockers);
    free(search.late);
    return status;
}
