// SPDX-License-Identifier: Apache-2.0
//
// What is to be said of a set of worms before any of them moves.

#ifndef ANL_THEORY_H
#define ANL_THEORY_H

#include <annelid/theory.h>

struct theory_worms {
    uint64_t count;              // P
    uint32_t shortest, longest;  // lengths, flits
    uint64_t last_created;       // cycle
    // Of a fat-tree, else NULL: the worms that cross a channel, per level, subtree and direction.
    uint32_t *crossing;
    uint32_t levels;
};

// ANL_ERR_MEMORY.
enum anl_status theory_worms_begin(struct theory_worms *worms, const struct anl_config *config);
void theory_worms_free(struct theory_worms *worms);

// A worm to its own source crosses both channels of its terminal.
void theory_worms_add(struct theory_worms *worms, const struct anl_worm *worm);

// Fills in what a trial says of its worms.
void theory_worms_note(const struct theory_worms *worms, struct anl_trial *trial);

#endif
