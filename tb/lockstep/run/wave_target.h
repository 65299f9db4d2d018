// SPDX-License-Identifier: Apache-2.0
//
// The stall that waves show: the longest of the run, the longest of a given worm, or the one that
// lasts in a given cycle. It is chosen from what the blocking analysis reports during the run.

#ifndef ANL_LOCKSTEP_WAVE_TARGET_H
#define ANL_LOCKSTEP_WAVE_TARGET_H

#include <annelid/blocking.h>

struct wave_target {
    uint32_t wanted;  // id of the worm asked for; ANL_NOTHING: any
    uint64_t at;      // cycle asked for; UINT64_MAX: none
    bool found;
    bool waits;  // false: the worm is never blocked; it moves from stall.begin to stall.end
    bool ended;  // the stall has ended
    struct anl_stall stall;
    uint32_t queued_behind;  // if the wanted worm is queued: the worm at the front of its source;
                             // ANL_NOTHING: it is not queued
};

// Returns a target that is not found yet; wanted and at as in struct wave_target.
struct wave_target wave_target_of(uint32_t wanted, uint64_t at);

// Returns the listener for anl_blocking_create(); *wave_target must stay in place.
struct anl_blocking_listener wave_target_listener(struct wave_target *wave_target);

// To be called in every cycle after the blocking analysis was fed its flits; chooses the stall in
// cycle `at`.
void wave_target_look(struct wave_target *wave_target, const struct anl_blocking *blocking);

// To be called after the last cycle. A wanted worm that has not arrived and was never blocked is
// shown up to there.
void wave_target_over(struct wave_target *wave_target, const struct anl_blocking *blocking);

// Returns true if a run that is made for this target alone can stop: the stall has ended, or lasts
// longer than can be shown.
bool wave_target_settled(const struct wave_target *wave_target, uint64_t cycle);

#endif
