// SPDX-License-Identifier: Apache-2.0
//
// What output files ask about input files, and how lists of the library grow.

#ifndef ANNELID_BASE_PRIVATE_H
#define ANNELID_BASE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

// Returns whether this file is an input that anl_input_protect() protects. Any thread may ask.
bool base_is_input(const struct stat *file);

// Makes room for one more entry behind `count` in a list of entries of `bytes` bytes each, for
// *room of which there is memory; a list without any is NULL. Returns the list, which may have
// moved; NULL without memory, and then the list is as it was.
void *base_room(void *list, size_t count, size_t *room, size_t bytes);

#endif
