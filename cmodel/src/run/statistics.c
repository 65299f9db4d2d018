// SPDX-License-Identifier: Apache-2.0
//
// What a run counts: latencies, loads, and the rest that the caller asked for.

#include "run.h"

#include <annelid/network.h>
#include <stdlib.h>
#include <string.h>

void statistics_begin(struct run_statistics *statistics, const struct anl_scenario *scenario,
                      const struct anl_run_options *options)
{
    *statistics = (struct run_statistics){
        .scenario = scenario,
        .options = options,
        .terminals = anl_shape_of(&scenario->network).terminals,
        .num_classes = anl_num_classes(&scenario->network) > 1 ? scenario->network.classes : 0,
        .windows.cycles = options->windows ? options->windows->cycles : 0,
    };
}

void statistics_worm(struct run_statistics *statistics, const struct anl_worm *worm)
{
    statistics->created_flits += worm->length;
}

// --- windows ---

// Makes sure that window `at` and those before it exist.
static enum anl_status reach_window(struct run_statistics *statistics, size_t at)
{
    struct anl_windows *windows = &statistics->windows;
    if (at >= statistics->room) {
        const size_t room = 2 * at + 64;
        struct anl_window *grown = realloc(windows->at, room * sizeof *grown);
        if (!grown) return ANL_ERR_MEMORY;
        windows->at = grown;
        statistics->room = room;
    }
    while (windows->count <= at)
        windows->at[windows->count++] = (struct anl_window){0};
    return ANL_OK;
}

static enum anl_status count_in_windows(struct run_statistics *statistics,
                                        const struct anl_worm *delivered, size_t count,
                                        uint64_t cycle)
{
    const struct anl_windows *windows = &statistics->windows;
    if (reach_window(statistics, cycle / windows->cycles)) return ANL_ERR_MEMORY;
    struct anl_window *now = &windows->at[cycle / windows->cycles];
    now->created_flits += statistics->created_flits - statistics->created_before;
    now->ejected_flits += statistics->ejected - statistics->ejected_before;
    for (size_t i = 0; i < count; i++) {
        struct anl_window *window = &windows->at[delivered[i].created / windows->cycles];
        window->worms++;
        window->latency += cycle - delivered[i].created + 1;
    }
    return ANL_OK;
}

// --- latencies ---

static enum anl_status count_latency(struct run_latencies *counted, uint64_t latency)
{
    struct anl_latencies *latencies = &counted->all;
    if (latency >= latencies->size) {
        const uint64_t size = latency * 2 + 64;
        uint64_t *grown = realloc(latencies->count, size * sizeof *grown);
        if (!grown) return ANL_ERR_MEMORY;
        memset(grown + latencies->size, 0, (size - latencies->size) * sizeof *grown);
        latencies->count = grown;
        latencies->size = size;
    }
    latencies->count[latency]++;
    counted->measured++;
    return ANL_OK;
}

static enum anl_status count_worm(struct run_statistics *statistics, const struct anl_worm *worm,
                                  uint64_t latency)
{
    const enum anl_status status = count_latency(&statistics->latencies, latency);
    if (status || statistics->num_classes == 0) return status;
    return count_latency(&statistics->classes[worm->class_], latency);
}

static enum anl_status count_latencies(struct run_statistics *statistics,
                                       const struct anl_worm *delivered, size_t count,
                                       uint64_t cycle)
{
    for (size_t i = 0; i < count; i++)
        if (delivered[i].created >= statistics->scenario->run.warmup_cycles &&
            count_worm(statistics, &delivered[i], cycle - delivered[i].created + 1))
            return ANL_ERR_MEMORY;
    return ANL_OK;
}

// Returns the smallest latency that is not exceeded by at least this fraction of the worms.
static uint64_t quantile(const struct run_latencies *counted, double fraction)
{
    uint64_t seen = 0;
    for (uint64_t i = 0; i < counted->all.size; i++) {
        seen += counted->all.count[i];
        if (seen > 0 && (double)seen >= fraction * (double)counted->measured) return i;
    }
    return 0;
}

