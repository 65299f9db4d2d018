// SPDX-License-Identifier: Apache-2.0

#include "bock.h"

#include <math.h>

struct run result_sum(const struct result *result)
{
    struct run sum = {.done = result->seeds > 0};
    for (uint32_t i = 0; i < result->seeds; i++) {
        const struct run *run = &result->runs[i];
        sum.worms += run->worms;
        sum.failed += run->failed;
        sum.strayed += run->strayed;
        sum.undelivered += run->undelivered;
        sum.moves += run->moves;
        if (run->rounds > sum.rounds) sum.rounds = run->rounds;
        if (run->reservoir > sum.reservoir) sum.reservoir = run->reservoir;
        if (run->row > sum.row) sum.row = run->row;
        if (run->batches > sum.batches) sum.batches = run->batches;
        if (run->passes > sum.passes) sum.passes = run->passes;
        if (run->cycles > sum.cycles) sum.cycles = run->cycles;
        if (run->clean_cycles > sum.clean_cycles) sum.clean_cycles = run->clean_cycles;
    }
    return sum;
}

double result_ratio(const struct result *result)
{
    const struct anl_diagonals_config *config = &result->study->config;
    return (double)result_sum(result).cycles / ((config->length + config->d) * (double)config->n);
}

enum verdict check_cycles(const struct result *result)
{
    if (result->study->cycles <= 0) return VERDICT_SHOWN;
    const double cycles = (double)result_sum(result).cycles;
    return fabs(cycles - result->study->cycles) < 0.5 ? VERDICT_PASS : VERDICT_FAIL;
}

enum verdict check_failures(const struct result *result, double *per_million)
{
    const struct run sum = result_sum(result);
    *per_million = 1e6 * sum.failed / sum.worms;
    return verdict_of(&result->study->range, *per_million);
}

// --- series: rows of cases.csv that differ in one parameter, which grows ---

static bool has_paper_rounds(const struct anl_diagonals_config *config)
{
    return config->rounds == config->c && config->forward == 2 * config->c * config->length;
}

static bool is_shape(const struct anl_diagonals_config *config, uint32_t a, uint32_t b, uint32_t c)
{
    return config->a == a && config->b == b && (c == 0 || config->c == c);
}

static bool is_in_series(const struct study *study, const struct claim *claim)
{
    const struct anl_diagonals_config *config = &study->config;
    if (study->traffic != TRAFFIC_FUNCTION || config->length != claim->length ||
        !has_paper_rounds(config))
        return false;
    if (claim->kind == CLAIM_DIMENSIONS)
        return config->n == 12 && config->d > 2 && is_shape(config, 2, 1, 6);
    if (claim->kind == CLAIM_SCALED)
        return config->n % 60 == 0 && config->d == 2 && is_shape(config, 4, 1, 0) &&
               fabs(config->c / (2 * log2(config->n)) - 1.06) < 0.07;
    if (claim->kind == CLAIM_BLOCKS)
        return config->n == 24 && is_shape(config, 2, 1, 2 * config->d);
    if (claim->kind == CLAIM_COLUMNS)
        return config->n == 60 && config->d == 2 && is_shape(config, 4, 1, 0);
    const bool is_power = (config->n & (config->n - 1)) == 0;
    return is_power && config->d == 2 && is_shape(config, 4, 1, 16);
}

static bool is_of_failures(enum claim_kind kind)
{
    return kind == CLAIM_COLUMNS || kind == CLAIM_BLOCKS;
}

// Returns what a row of a series is over the row before it: its steps / (L + d) n; or its failures,
// in a series of columns for each column that its blocks have more.
static double growth(const struct result *before, const struct result *now, enum claim_kind kind)
{
    if (!is_of_failures(kind)) return result_ratio(now) / result_ratio(before);
    double fewer, more;
    check_failures(before, &fewer);
    check_failures(now, &more);
    const uint32_t columns = now->study->config.c - before->study->config.c;
    return pow(more / fewer, kind == CLAIM_COLUMNS ? 1.0 / columns : 1);
}

// Returns the largest growth of a series; NAN: it has less than two rows. Too few failures say
// nothing.
static double largest_growth(const struct results *results, const struct claim *claim)
{
    enum { FEW = 20 };
    const struct result *before = NULL;
    double largest = NAN;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *now = &results->of[i];
        if (!is_in_series(now->study, claim)) continue;
        if (is_of_failures(claim->kind) && result_sum(now).failed < FEW) continue;
        if (before) {
            const double one = growth(before, now, claim->kind);
            largest = isnan(largest) ? one : fmax(largest, one);
        }
        before = now;
    }
    return largest;
}

// --- Remark 1.2 ---

static double nodes_of(const struct anl_diagonals_config *config)
{
    return pow(config->n, config->d);
}

// Returns the steps that the links need at least for what the worms of a run have to go.
static double work_steps(const struct study *study, const struct run *run)
{
    const struct anl_diagonals_config *config = &study->config;
    return (double)run->distance * config->length / (2.0 * config->d * nodes_of(config));
}

// Returns the mean distance of a worm in one dimension over the side of the torus, of that random
// function whose mean is the furthest from the expected 1/4; or, of all runs, the most that the
// links need at least over the steps.
static double of_remark(const struct results *results, bool is_distance)
{
    double value = NAN;
    for (size_t i = 0; i < results->count; i++)
        for (uint32_t seed = 0; seed < results->of[i].seeds; seed++) {
            const struct study *study = results->of[i].study;
            const struct anl_diagonals_config *config = &study->config;
            const struct run *run = &results->of[i].runs[seed];
            const double far = (double)run->distance / run->worms / config->d / config->n;
            const double share = work_steps(study, run) / (double)run->cycles;
            if (is_distance && study->traffic != TRAFFIC_FUNCTION) continue;
            if (isnan(value) ||
                (is_distance ? fabs(far - 0.25) > fabs(value - 0.25) : share > value))
                value = is_distance ? far : share;
        }
    return value;
}

// Returns the most steps of a permutation over those of a random function on the same torus.
static double valiant(const struct results *results)
{
    double most = NAN;
    for (size_t i = 0; i < results->count; i++) {
        const struct study *study = results->of[i].study;
        if (study->traffic == TRAFFIC_FUNCTION || study->traffic == TRAFFIC_RELATION) continue;
        const double once = (double)anl_diagonals_cycles(&study->config, study->batches);
        most = fmax(isnan(most) ? 0 : most, (double)result_sum(&results->of[i]).cycles / once);
    }
    return most;
}

static double value_of(const struct results *results, const struct claim *claim)
{
    uint32_t rounds = 0, undelivered = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct run sum = result_sum(&results->of[i]);
        if (sum.rounds > rounds) rounds = sum.rounds;
        undelivered += sum.undelivered;
    }
    switch (claim->kind) {
    case CLAIM_ROUNDS:
        return rounds;
    case CLAIM_FALLS:
    case CLAIM_SCALED:
    case CLAIM_DIMENSIONS:
    case CLAIM_COLUMNS:
    case CLAIM_BLOCKS:
        return largest_growth(results, claim);
    case CLAIM_DISTANCE:
    case CLAIM_WORK:
        return of_remark(results, claim->kind == CLAIM_DISTANCE);
    case CLAIM_VALIANT:
        return valiant(results);
    case CLAIM_DELIVERED:
        break;
    }
    return undelivered;
}

enum verdict check_claim(const struct results *results, const struct claim *claim, double *value)
{
    *value = value_of(results, claim);
    return isnan(*value) ? VERDICT_NONE : verdict_of(&claim->range, *value);
}
