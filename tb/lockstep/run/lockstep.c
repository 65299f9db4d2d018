// SPDX-License-Identifier: Apache-2.0

#include "lockstep_internal.h"

#include <stdlib.h>
#include <time.h>

double lockstep_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

const char *lockstep_mode_name(enum lockstep_mode mode)
{
    static const char *const names[] = {"exact", "links", "ends", "rules"};
    return names[mode];
}

// --- create and destroy ---

static enum anl_status create_engine(const struct lockstep *run, struct anl_engine **engine)
{
    const enum anl_status status = anl_engine_create(&run->scenario->network, engine);
    if (status == ANL_OK) anl_engine_reset(*engine, run->scenario->run.seed);
    return status;
}

static enum anl_status create_model(struct lockstep *run)
{
    const struct anl_config *config = &run->scenario->network;
    const bool rules = run->options->mode == LOCKSTEP_RULES;
    if (rules && anl_has(config, ANL_TRAIT_LOADS)) return create_engine(run, &run->planner);
    if (rules) return ANL_OK;
    const enum anl_status status = create_engine(run, &run->engine);
    if (status != ANL_OK) return status;
    anl_engine_record(run->engine, true);
    return state_create(&run->state, config);
}

static enum anl_status create_witnesses(struct lockstep *run, struct anl_error *error)
{
    const struct anl_scenario *scenario = run->scenario;
    enum anl_status status = anl_referee_create(&scenario->network, &run->referee);
    if (status == ANL_OK && scenario->traffic.process == ANL_REPLAY)
        anl_referee_remember(run->referee);
    struct anl_blocking_listener listener = wave_target_listener(&run->wave_target);
    run->fed = anl_blocking_unknown(&scenario->network) == NULL;
    if (status == ANL_OK && run->fed)
        status = anl_blocking_create(&scenario->network, &listener, &run->blocking);
    if (status == ANL_OK) status = anl_digest_create(&run->model_digest);
    if (status == ANL_OK) status = anl_digest_create(&run->rtl_digest);
    if (status == ANL_OK && run->options->trace_path)
        status = anl_trace_create(run->options->trace_path, ANL_TRACE_BINARY, scenario->run.seed,
                                  scenario->text, &run->trace, error);
    return status;
}

static enum anl_status create_harness(struct lockstep *run)
{
    const struct anl_config *config = &run->scenario->network;
    struct anl_shape shape = anl_shape_of(config);
    run->harness.seed = run->scenario->run.seed;
    run->harness.values = run->options->values;
    const uint32_t lines = anl_link_flits(config);
    run->flits = calloc((size_t)shape.links * lines, sizeof *run->flits);
    run->delivered = calloc((size_t)shape.terminals * lines, sizeof *run->delivered);
    if (!run->flits || !run->delivered) return ANL_ERR_MEMORY;
    enum anl_status status = worms_create(&run->harness.worms, config);
    if (status == ANL_OK)
        status =
            observed_create(&run->harness.observed, config, run->kind ? run->kind->observed : NULL);
    if (status == ANL_OK) status = terminals_create(&run->harness.terminals, config);
    if (status == ANL_OK) status = injections_create(&run->harness.injections, config);
    if (status == ANL_OK) status = history_create(&run->history, config);
    if (status == ANL_OK)
        status = starts_create(&run->harness.starts, run->scenario->messages,
                               run->scenario->num_messages, shape.terminals);
    return status;
}

// Returns the cycles behind a reset in which the step of a network without buffers does not count:
// by the seed, and where worms are discarded a whole step besides, in which starts are taken.
static uint32_t wait_of(const struct lockstep *run)
{
    enum { WAITS = 5 };
    if (!run->kind) return 0;
    return run->harness.injections.turns + (uint32_t)((run->harness.seed + WAITS - 1) % WAITS);
}

static enum anl_status create(struct lockstep *run, struct anl_error *error)
{
    const enum anl_switch_kind kind = run->scenario->network.kind;
    run->kind = lockstep_kind_of(kind);
    if (run->kind && !run->kind->has_ends && run->options->mode == LOCKSTEP_ENDS)
        return anl_fail(error, ANL_ERR_ARGUMENT, run->options->scenario_path, 0,
                        "mode ends compares the links between terminals and switches, and %s has "
                        "none; expected exact, links or rules",
                        anl_machine_of(kind)->called);
    enum anl_status status = create_harness(run);
    run->harness.wait = wait_of(run);
    if (status == ANL_OK) status = create_model(run);
    if (status == ANL_OK) status = create_witnesses(run, error);
    if (status == ANL_OK && run->kind) status = run->kind->create(run, error);
    if (status == ANL_OK)
        status = anl_traffic_create(anl_scenario_workload(run->scenario), &run->traffic);
    return status;
}

