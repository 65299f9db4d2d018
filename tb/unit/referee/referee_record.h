// SPDX-License-Identifier: Apache-2.0
//
// Runs of the model that are written down, and what the referee says of them if it is told the same
// network or another one.

#ifndef REFEREE_RECORD_H
#define REFEREE_RECORD_H

#include "unit_graph.h"
#include "unit_referee.h"

#include <annelid/engine.h>
#include <inttypes.h>

enum { WORMS = 250, STILL = 500 };

struct event {
    uint64_t cycle;
    struct anl_flit flit;
};

// What happened in a run.
struct record {
    struct anl_worm *worms;
    size_t num_worms;
    struct event *events;
    size_t num_events, room;
};

// Adds the flits of a cycle.
void keep(struct record *record, uint64_t cycle, const struct anl_flit *flits, size_t count);
// Enqueues WORMS worms and runs until all are delivered: a few in each cycle, or, where the network
// can deadlock, one after the other.
struct record run(const struct anl_config *config, bool at_once, struct anl_rng *rng);
// Frees what a record holds.
void forget(struct record *record);
// Expects that the referee finds nothing wrong.
void expect_legal_record(const struct record *record, const struct anl_config *config);
// Expects that the referee names an event of the run, or nothing if guilty is NULL. Returns whether
// it names one.
bool expect_named(const struct record *record, const struct anl_config *config, enum anl_rule rule,
                  const struct event *guilty);
// Returns the first head that enters a lane of a link between switches, below the escape lanes,
// which holds flits; NULL: none does. A flit leaves a lane when it crosses its next link.
const struct event *first_not_empty(const struct record *record, const struct anl_config *config,
                                    uint32_t escape_lanes);

#endif
