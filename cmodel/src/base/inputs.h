// SPDX-License-Identifier: Apache-2.0
//
// What output files ask about input files.

#ifndef ANNELID_BASE_INPUTS_H
#define ANNELID_BASE_INPUTS_H

#include <stdbool.h>
#include <sys/stat.h>

// Returns whether this file is an input that anl_input_protect() protects. Any thread may ask.
bool base_is_input(const struct stat *file);

#endif
