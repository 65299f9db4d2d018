// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: colour.c (the method that is asked for, refinement, the
// check), bounds.c, first_fit.c, resample.c (Moser and Tardos), release.c, worst.c and instance.c.

#ifndef ANL_COLOUR_PRIVATE_H
#define ANL_COLOUR_PRIVATE_H

#include <annelid/colour.h>

// The messages over each link: those of link l are on[begin[l]] … on[begin[l + 1] - 1], ascending.
struct crossings {
    size_t *begin;
    uint32_t *on;
};
enum anl_status crossings_find(const struct anl_link_paths *paths, struct crossings *crossings);
void crossings_free(struct crossings *crossings);

// --- methods ---

enum anl_status first_fit(const struct anl_link_paths *paths, uint32_t vcs,
                          struct anl_colouring *colouring);

// Messages of which each draws one of `ways` colours, within the class that it has already. Its
// colour is class * ways + what it drew.
struct drawing {
    const struct anl_link_paths *paths;
    const struct crossings *crossings;
    const struct anl_colour_options *options;
    struct anl_rng *rng;
    uint32_t ways;
    uint32_t most;      // messages of one colour over a link
    uint64_t *colours;  // [messages] the classes, and then the colours
    uint64_t resamples;
};
// Draws until no link has more than `most` messages of one colour. Returns ANL_ERR_STALLED if this
// takes more resamples than the options allow; ANL_ERR_MEMORY.
enum anl_status resample(struct drawing *drawing);

// One step of the refinement: each class becomes `ways` classes, of which at most `most` messages
// cross a link, where at most `before` did.
struct refinement {
    double ways;
    uint32_t most;
};
// Returns the step that Lemma 2.1.5 has for a multiplex size; vcs < before.
struct refinement refinement_of(uint32_t before, uint32_t dilation, uint32_t vcs);

// Numbers colours from 0 in the order in which they appear, so that none is without messages.
// Returns how many there are in *count. ANL_ERR_MEMORY.
enum anl_status pack(uint64_t *colours, uint32_t messages, uint32_t *count);

#endif
