// SPDX-License-Identifier: Apache-2.0
//
// A run: traffic creates worms, the engine steps, and the observers are shown each cycle.

#include "run.h"

#include <annelid/workload.h>
#include <inttypes.h>
#include <stdlib.h>

static enum anl_status create(struct run *run)
{
    const struct anl_run_options *options = run->options;
    enum anl_status status = run->way->create(run);
    run->patience = anl_patience(&run->scenario->network);
    if (!status) status = run->way->traffic(run, run_workload_of(run->scenario, options));
    if (!status && options->digest) status = anl_digest_create(&run->digest);
    if (!status && options->referee)
        status = anl_referee_create(&run->scenario->network, &run->referee);
    if (run->referee && run->scenario->traffic.process == ANL_REPLAY)
        anl_referee_remember(run->referee);
    if (!status && options->blocking) status = run_worker_create(options, &run->worker);
    if (!status) anl_engine_reset(run->engine, run->scenario->run.seed);
    if (!status && !run->batched) status = anl_engine_shuffle(run->engine, options->shuffle);
    const bool all = options->record || options->link_flits || run->digest || run->referee ||
                     options->trace || options->blocking || options->worm || options->flits;
    run->recorded = all || options->heads;
    const bool heads = !all && run->way->lists_heads;
    if (run->way->agree) status = run->way->agree(run, status);
    if (!status) anl_engine_record(run->engine, run->recorded);
    if (!status) anl_engine_record_heads(run->engine, heads);
    return status;
}

// --- checkpoints ---

// Returns why a run cannot have a checkpoint; NULL: it can, or has none.
static const char *not_kept(const struct anl_scenario *scenario,
                            const struct anl_run_options *options)
{
    if (!options->checkpoint) return NULL;
    if (!anl_has(&scenario->network, ANL_TRAIT_CHECKPOINTS))
        return "switches of another kind than buffered have no checkpoints";
    if (options->blocking || options->windows || options->link_flits || options->record ||
        options->heads || options->worm || options->flits)
        return "a run has no checkpoints if its flits or windows are handed on";
    return NULL;
}

static struct run_kept what_is_kept(struct run *run)
{
    return (struct run_kept){.scenario = run->scenario,
                             .options = run->options,
                             .team = run->team.members,
                             .engine = run->engine,
                             .traffic = run->traffic,
                             .digest = run->digest,
                             .referee = run->referee,
                             .statistics = &run->statistics,
                             .divides = run->team.divides,
                             .first = run->team.first,
                             .terminals = run->team.terminals,
                             .totals = run->totals,
                             .idle_cycles = run->idle_cycles};
}

// Goes on from a checkpoint if there is one.
static enum anl_status resume(struct run *run)
{
    struct run_kept kept = what_is_kept(run);
    bool found;
    enum anl_status status = run_checkpoint_read(&kept, &found, run->error);
    if (!status && found) run->idle_cycles = kept.idle_cycles;
    return run->way->resume ? run->way->resume(run, status, found ? &kept : NULL) : status;
}

// Returns true if a checkpoint is to be written after so many cycles.
static bool is_checkpoint(const struct run *run, uint64_t cycles)
{
    const struct anl_checkpoint *checkpoint = run->options->checkpoint;
    return checkpoint && cycles % checkpoint->every == 0;
}

uint64_t run_next_checkpoint(const struct run *run, uint64_t cycles)
{
    const struct anl_checkpoint *checkpoint = run->options->checkpoint;
    if (!checkpoint || checkpoint->every > UINT64_MAX - cycles) return UINT64_MAX;
    return cycles + checkpoint->every - cycles % checkpoint->every;
}

// Writes a checkpoint if one is due, or if the run was stopped. All that was seen is with the
// observers.
static enum anl_status keep(struct run *run, bool over, enum anl_run_end end)
{
    const bool stopped = over && end == ANL_RUN_STOPPED && run->options->checkpoint;
    if (over ? !stopped : !is_checkpoint(run, anl_engine_cycle(run->engine))) return ANL_OK;
    struct run_kept kept = what_is_kept(run);
    return run_checkpoint_write(&kept, run->error);
}

