// SPDX-License-Identifier: Apache-2.0
//
// A run in lock-step of a network whose domains have clocks of their own (docs/clocks.md,
// "Lock-step across crossings").

#ifndef ANL_CLOCKS_RUN_H
#define ANL_CLOCKS_RUN_H

#include <annelid/annelid.h>

struct clocks_options {
    uint32_t regions;  // of switches, at least 1
    bool alone;        // each terminal has a clock of its own
    uint32_t sync_stages;
};

struct clocks_result {
    bool pass;
    uint32_t domains, crossings;
    uint64_t edges, flits, worms;
    uint64_t crossed, settled_late;  // flits that came out of a crossing, and of them those whose
                                     // pointer was seen an edge late
    char where[160], what[64], expected[512], seen[512];  // of the first difference
    uint64_t cycle, edge;                                 // of its domain, and of all clocks
};

// Returns why a network cannot be run so, in words that follow "clocks: "; NULL: it can.
const char *clocks_refuse(const struct anl_scenario *scenario,
                          const struct clocks_options *options);

// Runs the scenario to its end or to the first difference. ANL_OK: the run took place, whatever its
// verdict.
enum anl_status clocks_run(const struct anl_scenario *scenario,
                           const struct clocks_options *options, struct clocks_result *result,
                           struct anl_error *error);

#endif
