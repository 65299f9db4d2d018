// SPDX-License-Identifier: Apache-2.0

#include "common.h"

#include <assert.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { MAX_POINTS = 32 };

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

double sample_distance(const struct sample *ours, double printed, double unit, size_t count)
{
    const double variance = ours->deviation * ours->deviation / (double)count +
                            ours->error * ours->error + unit * unit / 12;
    return (printed - ours->mean) / sqrt(variance);
}

// --- growth laws ---

static struct power_law law_of(double factor, double power, double variance, size_t count)
{
    const double half = gsl_cdf_tdist_Pinv(0.975, (double)count - 2) * sqrt(variance);
    return (struct power_law){factor, power, power - half, power + half};
}

struct power_law fit_logarithms(const struct power_point *points, size_t count)
{
    assert(count >= 3 && count <= MAX_POINTS);
    double x[MAX_POINTS], y[MAX_POINTS], c0, c1, cov00, cov01, cov11, squares;
    for (size_t i = 0; i < count; i++) {
        x[i] = log(points[i].x);
        y[i] = log(points[i].y / points[i].scale);
    }
    gsl_fit_linear(x, 1, y, 1, count, &c0, &c1, &cov00, &cov01, &cov11, &squares);
    return law_of(exp(c0), c1, cov11, count);
}

struct curve {
    const struct power_point *points;
    size_t count;
};

static int residuals(const gsl_vector *law, void *data, gsl_vector *out)
{
    const struct curve *curve = data;
    for (size_t i = 0; i < curve->count; i++) {
        const struct power_point *point = &curve->points[i];
        const double y =
            gsl_vector_get(law, 0) * point->scale * pow(point->x, gsl_vector_get(law, 1));
        gsl_vector_set(out, i, y - point->y);
    }
    return GSL_SUCCESS;
}

struct power_law fit_values(const struct power_point *points, size_t count)
{
    struct curve curve = {points, count};
    struct power_law law = fit_logarithms(points, count);
    gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf function = {.f = residuals, .n = count, .p = 2, .params = &curve};
    double begin[2] = {law.factor, law.power}, squares;
    const gsl_vector_view start = gsl_vector_view_array(begin, 2);
    gsl_multifit_nlinear_workspace *space =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, count, 2);
    gsl_matrix *covariance = gsl_matrix_alloc(2, 2);
    int why;
    if (space && covariance && !gsl_multifit_nlinear_init(&start.vector, &function, space) &&
        !gsl_multifit_nlinear_driver(200, 1e-10, 1e-10, 0, NULL, NULL, &why, space)) {
        const gsl_vector *found = gsl_multifit_nlinear_position(space);
        const gsl_vector *rest = gsl_multifit_nlinear_residual(space);
        gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(space), 0, covariance);
        gsl_blas_ddot(rest, rest, &squares);
        law = law_of(gsl_vector_get(found, 0), gsl_vector_get(found, 1),
                     gsl_matrix_get(covariance, 1, 1) * squares / ((double)count - 2), count);
    }
    if (covariance) gsl_matrix_free(covariance);
    if (space) gsl_multifit_nlinear_free(space);
    return law;
}

double straightness(const struct power_point *points, size_t count)
{
    assert(count >= 3 && count <= MAX_POINTS);
    double x[MAX_POINTS], y[MAX_POINTS];
    for (size_t i = 0; i < count; i++) {
        x[i] = points[i].x;
        y[i] = points[i].y;
    }
    const double r = gsl_stats_correlation(x, 1, y, 1, count);
    return r * r;
}