static double mean(const struct run_latencies *counted)
{
    double sum = 0;
    for (uint64_t i = 0; i < counted->all.size; i++)
        sum += (double)i * (double)counted->all.count[i];
    return counted->measured ? sum / (double)counted->measured : 0;
}

// --- the measured window ---

// Returns the end of the measured window: open-loop processes are measured while they create worms,
// the others to the end of the run.
static uint64_t last_end(const struct anl_scenario *scenario)
{
    return anl_process_is_open_loop(scenario->traffic.process) ? scenario->run.cycles : UINT64_MAX;
}

static void count_links(const struct run_statistics *statistics, const struct anl_engine *engine)
{
    size_t count;
    const struct anl_flit *flits = anl_engine_flits(engine, &count);
    for (size_t i = 0; i < count; i++)
        statistics->options->link_flits[flits[i].link]++;
}

// Notes how many flits were created and ejected at the begin and the end of the measured window.
static void mark_window(struct run_statistics *statistics, const struct anl_engine *engine,
                        uint64_t cycle)
{
    const uint64_t warmup = statistics->scenario->run.warmup_cycles;
    if (cycle + 1 == warmup) {
        statistics->created_at_begin = statistics->created_flits;
        statistics->ejected_at_begin = statistics->ejected;
    }
    if (cycle >= last_end(statistics->scenario)) return;
    statistics->end = cycle + 1;
    statistics->created_at_end = statistics->created_flits;
    statistics->ejected_at_end = statistics->ejected;
    if (statistics->options->link_flits && cycle >= warmup) count_links(statistics, engine);
}

// --- a run ---

enum anl_status statistics_cycle(struct run_statistics *statistics, const struct anl_engine *engine,
                                 uint64_t cycle)
{
    size_t count;
    const struct anl_worm *delivered = anl_engine_delivered(engine, &count);
    statistics->ejected = anl_engine_totals(engine).ejected_flits;
    mark_window(statistics, engine, cycle);
    enum anl_status status = count_latencies(statistics, delivered, count, cycle);
    if (!status && statistics->windows.cycles)
        status = count_in_windows(statistics, delivered, count, cycle);
    statistics->created_before = statistics->created_flits;
    statistics->ejected_before = statistics->ejected;
    return status;
}

void statistics_conclude(const struct run_statistics *statistics, struct anl_run_result *result)
{
    const uint64_t warmup = statistics->scenario->run.warmup_cycles;
    const struct run_latencies *latencies = &statistics->latencies;
    result->measured = latencies->measured;
    result->latency_mean = mean(latencies);
    result->latency_min = quantile(latencies, 0);
    result->latency_p50 = quantile(latencies, 0.50);
    result->latency_p95 = quantile(latencies, 0.95);
    result->latency_p99 = quantile(latencies, 0.99);
    result->latency_max = quantile(latencies, 1);
    result->num_classes = statistics->num_classes;
    for (uint32_t c = 0; c < statistics->num_classes; c++) {
        const struct run_latencies *of_class = &statistics->classes[c];
        result->classes[c] =
            (struct anl_class_result){of_class->measured, mean(of_class), quantile(of_class, 0.99)};
    }
    if (statistics->end <= warmup) return;
    const double window = (double)statistics->terminals * (double)(statistics->end - warmup);
    const uint64_t created = statistics->created_at_end - statistics->created_at_begin;
    const uint64_t ejected = statistics->ejected_at_end - statistics->ejected_at_begin;
    result->offered_load = (double)created / window;
    result->accepted_load = (double)ejected / window;
}

void statistics_end(struct run_statistics *statistics)
{
    if (statistics->options->windows) *statistics->options->windows = statistics->windows;
    if (statistics->options->latencies)
        *statistics->options->latencies = statistics->latencies.all;
    else
        free(statistics->latencies.all.count);
    for (uint32_t c = 0; c < statistics->num_classes; c++)
        free(statistics->classes[c].all.count);
}
