// SPDX-License-Identifier: Apache-2.0
//
// One load of a torus of sliding diagonals: RTL, model and referee side by side.

#ifndef ANL_TB_DIAGONALS_LOCKSTEP_H
#define ANL_TB_DIAGONALS_LOCKSTEP_H

#include <annelid/annelid.h>
#include <annelid/diagonals.h>
#include <annelid/diagonals_referee.h>
#include <annelid/referee.h>

// Rows and columns; registers of a node.
enum { MOST_SIDE = 16, MOST_NODES = MOST_SIDE * MOST_SIDE, LINKS = 4 };

// What happened. text is one line for people.
struct lockstep_result {
    bool differs;
    uint64_t step;    // in which they did
    uint64_t cycles;  // that were compared
    uint64_t flits;   // that came to a register of the RTL or left it for good
    uint64_t digest;  // of all registers of the RTL in all steps
    char text[400];
    char assertion[160];                       // of the RTL, the first one that failed
    struct anl_diagonals_violation violation;  // what the referee saw in the RTL, if a rule
};

// Returns the parameters of the torus of which this program has the RTL.
struct anl_diagonals_config lockstep_config(void);

// Runs the worms, with the results of a machine, until all batches are done, or up to the first
// difference; with `rules` RTL and model are not compared, and it is up to the first broken rule.
// The machine was made for lockstep_config().
struct lockstep_result lockstep_run(struct anl_diagonals *machine, struct anl_diagonals_worm *worms,
                                    uint32_t count, bool rules);
// Returns in words where a register is.
const char *lockstep_place(uint32_t reg);

#endif
