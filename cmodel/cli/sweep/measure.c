// SPDX-License-Identifier: Apache-2.0
//
// Makes runs. Worms are counted by the window in which they were created, since only at the end
// is it known how many windows are warm-up.

#include "sweep.h"

#include <annelid/annelid.h>
#include <math.h>
#include <stdlib.h>

enum { WINDOWS = 200, LOOK_CYCLES = 1024 };

// The delivered worms that were created in a window: their flits, and all links that these crossed.
struct path_count {
    uint64_t flits, links;
};

struct analyse {
    struct anl_scenario scenario;  // that is run; its strings belong to the variant
    bool open;
    unsigned brief;          // as in struct sweep_job
    uint64_t window_cycles;  // UINT64_MAX in a closed loop, which has one window
    size_t first;            // first window that may be measured
    size_t num_paths;
    struct path_count *paths;  // [num_paths] one for each window
    struct anl_windows windows;
    struct anl_run_options options;
    struct sweep_sample sample;
    struct pool_worker *worker;
    bool no_memory;
    bool refuted;  // a brief run: it is known that the backlog does not grow as it had to
};

// --- while it runs ---

// Returns whether the backlog grows in windows first .. end - 1. That of a brief run over several
// times run.cycles must also have grown in its first half, its first quarter and so on. Parts of
// which not all windows are among the first `whole` ones are left out.
static bool backlog_grows(const struct analyse *analyse, size_t first, size_t end, size_t whole)
{
    const unsigned parts = analyse->brief > 1 ? analyse->brief / 2 : 1;
    bool grows = true;
    for (unsigned part = 1; part <= parts; part *= 2)
        if (end / part <= whole)
            grows &= anl_backlog_of(analyse->windows.at, first / part, end / part).grows;
    return grows;
}

// A brief run ends as soon as it is known that its backlog does not grow.
static bool look_at_backlog(struct analyse *analyse, uint64_t cycles)
{
    const size_t whole = cycles / analyse->window_cycles;
    analyse->refuted = !backlog_grows(analyse, analyse->first, analyse->num_paths, whole);
    return !cli_interrupted() && !analyse->refuted;
}

static void count_worm(struct analyse *analyse, const struct anl_worm *worm, uint64_t cycle)
{
    const uint64_t window = analyse->open ? worm->created / analyse->window_cycles : 0;
    if (worm->created < analyse->scenario.run.warmup_cycles || window >= analyse->num_paths) return;
    struct path_count *path = &analyse->paths[window];
    const uint64_t links = anl_worm_distance(&analyse->scenario.network, worm) + 2;
    path->flits += worm->length;
    path->links += links * worm->length;
    if (sweep_sample_add(&analyse->sample, window, cycle - worm->created + 1))
        analyse->no_memory = true;
}

static bool look(void *user, const struct anl_engine *net)
{
    struct analyse *analyse = user;
    const uint64_t cycle = anl_engine_cycle(net) - 1;
    size_t count;
    if (analyse->brief) return look_at_backlog(analyse, cycle + 1);
    const struct anl_worm *delivered = anl_engine_delivered(net, &count);
    for (size_t i = 0; i < count; i++)
        count_worm(analyse, &delivered[i], cycle);
    if (cycle % LOOK_CYCLES == 0 && analyse->open)
        pool_progress(analyse->worker,
                      fmin(1, (double)cycle / (double)analyse->scenario.run.cycles));
    return !cli_interrupted() && !analyse->no_memory;
}

// --- before ---

// Returns the first whole window after the shortest warm-up that is allowed.
static size_t first_window(const struct anl_run_config *run, uint64_t window_cycles)
{
    const uint64_t tenth = run->cycles / 10;
    const uint64_t least = run->warmup_cycles > tenth ? run->warmup_cycles : tenth;
    return (least + window_cycles - 1) / window_cycles;
}

