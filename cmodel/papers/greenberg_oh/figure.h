// SPDX-License-Identifier: Apache-2.0
//
// A figure of the paper: mean times over N, one line per series, with the deviation of a run.

#ifndef GREENBERG_OH_FIGURE_H
#define GREENBERG_OH_FIGURE_H

#include "results.h"

bool figure_exists(const struct plan *plan, uint32_t figure);

// Writes figure<number>.csv, .tsv and .svg to directory, which must exist. ANL_ERR_IO, also if
// gnuplot does not draw it; ANL_ERR_MEMORY.
enum anl_status figure_write(const char *directory, const struct plan *plan,
                             const struct results *results, uint32_t figure,
                             struct anl_error *error);

#endif
