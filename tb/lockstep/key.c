// SPDX-License-Identifier: Apache-2.0

#include "key.h"

#include <stdbool.h>
#include <stdio.h>

// Parameter Kind of the RTL: the topology, + 4 for a torus without datelines; fat-trees from 8 on,
// by the choice of path.
static int kind_of(const struct anl_config *config)
{
    if (config->topology == ANL_FAT_TREE) return 8 + (int)config->routing - (int)ANL_UP_DOWN_FIXED;
    bool torus = config->topology == ANL_TORUS || config->topology == ANL_UNIDIRECTIONAL_TORUS;
    return (int)config->topology + (torus && config->routing == ANL_DIMENSION_ORDER ? 4 : 0);
}

void key_of(const struct anl_config *config, char key[KEY_BYTES])
{
    snprintf(key, KEY_BYTES, "k%u_n%u_kind%d_v%u_d%u_w%u_s%d_a%d%s", config->k, config->n,
             kind_of(config), config->num_vcs, config->depth, config->flit_width_bits,
             (int)config->scan, (int)config->admission, config->space == ANL_CHAINED ? "_c1" : "");
}
