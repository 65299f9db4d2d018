// SPDX-License-Identifier: Apache-2.0
//
// Means with their errors, and growth laws fitted to them. GNU Scientific Library underneath.

#ifndef GREENBERG_OH_STATISTICS_H
#define GREENBERG_OH_STATISTICS_H

#include <stddef.h>

struct sample {
    size_t count;
    double mean;
    double deviation;  // standard deviation of one value
    double error;      // standard error of the mean
    double least, most;
};
struct sample sample_of(const double *values, size_t count);

// y = factor scale x^power, with the 95 % confidence interval of the power by Student's t with
// count - 2 degrees of freedom.
struct power_law {
    double factor, power, low, high;
};
struct power_point {
    double x, scale, y;  // all > 0
};

// Least squares of the logarithms: all points weigh the same in per cent. count >= 3.
struct power_law fit_logarithms(const struct power_point *points, size_t count);

// Least squares of y itself: the largest weigh most. count >= 3; begins from fit_logarithms().
struct power_law fit_values(const struct power_point *points, size_t count);

// R^2 of the straight line nearest to y over x. count >= 3.
double straightness(const struct power_point *points, size_t count);

#endif
