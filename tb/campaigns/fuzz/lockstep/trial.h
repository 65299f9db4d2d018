// SPDX-License-Identifier: Apache-2.0
//
// Runs a case in lock-step, exactly as `make regress` runs the scenario that the case becomes: the
// network is made anew and reset, and every flit and every register are compared in every cycle.

#ifndef ANL_FUZZ_TRIAL_H
#define ANL_FUZZ_TRIAL_H

#include "case.h"
#include "run/lockstep.h"

struct trial {
    const char *path;  // scenario of the network, for the replay command
    const char *dut;   // file of the user's switch, for the same; NULL: ours
    struct anl_scenario scenario;
    struct case_limits limits;
    struct anl_message messages[CASE_WORMS];
    FILE *report;  // where the first difference is described
};

// path is the scenario of the network that this program was built for. Returns false after a
// message on stderr on failure. The caller must call trial_close().
bool trial_open(struct trial *trial, const char *path, FILE *report);
void trial_close(struct trial *trial);

// Runs test; returns false if the run could not be made.
bool trial_run(struct trial *trial, const struct test_case *test, struct lockstep_result *result);

#endif
