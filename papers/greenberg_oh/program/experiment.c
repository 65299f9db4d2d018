// SPDX-License-Identifier: Apache-2.0

#include "greenberg_oh.h"

#include <annelid/network.h>
#include <annelid/theory.h>
#include <annelid/workload.h>
#include <math.h>
#include <stdlib.h>

static bool look(void *user, const struct anl_engine *net)
{
    (void)user;
    (void)net;
    return !cli_interrupted();
}

// *twice receives 1 if two of the paths part and meet again, else 0.
static enum anl_status find_meeting(struct anl_paths *paths, double *twice)
{
    struct anl_paths_meeting meeting = {0};
    enum anl_status status = anl_paths_settle(paths);
    if (!status) status = anl_paths_find_meeting(paths, &meeting);
    *twice = meeting.found;
    return status;
}

static void note(const struct anl_trial *trial, struct result *result)
{
    struct outcome *outcome = &result->outcome;
    const struct anl_bounds_schedule theorem =
        anl_bounds_theorem_2(trial->worms, trial->congestion, trial->dilation, trial->longest);
    outcome->worms = (double)trial->worms;
    outcome->cycles = trial->cycles;
    outcome->lower = trial->lower;
    outcome->upper = trial->last_created + theorem.cycles;
    outcome->length = trial->longest;
    outcome->congestion = trial->congestion;
    outcome->dilation = trial->dilation;
    outcome->mean_congestion = trial->mean_congestion;
    outcome->load_factor = trial->load.factor;
    outcome->missed = (double)trial->missed;
    outcome->complete = true;
}

static enum anl_status run_network(const struct anl_scenario *scenario, uint64_t phase_cycles,
                                   struct result *result)
{
    const bool shown = result->run < result->series->runs;
    struct anl_paths paths;
    struct anl_trial trial;
    anl_paths_begin(&paths, &scenario->network);
    const struct anl_trial_options options = {.phase_cycles = phase_cycles,
                                              .paths = shown ? &paths : NULL,
                                              .look_cycles = 4096,
                                              .go_on = look};
    enum anl_status status = anl_trial_run(scenario, &options, &trial);
    if (!status && trial.complete) {
        note(&trial, result);
        if (shown) status = find_meeting(&paths, &result->outcome.twice);
    }
    anl_paths_free(&paths);
    return status;
}

static enum anl_status run_phases(struct anl_scenario *scenario, struct result *result,
                                  struct anl_error *error)
{
    struct anl_bounds_schedule schedule;
    enum anl_status status = anl_bounds_delay(scenario, &schedule, error);
    if (status) return status;
    status = run_network(scenario, schedule.phase_cycles, result);
    result->outcome.delays = (double)schedule.delays;
    result->outcome.phase_cycles = (double)schedule.phase_cycles;
    result->outcome.upper = schedule.cycles;  // the delays are part of the algorithm
    return status;
}

// --- UNIV ---

static enum anl_status run_univ(const struct anl_scenario *scenario, struct result *result,
                                struct anl_error *error)
{
    const uint32_t most_steps = 64 * anl_shape_of(&scenario->network).terminals + 1024;
    struct univ_result univ = {0};
    struct anl_trial drawn;
    struct anl_traffic *traffic = NULL;
    size_t count = 0;
    enum anl_status status = anl_traffic_create(anl_scenario_workload(scenario), &traffic);
    const struct anl_new_worm *packets = status ? NULL : anl_traffic_cycle(traffic, 0, &count);
    if (!status)
        status = univ_run(&scenario->network, packets, (uint32_t)count, 2 * result->n,
                          scenario->run.seed, most_steps, &univ);
    if (!status) status = anl_trial_draw(scenario, NULL, &drawn, error);
    anl_traffic_destroy(traffic);
    if (status || univ.delivered < count) return status;
    result->outcome = (struct outcome){.complete = true,
                                       .worms = (double)count,
                                       .length = 1,
                                       .load_factor = drawn.load.factor,
                                       .cycles = univ.steps,
                                       .congestion = univ.congestion,
                                       .dilation = univ.dilation,
                                       .lower = anl_bounds_lower(univ.congestion, univ.dilation, 1),
                                       .upper = UINT64_MAX};  // Theorem 2 is not about it
    return ANL_OK;
}

// --- Theorems 5 and 6 ---

static enum anl_status run_competitor(const struct plan *plan, const struct anl_scenario *mesh,
                                      struct result *result, struct anl_error *error)
{
    const struct series *worm = plan_find(plan, "worm");
    struct anl_scenario tree;
    struct area_worms worms;
    if (!worm)
        return anl_fail(error, ANL_ERR_FORMAT, "", 0, "no series 'worm', which gives the fat-tree");
    enum anl_status status = plan_scenario(plan, worm, result->n, result->run, &tree, error);
    if (status) return status;
    status = area_worms(mesh, result->series->kind != SERIES_STREAM, &worms);
    tree.traffic.process = ANL_REPLAY;
    tree.messages = worms.messages;
    tree.num_messages = worms.count;
    tree.run.max_cycles = UINT64_C(1000000000000);
    if (!status) status = run_network(&tree, 0, result);
    result->outcome.window_cycles = (double)worms.window_cycles;
    anl_scenario_free(&tree);
    return status;
}

static enum anl_status run_kind(const struct plan *plan, struct anl_scenario *scenario,
                                struct result *result, struct anl_error *error)
{
    enum anl_status status;
    switch (result->series->kind) {
    case SERIES_RUN:
        return run_network(scenario, 0, result);
    case SERIES_PHASES:
        return run_phases(scenario, result, error);
    case SERIES_UNIV:
        return run_univ(scenario, result, error);
    case SERIES_TREE:
        status = area_tree(scenario, error);
        return status ? status : run_competitor(plan, scenario, result, error);
    case SERIES_WINDOW:
    case SERIES_STREAM:
        return run_competitor(plan, scenario, result, error);
    }
    return ANL_ERR_ARGUMENT;
}

enum anl_status experiment_run(const struct plan *plan, struct result *result,
                               struct anl_error *error)
{
    const struct series *series = result->series;
    struct outcome *outcome = &result->outcome;
    struct anl_scenario scenario;
    *outcome = (struct outcome){0};
    enum anl_status status = plan_scenario(plan, series, result->n, result->run, &scenario, error);
    if (status) return status;
    error->text[0] = '\0';
    status = run_kind(plan, &scenario, result, error);
    outcome->time = (double)(outcome->cycles - 1) * series->scale;
    outcome->crossing = outcome->congestion / (outcome->load_factor + 2 * result->n);
    outcome->log_square = (double)outcome->cycles /
                          (outcome->congestion * outcome->length * pow(log2(outcome->worms), 2));
    outcome->slowdown = outcome->time / outcome->window_cycles;
    anl_scenario_free(&scenario);
    if (!status || *error->text) return status;
    return anl_fail(error, status, "", 0, "%s, N = %u: %s", series->name, 1u << 2 * result->n,
                    anl_status_text(status));
}
