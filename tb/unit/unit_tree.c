// SPDX-License-Identifier: Apache-2.0

#include "unit_tree.h"

struct anl_config tree(uint32_t n, enum anl_routing routing)
{
    return (struct anl_config){.topology = ANL_FAT_TREE,
                               .k = 4,
                               .n = n,
                               .num_vcs = 2,
                               .depth = 2,
                               .flit_width_bits = 64,
                               .routing = routing,
                               .arbiter = ANL_RANDOM};
}

uint32_t power(uint32_t base, uint32_t exponent)
{
    uint32_t result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

uint32_t level_of(const struct anl_config *config, uint32_t switch_)
{
    return anl_tree_place(config, switch_).level;
}

uint32_t switch_at(const struct anl_config *config, uint32_t level, uint32_t address)
{
    return anl_tree_switch(config, (struct anl_tree_place){level, address});
}
