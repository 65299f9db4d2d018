// SPDX-License-Identifier: Apache-2.0
//
// What the sources of a network that discards send, in which injection lane
// (papers/cole_maggs_sitaraman/discard.md, "Times"). A source needs the start of a worm before the
// cycle in which the worm is created, so worms are planned ahead.

#ifndef ANL_LOCKSTEP_INJECTIONS_H
#define ANL_LOCKSTEP_INJECTIONS_H

#include <annelid/annelid.h>

// Injection lanes of a column, as in anl_lockstep_discard.sv. The RTL can have up to 31, but each
// costs time to build.
enum { INJECTIONS = 16 };

struct planned_worm {
    struct anl_worm worm;
    uint64_t start;  // step
    uint32_t lane;   // of all injection lanes: column * INJECTIONS + lane
    uint32_t next;   // id of the next worm of this lane
};

struct injection_lane {
    uint64_t idle;         // the first step in which it has no flit
    uint32_t first, last;  // ids of worms; the first one is being taken
    uint32_t shown;        // id of the worm whose start is taken next
    uint16_t index;        // of the next flit of the first worm
    bool holds, shows;     // false: there is no worm that is taken, or whose start is
};

struct injections {
    const struct anl_config *config;
    uint32_t turns;              // cycles of a step
    uint32_t num_lanes;          // of all columns; 0: the network does not discard
    uint32_t levels;             // of links
    uint32_t outputs;            // links from this one on end at outputs
    uint64_t end;                // the first cycle in which no flit of a planned worm can cross
    struct planned_worm *worms;  // [id]
    uint32_t count, capacity;
    struct injection_lane *lanes;
};

// config must outlive the injections. injections_destroy() is also due after ANL_ERR_MEMORY.
enum anl_status injections_create(struct injections *injections, const struct anl_config *config);
void injections_destroy(struct injections *injections);

// Plans a worm, whose id must be the number of those planned before. ANL_ERR_ARGUMENT: its column
// has no idle injection lane. ANL_ERR_MEMORY.
enum anl_status injections_add(struct injections *injections, const struct anl_worm *worm);

// Takes the next start of an injection lane; returns false if none is planned.
bool injections_start(struct injections *injections, uint32_t lane, uint32_t *start);

// Takes the next flit {head, tail, data} of an injection lane; returns false if none is planned.
bool injections_pull(struct injections *injections, uint32_t lane, uint32_t *flit);

#endif
