// SPDX-License-Identifier: Apache-2.0
//
// What follows from numbers: means with their intervals, the end of a warm-up, a backlog that
// grows. Rules: docs/sweep.md.

#ifndef ANNELID_SWEEP_STATISTICS_H
#define ANNELID_SWEEP_STATISTICS_H

#include "points.h"

#include <annelid/run.h>

// Mean of those of the values that are not NAN, and its 95 % interval by Student's t.
struct sweep_mean sweep_mean_of(const double *values, size_t count);

// How many of the first windows are warm-up, *steady: the others are in steady state. If none are,
// the first half is left out.
size_t sweep_warm_up(const struct anl_window *windows, size_t count, bool *steady);

// Whether the backlog grows in windows begin .. end - 1 of a run, all windows before given too.
bool sweep_backlog_grows(const struct anl_window *windows, size_t begin, size_t end);

#endif
