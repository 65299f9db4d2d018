// SPDX-License-Identifier: Apache-2.0
//
// Who appears in waves: the worm that waits, those that hold it up, and the lanes they lie in.
// Plain data, so that one process can hand it to another.

#ifndef ANL_LOCKSTEP_WAVE_WORMS_H
#define ANL_LOCKSTEP_WAVE_WORMS_H

#include <annelid/blocking.h>

// Shown, at most; candidates while it is being found out who is to be shown.
enum { WAVE_WORMS_WORMS = 8, WAVE_WORMS_LANES = 8, WAVE_WORMS_CANDIDATES = 64 };

struct wave_worms_worm {
    struct anl_worm worm;
    uint32_t cycles;  // in which it was on the chain that is followed
    uint32_t lanes;
    uint32_t
        lane[WAVE_WORMS_LANES];  // buffers in path order, the one nearest to the destination first
};

struct wave_worms {
    uint32_t worms;
    struct wave_worms_worm worm[WAVE_WORMS_CANDIDATES];
};

// Adds a worm at the end, if it is in the network, is not there yet and there is room.
void wave_worms_join(struct wave_worms *wave_worms, const struct anl_blocking *blocking,
                     uint32_t worm);

// Adds the worms of the chain of buffer, in order, and a cycle to each.
void wave_worms_follow(struct wave_worms *wave_worms, const struct anl_blocking *blocking,
                       uint32_t buffer);

// Keeps CAST_WORMS: the first, then those that were on the chain for most cycles; of equal ones
// those that came first.
void wave_worms_choose(struct wave_worms *wave_worms);

// Adds the lanes in which the worms lie now; of more than CAST_LANES those nearest to the
// destination are kept.
void wave_worms_find_lanes(struct wave_worms *wave_worms, const struct anl_blocking *blocking);

// The switches that the lanes are inputs of, each once; and one more, unless it is ANL_NOTHING.
enum { WAVE_WORMS_SWITCHES = WAVE_WORMS_WORMS * WAVE_WORMS_LANES + 1 };
size_t wave_worms_switches(const struct wave_worms *wave_worms, const struct anl_config *config,
                           uint32_t more, uint32_t switches[WAVE_WORMS_SWITCHES]);

#endif
