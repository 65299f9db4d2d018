// SPDX-License-Identifier: Apache-2.0

#include "sweep.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

// --- warm-up ---

enum { BATCHES = 20, STEP = 2, LEAST_BATCHES = 8 };

// Returns the mean latency of the worms created in these windows; NAN if there are none.
static double latency_of(const struct anl_window *windows, size_t count)
{
    uint64_t worms = 0, latency = 0;
    for (size_t i = 0; i < count; i++) {
        worms += windows[i].worms;
        latency += windows[i].latency;
    }
    return worms ? (double)latency / (double)worms : NAN;
}

// Young's test of the ratio of the mean square successive difference to the variance. Returns false
// if the values differ less from their neighbours than from the others, that is, have a trend.
static bool is_without_order(const double *values, size_t count)
{
    static const double quantile_99 = 2.3263478740408408;  // of the normal distribution
    const double n = (double)count, mean = gsl_stats_mean(values, 1, count);
    const double deviations = gsl_stats_tss_m(values, 1, count, mean);
    double steps = 0;
    for (size_t i = 1; i < count; i++)
        steps += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
    if (deviations <= 1e-18 * n * mean * mean) return true;  // all values are equal
    const double c = 1 - steps / (2 * deviations);
    return c <= quantile_99 * sqrt((n - 2) / (n * n - 1));
}

static bool is_steady(const double *batches, size_t count)
{
    double values[BATCHES];
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(batches[i])) values[known++] = batches[i];
    return known >= LEAST_BATCHES && is_without_order(values, known);
}

size_t sweep_warm_up(const struct anl_window *windows, size_t count, bool *steady)
{
    const size_t batch = count / BATCHES, rest = count % BATCHES;
    double means[BATCHES];
    for (size_t i = 0; i < BATCHES; i++)
        means[i] = latency_of(&windows[rest + i * batch], batch);
    *steady = false;
    for (size_t first = 0; first <= BATCHES / 2; first += STEP) {
        *steady = is_steady(&means[first], BATCHES - first);
        if (*steady) return rest + first * batch;
    }
    return count / 2;
}

// --- samples ---

static struct sweep_count *find(struct sweep_count *slots, size_t size, uint64_t window,
                                uint64_t latency)
{
    // Latencies that differ little lie side by side, in one line of a cache.
    const uint64_t near = latency % 8, far = latency / 8;
    const uint64_t mixed = (window * 0x9E3779B97F4A7C15 + far) * 0xBF58476D1CE4E5B9;
    size_t at = (mixed >> 32 << 3 | near) & (size - 1);
    while (slots[at].worms && (slots[at].window != window || slots[at].latency != latency))
        at = (at + 1) & (size - 1);
    return &slots[at];
}

static enum anl_status grow(struct sweep_sample *sample)
{
    const size_t size = sample->size ? 2 * sample->size : 4096;
    struct sweep_count *slots = calloc(size, sizeof *slots);
    if (!slots) return ANL_ERR_MEMORY;
    for (size_t i = 0; i < sample->size; i++) {
        const struct sweep_count *old = &sample->slots[i];
        if (old->worms) *find(slots, size, old->window, old->latency) = *old;
    }
    free(sample->slots);
    sample->slots = slots;
    sample->size = size;
    return ANL_OK;
}

// Counts the worms that were noted, one right after the other: most of their slots are in no cache.
static enum anl_status count_noted(struct sweep_sample *sample)
{
    while (2 * (sample->used + sample->num_noted) > sample->size)
        if (grow(sample)) return ANL_ERR_MEMORY;
    for (size_t i = 0; i < sample->num_noted; i++) {
        const struct sweep_count *noted = &sample->noted[i];
        struct sweep_count *slot = find(sample->slots, sample->size, noted->window, noted->latency);
        if (!slot->worms) sample->used++;
        slot->window = noted->window;
        slot->latency = noted->latency;
        slot->worms++;
    }
    sample->num_noted = 0;
    return ANL_OK;
}

enum anl_status sweep_sample_add(struct sweep_sample *sample, uint64_t window, uint64_t latency)
{
    if (!sample->noted) sample->noted = malloc(SWEEP_NOTED * sizeof *sample->noted);
    if (!sample->noted) return ANL_ERR_MEMORY;
    if (sample->num_noted == SWEEP_NOTED && count_noted(sample)) return ANL_ERR_MEMORY;
    sample->noted[sample->num_noted++] =
        (struct sweep_count){.latency = latency, .window = (uint32_t)window, .worms = 1};
    return ANL_OK;
}

void sweep_sample_free(struct sweep_sample *sample)
{
    free(sample->slots);
    free(sample->noted);
    *sample = (struct sweep_sample){0};
}

// The counts of a list, of which some may be 0.
struct counts {
    const struct sweep_count *at;
    size_t count;
};

enum anl_status sweep_sample_sum(const struct sweep_sample *sample, uint64_t first,
                                 struct anl_latencies *latencies)
{
    const struct counts lists[] = {{sample->noted, sample->num_noted},
                                   {sample->slots, sample->size}};
    *latencies = (struct anl_latencies){0};
    for (size_t list = 0; list < 2; list++)
        for (size_t i = 0; i < lists[list].count; i++)
            if (lists[list].at[i].latency >= latencies->size)
                latencies->size = lists[list].at[i].latency + 1;
    latencies->count = calloc(latencies->size + 1, sizeof *latencies->count);
    if (!latencies->count) return ANL_ERR_MEMORY;
    for (size_t list = 0; list < 2; list++)
        for (size_t i = 0; i < lists[list].count; i++) {
            const struct sweep_count *at = &lists[list].at[i];
            if (at->window >= first) latencies->count[at->latency] += at->worms;
        }
    return ANL_OK;
}
