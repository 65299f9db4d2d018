// SPDX-License-Identifier: Apache-2.0

#include "saturation.h"
#include "statistics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
    MOST_HIGHS = 64,  // more than a load has digits
    CONFIRM_TIMES = 4
};

// Of the saturation load of a variant with a seed.
struct bounds {
    uint64_t low, high;  // high above 1: not known
    bool unreached, stalled;
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

// A search of one task: loads that seemed to be beyond saturation, each below the one before.
struct descent {
    struct bounds bounds;
    uint64_t highs[MOST_HIGHS];
    size_t count;
};

static void go_below(struct descent *descent, uint64_t load)
{
    assert(descent->count < MOST_HIGHS);
    descent->highs[descent->count++] = load;
    descent->bounds.high = load;
}

// The last of them was not: the search goes on between it and the one before.
static void go_back_above(struct descent *descent)
{
    descent->bounds.low = descent->highs[--descent->count];
    descent->bounds.high = descent->count ? descent->highs[descent->count - 1] : UINT64_MAX;
}

static enum anl_status is_beyond(const struct search *search, size_t task, uint64_t load,
                                 unsigned times, struct bounds *bounds, bool *beyond,
                                 struct anl_error *error)
{
    const struct sweep_list *seeds = search->runs->seeds;
    enum sweep_state state = SWEEP_STEADY;
    const enum anl_status status =
        sweep_runs_state(search->runs, task / seeds->count, load,
                         seeds->values[task % seeds->count], times, &state, error);
    bounds->stalled |= state == SWEEP_STALLED;
    *beyond = state == SWEEP_SATURATED || state == SWEEP_STALLED;
    return status;
}

// A backlog also grows by chance, so the upper bound is believed when longer runs confirm it; one
// false alarm would lead all of the search astray.
static enum anl_status take_step(const struct search *search, size_t task, struct descent *descent,
                                 bool *done, struct anl_error *error)
{
    struct bounds *bounds = &descent->bounds;
    const bool confirm = is_found(search, *bounds);
    const uint64_t load = confirm ? bounds->high : next_load(*bounds);
    bool beyond;
    const enum anl_status status =
        is_beyond(search, task, load, confirm ? CONFIRM_TIMES : 1, bounds, &beyond, error);
    if (status) return status;
    *done = confirm && beyond;
    if (confirm && !beyond)
        go_back_above(descent);
    else if (beyond && !confirm)
        go_below(descent, load);
    else if (!beyond)
        bounds->low = load;
    bounds->unreached = bounds->low == SWEEP_LOAD_1;
    *done |= bounds->unreached;
    return ANL_OK;
}

static enum anl_status bisect(void *user, size_t task, struct pool_worker *worker,
                              struct anl_error *error)
{
    const struct search *search = user;
    struct descent descent = {.bounds = {.high = UINT64_MAX}};
    enum anl_status status = ANL_OK;
    for (bool done = false; !status && !done;) {
        status = take_step(search, task, &descent, &done, error);
        pool_progress(worker, progress_of(search, descent.bounds));
    }
    search->bounds[task] = descent.bounds;
    return status;
}

// --- means ---

bool sweep_saturation_is_wide(const struct sweep_saturation *saturation)
{
    return saturation->half_width > 0.05 * saturation->load;
}

// values: room for one a seed.
static struct sweep_saturation mean_of(const struct bounds *bounds, size_t count, double *values)
{
    struct sweep_saturation result = {.seeds = (uint32_t)count};
    double lengths = 0;
    for (size_t i = 0; i < count; i++) {
        const double low = sweep_load_number(bounds[i].low);
        const double high = bounds[i].unreached ? low : sweep_load_number(bounds[i].high);
        values[i] = (low + high) / 2;
        lengths += high - low;
        result.unreached += bounds[i].unreached;
        result.stalled += bounds[i].stalled;
    }
    const struct sweep_mean mean = sweep_mean_of(values, count);
    result.load = mean.mean;
    result.half_width = result.unreached ? NAN : mean.half_width + lengths / (double)count / 2;
    return result;
}

enum anl_status sweep_saturation_find(struct sweep_runs *runs, double tolerance, unsigned workers,
                                      struct sweep_saturation *saturation, struct anl_error *error)
{
    const size_t seeds = runs->seeds->count, tasks = runs->variants->count * seeds;
    struct search search = {.runs = runs, .tolerance = tolerance};
    const struct pool_work work = {.what = "searching",
                                   .unit = "saturation loads",
                                   .tasks = tasks,
                                   .workers = workers,
                                   .run = bisect,
                                   .user = &search};
    search.bounds = calloc(tasks, sizeof *search.bounds);
    double *values = calloc(seeds, sizeof *values);
    enum anl_status status = search.bounds && values ? pool_run(&work, error)
                                                     : anl_fail(error, ANL_ERR_MEMORY, "", 0, "%s",
                                                                anl_status_text(ANL_ERR_MEMORY));
    for (size_t i = 0; !status && i < runs->variants->count; i++)
        saturation[i] = mean_of(&search.bounds[i * seeds], seeds, values);
    free(search.bounds);
    free(values);
    return status;
}
