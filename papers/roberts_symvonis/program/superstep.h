// SPDX-License-Identifier: Apache-2.0
//
// A superstep of 2 x 2 supernodes with worms in their trains, step by step.

#ifndef ANL_SNAKES_SUPERSTEP_H
#define ANL_SNAKES_SUPERSTEP_H

#include "snakes.h"

struct superstep {
    struct layout layout;
    struct snakes snakes;
    struct destinations destinations;
    uint32_t *to;    // [worms] supernodes
    uint32_t worms;  // that were loaded
    uint64_t last;   // step of the superstep
};

// On success the caller frees *superstep with superstep_free().
enum anl_status superstep_create(struct superstep *superstep, struct anl_error *error);
void superstep_free(struct superstep *superstep);  // may be empty

// Makes a step; returns false, and does nothing, at the end.
bool superstep_go_on(struct superstep *superstep);

#endif
