// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share. Registers are rows of flat arrays, by node and input port. A
// flit has meaning only where the mask of its node says that it is there.

#ifndef ANL_BUFFERLESS_PRIVATE_H
#define ANL_BUFFERLESS_PRIVATE_H

#include <annelid/bufferless.h>

#define NEVER UINT64_MAX

struct place {
    uint16_t row, column;
};

struct flit {
    uint32_t worm;
    uint16_t index;
    bool head, tail;
};

// The link registers of the mesh.
struct registers {
    struct flit *flits;  // [nodes * ANL_BUFFERLESS_LINKS]
    uint8_t *present;    // [nodes] mask of the input ports that have a flit
};

// The worms of a source that have not begun, and the one that is being sent.
struct source {
    uint32_t worm;   // that is sent, or is next; ANL_NO_WORM: none
    uint32_t last;   // the last one that was offered
    uint16_t index;  // of its next flit
};
#define ANL_NO_WORM UINT32_MAX

struct worm {
    struct anl_worm record;
    struct place to;
    uint32_t next;  // the next worm of its source
};

struct anl_bufferless {
    uint32_t n, nodes;
    uint64_t step;           // the last one
    anl_bufferless_way way;  // the policy; NULL: one bend
    void *user;              // its first argument
    struct place *places;    // [nodes]
    struct registers now, next;
    uint8_t *latches;         // [nodes * ANL_BUFFERLESS_PORTS] port numbers, where bound says so
    uint8_t *bound;           // [nodes] mask of the input ports whose latch is not empty
    uint8_t *faults;          // [nodes]
    uint64_t *due;            // [nodes] step in which the source sends its next flit, or NEVER
    struct source *sources;   // [nodes]
    struct worm *worms;       // [offered]
    size_t room;              // worms that fit
    struct anl_flit *record;  // [nodes * ANL_BUFFERLESS_PORTS]
    size_t recorded;
    bool recording;
    struct anl_bufferless_fault fault;
    struct anl_bufferless_totals totals;
};

#endif