static void destroy(struct run *run)
{
    if (!run->batched) anl_engine_destroy(run->engine);
    if (run->way->destroy) run->way->destroy(run);
    anl_traffic_destroy(run->traffic);
    anl_digest_destroy(run->digest);
    anl_referee_destroy(run->referee);
    run_worker_destroy(run->worker);
    statistics_end(&run->statistics);
}

// --- observers ---

enum anl_status run_feed_worm(void *user, const struct anl_worm *worm)
{
    struct run *run = user;
    enum anl_status status = ANL_OK;
    if (run->digest) anl_digest_worm(run->digest, worm);
    if (run->referee) anl_referee_worm(run->referee, worm);
    if (run->options->trace) anl_trace_worm(run->options->trace, worm);
    if (run->options->worm) status = run->options->worm(run->options->user, worm);
    return !status && run->worker ? run_worker_worm(run->worker, worm, run->error) : status;
}

enum anl_status run_feed_flits(void *user, uint64_t cycle, const struct anl_flit *flits,
                               size_t count)
{
    struct run *run = user;
    enum anl_status status = ANL_OK;
    if (run->digest) anl_digest_flits(run->digest, cycle, flits, count);
    if (run->referee) anl_referee_flits(run->referee, cycle, flits, count);
    if (run->options->trace) anl_trace_flits(run->options->trace, cycle, flits, count);
    if (run->options->flits) status = run->options->flits(run->options->user, cycle, flits, count);
    return !status && run->worker ? run_worker_flits(run->worker, cycle, flits, count, run->error)
                                  : status;
}

// --- a cycle ---

enum anl_status run_refuse_worms(const struct run *run)
{
    return anl_fail(run->error, ANL_ERR_ARGUMENT, "", 0, "more than %" PRIu32 " worms in one run",
                    UINT32_MAX);
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
    // Traffic creates no other worm that is refused.
    if (status == ANL_ERR_ARGUMENT) return run_refuse_worms(run);
    return status ? status : run->way->worm(run, &new_worm, id);
}

// Reports worms to the traffic, where it asks for them.
static enum anl_status tell_traffic(struct run *run, const struct anl_worm *worms, size_t count,
                                    void (*tell)(struct anl_traffic *, const struct anl_worm *,
                                                 size_t))
{
    bool asks = true;
    const enum anl_status status =
        run->way->all_worms ? run->way->all_worms(run, &worms, &count, &asks) : ANL_OK;
    if (!status && asks) tell(run->traffic, worms, count);
    return status ? status : anl_traffic_status(run->traffic, run->error);
}

static enum anl_status tell_taken(struct run *run)
{
    size_t count;
    const struct anl_worm *worms = anl_engine_taken(run->engine, &count);
    return tell_traffic(run, worms, count, anl_traffic_taken);
}

static enum anl_status tell_delivered(struct run *run)
{
    size_t count;
    const struct anl_worm *worms = anl_engine_delivered(run->engine, &count);
    return tell_traffic(run, worms, count, anl_traffic_delivered);
}

// Creates the worms of the cycle to come.
static enum anl_status create_worms(struct run *run, uint64_t now)
{
    struct run_created created;
    enum anl_status status = ANL_OK;
    if (run->scenario->network.reply_queue) status = tell_taken(run);
    if (!status) status = run->way->create_worms(run, now, &created);
    if (status) return status;
    for (size_t i = 0; i < created.count && !status; i++)
        status = enqueue(run, &created.worms[i]);
    return status;
}

// Notes what happened in the cycle just run.
static enum anl_status note_cycle(struct run *run, uint64_t now)
{
    enum anl_status status = tell_delivered(run);
    if (run->way->see) run->way->see(run);
    if (!status && run->recorded) status = run->way->flits(run, now);
    return status ? status : statistics_cycle(&run->statistics, run->engine, now);
}

