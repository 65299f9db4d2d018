// SPDX-License-Identifier: Apache-2.0
//
// The measured sets (cost.h), of which the build writes the table.

#include "cost.h"

const struct cost_set cost_sets[] = {
#include "cost_figures.inc"
};

const size_t cost_num_sets = sizeof cost_sets / sizeof *cost_sets;
