// SPDX-License-Identifier: Apache-2.0
//
// Runs a case in lock-step: exactly what `make regress` does with the scenario that the case
// becomes, network made anew and reset, every flit and every register compared in every cycle.

#ifndef ANL_FUZZ_TRIAL_H
#define ANL_FUZZ_TRIAL_H

#include "case.h"
#include "run/lockstep.h"

struct trial {
    const char *path;  // of the scenario that says which network; for the replay command
    const char *dut;   // the same; NULL: ours
    struct anl_scenario scenario;
    struct case_limits limits;
    struct anl_message messages[CASE_WORMS];
    FILE *report;  // where first differences are described
};

// path: the network that this program was built for. On failure says why on stderr. To be given to
// trial_close().
bool trial_open(struct trial *trial, const char *path, FILE *report);
void trial_close(struct trial *trial);

// False: the run could not be made.
bool trial_run(struct trial *trial, const struct test_case *test, struct lockstep_result *result);

#endif
