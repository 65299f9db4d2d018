// SPDX-License-Identifier: Apache-2.0
//
// One run of a series, and what came of it.

#ifndef GREENBERG_OH_EXPERIMENT_H
#define GREENBERG_OH_EXPERIMENT_H

#include "plan.h"

struct outcome {
    bool complete;  // else nothing else counts
    double time;    // the paper's: flit-steps, those of cycle 0 not counted
    uint64_t worms, cycles;
    uint64_t lower;   // cycles that no run takes less than
    uint64_t upper;   // cycles: Theorem 2, after the last worm is created; phases: from 0
    uint32_t length;  // of the longest worm, flits; of UNIV and STORE 1
    uint32_t congestion, dilation;
    double mean_congestion, load_factor;
    bool twice;  // two of the paths taken part and meet again; of the runs that figures show
    uint64_t delays, phase_cycles, missed;  // phases: R, k T1 L, worms that missed their phase
    double window_cycles;                   // window, stream: of the mesh
};

struct experiment {
    const char *directory;  // of the data
    const struct plan *plan;
    const struct series *series;
    uint32_t n, run;  // run from 0
    // Asked now and then; returning false stops the run: it is not complete then.
    bool (*go_on)(void *user);
    void *user;
};

enum anl_status experiment_run(const struct experiment *experiment, struct outcome *outcome,
                               struct anl_error *error);

#endif
