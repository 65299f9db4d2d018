// SPDX-License-Identifier: Apache-2.0
//
// A search for permutations with long schedules, by hill climbing: two worms exchange their
// destinations, or a worm takes another place in the order. A change is kept if the makespan is not
// shorter. Where an order is given, the worms follow it, and only destinations change.

#include "roberts_symvonis.h"

#include <annelid/schedule.h>
#include <stdlib.h>
#include <string.h>

struct climb {
    const struct climb_case *of;
    struct climb_result *result;
    uint32_t nodes;
    struct anl_permutation permutation;
    uint32_t *order, *starts;  // [nodes]
    struct anl_rng rng;
};

static enum anl_status evaluate(struct climb *climb, uint32_t *makespan)
{
    struct anl_scheduler *scheduler;
    enum anl_status status = ANL_OK;
    if (!climb->of->any_order)
        status = anl_order_make(&climb->permutation, climb->of->order, 0, climb->order);
    if (!status) status = anl_scheduler_create(&climb->permutation, climb->of->k, &scheduler);
    if (status) return status;
    *makespan = anl_scheduler_run(scheduler, climb->order, climb->nodes, climb->starts).makespan;
    anl_scheduler_destroy(scheduler);
    return ANL_OK;
}

static void exchange(struct climb *climb, uint32_t one, uint32_t other)
{
    uint32_t *destinations = climb->permutation.destinations, kept = destinations[one];
    destinations[one] = destinations[other];
    destinations[other] = kept;
}

// The machine runs each schedule that is longer than all before it.
static enum anl_status note(struct climb *climb, uint32_t makespan)
{
    struct climb_result *result = climb->result;
    struct anl_schedule_fault fault;
    if (makespan <= result->makespan) return ANL_OK;
    result->makespan = makespan;
    const enum anl_status status =
        anl_schedule_check(&climb->permutation, climb->of->k, climb->starts, NULL, &fault);
    result->broken += fault.rule != ANL_SCHEDULE_KEPT;
    return status;
}

static enum anl_status try_change(struct climb *climb, uint32_t *current)
{
    const bool moves = climb->of->any_order && anl_rng_below(&climb->rng, 2);
    const uint32_t one = anl_rng_below(&climb->rng, climb->nodes);
    const uint32_t other = anl_rng_below(&climb->rng, climb->nodes);
    uint32_t makespan = 0;
    if (moves)
        anl_order_move(climb->order, one, other);
    else
        exchange(climb, one, other);
    enum anl_status status = evaluate(climb, &makespan);
    if (!status) status = note(climb, makespan);
    if (makespan >= *current)
        *current = makespan;
    else if (moves)
        anl_order_move(climb->order, other, one);
    else
        exchange(climb, one, other);
    return status;
}

enum anl_status measure_climb(const struct climb_case *of, struct climb_result *result,
                              struct anl_error *error)
{
    struct climb climb = {.of = of, .result = result, .nodes = of->n * of->n};
    uint32_t current = 0;
    enum anl_status status =
        anl_permutation_make("random", of->n, of->seed, &climb.permutation, error);
    climb.rng = anl_rng_seed(of->seed, climb.nodes + 3);
    climb.order = calloc(climb.nodes, sizeof *climb.order);
    climb.starts = calloc(climb.nodes, sizeof *climb.starts);
    if (!status && (!climb.order || !climb.starts)) status = ANL_ERR_MEMORY;
    if (!status) status = anl_order_make(&climb.permutation, ANL_ORDER_ROW_MAJOR, 0, climb.order);
    for (uint32_t i = 0; i < of->tries && !status; i++)
        status = i % 4096 == 0 && cli_interrupted() ? ANL_ERR_IO : try_change(&climb, &current);
    anl_permutation_free(&climb.permutation);
    free(climb.order);
    free(climb.starts);
    result->done = !status;
    return cli_fail(status, error);
}
