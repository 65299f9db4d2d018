// SPDX-License-Identifier: Apache-2.0
//
// The saturation load of each variant, by bisection for each seed. Rules: docs/sweep.md.

#ifndef ANNELID_SWEEP_SATURATION_H
#define ANNELID_SWEEP_SATURATION_H

#include "sweep_points.h"
#include "sweep_runs.h"

// Fills saturation[variants]: mean over the seeds and its interval; count: seeds. tolerance > 0.
enum anl_status sweep_saturation_find(struct sweep_runs *runs, double tolerance, unsigned workers,
                                      struct sweep_mean *saturation, struct anl_error *error);

#endif
