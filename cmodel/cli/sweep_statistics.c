// SPDX-License-Identifier: Apache-2.0

#include "sweep_statistics.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

// --- means ---

static double spread(const double *values, size_t count, double mean)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i])) squares += (values[i] - mean) * (values[i] - mean);
    return squares;
}

struct sweep_mean sweep_mean_of(const double *values, size_t count)
{
    struct sweep_mean result = {.mean = NAN, .half_width = NAN};
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i])) continue;
        sum += values[i];
        result.count++;
    }
    const double n = result.count;
    if (n > 0) result.mean = sum / n;
    if (n < 2) return result;
    const double variance = spread(values, count, result.mean) / (n - 1);
    result.half_width = gsl_cdf_tdist_Pinv(0.975, n - 1) * sqrt(variance / n);
    return result;
}

// --- warm-up ---

// Of windows taken together: worms, the mean of their latencies, and the sum of the squared
// distances of the windows' means from it.
struct pooled {
    double worms, mean, squares;
};

// With one window more; stable, whatever the latencies.
static void pool(struct pooled *pooled, const struct anl_window *window)
{
    if (!window->worms) return;
    const double worms = (double)window->worms;
    const double distance = (double)window->latency / worms - pooled->mean;
    const double all = pooled->worms + worms;
    pooled->squares += distance * distance * pooled->worms * worms / all;
    pooled->mean += distance * worms / all;
    pooled->worms = all;
}

size_t sweep_warm_up(const struct anl_window *windows, size_t count)
{
    const size_t least_kept = (count + 3) / 4;
    struct pooled kept = {0};
    double least = INFINITY;
    size_t best = 0;
    for (size_t first = count; first-- > 0;) {
        pool(&kept, &windows[first]);
        if (count - first < least_kept || kept.worms <= 0) continue;
        const double error = kept.squares / (kept.worms * kept.worms);
        if (error > least) continue;
        least = error;
        best = first;
    }
    return best;
}

// --- backlog ---

struct level {
    double mean, most;
};

// Of the backlog at the ends of windows begin .. end - 1; *backlog is that before begin, then that
// at the end.
static struct level level_of(const struct anl_window *windows, size_t begin, size_t end,
                             double *backlog)
{
    struct level level = {.most = -INFINITY};
    for (size_t i = begin; i < end; i++) {
        *backlog += (double)windows[i].created_flits - (double)windows[i].ejected_flits;
        level.mean += *backlog / (double)(end - begin);
        level.most = fmax(level.most, *backlog);
    }
    return level;
}

bool sweep_backlog_grows(const struct anl_window *windows, size_t begin, size_t end)
{
    static const double allowed = 0.01;
    const size_t half = begin + (end - begin) / 2, quarter = half + (end - half) / 2;
    if (half == quarter) return false;
    double backlog = 0, created = 0;
    level_of(windows, 0, half, &backlog);
    const double at_half = backlog;
    const struct level third = level_of(windows, half, quarter, &backlog);
    const struct level last = level_of(windows, quarter, end, &backlog);
    for (size_t i = half; i < end; i++)
        created += (double)windows[i].created_flits;
    return backlog - at_half > allowed * created && last.mean > third.most;
}
