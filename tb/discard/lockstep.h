// SPDX-License-Identifier: Apache-2.0
//
// One run of a butterfly that discards: RTL and model side by side, the referee on what the RTL
// shows.

#ifndef ANL_TB_DISCARD_LOCKSTEP_H
#define ANL_TB_DISCARD_LOCKSTEP_H

#include <annelid/annelid.h>
#include <annelid/discarding_referee.h>
#include <stdio.h>

enum { MOST_WORMS = 4000, MOST_LENGTH = 32 };

// What this program has the RTL of.
struct lockstep_shape {
    uint32_t levels, passes, num_vcs, injections;
    bool multiplexed;
    uint32_t last_start;  // the largest one
};

// The worms of a run, in the order of their starts.
struct cast {
    struct anl_worm *worms;  // source, destination and path are columns, created is the start; ids
                             // are their numbers
    uint32_t *lanes;         // injection lane of each worm
    uint32_t count;
};

struct lockstep_options {
    bool rules;     // the referee alone judges
    uint32_t wait;  // cycles before the step counts
};

// What happened. text is one line for people, or several.
struct lockstep_result {
    bool differs;                            // RTL and model differ
    uint64_t steps, cycles;                  // from step 1 to the one in which the last flit moves
    uint64_t flits;                          // that crossed a link of the RTL
    uint64_t digest;                         // of these flits
    uint64_t discarded, delivered;           // worms, counted by the referee
    struct anl_discard_violation violation;  // of the RTL, seen by the referee
    char text[400];
    char assertion[160];  // of the RTL, the first one that failed
};

struct lockstep_shape lockstep_shape(void);

// Gives a worm the lowest injection lane of its source that is idle in its start. The lanes of the
// worms before it are in cast->lanes. Returns false if there is none.
bool lockstep_find_lane(const struct cast *cast, const struct anl_worm *worm, uint32_t *lane);

// Writes where a lane of a link is: "(2,1).1 lane 0" is lane 0 of output link 1 of column 2,
// level 1.
void lockstep_place(char *text, size_t size, uint32_t link, uint32_t vc);

// Runs the worms until nothing moves. The run ends with the first difference.
struct lockstep_result lockstep_run(const struct cast *cast,
                                    const struct lockstep_options *options);

#endif
