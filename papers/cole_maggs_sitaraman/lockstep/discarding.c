// SPDX-License-Identifier: Apache-2.0
//
// A network that discards (papers/cole_maggs_sitaraman/discard.md): what its sources are to send,
// and the state of the model. Where links are multiplexed a step takes several cycles, in all of
// which both are the same.

#include "discarding_lockstep.h"

#include <stdlib.h>
#include <string.h>

// A source takes a start two cycles before the cycle in which the worm is created, at most.
enum { AHEAD = 2 };

struct discarding {
    struct anl_traffic *traffic;      // runs ahead
    struct anl_discard_state *lanes;  // of the model, at the start of the step
    struct discards *nodes;           // of the model, in this step
};

static struct discarding *of(const struct lockstep *run) { return run->of_kind; }

// --- sources ---

static enum anl_status plan(struct lockstep *run, uint64_t cycle, struct anl_error *error)
{
    struct injections *injections = &run->harness.injections;
    size_t count = 0;
    const struct anl_new_worm *new_worms = anl_traffic_cycle(of(run)->traffic, cycle, &count);
    for (size_t i = 0; i < count; i++) {
        const struct anl_worm worm = lockstep_worm(run, &new_worms[i], cycle, injections->count);
        const enum anl_status status = injections_add(injections, &worm);
        if (status == ANL_ERR_ARGUMENT)
            return anl_fail(error, status, run->options->scenario_path, 0,
                            "terminals %u and %u send more than %d worms at once from cycle %llu "
                            "on, which is the number of injection lanes of the RTL",
                            worm.source / 2 * 2, worm.source / 2 * 2 + 1, INJECTIONS,
                            (unsigned long long)cycle);
        if (status) return status;
    }
    return ANL_OK;
}

static enum anl_status prepare(struct lockstep *run, struct anl_error *error)
{
    return plan(run, run->cycle + AHEAD, error);
}

static enum anl_status create(struct lockstep *run, struct anl_error *error)
{
    const struct anl_config *config = &run->scenario->network;
    const struct anl_shape shape = anl_shape_of(config);
    struct discarding *discarding = calloc(1, sizeof *discarding);
    run->of_kind = discarding;
    if (!discarding) return ANL_ERR_MEMORY;
    discarding->lanes = calloc((size_t)shape.links * config->num_vcs, sizeof *discarding->lanes);
    discarding->nodes = calloc(shape.switches, sizeof *discarding->nodes);
    if (!discarding->lanes || !discarding->nodes) return ANL_ERR_MEMORY;
    enum anl_status status =
        anl_traffic_create(anl_scenario_workload(run->scenario), &discarding->traffic);
    for (uint64_t cycle = 0; cycle < AHEAD && status == ANL_OK; cycle++)
        status = plan(run, cycle, error);
    return status;
}

static void destroy(struct lockstep *run)
{
    struct discarding *discarding = of(run);
    anl_traffic_destroy(discarding->traffic);
    free(discarding->lanes);
    free(discarding->nodes);
    free(discarding);
}

static bool goes_on(const struct lockstep *run)
{
    if (run->engine) return !anl_engine_idle(run->engine);
    return run->cycle < run->harness.injections.end;
}

// --- the model ---

static bool begins_step(const struct lockstep *run)
{
    return run->cycle % run->harness.injections.turns == 0;
}

static void registers(struct lockstep *run, struct comparison *comparison)
{
    struct discarding *discarding = of(run);
    const uint32_t turns = run->harness.injections.turns;
    if (begins_step(run)) anl_discard_state(anl_engine_discard(run->engine), discarding->lanes);
    compare_step(comparison, run->cycle / turns + 1, (uint32_t)(run->cycle % turns));
    if (!comparison->unwatched) compare_lanes(comparison, discarding->lanes);
}

// Returns the node of a level to which the path of a worm leads.
static uint32_t node_of(const struct anl_config *config, const struct anl_worm *worm,
                        uint32_t level)
{
    const uint32_t bits = config->n - 1;
    uint32_t column = worm->source / 2;
    for (uint32_t i = 0; i < level; i++) {
        const bool halfway = anl_num_passes(config) == 2 && i < bits;
        const uint32_t to = halfway ? worm->path : worm->destination / 2;
        const uint32_t bit = 1u << (bits - 1 - i % bits);
        column = (column & ~bit) | (to & bit);
    }
    return level << bits | column;
}

static uint32_t injection_of(const struct lockstep *run, uint32_t id)
{
    return run->harness.injections.worms[id].lane % INJECTIONS;
}

// Returns the input lane in which the head of a worm stands at the start of the step.
static uint32_t lane_of_head(const struct lockstep *run, uint32_t id)
{
    const struct anl_config *config = &run->scenario->network;
    const struct anl_discard_state *lane = of(run)->lanes;
    uint32_t at = 0;
    while (!lane[at].valid || lane[at].index || lane[at].worm != id)
        at++;
    return anl_end_of(config, at / config->num_vcs).port * config->num_vcs + at % config->num_vcs;
}

// Notes which nodes discard a worm in the step that the model has run last. It is left behind while
// it is idle.
static void find_discards(struct lockstep *run)
{
    const struct anl_discard *model = anl_engine_discard(run->engine);
    const struct anl_config *config = &run->scenario->network;
    struct discards *nodes = of(run)->nodes;
    size_t count = 0;
    const uint32_t *ids = anl_discard_discarded(model, &count);
    memset(nodes, 0, anl_shape_of(config).switches * sizeof *nodes);
    if (anl_discard_steps(model) != run->cycle / run->harness.injections.turns + 1) return;
    for (size_t i = 0; i < count; i++) {
        const uint32_t level = anl_discard_outcome(model, ids[i]).level;
        const uint32_t node = node_of(config, &run->harness.worms.worm[ids[i]].worm, level);
        nodes[node].says = true;
        nodes[node].heads |= 1u << (level ? lane_of_head(run, ids[i]) : injection_of(run, ids[i]));
    }
}

static void flits(struct lockstep *run, struct comparison *comparison)
{
    if (begins_step(run)) find_discards(run);
    compare_discards(comparison, of(run)->nodes);
}

const struct lockstep_kind lockstep_discarding = {
    .observed = &observed_discarding,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .registers = registers,
    .flits = flits,
    .goes_on = goes_on,
    .has_ends = true,
};
