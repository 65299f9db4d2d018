// SPDX-License-Identifier: Apache-2.0

#include "greenberg_oh.h"

#include <math.h>
#include <string.h>

// --- cells ---

struct cell_verdict check_cell(const struct results *results, const struct cell *cell)
{
    static const enum measure measures[] = {MEASURE_TIME, MEASURE_LOAD, MEASURE_CONGESTION};
    const enum measure measure = measures[cell->quantity];
    struct cell_verdict verdict = {
        .ours = results_sample(results, cell->series, cell->n, measure, false),
        .all = results_sample(results, cell->series, cell->n, measure, true),
        .verdict = VERDICT_NONE,
    };
    if (!verdict.ours.count) return verdict;
    verdict.deviation = 100 * (verdict.ours.mean - cell->paper) / cell->paper;
    verdict.z = sample_distance(&verdict.ours, cell->paper, cell->unit, verdict.ours.count);
    verdict.z_all = sample_distance(&verdict.all, cell->paper, cell->unit, verdict.ours.count);
    const bool exact = verdict.all.least == cell->paper && verdict.all.most == cell->paper;
    const bool near = fabs(verdict.z) <= cell->tolerance && fabs(verdict.z_all) <= cell->tolerance;
    verdict.verdict = (cell->tolerance > 0 ? near : exact) ? VERDICT_PASS : VERDICT_FAIL;
    if (cell->shown) verdict.verdict = VERDICT_SHOWN;
    return verdict;
}

// --- claims ---

// The functions below fill in a verdict's value; they return false if runs that they need were not
// made.

static bool check_gain(const struct results *results, const struct claim *claim,
                       struct claim_verdict *verdict)
{
    const struct series *series[2] = {plan_find(results->plan, claim->first),
                                      plan_find(results->plan, claim->second)};
    struct sample times[2];
    for (int i = 0; i < 2; i++) {
        times[i] = results_sample(results, series[i], claim->n, MEASURE_TIME, true);
        if (!times[i].count) return false;
    }
    const double ratio = times[1].mean / times[0].mean;
    verdict->value = 100 * (1 - ratio);
    verdict->error =
        100 * ratio * hypot(times[0].error / times[0].mean, times[1].error / times[1].mean);
    return true;
}

enum { MAX_POINTS = 32 };

static bool check_straight(const struct results *results, const struct claim *claim,
                           struct claim_verdict *verdict)
{
    struct power_point points[MAX_POINTS];
    size_t count = 0;
    const size_t prefix = strlen(claim->first);
    for (size_t i = 0; i < results->plan->num_series && count < MAX_POINTS; i++) {
        const struct series *series = &results->plan->series[i];
        if (strncmp(series->name, claim->first, prefix) != 0) continue;
        const struct sample time = results_sample(results, series, claim->n, MEASURE_TIME, false);
        if (!time.count) continue;
        points[count++] =
            (struct power_point){results_length(results, series, claim->n), 1, time.mean};
    }
    if (count < 3) return false;
    verdict->value = straightness(points, count);
    return true;
}

// Returns c of the fit, of which the claim's first name says what it is.
static double congestion_of(const struct results *results, const struct claim *claim,
                            const struct series *worm, uint32_t n)
{
    const char *what = claim->first;
    enum measure measure = MEASURE_CONGESTION;
    if (strncmp(what, "one", 3) == 0) return 1;
    if (strncmp(what, "load", 4) == 0) measure = MEASURE_LOAD;
    if (strncmp(what, "mean", 4) == 0) measure = MEASURE_MEAN_CONGESTION;
    return results_sample(results, worm, n, measure, false).mean;
}

// Fits a power of log2 N, or for CLAIM_POWER the law k c L log4^p N of series worm.
static bool check_law(const struct results *results, const struct claim *claim,
                      enum measure measure, struct claim_verdict *verdict)
{
    const bool fit = claim->kind == CLAIM_POWER;
    const struct series *series = plan_find(results->plan, fit ? "worm" : claim->first);
    struct power_point points[MAX_POINTS];
    size_t count = 0;
    for (uint32_t n = series ? series->least : 1; series && n <= series->most; n++) {
        const struct sample sample = results_sample(results, series, n, measure, false);
        if (!sample.count) continue;
        const double scale =
            fit ? congestion_of(results, claim, series, n) * results_length(results, series, n) : 1;
        points[count++] = (struct power_point){fit ? n : 2 * n, scale, sample.mean};
    }
    if (count < 3) return false;
    const bool values = fit && strstr(claim->first, "-values");
    const struct power_law law = (values ? fit_values : fit_logarithms)(points, count);
    *verdict = (struct claim_verdict){
        .value = law.power, .low = law.low, .high = law.high, .factor = law.factor};
    return true;
}

