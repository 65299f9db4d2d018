// SPDX-License-Identifier: Apache-2.0
//
// What the cells of a switch and of a terminal are linear in (docs/cost.md has the formula of
// each).

#ifndef ANNELID_COST_COLUMNS_H
#define ANNELID_COST_COLUMNS_H

#include "cost.h"

#include <math.h>

// Of a switch.
enum {
    SELECT,          // the crossbar
    INPUT_BITS,      // the flit in front of each input port
    LANE_BITS,       // lanes as flip-flops
    DEEP,            // lanes as distributed memory
    BLOCKS,          // lanes as block memories
    LANES,           // routes, bindings
    LANE_COUNTS,     // counts and pointers
    LANE_TURNS,      // requests
    LANES_TURNS,     // the choice of an output lane
    TURNS,           // arbiters of output ports
    STAGE_BITS,      // registers between two stages
    OPTIONS,         // heads that have several
    OPTIONS_LANES,   // the same, for each lane
    DATELINES,       //
    LENGTHS,         // heads that ask for room for a whole worm
    ROUND_ROBIN,     // pointers
    RANDOM,          //
    MATRIX,          //
    AGE,             // comparisons
    FARTHEST,        //
    FAVOURED,        //
    FAVOURED_LANES,  //
};

// Of a terminal with streams.
enum { ONE, BITS, MEMORY_BITS, MEMORY_DEEP, TERMINAL_LANES, TERMINAL_COUNTS, TERMINAL_PAIRS };

// Of a port of AXI4.
enum {
    PORT_WHOLE,       // a port of AXI4
    PORT_LITE,        // a port of AXI4-Lite
    PORT_DATA,        // bits
    PORT_ADDRESS,     // bits of what is beside it, too
    PORT_MEMORY,      // stores as distributed memory
    PORT_BLOCKS,      // bits of stores that become block memories
    PORT_ENTRIES,     // bursts under way
    PORT_COUNTS,      // pointers and counts of bursts
    PORT_SLOT_PAIRS,  // order of the slots of a reorder buffer
    PORT_SLOT_IDS,    //
};

static inline double bits_of(double values) { return ceil(log2(values)); }
static inline double ceil_of(double a, double b) { return ceil(a / b); }

#endif
