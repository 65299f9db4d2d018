// SPDX-License-Identifier: Apache-2.0
//
// Lists that commands gather while a blocking analysis goes by.

#ifndef ANNELID_GATHER_H
#define ANNELID_GATHER_H

#include <annelid/blocking.h>

// The list with room for one element more; *size: for how many it has. NULL: no memory, and the
// list is as it was.
void *gather_room(void *list, size_t count, size_t *size, size_t element_bytes);

// The delays of a life, most cycles first, of several the lowest worm first. To be freed with
// free(); NULL: no memory.
struct anl_delay *gather_delays(const struct anl_life *life);

#endif