// Calls options->progress() if it is due; the blocking analysis is as far as the run then. Notes
// whether the observers want the run to stop.
static enum anl_status show_progress(struct run *run)
{
    const uint64_t every = run->options->progress_cycles;
    run->stops |= run->worker && !run_worker_goes_on(run->worker);
    if (!every || anl_engine_cycle(run->engine) % every != 0) return ANL_OK;
    const enum anl_status status = run->worker ? run_worker_wait(run->worker, run->error) : ANL_OK;
    if (!status && run->options->progress)
        run->stops |= !run->options->progress(run->options->user, run->engine);
    return status;
}

// Returns true if every worm that will be created has come to its end. Of a worm that was discarded
// flits may still be on their way to where its head was.
static bool is_complete(const struct run *run)
{
    const struct anl_engine_totals *totals = &run->totals;
    if (totals->enqueued != totals->delivered + totals->discarded) return false;
    if (totals->discarded && !run->way->is_idle(run)) return false;
    return run->way->is_done(run);
}

// Looks at how far the network is. Returns false if the run cannot be over.
static bool look(struct run *run)
{
    const struct anl_engine_totals *totals = &run->totals;
    if (!run->way->look(run)) return false;
    const bool refusing = run->scenario->network.reply_queue > 0;
    const bool moved = totals->moved || (refusing && totals->taken);
    if (moved || !totals->in_network) run->idle_cycles = 0;
    run->cycles = anl_engine_cycle(run->engine);
    if (run->way->looked) run->way->looked(run);
    return true;
}

// Returns true if the run is over; *result says why.
static bool is_over(struct run *run, struct anl_run_result *result)
{
    enum anl_run_end *end = &result->end;
    if (!look(run)) return false;
    *end = ANL_RUN_FAULT;
    if (anl_engine_fault(run->engine, result->fault, sizeof result->fault)) return true;
    *end = ANL_RUN_COMPLETE;
    if (is_complete(run)) {
        if (run->way->cut) run->way->cut(run);
        return true;
    }
    *end = ANL_RUN_STALLED;
    if (run->idle_cycles >= run->patience) return true;
    *end = ANL_RUN_MAX_CYCLES;
    if (anl_engine_cycle(run->engine) >= run->scenario->run.max_cycles) return true;
    *end = ANL_RUN_STOPPED;
    return run->stops && run->cycles >= run->may_stop_after;
}

