// SPDX-License-Identifier: Apache-2.0
//
// At which load the first flow stops being stable, and which terminals starve at the saturation
// load: the network as a whole is saturated when 1 % of all flits are left behind, which a few
// terminals alone do not bring about (docs/sweep.md, "Flows"). A flow is all that a terminal sends.

#include "sweep.h"

#include <annelid/predict.h>
#include <math.h>
#include <stdlib.h>

enum {
    TIMES = 4,     // run.cycles of a run
    WINDOWS = 40,  // of a run
    SEEDS = 3      // a flow must be unstable with all of them
};
// The part of a flow's flits that must be left behind, and where a search begins and ends.
static const double least_left_behind = 0.02, nearest_start = 0.98, tolerance = 0.01;

// What a terminal has sent.
struct flow {
    struct anl_window windows[WINDOWS], sums[WINDOWS];  // of a run, and of all runs at a load
    uint32_t unstable;                                  // runs in which its backlog grew
};

struct watch {
    struct anl_scenario scenario;
    uint64_t window_cycles;
    struct flow *flows;  // [terminals]
    uint32_t terminals;
};

// --- a run ---

static struct anl_window *window_of(struct watch *watch, uint32_t terminal, uint64_t cycle)
{
    const uint64_t window = cycle / watch->window_cycles;
    return &watch->flows[terminal].windows[window < WINDOWS ? window : WINDOWS - 1];
}

static enum anl_status note_created(void *user, const struct anl_worm *worm)
{
    window_of(user, worm->source, worm->created)->created_flits += worm->length;
    return ANL_OK;
}

static bool note_delivered(void *user, const struct anl_engine *engine)
{
    const uint64_t cycle = anl_engine_cycle(engine) - 1;
    size_t count;
    const struct anl_worm *worms = anl_engine_delivered(engine, &count);
    for (size_t i = 0; i < count; i++)
        window_of(user, worms[i].source, cycle)->ejected_flits += worms[i].length;
    return !cli_interrupted();
}

// Returns whether the backlog of a flow grew over the whole run, without its first tenth, and over
// its first half.
static bool is_unstable(const struct anl_window *windows)
{
    const struct anl_backlog all = anl_backlog_of(windows, WINDOWS / 10, WINDOWS);
    const struct anl_backlog half = anl_backlog_of(windows, WINDOWS / 20, WINDOWS / 2);
    return all.grows && half.grows && all.left_behind > least_left_behind;
}

static void end_run(struct flow *flow)
{
    flow->unstable += is_unstable(flow->windows);
    for (size_t i = 0; i < WINDOWS; i++) {
        flow->sums[i].created_flits += flow->windows[i].created_flits;
        flow->sums[i].ejected_flits += flow->windows[i].ejected_flits;
        flow->windows[i] = (struct anl_window){0};
    }
}

static enum anl_status run(struct watch *watch, uint64_t seed, struct anl_error *error)
{
    const struct anl_run_options options = {
        .worm = note_created, .progress_cycles = 1, .progress = note_delivered, .user = watch};
    struct anl_run_result result;
    watch->scenario.run.seed = seed;
    const enum anl_status status = anl_run(&watch->scenario, &options, &result, error);
    if (status) return status;
    if (cli_interrupted()) return anl_fail(error, ANL_ERR_IO, "", 0, "interrupted");
    for (uint32_t i = 0; i < watch->terminals; i++)
        end_run(&watch->flows[i]);
    return ANL_OK;
}

// Counts the flows that are unstable at a load, with all seeds. It needs no more seeds once there
// is none.
static enum anl_status count_unstable(struct watch *watch, double load, uint32_t *count,
                                      struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    watch->scenario.traffic.load = load;
    for (uint32_t i = 0; i < watch->terminals; i++)
        watch->flows[i] = (struct flow){0};
    *count = 1;
    for (uint32_t seed = 1; seed <= SEEDS && *count && !status; seed++) {
        status = run(watch, seed, error);
        *count = 0;
        for (uint32_t i = 0; i < watch->terminals; i++)
            *count += watch->flows[i].unstable == seed;
    }
    return status;
}

// --- a variant ---

// Names the terminals whose flows are unstable if the runs with all seeds are taken together, once
// some flow is unstable with each of them.
static void name_starving(const struct watch *watch, struct sweep_flows *flows)
{
    for (uint32_t i = 0; i < watch->terminals; i++) {
        if (!is_unstable(watch->flows[i].sums)) continue;
        if (flows->starving < SWEEP_NAMED) flows->named[flows->starving] = i;
        flows->starving++;
    }
}

