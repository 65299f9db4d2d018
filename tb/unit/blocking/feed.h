// SPDX-License-Identifier: Apache-2.0
//
// A blocking analysis that is fed by a golden model. Worms come from traffic or are enqueued by
// hand. The worms and flits of every cycle are kept, so that another analysis can be fed with them
// in other ways.

#ifndef ANNELID_BLOCKING_WORKER_H
#define ANNELID_BLOCKING_WORKER_H

#include "unit.h"

#include <annelid/blocking.h>
#include <annelid/engine.h>
#include <annelid/scenario.h>
#include <annelid/workload.h>
#include <stdlib.h>
#include <string.h>

struct fed_cycle {
    struct anl_worm *worms;
    struct anl_flit *flits;
    size_t num_worms, num_flits;
};

struct worker {
    struct anl_config config;
    struct anl_engine *net;
    struct anl_blocking *blocking;
    struct fed_cycle *cycles;
    uint64_t num_cycles;
    struct anl_worm created[512];  // worms that the next cycle feeds
    size_t num_created;
};

struct worker worker_create(const struct anl_config *config, uint64_t seed,
                            const struct anl_blocking_listener *listener);
void worker_destroy(struct worker *worker);
void worker_enqueue(struct worker *worker, uint32_t source, uint32_t destination, uint16_t length);
enum anl_status feed_cycle(struct anl_blocking *blocking, uint64_t cycle,
                           const struct fed_cycle *fed, struct anl_error *error);
// Steps the net by one cycle and feeds the cycle to the analysis.
void worker_step(struct worker *worker);
// Runs one cycle with traffic; returns how many worms were delivered.
size_t worker_step_traffic(struct worker *worker, struct anl_traffic *traffic);
// Returns lane vc of the link that leaves the switch by the output port.
uint32_t lane_of(const struct anl_config *config, uint32_t switch_, uint32_t port, uint32_t vc);
uint32_t injection_lane(const struct anl_config *config, uint32_t terminal, uint32_t vc);
uint32_t source_of(const struct anl_config *config, uint32_t terminal);

#endif