static void conclude(struct run *run, struct anl_run_result *result)
{
    result->cycles = run->cycles;
    result->totals = run->totals;
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

// Skips cycles in which nothing can happen and nothing is noted.
static void skip_idle_cycles(struct run *run)
{
    const struct anl_run_config *config = &run->scenario->run;
    const uint64_t now = anl_engine_cycle(run->engine), every = run->options->progress_cycles;
    if (run->recorded || !run->way->is_idle(run)) return;
    uint64_t to = run_least(run->way->next_creation(run), config->max_cycles - 1);
    if (every) to = run_least(to, now + every - 1 - now % every);
    to = run_least(to, run_next_checkpoint(run, now) - 1);
    if (now < config->warmup_cycles) to = run_least(to, config->warmup_cycles - 1);
    if (to > now) anl_engine_skip(run->engine, to);
}

// Is called after each cycle. *over receives whether the run is over; if not, the next cycle may
// begin.
static enum anl_status look_after(struct run *run, uint64_t now, struct anl_run_result *result,
                                  bool *over)
{
    enum anl_status status = note_cycle(run, now);
    if (!status) status = show_progress(run);
    if (status) return status;
    *over = is_over(run, result);
    if (run->way->feed && run->recorded) status = run->way->feed(run);
    if (!status) status = keep(run, *over, result->end);
    if (!status && !*over) skip_idle_cycles(run);
    return status;
}

static enum anl_status run_to_the_end(struct run *run, struct anl_run_result *result)
{
    enum anl_status status = ANL_OK;
    for (bool over = false; !status && !over;) {
        const uint64_t now = anl_engine_cycle(run->engine);
        status = create_worms(run, now);
        if (!status) status = run->way->step(run);
        if (!status) status = look_after(run, now, result, &over);
    }
    return status;
}

// Gathers what all that took part in the run has counted.
static enum anl_status gather(struct run *run)
{
    const enum anl_status status = run->worker ? run_worker_end(run->worker, run->error) : ANL_OK;
    return status || !run->way->gather ? status : run->way->gather(run);
}

// A member of a team that cannot go on ends the others as well.
static void give_up(const struct run *run, enum anl_status status)
{
    const struct anl_team *team = run->options->team;
    const char *reason = *run->error->text ? run->error->text : anl_status_text(status);
    if (team) team->give_up(team->user, reason);
}

static enum anl_status begin(struct run *run, struct anl_run_result *result)
{
    *result = (struct anl_run_result){0};
    run->made = run_scenario_of(run->scenario, run->options);
    run->scenario = &run->made;
    run->way = run->options->team ? &run_of_member : &run_alone;
    enum anl_status status = statistics_begin(&run->statistics, run->scenario, run->options);
    if (status) give_up(run, status);
    if (!status) status = create(run);
    return !status && run->options->checkpoint ? resume(run) : status;
}

// Ends a run, with the status that it had after its last cycle.
static enum anl_status end(struct run *run, enum anl_status status, struct anl_run_result *result,
                           struct anl_error *error)
{
    if (!status) conclude(run, result);
    if (!status && run->referee) status = anl_referee_status(run->referee);
    destroy(run);
    if (!status) return ANL_OK;
    const char *reason = *run->error->text ? run->error->text : anl_status_text(status);
    return anl_fail(error, status, run->error->file, 0, "%s", reason);
}

enum anl_status anl_run(const struct anl_scenario *scenario, const struct anl_run_options *options,
                        struct anl_run_result *result, struct anl_error *error)
{
    struct anl_error first = {0};
    struct run run = {.scenario = scenario, .options = options, .error = &first};
    const double before = run_thread_seconds();
    const char *unkept = not_kept(scenario, options), *own = run_own_refused(scenario, options);
    const char *refused = unkept ? unkept : own;
    *result = (struct anl_run_result){0};
    if (refused) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "%s", refused);
    enum anl_status status = begin(&run, result);
    if (!status) {
        status = run_to_the_end(&run, result);
        if (!status) status = gather(&run);
        if (status) give_up(&run, status);
    }
    status = end(&run, status, result, error);
    result->cpu_seconds += run_thread_seconds() - before;
    return status;
}

// --- a run whose engine is stepped with others ---

struct run_batched {
    struct run run;
    struct anl_error first;
    struct anl_run_job *job;
};

enum anl_status run_slot(struct anl_run_job *job, struct anl_engine *engine,
                         struct run_batched **batched)
{
    struct run_batched *made = *batched = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;
    made->run = (struct run){.scenario = job->scenario,
                             .options = job->options,
                             .engine = engine,
                             .error = &made->first,
                             .batched = true};
    made->job = job;
    return begin(&made->run, &job->result);
}

enum anl_status run_batched_before(struct run_batched *batched)
{
    return create_worms(&batched->run, anl_engine_cycle(batched->run.engine));
}

enum anl_status run_batched_after(struct run_batched *batched, bool *over)
{
    const uint64_t now = anl_engine_cycle(batched->run.engine) - 1;
    return look_after(&batched->run, now, &batched->job->result, over);
}

struct anl_run_job *run_leave_slot(struct run_batched *batched, enum anl_status status)
{
    struct anl_run_job *job = batched->job;
    if (!status) status = gather(&batched->run);
    job->status = end(&batched->run, status, &job->result, &job->error);
    free(batched);
    return job;
}
