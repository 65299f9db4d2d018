// SPDX-License-Identifier: Apache-2.0
//
// Who appears in waves: the worm that waits, those that hold it up, and the lanes they lie in.
// Plain data, so that one process can hand it to another.

#ifndef ANL_LOCKSTEP_CAST_H
#define ANL_LOCKSTEP_CAST_H

#include <annelid/blocking.h>

// Shown, at most; candidates while it is being found out who is to be shown.
enum { CAST_WORMS = 8, CAST_LANES = 8, CAST_CANDIDATES = 64 };

struct cast_worm {
    struct anl_worm worm;
    uint32_t cycles;  // in which it was on the chain that is followed
    uint32_t lanes;
    uint32_t lane[CAST_LANES];  // buffers in path order, the one nearest to the destination first
};

struct cast {
    uint32_t worms;
    struct cast_worm worm[CAST_CANDIDATES];
};

// Adds a worm at the end, if it is in the network, is not there yet and there is room.
void cast_join(struct cast *cast, const struct anl_blocking *blocking, uint32_t worm);

// Adds the worms of the chain of buffer, in order, and a cycle to each.
void cast_follow(struct cast *cast, const struct anl_blocking *blocking, uint32_t buffer);

// Keeps CAST_WORMS: the first, then those that were on the chain for most cycles; of equal ones
// those that came first.
void cast_choose(struct cast *cast);

// Adds the lanes in which the worms lie now; of more than CAST_LANES those nearest to the
// destination are kept.
void cast_find_lanes(struct cast *cast, const struct anl_blocking *blocking);

// The switches that the lanes are inputs of, each once; and one more, unless it is ANL_NOTHING.
enum { CAST_SWITCHES = CAST_WORMS * CAST_LANES + 1 };
size_t cast_switches(const struct cast *cast, const struct anl_config *config, uint32_t more,
                     uint32_t switches[CAST_SWITCHES]);

#endif
