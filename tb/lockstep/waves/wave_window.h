// SPDX-License-Identifier: Apache-2.0
//
// What waves are about: which cycles, which worms, what is said of them. Plain data, shared by the
// processes that find it out and that write it down (snapshot.h).

#ifndef ANL_LOCKSTEP_WAVE_WINDOW_H
#define ANL_LOCKSTEP_WAVE_WINDOW_H

#include "run/lockstep_internal.h"
#include "wave_worms.h"

enum wave_window_mark { WAVE_WINDOW_A, WAVE_WINDOW_B, WAVE_WINDOW_MARKS };

struct wave_window {
    bool scouting;      // true: find the cast; false: write the waves
    uint64_t from, to;  // first and last cycle in the waves
    struct {
        uint64_t cycle;  // UINT64_MAX: not set
        char name[24];
    } mark[WAVE_WINDOW_MARKS];
    enum wave_window_mark first;  // where a viewer shows values
    uint64_t begin, end;          // of the stall that is looked into, for scouting
    uint32_t worm;                // that waits
    struct wave_worms wave_worms;
    uint32_t switch_;               // one to show besides those of the cast, or ANL_NOTHING
    char title[512];                // one line
    char expected[256], seen[256];  // at a difference
    char text[8192];                // the blocking analysis, lines
    enum anl_status status;
    struct anl_error error;
};

// After the run: chooses. False, and *error says why: there is nothing to show.
bool wave_window_choose(struct wave_window *wave_window, const struct lockstep *run,
                        struct anl_error *error);

// True if the cast is not known yet: go through cycles plot->begin .. plot->end again.
bool wave_window_wants_scout(const struct wave_window *wave_window);

// Scouting: one of these cycles, of which the blocking analysis has just heard; then, once, the
// end.
void wave_window_scout(struct wave_window *wave_window, const struct lockstep *run);
void wave_window_scouted(struct wave_window *wave_window);

#endif
