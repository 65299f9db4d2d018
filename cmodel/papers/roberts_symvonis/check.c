// SPDX-License-Identifier: Apache-2.0

#include "roberts_symvonis.h"

#include <math.h>

const struct result *results_find(const struct results *results, uint32_t n, uint32_t k)
{
    for (size_t i = 0; i < results->count; i++)
        if (results->of[i].done && results->of[i].study->n == n && results->of[i].study->k == k)
            return &results->of[i];
    return NULL;
}

// --- cells ---

enum verdict check_mean(const struct results *results, const struct cell *cell, double *distance)
{
    const struct result *result = results_find(results, cell->n, cell->k);
    if (!result) return VERDICT_NONE;
    *distance =
        sample_distance(&result->orders[cell->order].sample, cell->mean, cell->unit, cell->count);
    return fabs(*distance) <= cell->tolerance ? VERDICT_PASS : VERDICT_FAIL;
}

enum verdict check_all(const struct results *results, const struct cell *cell)
{
    const struct result *result = results_find(results, cell->n, cell->k);
    if (!result) return VERDICT_NONE;
    const struct outcome *ours = &result->orders[cell->order];
    const bool same_mean = fabs(ours->sample.mean - cell->mean) <= 0.51 * cell->unit;
    return same_mean && ours->makespan == cell->largest ? VERDICT_PASS : VERDICT_FAIL;
}

// --- claims ---

// The functions below fill in a value; they return false if runs that they need were not made.

// The bound of a claim for one mesh, as the paper has it.
static double bound_of(const struct claim *claim, uint32_t n, uint32_t k)
{
    const double starts = (2.0 * n - 2) * (2.0 * k - 1) + 1;
    switch (claim->kind) {
    case CLAIM_BOUND:
        return starts + (2.0 * n - 2 + k - 1);
    case CLAIM_START:
        return starts;
    case CLAIM_PACKETS:
        return 4.0 * n - 4;
    case CLAIM_LEXICAL:
        return 3.0 * n - 3;
    default:
        return anl_schedule_bound_h_descending(n, k);
    }
}

static bool is_of_all_orders(const struct claim *claim)
{
    return claim->kind == CLAIM_BOUND || claim->kind == CLAIM_START || claim->kind == CLAIM_PACKETS;
}

static bool find_largest(const struct results *results, const struct claim *claim, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->count; i++) {
        const struct study *study = results->of[i].study;
        if (claim->k && study->k != claim->k) continue;
        some = true;
        for (int order = 0; order < (int)ANL_ORDERS; order++) {
            const struct outcome *outcome = &results->of[i].orders[order];
            const double ours = claim->kind == CLAIM_START ? outcome->start : outcome->makespan;
            if (is_of_all_orders(claim) || order == (int)claim->order)
                *value = fmax(*value, ours / bound_of(claim, study->n, study->k));
        }
    }
    return some;
}

static bool find_cost(const struct results *results, const struct claim *claim, double *value)
{
    const bool least = claim->kind == CLAIM_COST_LEAST;
    bool some = false;
    for (size_t i = 0; i < results->count; i++) {
        const struct study *study = results->of[i].study;
        const double cost =
            results->of[i].orders[claim->order].sample.mean / ((double)study->k * study->n);
        if (study->k < 4 || study->n < 8) continue;
        *value = !some ? cost : least ? fmin(*value, cost) : fmax(*value, cost);
        some = true;
    }
    return some;
}

static bool find_power(const struct results *results, const struct claim *claim, double *value)
{
    enum { MOST_POINTS = 32 };
    struct power_point points[MOST_POINTS];
    size_t count = 0;
    for (size_t i = 0; i < results->count && count < MOST_POINTS; i++) {
        const struct study *study = results->of[i].study;
        if (study->k == claim->k && study->n >= 8)
            points[count++] =
                (struct power_point){study->n, 1, results->of[i].orders[claim->order].sample.mean};
    }
    if (count < 3) return false;
    *value = fit_logarithms(points, count).power;
    return true;
}

static bool find_gain(const struct results *results, const struct claim *claim, double *value)
{
    const struct result *result = results_find(results, 16, claim->k);
    if (!result) return false;
    *value = 100 * (1 - result->orders[claim->order].sample.mean /
                            result->orders[ANL_ORDER_ROW_MAJOR].sample.mean);
    return true;
}

static bool find_over(const struct results *results, double *value)
{
    for (size_t i = 0; i < results->count; i++)
        *value = fmax(*value, results->of[i].over);
    return results->count > 0;
}

static bool find_broken(const struct results *results, double *value)
{
    for (size_t i = 0; i < results->count; i++)
        *value += (double)(results->of[i].broken + results->of[i].below);
    return results->count > 0;
}

static bool find_outside(const struct results *results, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->plan->num_cells; i++) {
        double distance;
        if (check_mean(results, &results->plan->cells[i], &distance) == VERDICT_NONE) continue;
        *value += fabs(distance) > 2;
        some = true;
    }
    return some;
}

static bool find_value(const struct results *results, const struct claim *claim, double *value)
{
    switch (claim->kind) {
    case CLAIM_BOUND:
    case CLAIM_START:
    case CLAIM_PACKETS:
    case CLAIM_LEXICAL:
    case CLAIM_DESCENDING:
        return find_largest(results, claim, value);
    case CLAIM_COST_LEAST:
    case CLAIM_COST_MOST:
        return find_cost(results, claim, value);
    case CLAIM_POWER:
        return find_power(results, claim, value);
    case CLAIM_GAIN:
        return find_gain(results, claim, value);
    case CLAIM_OVER:
        return find_over(results, value);
    case CLAIM_BROKEN:
        return find_broken(results, value);
    case CLAIM_OUTSIDE:
        return find_outside(results, value);
    }
    return false;
}

enum verdict check_claim(const struct results *results, const struct claim *claim, double *value)
{
    *value = 0;
    return find_value(results, claim, value) ? verdict_of(&claim->range, *value) : VERDICT_NONE;
}
