// SPDX-License-Identifier: Apache-2.0
//
// Points of the front flits of the switches' lanes: why they are blocked, and to whom they lose.

#include "points.h"

#include <string.h>

// The blocking analysis must know both worms, that is, both must be in the network.
static void compare_worms(struct monitor *monitor, const struct anl_blocking *blocking,
                          uint32_t loser_id, uint32_t winner_id)
{
    struct anl_life loser, winner;
    if (!anl_blocking_life(blocking, loser_id, &loser)) return;
    if (!anl_blocking_life(blocking, winner_id, &winner)) return;
    if (monitor->config.arbiter == ANL_AGE) {
        if (loser.worm.created >> 16 != winner.worm.created >> 16) reach(monitor, RANK_WRAPS);
        return;
    }
    const uint32_t from = anl_worm_distance(&monitor->config, &loser.worm);
    const uint32_t far = anl_worm_distance(&monitor->config, &winner.worm);
    if (far > from) reach(monitor, FARTHEST_WINS);
    if (far == from) reach(monitor, FARTHEST_TIE);
}

// The buffer that the loser waits for is the winner's (docs/worms.md).
static void monitor_loss(struct monitor *monitor, const struct anl_blocking *blocking,
                         const struct anl_buffer *loser)
{
    if (loser->next == ANL_NOTHING || loser->next >= monitor->lanes) return;
    const struct anl_buffer *winner = &monitor->buffers[loser->next];
    if (winner->wait != ANL_MOVING || winner->worm == ANL_NOTHING) return;
    const bool same_port = winner->link == loser->link;
    const uint32_t arbiter = (uint32_t)monitor->config.arbiter;
    if (same_port == (winner->wants == loser->wants))
        return;  // both or neither: it is not clear which arbitration it lost
    reach(monitor, (same_port ? LOST_OFFER : LOST_GRANT) + arbiter);
    if (arbiter == ANL_AGE || arbiter == ANL_FARTHEST)
        compare_worms(monitor, blocking, loser->worm, winner->worm);
}

static void monitor_front(struct monitor *monitor, const struct anl_blocking *blocking,
                          const struct anl_buffer *buffer)
{
    const int index = lane_count_index(monitor->config.num_vcs);
    const bool can_go = buffer->wait == ANL_MOVING || buffer->wait == ANL_LOST_ARBITRATION;
    if (can_go) monitor->asks[buffer->wants] |= 1U << monitor->ends[buffer->link].port;
    if (buffer->wait == ANL_LOST_ARBITRATION) monitor_loss(monitor, blocking, buffer);
    if (buffer->wait == ANL_MOVING || buffer->wait > ANL_NOT_YET || index < 0) return;
    const uint32_t cause = (uint32_t)(buffer->wait - ANL_BOUND_ELSEWHERE);
    const uint32_t arbiter = (uint32_t)monitor->config.arbiter;
    reach(monitor, BLOCKED + (arbiter * CAUSES + cause) * LANE_COUNTS + (uint32_t)index);
}

// Links for which every input port of their switch has a flit that could go there.
static void monitor_requests(struct monitor *monitor)
{
    const uint32_t ports = monitor->shape.ports;
    const int index = lane_count_index(monitor->config.num_vcs);
    for (uint32_t link = 0; link < monitor->shape.switches * ports; link++)
        if (index >= 0 && monitor->asks[link] == (1U << ports) - 1)
            reach(monitor, ALL_REQUEST + (uint32_t)index);
}

void monitor_buffers(struct monitor *monitor, const struct anl_blocking *blocking)
{
    memset(monitor->asks, 0, monitor->shape.links * sizeof *monitor->asks);
    for (uint32_t lane = 0; lane < monitor->lanes; lane++)
        monitor->buffers[lane] = anl_blocking_buffer(blocking, lane);
    for (uint32_t lane = 0; lane < monitor->lanes; lane++) {
        const struct anl_buffer *buffer = &monitor->buffers[lane];
        if (buffer->worm != ANL_NOTHING && buffer->terminal == ANL_NOTHING)
            monitor_front(monitor, blocking, buffer);
    }
    monitor_requests(monitor);
}
