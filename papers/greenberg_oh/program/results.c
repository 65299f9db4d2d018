// SPDX-License-Identifier: Apache-2.0

#include "greenberg_oh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum anl_status results_begin(const struct plan *plan, uint32_t most_n, struct results *results)
{
    size_t room = 0;
    *results = (struct results){.plan = plan};
    for (size_t i = 0; i < plan->num_series; i++) {
        const struct series *series = &plan->series[i];
        for (uint32_t n = series->least; n <= series->most && n <= most_n; n++)
            for (uint32_t run = 0; run < plan_runs(series, n); run++) {
                struct result *of = gather_room(results->of, results->count, &room, sizeof *of);
                if (!of) return ANL_ERR_MEMORY;
                results->of = of;
                of[results->count++] = (struct result){.series = series, .n = n, .run = run};
            }
    }
    return ANL_OK;
}

static const struct result *first_of(const struct results *results, const struct series *series,
                                     uint32_t n)
{
    for (size_t i = 0; i < results->count; i++)
        if (results->of[i].series == series && results->of[i].n == n) return &results->of[i];
    return NULL;
}

struct sample results_sample(const struct results *results, const struct series *series, uint32_t n,
                             enum measure measure, bool all)
{
    const struct result *first = first_of(results, series, n);
    const uint32_t runs = all ? plan_runs(series, n) : series->runs;
    double *values = first ? calloc(runs, sizeof *values) : NULL;
    struct sample sample = {.mean = NAN};
    for (uint32_t i = 0; values && i < runs; i++)
        memcpy(&values[i], (const char *)&first[i].outcome + measure, sizeof *values);
    if (values) sample = sample_of(values, runs);
    free(values);
    return sample;
}

double results_mean(const struct results *results, const struct series *series, uint32_t n,
                    enum measure measure)
{
    return results_sample(results, series, n, measure, true).mean;
}

double results_length(const struct results *results, const struct series *series, uint32_t n)
{
    const struct result *first = first_of(results, series, n);
    return first ? first->outcome.length : 0;
}

struct bounds_count results_count_bounds(const struct results *results)
{
    struct bounds_count count = {.least_lower = INFINITY};
    for (size_t i = 0; i < results->count; i++) {
        const struct outcome *outcome = &results->of[i].outcome;
        const bool theorem = outcome->upper != UINT64_MAX;
        count.held_lower++;
        count.below += outcome->cycles < outcome->lower;
        count.held_upper += theorem;
        count.above += theorem && outcome->cycles > outcome->upper;
        count.least_lower =
            fmin(count.least_lower, (double)outcome->cycles / (double)outcome->lower);
        if (theorem)
            count.most_upper =
                fmax(count.most_upper, (double)outcome->cycles / (double)outcome->upper);
    }
    return count;
}
