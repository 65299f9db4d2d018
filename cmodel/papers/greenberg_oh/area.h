// SPDX-License-Identifier: Apache-2.0
//
// The competing network of Theorems 5 and 6: a mesh of N = 4^n processors in 2^n rows, whose worms
// are sent again on a fat-tree of as many.

#ifndef GREENBERG_OH_AREA_H
#define GREENBERG_OH_AREA_H

#include <annelid/scenario.h>
#include <stdbool.h>

// Shuffled row-major indexing (Thompson and Kung 1977): bits of row and column in turn, the row's
// before the column's, so that each quadrant has consecutive numbers, and each of its quadrants.
uint32_t area_terminal(uint32_t row, uint32_t column);

struct area_worms {
    struct anl_message *messages;  // between terminals of the fat-tree, all of cycle 0; the
                                   // caller's, to be freed with free()
    size_t count;
    uint64_t window_cycles;
};

// Asked now and then; once it has returned false the mesh stops, with the worms until then.
struct area_watch {
    bool (*go_on)(void *user);  // NULL: nobody is asked
    void *user;
};

// The worms of which a flit moves on the mesh in length cycles, after a time to fill.
// mesh: 2 dimensions, k a power of 2, worms of one length. ANL_ERR_MEMORY.
enum anl_status area_window(const struct anl_scenario *mesh, const struct area_watch *watch,
                            struct area_worms *worms);

// The worms that the mesh delivers in its first N times longest cycles.
enum anl_status area_stream(const struct anl_scenario *mesh, const struct area_watch *watch,
                            struct area_worms *worms);

#endif
