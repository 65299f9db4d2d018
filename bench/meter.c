// SPDX-License-Identifier: Apache-2.0

#include "meter.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double meter_cpu_seconds(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

double meter_seconds(void) { return seconds_of(CLOCK_MONOTONIC); }

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct meter_spread meter_spread(double *values, size_t count)
{
    const double n = (double)count, beyond = floor(n / 2 - 0.98 * sqrt(n));
    const size_t outside = beyond > 0 ? (size_t)beyond : 0;
    qsort(values, count, sizeof *values, ascending);
    return (struct meter_spread){
        .min = values[0],
        .low = values[outside],
        .median = (values[(count - 1) / 2] + values[count / 2]) / 2,
        .high = values[count - 1 - outside],
        .max = values[count - 1],
    };
}
