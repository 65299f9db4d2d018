// SPDX-License-Identifier: Apache-2.0
//
// What waves are about: which cycles, which worms, what is said of them. Plain data, shared by the
// processes that find it out and that write it down (snapshot.h).

#ifndef ANL_LOCKSTEP_PLOT_H
#define ANL_LOCKSTEP_PLOT_H

#include "cast.h"
#include "drive/lockstep_internal.h"

enum plot_mark { PLOT_A, PLOT_B, PLOT_MARKS };

struct plot {
    bool scouting;      // true: find the cast; false: write the waves
    uint64_t from, to;  // first and last cycle in the waves
    struct {
        uint64_t cycle;  // UINT64_MAX: not set
        char name[24];
    } mark[PLOT_MARKS];
    enum plot_mark first;  // where a viewer shows values
    uint64_t begin, end;   // of the stall that is looked into, for scouting
    uint32_t worm;         // that waits
    struct cast cast;
    uint32_t switch_;               // one to show besides those of the cast, or ANL_NOTHING
    char title[512];                // one line
    char expected[256], seen[256];  // at a difference
    char text[8192];                // the blocking analysis, lines
    enum anl_status status;
    struct anl_error error;
};

// After the run: chooses. False, and *error says why: there is nothing to show.
bool plot_choose(struct plot *plot, const struct lockstep *run, struct anl_error *error);

// True if the cast is not known yet: go through cycles plot->begin .. plot->end again.
bool plot_wants_scout(const struct plot *plot);

// Scouting: one of these cycles, of which the blocking analysis has just heard; then, once, the
// end.
void plot_scout(struct plot *plot, const struct lockstep *run);
void plot_scouted(struct plot *plot);

#endif
