// SPDX-License-Identifier: Apache-2.0
//
// Scan policies of docs/switch.md: which of a mask of lanes or input ports comes first. A mask is
// never 0.

#ifndef ANL_NET_SCAN_H
#define ANL_NET_SCAN_H

#include "net_internal.h"

// Lowest set bit at or after start, cyclic.
static inline uint32_t first_from(uint32_t mask, uint32_t start)
{
    const uint32_t above = mask >> start << start;
    return lowest(above ? above : mask);
}

static inline bool older(uint16_t a, uint16_t b) { return (uint16_t)(a - b) >> 15; }

static inline uint32_t oldest(const uint16_t *rank, uint32_t mask)
{
    uint32_t best = lowest(mask);
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1)
        if (older(rank[lowest(rest)], rank[best])) best = lowest(rest);
    return best;
}

// All that are as far as the farthest (mask).
static inline uint32_t farthest(const uint16_t *rank, uint32_t mask)
{
    uint32_t best = 0, distance = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t i = lowest(rest);
        if (rank[i] > distance) best = 0;
        if (rank[i] < distance) continue;
        distance = rank[i];
        best |= 1u << i;
    }
    return best;
}

// Where a random scan begins.
static inline uint32_t first_lane(const struct anl_net *net, uint32_t random)
{
    return (random >> 16 & 0xff) * net->config.num_vcs >> 8;
}

static inline uint32_t first_port(const struct anl_net *net, uint32_t random)
{
    return (random >> 8 & 0xff) * net->shape.ports >> 8;
}

// Of the lanes of an input port.
static inline uint32_t scan_lanes(const struct anl_net *net, uint32_t port, uint32_t random,
                                  uint32_t mask)
{
    uint16_t rank[ANL_MAX_VCS];
    switch (net->config.scan) {
    case ANL_FIXED:
        return lowest(mask);
    case ANL_ROTATING:
        return first_from(mask, net->ports[port].in_ptr);
    case ANL_RANDOM:
        return first_from(mask, first_lane(net, random));
    case ANL_OLDEST:
    case ANL_FARTHEST:
        break;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        rank[lowest(rest)] = lane_of(net, port, lowest(rest))->rank;
    if (net->config.scan == ANL_OLDEST) return oldest(rank, mask);
    return first_from(farthest(rank, mask), first_lane(net, random));
}

// Of the input ports of the switch whose first port is first, each with the lane that it offers.
static inline uint32_t scan_ports(const struct anl_net *net, uint32_t first, uint32_t link,
                                  uint32_t random, uint32_t mask)
{
    uint16_t rank[ANL_MAX_PORTS];
    switch (net->config.scan) {
    case ANL_FIXED:
        return lowest(mask);
    case ANL_ROTATING:
        return first_from(mask, net->ports[link].out_ptr);
    case ANL_RANDOM:
        return first_from(mask, first_port(net, random));
    case ANL_OLDEST:
    case ANL_FARTHEST:
        break;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t port = first + lowest(rest);
        rank[lowest(rest)] = lane_of(net, port, net->ports[port].offered)->rank;
    }
    if (net->config.scan == ANL_OLDEST) return oldest(rank, mask);
    return first_from(farthest(rank, mask), first_port(net, random));
}

#endif
