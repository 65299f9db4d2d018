// SPDX-License-Identifier: Apache-2.0
//
// Points of the registers of switches: credits, bindings, owners, pointers.

#include "points.h"

static void watch_credit(struct watch *watch, size_t lane)
{
    const uint32_t depth = watch->config.depth;
    const uint8_t before = watch->before.lanes[lane].credit,
                  after = watch->after.lanes[lane].credit;
    if (depth < 2) return;
    if (after == 0) reach(watch, CREDIT_ZERO);
    if (before == depth - 1 && after == depth) reach(watch, CREDIT_ALL_CREDITS);
}

static void watch_port(struct watch *watch, size_t port)
{
    const uint32_t vcs = watch->config.num_vcs;
    const int index = lane_count_index(vcs);
    uint32_t bound = 0, owned = 0;
    for (size_t lane = port * vcs; lane < (port + 1) * vcs; lane++) {
        bound += watch->after.lanes[lane].bound;
        owned += watch->after.lanes[lane].owned;
        watch_credit(watch, lane);
    }
    if (index >= 0 && bound == vcs) reach(watch, ALL_BOUND + (uint32_t)index);
    if (index >= 0 && owned == vcs) reach(watch, ALL_OWNED + (uint32_t)index);
    const struct anl_port_state before = watch->before.ports[port],
                                after = watch->after.ports[port];
    if (vcs > 1 && before.in_ptr == vcs - 1 && after.in_ptr == 0) reach(watch, IN_POINTER);
    if (before.out_ptr == watch->shape.ports - 1 && after.out_ptr == 0) reach(watch, OUT_POINTER);
}

void watch_state(struct watch *watch)
{
    if (!watch->has_before) return;
    const size_t ports = (size_t)watch->shape.switches * watch->shape.ports;
    for (size_t port = 0; port < ports; port++)
        watch_port(watch, port);
}
