// SPDX-License-Identifier: Apache-2.0
//
// A run whose process has the whole network.

#include "run.h"

static enum anl_status create(struct run *run)
{
    return run->batched ? ANL_OK : anl_engine_create(&run->scenario->network, &run->engine);
}

static enum anl_status traffic(struct run *run, struct anl_workload workload)
{
    const enum anl_status status = anl_traffic_create(workload, &run->traffic);
    return status || run->options->checkpoint ? status : anl_traffic_draw_ahead(run->traffic);
}

static enum anl_status create_worms(struct run *run, uint64_t now, struct run_created *created)
{
    created->worms = anl_traffic_cycle(run->traffic, now, &created->count);
    return anl_traffic_status(run->traffic, run->error);
}

static enum anl_status worm(struct run *run, const struct anl_worm *new_worm, uint32_t id)
{
    const struct anl_worm *made = anl_engine_worm(run->engine, id);
    (void)new_worm;
    statistics_worm(&run->statistics, made);
    return run->recorded ? run_feed_worm(run, made) : ANL_OK;
}

static enum anl_status step(struct run *run)
{
    anl_engine_step(run->engine);
    return ANL_OK;
}

static enum anl_status flits(struct run *run, uint64_t cycle)
{
    size_t count;
    const struct anl_flit *crossed = anl_engine_flits(run->engine, &count);
    return run_feed_flits(run, cycle, crossed, count);
}

static bool look(struct run *run)
{
    run->totals = anl_engine_totals(run->engine);
    run->idle_cycles++;
    return true;
}

static bool is_idle(const struct run *run) { return anl_engine_idle(run->engine); }
static bool is_done(const struct run *run) { return anl_traffic_done(run->traffic); }
static uint64_t next_creation(const struct run *run) { return anl_traffic_next(run->traffic); }

const struct run_way run_alone = {
    .lists_heads = true,
    .create = create,
    .traffic = traffic,
    .create_worms = create_worms,
    .worm = worm,
    .step = step,
    .flits = flits,
    .look = look,
    .is_idle = is_idle,
    .is_done = is_done,
    .next_creation = next_creation,
};
