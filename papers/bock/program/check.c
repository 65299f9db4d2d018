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

// Returns the largest ratio of a torus to that of the next smaller one, of worms of this length
// under the paper's rounds with a = 4, b = 1, c = 16; NAN: there are not two such.
static double largest_step(const struct results *results, uint32_t length)
{
    double before = NAN, largest = NAN;
    for (size_t i = 0; i < results->count; i++) {
        const struct study *study = results->of[i].study;
        const struct anl_diagonals_config *config = &study->config;
        if (study->traffic != TRAFFIC_FUNCTION || config->d != 2 || config->length != length ||
            config->a != 4 || config->b != 1 || config->c != 16 || config->rounds != 16)
            continue;
        const double ratio = result_ratio(&results->of[i]);
        if (!isnan(before)) largest = fmax(isnan(largest) ? 0 : largest, ratio / before);
        before = ratio;
    }
    return largest;
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
        return largest_step(results, claim->length);
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
