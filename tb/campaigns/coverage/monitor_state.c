// SPDX-License-Identifier: Apache-2.0
//
// Points of the registers of switches: credits, bindings, owners, pointers.

#include "points.h"

static void monitor_credit(struct monitor *monitor, size_t lane)
{
    const uint32_t depth = monitor->config.depth;
    const uint8_t before = monitor->before.lanes[lane].credit,
                  after = monitor->after.lanes[lane].credit;
    if (depth < 2) return;
    if (after == 0) reach(monitor, CREDIT_ZERO);
    if (before == depth - 1 && after == depth) reach(monitor, CREDIT_ALL_CREDITS);
}

static void monitor_port(struct monitor *monitor, size_t port)
{
    const uint32_t vcs = monitor->config.num_vcs;
    const int index = lane_count_index(vcs);
    uint32_t bound = 0, owned = 0;
    for (size_t lane = port * vcs; lane < (port + 1) * vcs; lane++) {
        bound += monitor->after.lanes[lane].bound;
        owned += monitor->after.lanes[lane].owned;
        monitor_credit(monitor, lane);
    }
    if (index >= 0 && bound == vcs) reach(monitor, ALL_BOUND + (uint32_t)index);
    if (index >= 0 && owned == vcs) reach(monitor, ALL_OWNED + (uint32_t)index);
    const struct anl_port_state before = monitor->before.ports[port],
                                after = monitor->after.ports[port];
    if (vcs > 1 && before.in_ptr == vcs - 1 && after.in_ptr == 0) reach(monitor, IN_POINTER);
    if (before.out_ptr == monitor->shape.ports - 1 && after.out_ptr == 0)
        reach(monitor, OUT_POINTER);
}

void monitor_state(struct monitor *monitor)
{
    if (!monitor->has_before) return;
    const size_t ports = (size_t)monitor->shape.switches * monitor->shape.ports;
    for (size_t port = 0; port < ports; port++)
        monitor_port(monitor, port);
}
