// SPDX-License-Identifier: Apache-2.0
//
// A run: traffic creates worms, the engine steps, and the observers are shown each cycle.

#include "run.h"

#include <annelid/workload.h>
#include <inttypes.h>

struct run {
    const struct anl_scenario *scenario;
    const struct anl_run_options *options;
    struct anl_engine *engine;
    struct anl_traffic *traffic;
    struct anl_digest *digest;
    struct anl_referee *referee;
    struct run_worker *worker;
    struct anl_error *error;  // text is "" until the blocking analysis fails
    struct run_statistics statistics;
    uint64_t idle_cycles;  // consecutive cycles without a move
    uint64_t patience;     // so many of them mean that nothing will move any more
    bool recorded;         // some observer is shown the flits of every cycle
};

static enum anl_status create(struct run *run)
{
    const struct anl_run_options *options = run->options;
    enum anl_status status = anl_engine_create(&run->scenario->network, &run->engine);
    run->patience = anl_patience(&run->scenario->network);
    if (!status) status = anl_traffic_create(anl_scenario_workload(run->scenario), &run->traffic);
    if (!status && options->digest) status = anl_digest_create(&run->digest);
    if (!status && options->referee)
        status = anl_referee_create(&run->scenario->network, &run->referee);
    if (run->referee && run->scenario->traffic.process == ANL_REPLAY)
        anl_referee_remember(run->referee);
    if (!status && options->blocking) status = run_worker_create(options, &run->worker);
    if (!status) anl_engine_reset(run->engine, run->scenario->run.seed);
    if (!status) status = anl_engine_shuffle(run->engine, options->shuffle);
    run->recorded = options->record || options->link_flits || run->digest || run->referee ||
                    options->trace || options->blocking;
    if (!status) anl_engine_record(run->engine, run->recorded);
    return status;
}

static void destroy(struct run *run)
{
    anl_engine_destroy(run->engine);
    anl_traffic_destroy(run->traffic);
    anl_digest_destroy(run->digest);
    anl_referee_destroy(run->referee);
    run_worker_destroy(run->worker);
    statistics_end(&run->statistics);
}

static enum anl_status enqueue(struct run *run, const struct anl_new_worm *created)
{
    uint32_t id;
    const struct anl_worm new_worm = {.source = created->source,
                                      .destination = created->destination,
                                      .length = created->length,
                                      .route = created->route,
                                      .route_length = created->route_length,
                                      .path = created->path,
                                      .has_path = created->has_path,
                                      .class_ = created->class_,
                                      .role = created->role,
                                      .dependencies = created->dependencies};
    const enum anl_status status = anl_engine_enqueue_worm(run->engine, &new_worm, &id);
    if (status == ANL_ERR_ARGUMENT)  // traffic creates no other worm that is refused
        return anl_fail(run->error, status, "", 0, "more than %" PRIu32 " worms in one run",
                        UINT32_MAX);
    if (status) return status;

    const struct anl_worm *worm = anl_engine_worm(run->engine, id);
    statistics_worm(&run->statistics, worm);
    if (run->digest) anl_digest_worm(run->digest, worm);
    if (run->referee) anl_referee_worm(run->referee, worm);
    if (run->options->trace) anl_trace_worm(run->options->trace, worm);
    return run->worker ? run_worker_worm(run->worker, worm, run->error) : ANL_OK;
}

static enum anl_status show_flits(struct run *run, uint64_t cycle)
{
    size_t count;
    const struct anl_flit *flits = anl_engine_flits(run->engine, &count);
    if (run->digest) anl_digest_flits(run->digest, cycle, flits, count);
    if (run->referee) anl_referee_flits(run->referee, cycle, flits, count);
    if (run->options->trace) anl_trace_flits(run->options->trace, cycle, flits, count);
    return run->worker ? run_worker_flits(run->worker, cycle, flits, count, run->error) : ANL_OK;
}

static enum anl_status cycle(struct run *run, uint64_t now)
{
    size_t count;
    const struct anl_worm *taken = anl_engine_taken(run->engine, &count);
    anl_traffic_taken(run->traffic, taken, count);
    const struct anl_new_worm *new_worms = anl_traffic_cycle(run->traffic, now, &count);
    enum anl_status status = ANL_OK;

    for (size_t i = 0; i < count && !status; i++)
        status = enqueue(run, &new_worms[i]);
    if (status) return status;
    anl_engine_step(run->engine);
    const struct anl_worm *delivered = anl_engine_delivered(run->engine, &count);
    anl_traffic_delivered(run->traffic, delivered, count);
    status = show_flits(run, now);
    return status ? status : statistics_cycle(&run->statistics, run->engine, now);
}

