// SPDX-License-Identifier: Apache-2.0
//
// Common part of the benchmarks: time, and the spread of many measurements of one thing.

#ifndef BENCH_METER_H
#define BENCH_METER_H

#include <stddef.h>

// Returns the CPU time that this process has used, in seconds.
double meter_cpu_seconds(void);

// Returns the time since some fixed moment, in seconds.
double meter_seconds(void);

// low and high are bounds between which the true median lies in 19 of 20 cases; for few values they
// are min and max.
struct meter_spread {
    double min, low, median, high, max;
};
// Returns the spread of count >= 1 values, and sorts them.
struct meter_spread meter_spread(double *values, size_t count);

#endif
