// SPDX-License-Identifier: Apache-2.0
//
// Sliding diagonals (papers/bock/diagonals.md): the loads of worms, and the registers of the model.

#include "diagonals_lockstep.h"

#include <stdlib.h>

static enum anl_status create(struct lockstep *run, struct anl_error *error)
{
    const size_t nodes = anl_shape_of(&run->scenario->network).switches;
    const size_t links = 2 * (size_t)run->scenario->network.n;
    struct anl_diagonals_nodes *slides = calloc(1, sizeof *slides);
    (void)error;
    run->of_kind = slides;
    if (!slides) return ANL_ERR_MEMORY;
    slides->registers = calloc(nodes * links, sizeof *slides->registers);
    slides->latches = calloc(nodes, links);
    slides->taken = calloc(nodes, sizeof *slides->taken);
    return slides->registers && slides->latches && slides->taken ? ANL_OK : ANL_ERR_MEMORY;
}

static void destroy(struct lockstep *run)
{
    struct anl_diagonals_nodes *slides = run->of_kind;
    free(slides->registers);
    free(slides->latches);
    free(slides->taken);
    free(slides);
}

// Gives the sources the load that begins in the next cycle, if there is one.
static enum anl_status prepare(struct lockstep *run, struct anl_error *error)
{
    const struct anl_ride *rides;
    size_t count;
    (void)error;
    struct anl_engine *engine = run->planner ? run->planner : run->engine;
    const enum anl_status status = anl_engine_rides(engine, &rides, &count);
    for (size_t i = 0; i < count; i++)
        worms_ride(&run->harness.worms, &rides[i]);
    return status || !count ? status : starts_load(&run->harness.starts, rides, count);
}

static void registers(struct lockstep *run, struct comparison *comparison)
{
    struct anl_diagonals_nodes *slides = run->of_kind;
    anl_engine_diagonals(run->engine, slides);
    compare_step(comparison, run->cycle, 0);
    if (!comparison->unwatched) compare_diagonals(comparison, slides);
}

const struct lockstep_kind lockstep_diagonals = {
    .observed = &observed_diagonals,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .registers = registers,
    .ports = lockstep_fault_lines,
};
