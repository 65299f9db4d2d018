// SPDX-License-Identifier: Apache-2.0
//
// Points of the flits that cross links: lanes that fill and empty, lanes that heads take, and
// paths.

#include "points.h"

#include <string.h>

enum { BINDS = 1, UNBINDS = 2, UP_0 = 4, UP_1 = 8 };  // what a switch does in a cycle

// The lane that a head takes on a link out of a switch, where heads may take any lane.
static void monitor_choice(struct monitor *monitor, const struct anl_flit *flit)
{
    const uint32_t first = flit->link * monitor->config.num_vcs, taken = first + flit->vc;
    if (monitor->buffers[taken].flits) reach(monitor, TAKE_NOT_EMPTY);
    if (monitor->buffers[taken].flits || monitor->config.routing == ANL_DATELINE) return;
    if (monitor->config.flow_control != ANL_WORMHOLE || !monitor->has_before) return;
    for (uint32_t lane = first; lane < taken; lane++) {
        const struct anl_lane_state *state = &monitor->before.lanes[lane];
        if (state->owned || !state->credit || state->credit == monitor->config.depth) continue;
        reach(monitor, TAKE_EMPTY);
        return;
    }
}

static void monitor_half_way(struct monitor *monitor, const struct anl_worm *worm,
                             uint32_t dimension, bool minus)
{
    const uint32_t k = monitor->config.k;
    const uint32_t from = anl_coordinate(&monitor->config, worm->source, dimension);
    const uint32_t to = anl_coordinate(&monitor->config, worm->destination, dimension);
    if (monitor->config.topology == ANL_TORUS && 2 * ((to + k - from) % k) == k &&
        minus == from % 2)
        reach(monitor, minus ? HALF_ODD : HALF_EVEN);
}

// A head that crosses a link of a torus with dateline lanes.
static void monitor_dateline(struct monitor *monitor, const struct anl_blocking *blocking,
                             const struct anl_flit *flit)
{
    const struct anl_config *config = &monitor->config;
    const uint32_t node = flit->link / monitor->shape.ports,
                   port = flit->link % monitor->shape.ports;
    struct anl_life life;
    if (port == monitor->shape.ports - 1 || !anl_blocking_life(blocking, flit->worm, &life)) return;
    const bool two_way = config->topology == ANL_TORUS, minus = two_way && port % 2;
    const uint32_t dimension = two_way ? port / 2 : port, direction = two_way ? port % 2 : 2;
    const uint32_t from = anl_coordinate(config, life.worm.source, dimension);
    const uint32_t here = anl_coordinate(config, node, dimension);
    const bool wraps = here == (minus ? 0 : config->k - 1);
    const bool behind = minus ? here > from : here < from;
    if (flit->vc < config->num_vcs / 2)
        reach(monitor, (wraps ? CROSSES : AHEAD) + direction);
    else
        reach(monitor, (behind ? BEYOND : NEVER) + direction);
    if (here == from) monitor_half_way(monitor, &life.worm, dimension, minus);
}

static void monitor_up(struct monitor *monitor, const struct anl_flit *flit)
{
    const uint32_t node = flit->link / monitor->shape.ports,
                   port = flit->link % monitor->shape.ports;
    if (port < 4 || monitor->config.routing == ANL_DESTINATION_TAG) return;
    reach(monitor, UP + (uint32_t)(monitor->config.routing - ANL_UP_DOWN_FIXED) * 2 + port - 4);
    monitor->acts[node] |= port == 4 ? UP_0 : UP_1;
}

