// SPDX-License-Identifier: Apache-2.0
//
// What the tests of links of several cycles and of switches of two stages share: networks, and
// whether a configuration in which a hop takes several cycles keeps what the pages promise.

#ifndef HOPS_H
#define HOPS_H

#include "unit_engine.h"

#include <string.h>

// Returns a configuration with links of so many cycles between switches, lanes of that depth, and
// the hop that is tested.
typedef struct anl_config hop_of(struct anl_config config, uint32_t cycles, uint32_t depth,
                                 enum anl_admission admission);

// Two small fat-trees and two butterflies, beside the cubes of unit.h.
static const struct anl_config others[] = {
    {.topology = ANL_FAT_TREE, .k = 4, .n = 2, .num_vcs = 2, .routing = ANL_UP_DOWN_FIXED},
    {.topology = ANL_FAT_TREE, .k = 4, .n = 2, .num_vcs = 1, .routing = ANL_UP_DOWN_GREEDY},
    {.topology = ANL_BUTTERFLY, .k = 2, .n = 3, .num_vcs = 1, .routing = ANL_DESTINATION_TAG},
    {.topology = ANL_BUTTERFLY, .k = 3, .n = 2, .num_vcs = 2, .routing = ANL_DESTINATION_TAG},
};
enum { NUM_NETWORKS = UNIT_NUM_NETWORKS + sizeof others / sizeof *others };

// Returns a network of unit.h, or behind them one of the others.
static inline struct anl_config network(uint32_t i)
{
    return i < UNIT_NUM_NETWORKS ? unit_networks[i] : others[i - UNIT_NUM_NETWORKS];
}

static const struct anl_config row = {
    .topology = ANL_MESH, .k = 3, .n = 1, .num_vcs = 1, .routing = ANL_DIMENSION_ORDER};

// The latency of lone worms for every pair of the small networks, with each admission and six
// depths.
static inline void expect_the_formula(hop_of *hop, const uint32_t cycles[3])
{
    static const uint32_t depths[] = {1, 2, 3, 4, 8, 32};
    for (uint32_t i = 0; i < NUM_NETWORKS; i++)
        for (int admission = ANL_WORMHOLE; admission <= ANL_STORE_AND_FORWARD; admission++)
            for (uint32_t d = 0; d < 6; d++) {
                const struct anl_config config =
                    hop(network(i), cycles[(i + d) % 3], depths[d], (enum anl_admission)admission);
                if (anl_shape_of(&config).terminals <= 16) all_pairs(&config);
            }
}

// In the row a worm of 200 flits leaves 199 cycles between its head and its tail, of which the head
// takes `head` cycles, if and only if lanes have the depth that is said to be needed.
static inline void expect_full_rate(hop_of *hop, uint32_t cycles, uint32_t depth, uint64_t head)
{
    for (uint32_t less = 0; less < 2; less++) {
        struct anl_config config = hop(row, cycles, 1, ANL_WORMHOLE);
        assert_int_equal(anl_full_rate_depth(&config), depth);
        config.depth = depth - less;
        struct anl_engine *net = make(&config);
        const uint64_t latency = lone_latency(net, 0, 2, 200), full = head + 199;
        assert_true(less ? latency > full : latency == full);
        anl_engine_destroy(net);
    }
}

// Under random traffic no flit is lost, and the order of the switches does not matter.
static inline void expect_conservation(const struct anl_config *config, uint32_t seed)
{
    if (config->topology != ANL_MESH && config->routing == ANL_DIMENSION_ORDER)
        return;  // it may deadlock
    const uint64_t hash = random_run(config, seed, 0);
    assert_true(hash == random_run(config, seed, 1));
}

static inline void refused(struct anl_config config, const char *reason)
{
    struct anl_error error;
    assert_int_equal(anl_config_check(&config, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, reason));
}

#endif
