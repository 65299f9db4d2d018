// SPDX-License-Identifier: Apache-2.0
//
// Open-loop processes: when a terminal creates its next worm, whatever the network does.

#ifndef ANL_TRAFFIC_OPEN_H
#define ANL_TRAFFIC_OPEN_H

#include "sample.h"

#include <annelid/scenario.h>

struct burst;

struct open_loop {
    uint64_t end;          // no worm is created at or after this cycle
    bool silent;           // load 0
    struct geometric gap;  // bernoulli
    struct burst *bursts;  // bursty: one per terminal; else NULL
    double on, off;        // bursty: shortest periods in ticks
    double load;
};

#define OPEN_NEVER UINT64_MAX

// ANL_ERR_MEMORY.
enum anl_status open_create(struct open_loop *open, const struct anl_scenario *scenario,
                            uint32_t terminals);
void open_destroy(struct open_loop *open);

// Cycle of the terminal's first worm, and of the one after a worm of length flits created in cycle
// now; OPEN_NEVER if it would be at the end or later.
uint64_t open_first(struct open_loop *open, uint32_t terminal, struct anl_rng *rng);
uint64_t open_next(struct open_loop *open, uint32_t terminal, uint64_t now, uint16_t length,
                   struct anl_rng *rng);

#endif
