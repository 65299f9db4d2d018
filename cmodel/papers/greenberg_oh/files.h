// SPDX-License-Identifier: Apache-2.0
//
// What is left in files, each whole or not at all: all runs, Table 1, the claims, figures 2 to 5 as
// CSV, TSV and SVG (drawn by gnuplot), the theorems.

#ifndef GREENBERG_OH_FILES_H
#define GREENBERG_OH_FILES_H

#include "check.h"

// directory must exist. ANL_ERR_IO, ANL_ERR_MEMORY.
enum anl_status files_write(const char *directory, const struct plan *plan,
                            const struct results *results, struct anl_error *error);

#endif