static enum anl_status begin(struct analyse *analyse, const struct sweep_job *job)
{
    struct anl_run_config *run = &analyse->scenario.run;
    analyse->scenario = *job->variant;
    analyse->open = anl_process_is_open_loop(job->variant->traffic.process);
    analyse->brief = job->brief;
    analyse->window_cycles = UINT64_MAX;
    analyse->num_paths = 1;
    run->seed = job->seed;
    if (analyse->open) {
        analyse->scenario.traffic.load = job->load;
        if (job->brief) run->max_cycles = run->cycles *= job->brief;
        analyse->window_cycles = run->cycles < WINDOWS ? 1 : run->cycles / WINDOWS;
        analyse->num_paths = run->cycles / analyse->window_cycles;
        analyse->first = first_window(run, analyse->window_cycles);
    }
    analyse->windows.cycles = analyse->window_cycles;
    analyse->options = (struct anl_run_options){.digest = job->digest,
                                                .windows = &analyse->windows,
                                                .progress_cycles = job->brief ? LOOK_CYCLES : 1,
                                                .progress = look,
                                                .user = analyse};
    analyse->paths = calloc(analyse->num_paths, sizeof *analyse->paths);
    return analyse->paths ? ANL_OK : ANL_ERR_MEMORY;
}

static void end(struct analyse *analyse)
{
    free(analyse->paths);
    free(analyse->windows.at);
    sweep_sample_free(&analyse->sample);
}

// --- after ---

// The windows of a run that are measured, and the state of the run.
struct interval {
    size_t begin, end;  // windows begin to end - 1
    enum sweep_state state;
};

// Adds empty windows up to run.cycles: a run may end with its last worm before that.
static enum anl_status complete_windows(struct analyse *analyse)
{
    struct anl_windows *windows = &analyse->windows;
    if (windows->count >= analyse->num_paths) return ANL_OK;
    struct anl_window *grown = realloc(windows->at, analyse->num_paths * sizeof *grown);
    if (!grown) return ANL_ERR_MEMORY;
    windows->at = grown;
    while (windows->count < analyse->num_paths)
        windows->at[windows->count++] = (struct anl_window){0};
    return ANL_OK;
}

static struct interval settle_open(const struct analyse *analyse,
                                   const struct anl_run_result *result)
{
    const bool complete = result->end == ANL_RUN_COMPLETE;
    const uint64_t whole = result->cycles / analyse->window_cycles;  // whole windows of the run
    const size_t end = complete || whole > analyse->num_paths ? analyse->num_paths : (size_t)whole;
    const size_t first = analyse->first < end ? analyse->first : end;
    struct interval interval = {first, end, SWEEP_STEADY};
    bool steady;
    interval.begin += sweep_warm_up(&analyse->windows.at[first], end - first, &steady);
    if (result->end == ANL_RUN_STALLED)
        interval.state = SWEEP_STALLED;
    else if (!analyse->refuted && backlog_grows(analyse, first, end, end))
        interval.state = SWEEP_SATURATED;
    else if (!steady || !complete)
        interval.state = SWEEP_UNSTEADY;
    return interval;
}

static enum sweep_state state_of_closed(const struct anl_run_result *result)
{
    if (result->end == ANL_RUN_STALLED) return SWEEP_STALLED;
    return result->end == ANL_RUN_COMPLETE ? SWEEP_STEADY : SWEEP_UNSTEADY;
}

// Adds up the windows of the interval. Loads of a closed loop, which has one window, are those of
// the whole run.
static void measure_windows(const struct analyse *analyse, struct interval interval,
                            struct sweep_run *run)
{
    uint64_t created = 0, ejected = 0, flits = 0, links = 0;
    for (size_t i = interval.begin; i < interval.end; i++) {
        created += analyse->windows.at[i].created_flits;
        ejected += analyse->windows.at[i].ejected_flits;
        flits += analyse->paths[i].flits;
        links += analyse->paths[i].links;
    }
    run->links = flits ? (double)links / (double)flits : NAN;
    if (!analyse->open) return;
    const double cycles = (double)(interval.end - interval.begin) * (double)analyse->window_cycles;
    const double all = cycles * anl_shape_of(&analyse->scenario.network).terminals;
    run->offered = all > 0 ? (double)created / all : NAN;
    run->accepted = all > 0 ? (double)ejected / all : NAN;
    run->warmup = interval.begin * analyse->window_cycles;
}

