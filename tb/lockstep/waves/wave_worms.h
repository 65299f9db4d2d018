// SPDX-License-Identifier: Apache-2.0
//
// The worms that waves show: the one that waits, those that hold it up, and the lanes in which they
// lie. Plain data, so that one process can hand it to another.

#ifndef ANL_LOCKSTEP_WAVE_WORMS_H
#define ANL_LOCKSTEP_WAVE_WORMS_H

#include <annelid/blocking.h>

// The most worms and lanes per worm that are shown, and the most candidates before worms are
// chosen.
enum { WAVE_WORMS_WORMS = 8, WAVE_WORMS_LANES = 8, WAVE_WORMS_CANDIDATES = 64 };

struct wave_worms_worm {
    struct anl_worm worm;
    uint32_t cycles;  // cycles in which it was on the chain that is followed
    uint32_t lanes;
    // Buffers in path order, the one nearest to the destination first.
    uint32_t lane[WAVE_WORMS_LANES];
};

struct wave_worms {
    uint32_t worms;
    struct wave_worms_worm worm[WAVE_WORMS_CANDIDATES];
};

// Appends a worm if it is in the network, is not in the list and there is room.
void wave_worms_join(struct wave_worms *wave_worms, const struct anl_blocking *blocking,
                     uint32_t worm);

// Appends the worms on the chain of a buffer, in order, and counts a cycle for each of them.
void wave_worms_follow(struct wave_worms *wave_worms, const struct anl_blocking *blocking,
                       uint32_t buffer);

// Keeps WAVE_WORMS_WORMS worms: the first one, then those that were on the chain for most cycles;
// of equal ones those that came first.
void wave_worms_choose(struct wave_worms *wave_worms);

// Adds the lanes in which the worms lie now. If a worm has more than WAVE_WORMS_LANES, the ones
// nearest to its destination are kept.
void wave_worms_find_lanes(struct wave_worms *wave_worms, const struct anl_blocking *blocking);

// Lists the switches of which the lanes are inputs, each once, and one more unless it is
// ANL_NOTHING. Returns how many there are.
enum { WAVE_WORMS_SWITCHES = WAVE_WORMS_WORMS * WAVE_WORMS_LANES + 1 };
size_t wave_worms_switches(const struct wave_worms *wave_worms, const struct anl_config *config,
                           uint32_t more, uint32_t switches[WAVE_WORMS_SWITCHES]);

#endif
