// SPDX-License-Identifier: Apache-2.0

#include "sweep_saturation.h"
#include "sweep_statistics.h"

#include <math.h>
#include <stdlib.h>

// Bounds of the saturation load of a variant with a seed; above 1: not known.
struct bounds {
    uint64_t low, high;
};

struct search {
    struct sweep_runs *runs;
    double tolerance;
    struct bounds *bounds;  // [variants * seeds]
};

static bool is_found(const struct search *search, struct bounds bounds)
{
    const double length = (double)(bounds.high - bounds.low);
    return bounds.high - bounds.low <= 1 || length <= search->tolerance * (double)bounds.high;
}

// The part of its way that a bisection has gone.
static double progress_of(const struct search *search, struct bounds bounds)
{
    if (is_found(search, bounds)) return 1;
    const double high = fmin((double)bounds.high, 2 * (double)SWEEP_LOAD_1);
    const double left = log2((high - (double)bounds.low) / (search->tolerance * high));
    return 1 - left / (1 + log2(1 / search->tolerance));
}

// Where to look next: doubled or halved loads until one is between two of them.
static uint64_t next_load(struct bounds bounds)
{
    if (bounds.low == 0 && bounds.high > SWEEP_LOAD_1) return SWEEP_LOAD_1 / 16;
    if (bounds.low == 0) return bounds.high / 2;
    if (bounds.high > SWEEP_LOAD_1)
        return bounds.low < SWEEP_LOAD_1 / 2 ? 2 * bounds.low : SWEEP_LOAD_1;
    return bounds.low + (bounds.high - bounds.low) / 2;
}

static enum anl_status bisect(void *user, size_t task, struct sweep_worker *worker,
                              struct anl_error *error)
{
    const struct search *search = user;
    const size_t variant = task / search->runs->seeds->count;
    const uint64_t seed = search->runs->seeds->values[task % search->runs->seeds->count];
    struct bounds bounds = {0, UINT64_MAX};
    enum anl_status status = ANL_OK;
    while (!status && !is_found(search, bounds)) {
        const uint64_t load = next_load(bounds);
        bool beyond;
        status = sweep_runs_is_beyond(search->runs, variant, load, seed, &beyond, error);
        if (!status) *(beyond ? &bounds.high : &bounds.low) = load;
        if (bounds.low == SWEEP_LOAD_1) bounds.high = SWEEP_LOAD_1;
        sweep_worker_progress(worker, progress_of(search, bounds));
    }
    search->bounds[task] = bounds;
    return status;
}

// values: room for one a seed.
static struct sweep_mean mean_of(const struct bounds *bounds, size_t count, double *values)
{
    double lengths = 0;
    for (size_t i = 0; i < count; i++) {
        const double low = sweep_load_number(bounds[i].low);
        const double high = sweep_load_number(bounds[i].high);
        values[i] = (low + high) / 2;
        lengths += high - low;
    }
    struct sweep_mean mean = sweep_mean_of(values, count);
    mean.half_width += lengths / (double)count / 2;
    return mean;
}

enum anl_status sweep_saturation_find(struct sweep_runs *runs, double tolerance, unsigned workers,
                                      struct sweep_mean *saturation, struct anl_error *error)
{
    const size_t seeds = runs->seeds->count, tasks = runs->variants->count * seeds;
    struct search search = {.runs = runs, .tolerance = tolerance};
    const struct sweep_work work = {.what = "searching",
                                    .unit = "saturation loads",
                                    .tasks = tasks,
                                    .workers = workers,
                                    .run = bisect,
                                    .user = &search};
    search.bounds = calloc(tasks, sizeof *search.bounds);
    double *values = calloc(seeds, sizeof *values);
    enum anl_status status = search.bounds && values ? sweep_pool_run(&work, error)
                                                     : anl_fail(error, ANL_ERR_MEMORY, "", 0, "%s",
                                                                anl_status_text(ANL_ERR_MEMORY));
    for (size_t i = 0; !status && i < runs->variants->count; i++)
        saturation[i] = mean_of(&search.bounds[i * seeds], seeds, values);
    free(search.bounds);
    free(values);
    return status;
}