void lockstep_destroy(struct lockstep *run)
{
    if (!run) return;
    anl_trace_abandon(run->trace);
    anl_digest_destroy(run->rtl_digest);
    anl_digest_destroy(run->model_digest);
    anl_blocking_destroy(run->blocking);
    anl_referee_destroy(run->referee);
    anl_traffic_destroy(run->traffic);
    state_destroy(&run->state);
    if (run->of_kind) run->kind->destroy(run);
    anl_engine_destroy(run->engine);
    anl_engine_destroy(run->planner);
    history_destroy(&run->history);
    terminals_destroy(&run->harness.terminals);
    observed_destroy(&run->harness.observed);
    worms_destroy(&run->harness.worms);
    starts_destroy(&run->harness.starts);
    injections_destroy(&run->harness.injections);
    free(run->delivered);
    free(run->flits);
    free(run);
}

enum anl_status lockstep_create(const struct anl_scenario *scenario,
                                const struct lockstep_options *options,
                                struct lockstep_result *result, struct lockstep **run,
                                struct anl_error *error)
{
    *result = (struct lockstep_result){.tamper = options->tamper, .deadlock = UINT64_MAX};
    *run = calloc(1, sizeof **run);
    if (!*run) return ANL_ERR_MEMORY;
    **run = (struct lockstep){
        .scenario = scenario, .options = options, .result = result, .fault_cycle = UINT64_MAX};
    (*run)->credited = anl_has(&scenario->network, ANL_TRAIT_WAITS) &&
                       (options->mode == LOCKSTEP_LINKS || options->mode == LOCKSTEP_RULES);
    // Without buffers no worm waits: unless another one is named, waves show the first one.
    const bool any = options->worm == NOWHERE && options->at == UINT64_MAX;
    const bool first = any && anl_has(&scenario->network, ANL_TRAIT_LOSES);
    (*run)->wave_target = wave_target_of(first ? 0 : options->worm, options->at);
    enum anl_status status = create(*run, error);
    if (status == ANL_OK) return ANL_OK;
    lockstep_destroy(*run);
    *run = NULL;
    return status;
}

const void *lockstep_harness(const struct lockstep *run) { return &run->harness; }

// --- one cycle ---

struct anl_worm lockstep_worm(const struct lockstep *run, const struct anl_new_worm *new_worm,
                              uint64_t cycle, uint32_t id)
{
    struct anl_worm worm = {
        .id = id,
        .source = new_worm->source,
        .destination = new_worm->destination,
        .length = new_worm->length,
        .created = cycle,
        .route = new_worm->route,
        .route_length = new_worm->route_length,
        .path = new_worm->path,
        .has_path = new_worm->has_path,
        .class_ = new_worm->class_,
        .role = new_worm->role,
        .dependencies = new_worm->dependencies,
    };
    worm.path = anl_path_of(&run->scenario->network, run->scenario->run.seed, &worm);
    return worm;
}

enum anl_status lockstep_enqueue(struct lockstep *run, struct anl_error *error)
{
    size_t count = 0;
    const struct terminals *terminals = &run->harness.terminals;
    anl_traffic_taken(run->traffic, terminals->taken, terminals->num_taken);
    const struct anl_new_worm *new_worms = anl_traffic_cycle(run->traffic, run->cycle, &count);
    for (size_t i = 0; i < count; i++) {
        const struct anl_worm worm =
            lockstep_worm(run, &new_worms[i], run->cycle, run->harness.worms.count);
        enum anl_status status = worms_add(&run->harness.worms, &worm);
        if (status == ANL_OK && run->engine)
            status = anl_engine_enqueue_worm(run->engine, &worm, NULL);
        if (status == ANL_OK && run->planner)
            status = anl_engine_enqueue_worm(run->planner, &worm, NULL);
        if (status != ANL_OK) return status;
        anl_referee_worm(run->referee, &worm);
        if (behind_fault(run)) continue;
        feed_worm(run, &worm);
        anl_digest_worm(run->model_digest, &worm);
        anl_digest_worm(run->rtl_digest, &worm);
    }
    return run->kind && run->kind->prepare ? run->kind->prepare(run, error) : ANL_OK;
}

