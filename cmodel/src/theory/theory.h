// SPDX-License-Identifier: Apache-2.0
//
// The properties of a set of worms that do not depend on a run, for trial.c and for a test.

#ifndef ANL_THEORY_H
#define ANL_THEORY_H

#include <annelid/theory.h>

struct theory_worms {
    uint64_t count;              // how many worms: P
    uint32_t shortest, longest;  // lengths, flits
    uint64_t last_created;       // cycle
    // For each level, subtree and direction the worms that cross the channel above the subtree;
    // NULL if the network is no fat-tree.
    uint32_t *crossing;
    uint32_t levels;
};

// Begins with no worms. The caller gives *worms to theory_worms_free(). ANL_ERR_MEMORY.
enum anl_status theory_worms_begin(struct theory_worms *worms, const struct anl_config *config);
void theory_worms_free(struct theory_worms *worms);

// Adds a worm. A worm to its own source crosses both channels of its terminal.
void theory_worms_add(struct theory_worms *worms, const struct anl_worm *worm);

// Fills in the fields of *trial that depend on the set of worms alone.
void theory_worms_note(const struct theory_worms *worms, struct anl_trial *trial);

#endif
