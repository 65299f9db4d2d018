// SPDX-License-Identifier: Apache-2.0
//
// Which ways the heads of a run took, of all those that a head for some terminal may take
// (docs/lockstep.md, "Ways"). A way is where a head stands and wants to go, the port by which it
// leaves and, if only some lanes may be taken, which ones.

#ifndef ANL_LOCKSTEP_WAYS_H
#define ANL_LOCKSTEP_WAYS_H

#include <annelid/network.h>

struct ways;

// Lists the ways of a network, none of which has been taken: *ways is NULL if its switches have no
// buffers. ANL_ERR_MEMORY: *ways is NULL. config must stay in place; ways_destroy() takes NULL.
enum anl_status ways_create(const struct anl_config *config, struct ways **ways);
void ways_destroy(struct ways *ways);

// Counts the way of a head that crosses a link.
void ways_head(struct ways *ways, const struct anl_flit *flit, uint32_t destination);

struct way_taken {
    char kind[96];   // of network and routing: "mesh n=2 west_first"
    char name[256];  // "-0 -1 by -0"
    bool own;        // the name means something in this network alone, not in all of the kind
    uint64_t times;
};

// Writes the next way, in any order; *at is 0 at first. Returns false if there is none.
bool ways_next(const struct ways *ways, size_t *at, struct way_taken *taken);

#endif
