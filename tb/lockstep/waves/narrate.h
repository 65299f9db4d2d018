// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis as signals: per worm of the cast what it does, whom it waits for, where;
// per lane of its path what lies in it and why its front does not move.

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

// What is said of it all: texts that stand from the first cycle on; "" is not shown.
void narrate_title(struct narration *narration, uint64_t cycle, const char *title,
                   const char *expected, const char *seen);

// Declares the signals. All three must stay where they are.
void narration_create(struct narration *narration, const struct anl_config *config,
                      const struct wave_worms *wave_worms, struct wave *wave);

// One cycle, of which the blocking analysis has just heard; NULL: what worms do is not known.
void narrate(struct narration *narration, uint64_t cycle, const struct anl_blocking *blocking,
             const struct worms *worms);

#endif
