// SPDX-License-Identifier: Apache-2.0
//
// What is to be said of a set of worms before any of them moves.

#ifndef GREENBERG_OH_WORM_SET_H
#define GREENBERG_OH_WORM_SET_H

#include "load.h"
#include "paths.h"

#include <annelid/scenario.h>

struct worm_set {
    uint64_t worms;              // P
    uint32_t shortest, longest;  // lengths, flits
    uint64_t last_created;       // cycle
    struct load load;            // empty unless the network is a fat-tree
};

// ANL_ERR_MEMORY.
enum anl_status worm_set_begin(struct worm_set *set, const struct anl_config *config);
void worm_set_free(struct worm_set *set);
void worm_set_add(struct worm_set *set, const struct anl_worm *worm);

// The worms that a scenario creates, in the order of their creation, and the paths they take if
// nobody is in their way; of a fat-tree's shortest paths those that up_down_fixed draws, whatever
// the routing. set and paths begun; paths are not settled. ANL_ERR_ARGUMENT: request_reply, whose
// worms depend on the run; ANL_ERR_MEMORY.
enum anl_status worm_set_draw(const struct anl_scenario *scenario, struct worm_set *set,
                              struct paths *paths, struct anl_error *error);

#endif
