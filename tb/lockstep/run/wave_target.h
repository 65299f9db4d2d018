// SPDX-License-Identifier: Apache-2.0
//
// Which stall of which worm are waves to show? The longest of the run, the longest of a given worm,
// or the one that lasts in a given cycle. Hears what the blocking analysis says as a run goes on.

#ifndef ANL_LOCKSTEP_WAVE_TARGET_H
#define ANL_LOCKSTEP_WAVE_TARGET_H

#include <annelid/blocking.h>

struct wave_target {
    uint32_t wanted;  // worm; ANL_NOTHING: any
    uint64_t at;      // cycle; UINT64_MAX: none is asked for
    bool found;
    bool waits;  // false: it is under way from stay.begin to stay.end and is never blocked
    bool ended;  // the stall is whole
    struct anl_stall stall;
    uint32_t queued_behind;  // the wanted worm is not found: it was in the queue of its source, at
                             // whose front this one was; ANL_NOTHING: it was not there
};

struct wave_target wave_target_of(uint32_t wanted, uint64_t at);

// For anl_blocking_create(); subject must stay where it is.
struct anl_blocking_listener wave_target_listener(struct wave_target *wave_target);

// To be called in every cycle, when the blocking analysis has heard its flits: chooses in cycle
// `at`.
void wave_target_look(struct wave_target *wave_target, const struct anl_blocking *blocking);

// To be called after the last cycle: a wanted worm that is still under way and was never blocked is
// shown as far as it has come.
void wave_target_over(struct wave_target *wave_target, const struct anl_blocking *blocking);

// True if a run that is made for this subject alone need not go on: its stall has ended, or lasts
// too long to be shown.
bool wave_target_settled(const struct wave_target *wave_target, uint64_t cycle);

#endif