// Returns the least latency that at least this fraction of the worms does not exceed; NAN if there
// are none.
static double quantile(const struct anl_latencies *latencies, double fraction)
{
    if (anl_latencies_worms(latencies) == 0) return NAN;
    return (double)anl_latencies_quantile(latencies, fraction);
}

static enum anl_status measure_latencies(const struct analyse *analyse, struct interval interval,
                                         struct sweep_run *run)
{
    struct anl_latencies latencies;
    if (sweep_sample_sum(&analyse->sample, interval.begin, &latencies)) return ANL_ERR_MEMORY;
    run->worms = anl_latencies_worms(&latencies);
    run->latency = run->worms ? anl_latencies_mean(&latencies) : NAN;
    run->latency_min = quantile(&latencies, 0);
    run->latency_p50 = quantile(&latencies, 0.50);
    run->latency_p95 = quantile(&latencies, 0.95);
    run->latency_p99 = quantile(&latencies, 0.99);
    run->latency_max = quantile(&latencies, 1);
    free(latencies.count);
    return ANL_OK;
}

static enum anl_status conclude(struct analyse *analyse, const struct anl_run_result *result,
                                struct sweep_run *run)
{
    struct interval interval = {0, 1, state_of_closed(result)};
    run->end = result->end;
    run->cycles = result->cycles;
    run->digest = result->digest;
    if (analyse->open) {
        interval = settle_open(analyse, result);
    } else {
        const bool some = result->cycles > analyse->scenario.run.warmup_cycles;
        run->warmup = analyse->scenario.run.warmup_cycles;
        run->offered = some ? result->offered_load : NAN;
        run->accepted = some ? result->accepted_load : NAN;
    }
    measure_windows(analyse, interval, run);
    const enum anl_status status = measure_latencies(analyse, interval, run);
    run->state = interval.state;
    if (run->state == SWEEP_STEADY && analyse->open && !run->worms) run->state = SWEEP_UNSTEADY;
    return status;
}

// --- runs ---

// Fills in what is known of a run that was made.
static enum anl_status finish(struct analyse *analyse, const struct anl_run_job *made,
                              struct sweep_run *run, struct anl_error *error)
{
    if (made->status && error) *error = made->error;
    if (made->status) return made->status;
    if (complete_windows(analyse) || analyse->no_memory) return cli_fail(ANL_ERR_MEMORY, error);
    if (made->result.end == ANL_RUN_STOPPED && !analyse->refuted)
        return anl_fail(error, ANL_ERR_IO, "", 0, "interrupted");
    return cli_fail(conclude(analyse, &made->result, run), error);
}

static bool is_left_out(const struct anl_run_job *made)
{
    return !made->status && made->result.cycles == 0;
}

enum anl_status sweep_measure(const struct sweep_job *jobs, size_t count,
                              struct pool_worker *worker, struct sweep_run *runs,
                              struct anl_error *error)
{
    struct analyse analyses[SWEEP_AT_ONCE] = {0};
    struct anl_run_job made[SWEEP_AT_ONCE] = {0};
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count; i++) {
        runs[i] = (struct sweep_run){
            .load = jobs[i].load, .seed = jobs[i].seed, .has_digest = jobs[i].digest};
        analyses[i].worker = worker;
        if (!status) status = cli_fail(begin(&analyses[i], &jobs[i]), error);
        made[i] = (struct anl_run_job){.scenario = &analyses[i].scenario,
                                       .options = &analyses[i].options};
    }
    if (!status) pool_make_runs(worker, made, count, 1);
    for (size_t i = 0; i < count; i++) {
        if (!status && !is_left_out(&made[i]))
            status = finish(&analyses[i], &made[i], &runs[i], error);
        end(&analyses[i]);
    }
    return status;
}
