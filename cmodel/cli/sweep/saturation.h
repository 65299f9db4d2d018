// SPDX-License-Identifier: Apache-2.0
//
// The saturation load of each variant, by bisection for each seed. Rules: docs/sweep.md.

#ifndef ANNELID_SWEEP_SATURATION_H
#define ANNELID_SWEEP_SATURATION_H

#include "points.h"
#include "runs.h"

// Mean over the seeds of the load from which on they are saturated. A seed that is not even at load
// 1 counts as 1: with one of these the mean is a lower bound, and there is no interval.
struct sweep_saturation {
    double load;
    double half_width;   // of the 95 % interval; NAN: none
    uint32_t seeds;      // all
    uint32_t unreached;  // of them not saturated at load 1
    uint32_t stalled;    // of them in which a run stalled
};

// The interval is so wide that the runs are too short, or the seeds too few.
bool sweep_saturation_is_wide(const struct sweep_saturation *saturation);

// Fills saturation[variants]. tolerance > 0.
enum anl_status sweep_saturation_find(struct sweep_runs *runs, double tolerance, unsigned workers,
                                      struct sweep_saturation *saturation, struct anl_error *error);

#endif
