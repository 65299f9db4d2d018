// SPDX-License-Identifier: Apache-2.0
//
// What the tests of links of several cycles and of switches of two stages share: networks, and
// whether a configuration in which a hop takes several cycles keeps what the pages promise.

#ifndef HOPS_H
#define HOPS_H

#include "unit_engine.h"

// Returns a configuration with links of so many cycles between switches, lanes of that depth, and
// the hop that is tested.
typedef struct anl_config hop_of(struct anl_config config, uint32_t cycles, uint32_t depth,
                                 enum anl_flow_control flow_control);

// Two small fat-trees and two butterflies, beside the cubes of unit.h.
static const struct anl_config others[] = {
    {.topology = ANL_FAT_TREE, .k = 4, .n = 2, .num_vcs = 2, .routing = ANL_UP_DOWN_FIXED},
    {.topology = ANL_FAT_TREE, .k = 4, .n = 2, .num_vcs = 1, .routing = ANL_UP_DOWN_GREEDY},
    {.topology = ANL_BUTTERFLY, .k = 2, .n = 3, .num_vcs = 1, .routing = ANL_DESTINATION_TAG},
    {.topology = ANL_BUTTERFLY, .k = 3, .n = 2, .num_vcs = 2, .routing = ANL_DESTINATION_TAG},
};
enum { NUM_NETWORKS = UNIT_NUM_NETWORKS + sizeof others / sizeof *others };

static const struct anl_config row = {
    .topology = ANL_MESH, .k = 3, .n = 1, .num_vcs = 1, .routing = ANL_DIMENSION_ORDER};

// Returns a network of unit.h, or behind them one of the others.
struct anl_config network(uint32_t i);

// The latency of lone worms for every pair of the small networks, with each flow control and six
// depths.
void expect_the_formula(hop_of *hop, const uint32_t cycles[3]);
// In the row a worm of 200 flits leaves 199 cycles between its head and its tail, of which the head
// takes `head` cycles, if and only if lanes have the depth that is said to be needed.
void expect_full_rate(hop_of *hop, uint32_t cycles, uint32_t depth, uint64_t head);
// Under random traffic no flit is lost, and the order of the switches does not matter.
void expect_conservation(const struct anl_config *config, uint32_t seed);
// The configuration is refused, and the reason contains that.
void refused(struct anl_config config, const char *reason);

#endif
