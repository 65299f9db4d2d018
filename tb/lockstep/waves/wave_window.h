// SPDX-License-Identifier: Apache-2.0
//
// The window of a waveform: the cycles and the worms that it shows, and its texts. It is plain
// data, shared by the processes that choose it and that write the waves (snapshot.h).

#ifndef ANL_LOCKSTEP_WAVE_WINDOW_H
#define ANL_LOCKSTEP_WAVE_WINDOW_H

#include "run/lockstep_internal.h"
#include "wave_worms.h"

enum wave_window_mark { WAVE_WINDOW_A, WAVE_WINDOW_B, WAVE_WINDOW_MARKS };

struct wave_window {
    bool scouting;      // true: find the worms to show; false: write the waves
    uint64_t from, to;  // first and last cycle in the waves
    struct {
        uint64_t cycle;  // UINT64_MAX: not set
        char name[24];
    } mark[WAVE_WINDOW_MARKS];
    enum wave_window_mark first;  // mark at which a viewer shows values
    uint64_t begin, end;          // first and last cycle to scout: those of the stall
    uint32_t worm;                // the worm that waits, or ANL_NOTHING
    uint32_t link;                // whose lanes flits leave in a cycle that is over, or ANL_NOTHING
    struct wave_worms wave_worms;
    uint32_t switch_;               // a switch to show besides those of the worms, or ANL_NOTHING
    char title[512];                // on one line
    char expected[256], seen[256];  // of a difference
    char text[8192];                // lines about who waits for whom
    enum anl_status status;
    struct anl_error error;
};

// Chooses the window after the run. Returns false if there is nothing to show; *error says why.
bool wave_window_choose(struct wave_window *wave_window, const struct lockstep *run,
                        struct anl_error *error);

// Returns true if the worms to show are not known yet, so that cycles begin .. end must be
// repeated.
bool wave_window_wants_scout(const struct wave_window *wave_window);

// Find the worms to show: one call for each of these cycles, after the blocking analysis was fed
// it, and one at the end.
void wave_window_scout(struct wave_window *wave_window, const struct lockstep *run);
void wave_window_scouted(struct wave_window *wave_window);

#endif
