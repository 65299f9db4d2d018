// SPDX-License-Identifier: Apache-2.0

#include "hops.h"

#include <string.h>

struct anl_config network(uint32_t i)
{
    return i < UNIT_NUM_NETWORKS ? unit_networks[i] : others[i - UNIT_NUM_NETWORKS];
}

void expect_the_formula(hop_of *hop, const uint32_t cycles[3])
{
    static const uint32_t depths[] = {1, 2, 3, 4, 8, 32};
    for (uint32_t i = 0; i < NUM_NETWORKS; i++)
        for (int flow_control = ANL_WORMHOLE; flow_control <= ANL_STORE_AND_FORWARD; flow_control++)
            for (uint32_t d = 0; d < 6; d++) {
                const struct anl_config config = hop(network(i), cycles[(i + d) % 3], depths[d],
                                                     (enum anl_flow_control)flow_control);
                if (anl_shape_of(&config).terminals <= 16) all_pairs(&config);
            }
}

void expect_full_rate(hop_of *hop, uint32_t cycles, uint32_t depth, uint64_t head)
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

void expect_conservation(const struct anl_config *config, uint32_t seed)
{
    if (config->topology != ANL_MESH && config->routing == ANL_DIMENSION_ORDER)
        return;  // it may deadlock
    const uint64_t hash = random_run(config, seed, 0);
    assert_true(hash == random_run(config, seed, 1));
}

void refused(struct anl_config config, const char *reason)
{
    struct anl_error error;
    assert_int_equal(anl_config_check(&config, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, reason));
}
