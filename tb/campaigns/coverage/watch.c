// SPDX-License-Identifier: Apache-2.0
//
// Every lane and every register of one run, cycle by cycle.

#include "points.h"

#include <stdlib.h>
#include <string.h>

int lane_count_index(uint32_t lanes)
{
    for (int i = 0; i < LANE_COUNTS; i++)
        if (lanes == 1U << i) return i;
    return -1;
}

void reach(struct watch *watch, uint32_t point)
{
    struct tally *tally = &watch->tallies[point];
    if (tally->count++ == 0) tally->first = watch->cycle;
}

static bool make_state(const struct watch *watch, struct anl_state *state)
{
    const struct anl_shape *shape = &watch->shape;
    const size_t ports = (size_t)shape->switches * shape->ports, vcs = watch->config.num_vcs;
    state->lanes = calloc(ports * vcs, sizeof *state->lanes);
    state->ports = calloc(ports, sizeof *state->ports);
    state->random = calloc(shape->switches, sizeof *state->random);
    state->terminal_lanes = calloc(shape->terminals * vcs, sizeof *state->terminal_lanes);
    return state->lanes && state->ports && state->random && state->terminal_lanes;
}

static void free_state(struct anl_state *state)
{
    free(state->lanes);
    free(state->ports);
    free(state->random);
    free(state->terminal_lanes);
}

bool watch_create(const struct anl_config *config, struct watch *watch)
{
    memset(watch, 0, sizeof *watch);
    watch->config = *config;
    watch->shape = anl_shape_of(config);
    watch->lanes = watch->shape.links * config->num_vcs;
    watch->buffers = calloc(watch->lanes, sizeof *watch->buffers);
    watch->ends = calloc(watch->shape.links, sizeof *watch->ends);
    watch->tail = calloc(watch->lanes, sizeof *watch->tail);
    watch->entered = calloc(watch->lanes, sizeof *watch->entered);
    watch->asks = calloc(watch->shape.links, sizeof *watch->asks);
    watch->acts = calloc(watch->shape.switches, sizeof *watch->acts);
    if (!make_state(watch, &watch->before) || !make_state(watch, &watch->after)) return false;
    if (!watch->buffers || !watch->ends || !watch->tail || !watch->entered) return false;
    if (!watch->asks || !watch->acts) return false;
    for (uint32_t link = 0; link < watch->shape.links; link++)
        watch->ends[link] = anl_end_of(config, link);
    return true;
}

void watch_free(struct watch *watch)
{
    free_state(&watch->before);
    free_state(&watch->after);
    free(watch->buffers);
    free(watch->ends);
    free(watch->tail);
    free(watch->entered);
    free(watch->asks);
    free(watch->acts);
}

void watch_cycle(struct watch *watch, const struct anl_net *net,
                 const struct anl_blocking *blocking, const struct anl_flit *flits, size_t count)
{
    watch->cycle = anl_blocking_cycle(blocking);
    anl_net_state(net, &watch->after);
    watch_buffers(watch, blocking);
    watch_flits(watch, blocking, flits, count);
    watch_state(watch);
    if (watch->cycle == anl_blocking_deadlocked(blocking)) reach(watch, DEADLOCK);
    const struct anl_state gone = watch->before;
    watch->before = watch->after;
    watch->after = gone;
    watch->has_before = true;
}
