// SPDX-License-Identifier: Apache-2.0
//
// What papers share, and the means of sweeps: statistics on known data. Data files are seen through
// those of a paper.

#include "unit_papers.h"

#include "papers/common/program/paper.h"

#include <unistd.h>

static void a_sample_of_known_values(void **state)
{
    (void)state;
    const struct sample sample = sample_of((double[]){2, 4, 4, 4, 5, 5, 7, 9}, 8);
    assert_near(sample.mean, 5, 1e-12);
    assert_near(sample.deviation, sqrt(32.0 / 7), 1e-12);
    assert_near(sample.error, sqrt(32.0 / 7 / 8), 1e-12);
    assert_true(sample.least == 2 && sample.most == 9);
    assert_true(sample_of(NULL, 0).count == 0);
    assert_true(sample_of((double[]){3}, 1).deviation == 0);
    assert_true(isnan(sample_of(NULL, 0).mean) && isnan(sample_of((double[]){3}, 1).half_width));
}

static void intervals_are_students(void **state)
{
    (void)state;
    const double two[] = {1, 3}, ten[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const struct sample of_two = sample_of(two, 2), of_ten = sample_of(ten, 10);
    assert_near(of_two.mean, 2, 1e-12);
    assert_near(of_two.half_width, 12.7062047, 1e-6);  // t(1), s = sqrt 2
    assert_near(of_ten.mean, 5.5, 1e-12);
    assert_near(of_ten.half_width, 2.26215716 * 3.02765035 / 3.16227766, 1e-6);  // t(9)
    assert_int_equal(of_ten.count, 10);
}

static void fits_find_the_law_that_made_the_data(void **state)
{
    (void)state;
    struct power_point points[5];
    for (int i = 0; i < 5; i++) {
        const double n = i + 2, scale = 32 * (3 + i * i);
        points[i] = (struct power_point){n, scale, 1.25 * scale * pow(n, 1.7)};
    }
    const struct power_law logarithms = fit_logarithms(points, 5), values = fit_values(points, 5);
    assert_near(logarithms.power, 1.7, 1e-9);
    assert_near(logarithms.factor, 1.25, 1e-9);
    assert_near(logarithms.high - logarithms.low, 0, 1e-6);
    assert_near(values.power, 1.7, 1e-6);
    assert_near(values.factor, 1.25, 1e-6);
}

// y = x^power through (1, 1), (2, 2 e^h), (4, 4): slope 1, residuals of the logarithms h (-1/3,
// 2/3, -1/3), one degree of freedom with t = 12.706.
static void the_interval_of_a_fit_is_students(void **state)
{
    (void)state;
    const double h = 0.1;
    const struct power_point points[] = {{1, 1, 1}, {2, 1, 2 * exp(h)}, {4, 1, 4}};
    const struct power_law law = fit_logarithms(points, 3);
    const double error = sqrt(h * h * 6 / 9 / (2 * log(2) * log(2)));
    assert_near(law.power, 1, 1e-9);
    assert_near(law.high - law.power, 12.7062 * error, 1e-4);
    assert_near(law.power - law.low, 12.7062 * error, 1e-4);
    // by the values the third point weighs most, so the curve is nearer to it
    const struct power_law values = fit_values(points, 3);
    assert_true(fabs(values.factor * pow(4, values.power) - 4) <
                fabs(law.factor * pow(4, law.power) - 4));
}

static void straightness_of_known_points(void **state)
{
    (void)state;
    const struct power_point line[] = {{1, 1, 5}, {2, 1, 7}, {4, 1, 11}, {8, 1, 19}};
    const struct power_point bent[] = {{0, 1, 0}, {1, 1, 1}, {2, 1, 0}};
    assert_near(straightness(line, 4), 1, 1e-12);
    const struct power_point half[] = {{0, 1, 0}, {1, 1, 1}, {2, 1, 1}};
    assert_near(straightness(bent, 3), 0, 1e-12);
    assert_near(straightness(half, 3), 0.75, 1e-12);
}

static void write_script(const void *user, FILE *out) { fprintf(out, "%s", (const char *)user); }

// A program without gnuplot leaves the picture out, and goes on; a script that is wrong is an
// error.
static void a_picture_needs_gnuplot(void **state)
{
    (void)state;
    char room[] = "/tmp/annelid-XXXXXX", path[64], before[4096];
    struct anl_error error;
    assert_in_range(snprintf(before, sizeof before, "%s", getenv("PATH")), 1, sizeof before - 1);
    assert_non_null(mkdtemp(room));
    setenv("PATH", room, 1);
    assert_int_equal(paper_draw(room, "curve", write_script, "set terminal svg; plot x", &error),
                     ANL_OK);
    setenv("PATH", before, 1);
    snprintf(path, sizeof path, "%s/curve.svg", room);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(paper_draw(room, "curve", write_script, "set terminal svg; plot x", &error),
                     ANL_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(paper_draw(room, "curve", write_script, "plott", &error), ANL_ERR_IO);
    snprintf(path, sizeof path, "%s/curve.gnuplot", room);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(room), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_of_known_values),
        cmocka_unit_test(intervals_are_students),
        cmocka_unit_test(fits_find_the_law_that_made_the_data),
        cmocka_unit_test(the_interval_of_a_fit_is_students),
        cmocka_unit_test(straightness_of_known_points),
        cmocka_unit_test(a_picture_needs_gnuplot),
    };
    return cmocka_run_group_tests_name("papers_common", tests, NULL, NULL);
}
