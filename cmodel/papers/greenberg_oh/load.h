// SPDX-License-Identifier: Apache-2.0
//
// Load factor of a set of worms on a butterfly fat-tree (section 3): the worms that have to cross a
// channel over its capacity, 2^l links above a subtree of level l, in either direction, at most.

#ifndef GREENBERG_OH_LOAD_H
#define GREENBERG_OH_LOAD_H

#include <annelid/network.h>

// Where the load factor is reached.
struct load_place {
    double factor;
    uint32_t level;    // 0 .. n - 1: of the subtree below the channel
    uint32_t subtree;  // its terminals are 4^level * subtree …
    bool up;
};

struct load {
    uint32_t levels;
    uint32_t *worms;  // per level, subtree, direction
};

// config: a fat-tree. ANL_ERR_MEMORY.
enum anl_status load_begin(struct load *load, const struct anl_config *config);
void load_free(struct load *load);

// A worm to its own source crosses both channels of its terminal.
void load_add(struct load *load, uint32_t source, uint32_t destination);

struct load_place load_factor(const struct load *load);

#endif