static void monitor_head(struct monitor *monitor, const struct anl_blocking *blocking,
                         const struct anl_flit *flit)
{
    const uint64_t *tail = &monitor->tail[flit->link * monitor->config.num_vcs];
    for (uint32_t vc = 0; vc < monitor->config.num_vcs; vc++)
        if (tail[vc] == monitor->cycle && monitor->cycle)
            reach(monitor, vc == flit->vc ? BACK_TO_BACK + (uint32_t)monitor->config.flow_control
                                          : NEXT_LANE);
    if (flit->link >= monitor->shape.switches * monitor->shape.ports) return;
    monitor_choice(monitor, flit);
    if (monitor->config.routing == ANL_DATELINE) monitor_dateline(monitor, blocking, flit);
    if (monitor->config.topology == ANL_FAT_TREE) monitor_up(monitor, flit);
}

static void monitor_delivery(struct monitor *monitor, const struct anl_flit *flit)
{
    const uint32_t length = flit->index + 1U, depth = monitor->config.depth;
    const uint32_t first = DELIVERED + (uint32_t)monitor->config.flow_control * LENGTHS;
    if (depth < 2) return;
    if (length == 1) reach(monitor, first);
    if (length == depth) reach(monitor, first + 1);
    if (length > depth) reach(monitor, first + 2);
}

// The flits that enter and leave a lane of a switch.
static void monitor_lane(struct monitor *monitor, uint32_t lane)
{
    const uint32_t flits = monitor->buffers[lane].flits, depth = monitor->config.depth;
    const uint32_t link = lane / monitor->config.num_vcs;
    const bool push = monitor->entered[lane],
               pop = flits && monitor->buffers[lane].wait == ANL_MOVING;
    if (push && pop && flits == depth)
        reach(monitor, link < monitor->shape.switches * monitor->shape.ports ? CHAINED_UP
                                                                             : CHAINED_INJECTION);
    if (depth < 2) return;
    if (push && flits == 0) reach(monitor, PUSH_EMPTY);
    if (push && !pop && flits == depth - 1) reach(monitor, PUSH_FILLS);
    if (!push && pop && flits == 1) reach(monitor, POP_LAST);
    if (!push && pop && flits == depth) reach(monitor, POP_FULL);
    if (push && pop && flits == 1) reach(monitor, PUSH_POP_ONE);
}

static void monitor_flit(struct monitor *monitor, const struct anl_blocking *blocking,
                         const struct anl_flit *flit)
{
    const uint32_t switch_ = flit->link / monitor->shape.ports;
    monitor->entered[flit->link * monitor->config.num_vcs + flit->vc] = true;
    monitor_data(monitor, blocking, flit);
    if (flit->head) monitor_head(monitor, blocking, flit);
    if (flit->tail && monitor->ends[flit->link].is_terminal) monitor_delivery(monitor, flit);
    if (switch_ >= monitor->shape.switches || flit->head == flit->tail) return;
    monitor->acts[switch_] |= flit->head ? BINDS : UNBINDS;
}

void monitor_flits(struct monitor *monitor, const struct anl_blocking *blocking,
                   const struct anl_flit *flits, size_t count)
{
    memset(monitor->entered, 0, monitor->lanes * sizeof *monitor->entered);
    memset(monitor->acts, 0, monitor->shape.switches * sizeof *monitor->acts);
    for (size_t i = 0; i < count; i++)
        monitor_flit(monitor, blocking, &flits[i]);
    for (size_t i = 0; i < count; i++)
        if (flits[i].tail)
            monitor->tail[flits[i].link * monitor->config.num_vcs + flits[i].vc] =
                monitor->cycle + 1;
    for (uint32_t lane = 0; lane < monitor->lanes; lane++)
        if (!monitor->ends[lane / monitor->config.num_vcs].is_terminal) monitor_lane(monitor, lane);
    for (uint32_t i = 0; i < monitor->shape.switches; i++) {
        if ((monitor->acts[i] & (BINDS | UNBINDS)) == (BINDS | UNBINDS))
            reach(monitor, BIND_AND_UNBIND);
        if ((monitor->acts[i] & (UP_0 | UP_1)) == (UP_0 | UP_1) &&
            monitor->config.routing == ANL_UP_DOWN_GREEDY)
            reach(monitor, UP_BOTH);
    }
}