// The step in which it begins to count is a whole one.
uint32_t lockstep_lead(const struct lockstep *run)
{
    const uint32_t turns = run->harness.injections.turns, wait = run->harness.wait;
    return turns ? (wait / turns + 1) * turns : wait;
}

static void step_model(struct lockstep *run)
{
    double start = lockstep_now();
    anl_engine_step(run->engine);
    run->result->model_seconds += lockstep_now() - start;
    if (behind_fault(run)) return;
    size_t count = 0;
    const struct anl_flit *flits = anl_engine_flits(run->engine, &count);
    anl_digest_flits(run->model_digest, run->cycle, flits, count);
}

bool lockstep_low(struct lockstep *run)
{
    if (run->cycle == 0) observed_forget(&run->harness.observed);
    check_registers(run);
    if (run->result->difference.count) {
        feed_expected(run);
        return false;
    }
    if (run->engine) step_model(run);
    if (run->planner) anl_engine_step(run->planner);
    observed_clear(&run->harness.observed);
    return true;
}

static uint64_t patience_of(const struct lockstep *run)
{
    return anl_patience(&run->scenario->network);
}

// Returns true if no credit is on its way back, or if they have had time enough.
static bool at_rest(const struct lockstep *run)
{
    return !run->credited || run->idle_cycles >= patience_of(run) ||
           anl_referee_credits_due(run->referee) == 0;
}

// Notes the first fault of the model. Returns true if the run is over with it: at once or, for a
// kind that outlives it, when nothing moves and no worm is to start.
static bool over_with_fault(struct lockstep *run)
{
    enum { STILL = 3 };  // cycles in which no flit moves
    const bool outlives =
        run->kind && run->kind->outlives_faults && run->engine && !run->options->waves_path;
    run->result->end = ANL_RUN_FAULT;
    if (!outlives) return true;
    if (!behind_fault(run)) {
        run->fault_cycle = run->cycle - 1;
        run->fault_worms = run->harness.worms.count;
        run->idle_cycles = 0;
    }
    return (run->idle_cycles >= STILL && anl_traffic_done(run->traffic)) ||
           run->cycle >= run->scenario->run.max_cycles;
}

// Returns true if the run is over, and notes how it ended.
static bool over(struct lockstep *run)
{
    struct lockstep_result *result = run->result;
    const bool under_way = run->kind && run->kind->goes_on
                               ? run->kind->goes_on(run)
                               : run->arrived < run->harness.worms.count;
    if (run->engine) anl_engine_fault(run->engine, result->fault, sizeof result->fault);
    if (result->fault[0]) return over_with_fault(run);
    if (!under_way && anl_traffic_done(run->traffic)) {
        result->end = ANL_RUN_COMPLETE;
        const bool rests = at_rest(run);
        run->rest_cycles += !rests;
        return rests;
    }
    if (run->cycle >= run->scenario->run.max_cycles) {
        result->end = ANL_RUN_MAX_CYCLES;
    } else if (under_way && run->idle_cycles >= patience_of(run)) {
        result->end = ANL_RUN_STALLED;
    } else {
        return false;
    }
    return true;
}

static void show_progress(struct lockstep *run)
{
    if (!run->options->progress || run->copy || run->cycle % 256 != 0) return;
    double time = lockstep_now();
    if (time < run->shown + 0.5) return;
    run->shown = time;
    fprintf(stderr, "cycle %llu, %llu flits, %u worms\n", (unsigned long long)run->cycle,
            (unsigned long long)run->result->flits, run->harness.worms.count);
}

bool lockstep_high(struct lockstep *run)
{
    check_flits(run);
    if (run->result->difference.count) {
        feed_expected(run);
        return false;
    }
    run->cycle++;
    terminals_decide(&run->harness.terminals, &run->history, &run->harness.worms);
    show_progress(run);
    return true;
}

bool lockstep_over(struct lockstep *run) { return over(run); }

void lockstep_last(struct lockstep *run) { check_registers(run); }

uint64_t lockstep_cycle(const struct lockstep *run) { return run->cycle; }

void lockstep_copy(struct lockstep *run)
{
    run->copy = true;
    run->trace = NULL;  // the first process continues to write it
}

enum anl_status lockstep_finish(struct lockstep *run, struct anl_error *error)
{
    check_run(run);
    if (!run->trace) return ANL_OK;
    struct anl_trace_writer *trace = run->trace;
    run->trace = NULL;
    return anl_trace_finish(trace, run->result->cycles, error);
}