// Looks between a load at which no flow is unstable and one at which some are. Where the lower one
// is 0, the search goes down from `load` in steps that grow.
static enum anl_status look_between(struct watch *watch, double low, double high,
                                    struct sweep_flows *flows, struct pool_worker *worker,
                                    struct anl_error *error)
{
    double step = 0.05, load = low > 0 ? (low + high) / 2 : high * nearest_start;
    enum anl_status status = ANL_OK;
    while (!status && high - low > tolerance * high) {
        uint32_t unstable;
        status = count_unstable(watch, load, &unstable, error);
        *(unstable ? &high : &low) = load;
        load = low > 0 ? (low + high) / 2 : high * (1 - step);
        step = fmin(0.5, 2 * step);
        pool_progress(worker, 1 - (high - low) / high);
    }
    flows->first = (low + high) / 2;
    return status;
}

// Looks above a load at which no flow is unstable, in steps that grow, up to load 1 or to the
// ceiling, above which some are.
static enum anl_status look_above(struct watch *watch, double low, struct sweep_flows *flows,
                                  struct pool_worker *worker, struct anl_error *error)
{
    const double most = fmin(1, flows->ceiling);  // a ceiling that is not known is none
    enum anl_status status = ANL_OK;
    for (double step = 0.02; !status && low < most; step = fmin(0.5, 2 * step)) {
        const double high = fmin(most, low * (1 + step));
        uint32_t unstable = 1;
        if (high < flows->ceiling || isnan(flows->ceiling))
            status = count_unstable(watch, high, &unstable, error);
        if (!status && unstable) return look_between(watch, low, high, flows, worker, error);
        low = high;
    }
    return status;
}

static enum anl_status look_at(const struct sweep_variant *variant, double saturation,
                               struct sweep_flows *flows, struct pool_worker *worker,
                               struct anl_error *error)
{
    struct watch watch = {.scenario = variant->scenario,
                          .terminals = anl_shape_of(&variant->scenario.network).terminals};
    struct anl_run_config *config = &watch.scenario.run;
    uint32_t unstable = 0;
    config->max_cycles = config->cycles *= TIMES;
    watch.window_cycles = (config->cycles + WINDOWS - 1) / WINDOWS;
    watch.flows = calloc(watch.terminals, sizeof *watch.flows);
    if (!watch.flows) return cli_fail(ANL_ERR_MEMORY, error);
    enum anl_status status = count_unstable(&watch, saturation, &unstable, error);
    if (!status && unstable) name_starving(&watch, flows);
    const double high = fmin(saturation, flows->ceiling);
    if (!status && (unstable || high < saturation))
        status = look_between(&watch, 0, high, flows, worker, error);
    else if (!status)
        status = look_above(&watch, saturation, flows, worker, error);
    free(watch.flows);
    return status;
}

struct looking {
    const struct sweep_variants *variants;
    const struct sweep_saturation *found;
    struct sweep_flows *flows;
};

static enum anl_status look(void *user, size_t task, struct pool_worker *worker,
                            struct anl_error *error)
{
    const struct looking *looking = user;
    const struct sweep_variant *variant = &looking->variants->list[task];
    struct sweep_flows *flows = &looking->flows[task];
    const uint32_t terminals = anl_shape_of(&variant->scenario.network).terminals;
    *flows = (struct sweep_flows){.ceiling = anl_predict_ceiling(&variant->scenario), .first = NAN};
    if (!anl_has(&variant->scenario.network, ANL_TRAIT_WAITS)) return ANL_OK;
    if (!variant->open || looking->found[task].unreached || looking->found[task].stalled ||
        terminals > SWEEP_MOST_FLOWS)
        return ANL_OK;
    return look_at(variant, looking->found[task].load, flows, worker, error);
}

enum anl_status sweep_flows_find(const struct sweep_variants *variants,
                                 const struct sweep_saturation *found, unsigned workers,
                                 struct sweep_flows *flows, struct anl_error *error)
{
    struct looking looking = {variants, found, flows};
    const struct pool_work work = {.what = "looking at flows",
                                   .unit = "variants",
                                   .tasks = variants->count,
                                   .workers = workers,
                                   .run = look,
                                   .user = &looking};
    return pool_run(&work, error);
}