static bool check_outside(const struct results *results, const struct claim *claim,
                          struct claim_verdict *verdict)
{
    bool some = false;
    for (size_t i = 0; i < results->plan->num_cells; i++) {
        const struct cell *cell = &results->plan->cells[i];
        if (strcmp(cell->group, claim->first) != 0) continue;
        const struct cell_verdict checked = check_cell(results, cell);
        if (checked.verdict == VERDICT_NONE) continue;
        some = true;
        verdict->value += fabs(checked.z) > 2 || fabs(checked.z_all) > 2;
    }
    return some;
}

// Adds up what the runs of a series have, at N or at all N.
static bool check_sum(const struct results *results, const struct claim *claim,
                      enum measure measure, struct claim_verdict *verdict)
{
    const struct series *series = plan_find(results->plan, claim->first);
    bool some = false;
    for (uint32_t n = series->least; n <= series->most; n++) {
        const struct sample sample =
            results_sample(results, series, n, measure, measure == MEASURE_MISSED);
        if (!sample.count || (claim->n && n != claim->n)) continue;
        verdict->value += round(sample.mean * (double)sample.count);
        some = true;
    }
    return some;
}

// Finds the power of c + log2 N in the mean time, from N / 4 to N.
static bool check_growth(const struct results *results, const struct claim *claim,
                         struct claim_verdict *verdict)
{
    const struct series *series = plan_find(results->plan, claim->first);
    double times[2], sums[2];
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t n = claim->n - 1 + i;
        times[i] = results_mean(results, series, n, MEASURE_TIME);
        sums[i] = results_mean(results, series, n, MEASURE_CONGESTION) + 2 * n;
    }
    verdict->value = log(times[1] / times[0]) / log(sums[1] / sums[0]);
    return !isnan(verdict->value);
}

// Finds the largest value that a run of a series has, at N or at all N.
static bool check_most(const struct results *results, const struct claim *claim,
                       enum measure measure, struct claim_verdict *verdict)
{
    const struct series *series = plan_find(results->plan, claim->first);
    bool some = false;
    for (uint32_t n = series->least; n <= series->most; n++) {
        const struct sample sample = results_sample(results, series, n, measure, true);
        if (!sample.count || (claim->n && n != claim->n)) continue;
        verdict->value = fmax(verdict->value, sample.most);
        some = true;
    }
    return some;
}

static bool find_value(const struct results *results, const struct claim *claim,
                       struct claim_verdict *verdict)
{
    switch (claim->kind) {
    case CLAIM_GAIN:
        return check_gain(results, claim, verdict);
    case CLAIM_STRAIGHT:
        return check_straight(results, claim, verdict);
    case CLAIM_POWER:
        return check_law(results, claim, MEASURE_TIME, verdict);
    case CLAIM_SLOWDOWN:
        return check_law(results, claim, MEASURE_SLOWDOWN, verdict);
    case CLAIM_CROWDING:
        return check_law(results, claim, MEASURE_CONGESTION, verdict);
    case CLAIM_OUTSIDE:
        return check_outside(results, claim, verdict);
    case CLAIM_MISSED:
        return check_sum(results, claim, MEASURE_MISSED, verdict);
    case CLAIM_GROWTH:
        return check_growth(results, claim, verdict);
    case CLAIM_CROSSING:
        return check_most(results, claim, MEASURE_CROSSING, verdict);
    case CLAIM_LOG_SQUARE:
        return check_most(results, claim, MEASURE_LOG_SQUARE, verdict);
    case CLAIM_TWICE:
        return check_sum(results, claim, MEASURE_TWICE, verdict);
    }
    return false;
}

struct claim_verdict check_claim(const struct results *results, const struct claim *claim)
{
    struct claim_verdict verdict = {0};
    const bool known = find_value(results, claim, &verdict);
    verdict.verdict = known ? verdict_of(&claim->range, verdict.value) : VERDICT_NONE;
    return verdict;
}
