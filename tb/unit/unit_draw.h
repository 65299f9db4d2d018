// SPDX-License-Identifier: Apache-2.0
//
// Random choices of the tests.

#ifndef ANNELID_UNIT_DRAW_H
#define ANNELID_UNIT_DRAW_H

#include <annelid/base.h>

// Returns a number from least to most, each with the same probability.
static inline uint32_t draw(struct anl_rng *rng, uint32_t least, uint32_t most)
{
    return least + anl_rng_below(rng, most - least + 1);
}

#endif
