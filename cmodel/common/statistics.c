// SPDX-License-Identifier: Apache-2.0

#include "common.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

struct sample sample_of(const double *values, size_t count)
{
    struct sample sample = {.count = count, .mean = NAN, .half_width = NAN};
    if (!count) return sample;
    sample.mean = gsl_stats_mean(values, 1, count);
    gsl_stats_minmax(&sample.least, &sample.most, values, 1, count);
    if (count < 2) return sample;
    sample.deviation = gsl_stats_sd_m(values, 1, count, sample.mean);
    sample.error = sample.deviation / sqrt((double)count);
    sample.half_width = gsl_cdf_tdist_Pinv(0.975, (double)count - 1) * sample.error;
    return sample;
}
