// SPDX-License-Identifier: Apache-2.0

#include "unit_draw.h"

uint32_t unit_draw(struct anl_rng *rng, uint32_t least, uint32_t most)
{
    return least + anl_rng_below(rng, most - least + 1);
}