// Calls options->progress() if it is due; the blocking analysis is as far as the run then. *go_on
// says whether the observers want the run to continue.
static enum anl_status show_progress(struct run *run, bool *go_on)
{
    const uint64_t every = run->options->progress_cycles;
    *go_on = !run->worker || run_worker_goes_on(run->worker);
    if (!every || anl_engine_cycle(run->engine) % every != 0) return ANL_OK;
    const enum anl_status status = run->worker ? run_worker_wait(run->worker, run->error) : ANL_OK;
    if (!status) *go_on &= run->options->progress(run->options->user, run->engine);
    return status;
}

// Returns true if every worm that will be created has come to its end. Of a worm that was discarded
// flits may still be on their way to where its head was.
static bool is_complete(const struct run *run, const struct anl_engine_totals *totals)
{
    if (totals->enqueued != totals->delivered + totals->discarded) return false;
    if (totals->discarded && !anl_engine_idle(run->engine)) return false;
    return anl_traffic_done(run->traffic);
}

// Returns true if the run is over; *result says why.
static bool is_over(struct run *run, bool go_on, struct anl_run_result *result)
{
    enum anl_run_end *end = &result->end;
    const struct anl_engine_totals totals = anl_engine_totals(run->engine);
    const bool refusing = run->scenario->network.reply_queue > 0;
    const bool moved = totals.moved || (refusing && totals.taken);
    run->idle_cycles = moved || !totals.in_network ? 0 : run->idle_cycles + 1;
    *end = ANL_RUN_FAULT;
    if (anl_engine_fault(run->engine, result->fault, sizeof result->fault)) return true;
    *end = ANL_RUN_COMPLETE;
    if (is_complete(run, &totals)) return true;
    *end = ANL_RUN_STALLED;
    if (run->idle_cycles >= run->patience) return true;
    *end = ANL_RUN_MAX_CYCLES;
    if (anl_engine_cycle(run->engine) >= run->scenario->run.max_cycles) return true;
    *end = ANL_RUN_STOPPED;
    return !go_on;
}

static void conclude(struct run *run, struct anl_run_result *result)
{
    result->cycles = anl_engine_cycle(run->engine);
    result->totals = anl_engine_totals(run->engine);
    statistics_conclude(&run->statistics, result);
    if (run->worker) result->cpu_seconds = run_worker_seconds(run->worker);
    result->has_digest = run->digest != NULL;
    result->has_referee = run->referee != NULL;
    if (run->digest) result->digest = anl_digest_value(run->digest);
    if (!run->referee) return;
    // What a fault has lost is missing in the end, so that the referee sees it as well.
    const bool claims_all = result->end == ANL_RUN_COMPLETE || result->end == ANL_RUN_FAULT;
    anl_referee_end(run->referee, result->cycles, claims_all);
    const struct anl_violation *violation = anl_referee_violation(run->referee);
    if (violation) result->violation = *violation;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Skips cycles in which nothing can happen and nothing is noted.
static void skip_idle_cycles(struct run *run)
{
    const struct anl_run_config *config = &run->scenario->run;
    const uint64_t now = anl_engine_cycle(run->engine), every = run->options->progress_cycles;
    if (run->recorded || !anl_engine_idle(run->engine)) return;
    uint64_t to = least(anl_traffic_next(run->traffic), config->max_cycles - 1);
    if (every) to = least(to, now + every - 1 - now % every);
    if (now < config->warmup_cycles) to = least(to, config->warmup_cycles - 1);
    if (to > now) anl_engine_skip(run->engine, to);
}

static enum anl_status run_to_the_end(struct run *run, struct anl_run_result *result)
{
    enum anl_status status;
    bool go_on = true;
    for (;;) {
        status = cycle(run, anl_engine_cycle(run->engine));
        if (!status) status = show_progress(run, &go_on);
        if (status || is_over(run, go_on, result)) break;
        skip_idle_cycles(run);
    }
    if (!status && run->worker) status = run_worker_end(run->worker, run->error);
    return status;
}

enum anl_status anl_run(const struct anl_scenario *scenario, const struct anl_run_options *options,
                        struct anl_run_result *result, struct anl_error *error)
{
    struct anl_error first = {0};
    struct run run = {.scenario = scenario, .options = options, .error = &first};
    const double begin = run_thread_seconds();

    *result = (struct anl_run_result){0};
    enum anl_status status = statistics_begin(&run.statistics, scenario, options);
    if (!status) status = create(&run);
    if (!status) status = run_to_the_end(&run, result);
    if (!status) conclude(&run, result);
    if (!status && run.referee) status = anl_referee_status(run.referee);
    result->cpu_seconds += run_thread_seconds() - begin;
    destroy(&run);
    if (!status) return ANL_OK;
    return anl_fail(error, status, "", 0, "%s", *first.text ? first.text : anl_status_text(status));
}
