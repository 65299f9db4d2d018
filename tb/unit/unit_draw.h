// SPDX-License-Identifier: Apache-2.0
//
// Random choices of the tests.

#ifndef ANNELID_UNIT_DRAW_H
#define ANNELID_UNIT_DRAW_H

#include <annelid/base.h>

// Returns a number from least to most, each with the same probability.
uint32_t unit_draw(struct anl_rng *rng, uint32_t least, uint32_t most);

#endif
