// SPDX-License-Identifier: Apache-2.0
//
// What is printed: Table 1, figures, sentences, theorems, bounds, and how many cells passed.

#ifndef GREENBERG_OH_REPORT_H
#define GREENBERG_OH_REPORT_H

#include "check.h"

// True if nothing failed.
bool report_print(const struct plan *plan, const struct results *results);

#endif
