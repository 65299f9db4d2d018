// SPDX-License-Identifier: Apache-2.0
//
// Rounds of supernodes: RTL and model side by side, the referee on what the RTL shows.

#ifndef ANL_TB_SNAKES_LOCKSTEP_H
#define ANL_TB_SNAKES_LOCKSTEP_H

#include "papers/roberts_symvonis/program/snakes.h"

#include <annelid/bufferless_referee.h>

enum { MOST_ROLES = 256 };  // worms of a round: names have 8 bits

// A worm of a round: born in a cell, or in a slot of a train from the first cycle on.
struct role {
    bool loads;
    uint32_t supernode, cell;  // cell: of its birth
    enum side side;            // of the train
    uint32_t slot;
    uint32_t to_supernode, to_cell;
};

struct round {
    struct role roles[MOST_ROLES];
    uint32_t count, supersteps;
    uint32_t wait;  // steps between the round before and this one
};

struct lockstep_options {
    bool rules;  // the referee and the fault lines alone judge
    // Fills in the next round; returns false if there is none.
    bool (*next)(void *user, struct round *round);
    void *user;
};

// What happened. text is one line for people, or several.
struct lockstep_result {
    bool differs;        // RTL and model differ; with rules: a fault line was 1
    const char *failed;  // what else is wrong, or NULL
    uint64_t rounds, worms, supersteps, steps;  // that were run
    uint64_t flits;                             // that crossed a link of the RTL or were consumed
    uint64_t exchanges;                         // of slots
    uint64_t digest;                            // of worms and flits of the model
    struct anl_bufferless_violation violation;  // of the RTL, seen by the referee
    char text[400];
    char assertion[160];  // of the RTL, the first one that failed
};

// Returns the layout that the RTL has, once it was inspected, and how many supernodes are in a row.
const struct layout *lockstep_layout(uint32_t *n);

// Runs all rounds, or up to the first difference.
struct lockstep_result lockstep_run(const struct lockstep_options *options);

#endif
