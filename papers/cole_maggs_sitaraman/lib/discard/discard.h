// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share. A worm never waits, so its flits are where its head was: a
// lane knows its last worm and the step of the tail, and that says which flit crosses in which
// step.
//
// Times inside are *ticks*: steps counted since creation, which a reset does not set back. So what
// stands in the lanes before a reset is past, and need not be cleared.

#ifndef ANL_DISCARD_PRIVATE_H
#define ANL_DISCARD_PRIVATE_H

#include <annelid/discard.h>

enum { LINKS = 2 };  // that leave a node

// What a lane of a link last had.
struct passage {
    uint32_t worm;
    uint8_t input;  // lane from which it came
};

struct worm {
    struct anl_discard_worm record;
    uint16_t level;  // nodes of which level its head comes to next
    uint8_t fate, vc;
};

// The nodes of a level in whose input lanes heads stand.
struct front {
    uint32_t *columns;
    uint32_t count;
};

struct anl_discard {
    struct anl_discard_shape shape;
    uint32_t columns, levels;  // levels of links
    uint64_t zero;             // tick of step 0
    uint64_t tick;             // of the last step
    uint64_t last;             // tick in which the last flit of all crosses a link, or is taken off
    uint64_t *tails;           // [lanes] tick in which the tail of the last worm crosses
    struct passage *passages;  // [lanes]
    uint16_t *standing;        // [levels * columns] mask of the input lanes that have a head
    struct front *fronts;      // [levels]
    uint32_t *front_columns;   // [levels * columns]
    struct worm *worms;        // [offered], ascending by start
    uint32_t *discarded;       // ids, in the last step
    size_t room, num_discarded;
    uint32_t next;   // the first worm whose start is to come
    uint32_t heads;  // that stand in input lanes
    struct anl_discard_totals totals;
};

#endif
