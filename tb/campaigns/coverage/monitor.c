// SPDX-License-Identifier: Apache-2.0
//
// Monitors every lane and every register of one run, cycle by cycle.

#include "points.h"

#include <stdlib.h>
#include <string.h>

int lane_count_index(uint32_t lanes)
{
    for (int i = 0; i < LANE_COUNTS; i++)
        if (lanes == 1U << i) return i;
    return -1;
}

void reach(struct monitor *monitor, uint32_t point)
{
    struct tally *tally = &monitor->tallies[point];
    if (tally->count++ == 0) tally->first = monitor->cycle;
}

static bool make_state(const struct monitor *monitor, struct anl_state *state)
{
    const struct anl_shape *shape = &monitor->shape;
    const size_t ports = (size_t)shape->switches * shape->ports, vcs = monitor->config.num_vcs;
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

bool monitor_create(const struct anl_config *config, struct monitor *monitor)
{
    memset(monitor, 0, sizeof *monitor);
    monitor->config = *config;
    monitor->shape = anl_shape_of(config);
    monitor->lanes = monitor->shape.links * config->num_vcs;
    monitor->buffers = calloc(monitor->lanes, sizeof *monitor->buffers);
    monitor->ends = calloc(monitor->shape.links, sizeof *monitor->ends);
    monitor->tail = calloc(monitor->lanes, sizeof *monitor->tail);
    monitor->entered = calloc(monitor->lanes, sizeof *monitor->entered);
    monitor->asks = calloc(monitor->shape.links, sizeof *monitor->asks);
    monitor->acts = calloc(monitor->shape.switches, sizeof *monitor->acts);
    monitor->data = calloc(monitor->shape.links, sizeof *monitor->data);
    if (!make_state(monitor, &monitor->before) || !make_state(monitor, &monitor->after))
        return false;
    if (!monitor->buffers || !monitor->ends || !monitor->tail || !monitor->entered) return false;
    if (!monitor->asks || !monitor->acts || !monitor->data) return false;
    for (uint32_t link = 0; link < monitor->shape.links; link++)
        monitor->ends[link] = anl_end_of(config, link);
    return true;
}

void monitor_free(struct monitor *monitor)
{
    free_state(&monitor->before);
    free_state(&monitor->after);
    free(monitor->buffers);
    free(monitor->ends);
    free(monitor->tail);
    free(monitor->entered);
    free(monitor->asks);
    free(monitor->acts);
    free(monitor->data);
}

void monitor_cycle(struct monitor *monitor, const struct anl_engine *net,
                   const struct anl_blocking *blocking, const struct anl_flit *flits, size_t count)
{
    monitor->cycle = anl_blocking_cycle(blocking);
    anl_engine_state(net, &monitor->after);
    monitor_buffers(monitor, blocking);
    monitor_flits(monitor, blocking, flits, count);
    monitor_state(monitor);
    if (monitor->cycle == anl_blocking_deadlocked(blocking)) reach(monitor, DEADLOCK);
    const struct anl_state gone = monitor->before;
    monitor->before = monitor->after;
    monitor->after = gone;
    monitor->has_before = true;
}
