// SPDX-License-Identifier: Apache-2.0
//
// What benchmarks share: time, and what many measurements of one thing say.

#ifndef BENCH_METER_H
#define BENCH_METER_H

#include <stddef.h>

// CPU time that this process has used, in seconds.
double meter_cpu_seconds(void);

// Time that has gone by, in seconds from some moment on.
double meter_seconds(void);

// low and high: bounds between which the true median lies in 19 of 20 cases (of few values: min and
// max).
struct meter_spread {
    double min, low, median, high, max;
};
// Of count >= 1 values; sorts them.
struct meter_spread meter_spread(double *values, size_t count);

#endif
