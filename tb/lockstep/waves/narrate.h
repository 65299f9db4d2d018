// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis as signals. Each worm that waves show has signals for what it does, whom it
// waits for and where it is; each lane of its path has signals for its contents and for the reason
// why its front flit does not move.

#ifndef ANL_LOCKSTEP_NARRATE_H
#define ANL_LOCKSTEP_NARRATE_H

#include "compare/worms.h"
#include "wave.h"
#include "wave_worms.h"

struct lane_signals {
    uint32_t state, worm, front, fill, wants, cause;
};

struct worm_signals {
    uint32_t state, waits_for, buffer, waited;
    struct lane_signals lane[WAVE_WORMS_LANES];
};

struct narration {
    const struct anl_config *config;
    const struct wave_worms *wave_worms;
    struct wave *wave;
    uint32_t clock, cycle, title, expected, seen;
    struct worm_signals worm[WAVE_WORMS_WORMS];
};

// Sets texts that hold from the first cycle on; "" is not shown.
void narrate_title(struct narration *narration, uint64_t cycle, const char *title,
                   const char *expected, const char *seen);

// Declares the signals. What the pointers refer to must stay in place.
void narration_create(struct narration *narration, const struct anl_config *config,
                      const struct wave_worms *wave_worms, struct wave *wave);

// Sets the signals of one cycle, with which the blocking analysis was just fed. blocking is NULL if
// it is not known what worms do.
void narrate(struct narration *narration, uint64_t cycle, const struct anl_blocking *blocking,
             const struct worms *worms);

#endif
