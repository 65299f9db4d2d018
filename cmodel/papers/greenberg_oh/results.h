// SPDX-License-Identifier: Apache-2.0
//
// What came of all runs of a plan.

#ifndef GREENBERG_OH_RESULTS_H
#define GREENBERG_OH_RESULTS_H

#include "experiment.h"
#include "statistics.h"

struct result {
    const struct series *series;
    uint32_t n, run;
    struct outcome outcome;
};

// In the order of the plan: series, n, run.
struct results {
    struct result *of;
    size_t count;
};

// Room for the runs with N <= 4^most_n. ANL_ERR_MEMORY.
enum anl_status results_begin(const struct plan *plan, uint32_t most_n, struct results *results);
void results_free(struct results *results);

enum measure {
    MEASURE_TIME,
    MEASURE_LOAD,
    MEASURE_CONGESTION,
    MEASURE_MEAN_CONGESTION,
    MEASURE_SLOWDOWN,
    MEASURE_WORMS,
    MEASURE_MISSED,
    MEASURE_PHASES,
    MEASURE_PHASE_CYCLES,
    MEASURE_BOUND,  // Theorem 2's, cycles
    MEASURE_TWICE,  // 1 if two paths meet twice
};
// Of the runs of series at N = 4^n, all or those that figures show. count is 0 if none was made.
struct sample results_sample(const struct results *results, const struct series *series, uint32_t n,
                             enum measure measure, bool all);

// Worms' length in the first run of series at 4^n.
double results_length(const struct results *results, const struct series *series, uint32_t n);

// The runs that were held against the bounds, those that broke one, and how near they came.
struct bounds_count {
    size_t held_lower, below, held_upper, above;
    double least_lower, most_upper;  // cycles over the bound, of all runs held against it
};
struct bounds_count results_count_bounds(const struct results *results);

#endif
