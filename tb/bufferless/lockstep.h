// SPDX-License-Identifier: Apache-2.0
//
// One run of a mesh without buffers: RTL and model side by side, the referee on what the RTL shows.

#ifndef ANL_TB_BUFFERLESS_LOCKSTEP_H
#define ANL_TB_BUFFERLESS_LOCKSTEP_H

#include <annelid/annelid.h>
#include <annelid/bufferless.h>
#include <annelid/bufferless_referee.h>
#include <stdio.h>

enum { MOST_SIDE = 8, MOST_NODES = MOST_SIDE * MOST_SIDE };

// The worms of a run, those of a source in the order of their starts.
struct cast {
    struct anl_worm *worms;  // created is the start; ids are their numbers
    uint32_t count;
};

struct lockstep_options {
    bool rules;     // the referee and the fault lines alone judge
    uint32_t wait;  // cycles before the step counts
};

// What happened. text is one line for people, or several.
struct lockstep_result {
    bool differs;                       // RTL and model differ; with rules: a fault line was 1
    uint64_t step;                      // in which they did
    uint64_t cycles;                    // that were compared
    uint64_t flits;                     // that crossed a link of the RTL or were consumed
    uint64_t fault_step;                // at whose start the first fault line was 1; 0: none ever
    uint64_t fault_nodes;               // mask of the nodes whose lines were 1 then
    uint64_t digest;                    // of the model, as a trace of the run has it
    struct anl_bufferless_fault fault;  // of the model
    struct anl_bufferless_violation violation;  // of the RTL, seen by the referee
    char text[400];
    char assertion[160];  // of the RTL, the first one that failed
};

// Returns the side of the mesh of which this program has the RTL.
uint32_t lockstep_side(void);

// Runs the worms until all have been delivered or, after a fault, nothing moves. The run ends with
// the first difference.
struct lockstep_result lockstep_run(const struct cast *cast,
                                    const struct lockstep_options *options);

#endif
