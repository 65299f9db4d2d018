// SPDX-License-Identifier: Apache-2.0
//
// One run of a sweep, and what it came to. Rules: docs/sweep.md.

#ifndef ANNELID_SWEEP_MEASURE_H
#define ANNELID_SWEEP_MEASURE_H

#include "common/common.h"
#include "points.h"

#include <annelid/scenario.h>

struct sweep_job {
    const struct anl_scenario *variant;
    double load;  // NAN: a closed loop
    uint64_t seed;
    bool digest;
    // 0: a whole run. Else only whether it is saturated, told by a run of so many times run.cycles
    // (1, 2, 4, 8, …) which ends when no more worms are created.
    unsigned brief;
};

// ANL_ERR_IO, "interrupted", after Ctrl-C; errors of anl_run().
enum anl_status sweep_measure(const struct sweep_job *job, struct pool_worker *worker,
                              struct sweep_run *run, struct anl_error *error);

#endif
