// SPDX-License-Identifier: Apache-2.0

#include "greenberg_oh.h"

#include <annelid/network.h>
#include <annelid/theory.h>
#include <annelid/workload.h>
#include <stdlib.h>

static bool go_on(void) { return !cli_interrupted(); }

static bool look(void *user, const struct anl_engine *net)
{
    (void)user;
    (void)net;
    return go_on();
}

static void set_time(const struct experiment *experiment, struct outcome *outcome)
{
    outcome->time = (double)(outcome->cycles - 1) * experiment->series->scale;
}

// *twice receives whether two of the paths part and meet again.
static enum anl_status find_meeting(struct anl_paths *paths, bool *twice)
{
    struct anl_paths_meeting meeting = {0};
    enum anl_status status = anl_paths_settle(paths);
    if (!status) status = anl_paths_find_meeting(paths, &meeting);
    *twice = meeting.found;
    return status;
}

static void note(const struct anl_trial *trial, struct outcome *outcome)
{
    const struct anl_bounds_schedule theorem =
        anl_bounds_theorem_2(trial->worms, trial->congestion, trial->dilation, trial->longest);
    outcome->complete = true;
    outcome->worms = trial->worms;
    outcome->cycles = trial->cycles;
    outcome->lower = trial->lower;
    outcome->upper = trial->last_created + theorem.cycles;
    outcome->length = trial->longest;
    outcome->congestion = trial->congestion;
    outcome->dilation = trial->dilation;
    outcome->mean_congestion = trial->mean_congestion;
    outcome->load_factor = trial->load.factor;
    outcome->missed = trial->missed;
}

static enum anl_status run_network(const struct experiment *experiment,
                                   const struct anl_scenario *scenario, struct outcome *outcome)
{
    const bool shown = experiment->run < experiment->series->runs;
    struct anl_paths paths;
    struct anl_trial trial;
    anl_paths_begin(&paths, &scenario->network);
    const struct anl_trial_options options = {.phase_cycles = outcome->phase_cycles,
                                              .paths = shown ? &paths : NULL,
                                              .look_cycles = 4096,
                                              .go_on = look};
    enum anl_status status = anl_trial_run(scenario, &options, &trial);
    if (!status && trial.complete) note(&trial, outcome);
    if (!status && trial.complete) set_time(experiment, outcome);
    if (!status && trial.complete && shown) status = find_meeting(&paths, &outcome->twice);
    anl_paths_free(&paths);
    return status;
}

static enum anl_status run_phases(const struct experiment *experiment,
                                  struct anl_scenario *scenario, struct outcome *outcome,
                                  struct anl_error *error)
{
    struct anl_bounds_schedule schedule;
    enum anl_status status = anl_bounds_delay(scenario, &schedule, error);
    if (status) return status;
    outcome->delays = schedule.delays;
    outcome->phase_cycles = schedule.phase_cycles;
    status = run_network(experiment, scenario, outcome);
    outcome->upper = schedule.cycles;  // the delays are part of the algorithm
    return status;
}

// --- UNIV ---

static enum anl_status sample_packets(const struct anl_scenario *scenario,
                                      struct univ_packet **packets, uint32_t *count)
{
    struct anl_traffic *traffic;
    size_t offered = 0;
    enum anl_status status = anl_traffic_create(anl_scenario_workload(scenario), &traffic);
    const struct anl_offer *offers = status ? NULL : anl_traffic_cycle(traffic, 0, &offered);
    *count = (uint32_t)offered;
    *packets = calloc(offered + 1, sizeof **packets);
    if (!*packets) status = ANL_ERR_MEMORY;
    for (size_t i = 0; i < offered && !status; i++)
        (*packets)[i] = (struct univ_packet){offers[i].source, offers[i].destination};
    anl_traffic_destroy(traffic);
    return status;
}

static enum anl_status run_univ(const struct experiment *experiment,
                                const struct anl_scenario *scenario, struct outcome *outcome,
                                struct anl_error *error)
{
    const uint32_t most_steps = 64 * anl_shape_of(&scenario->network).terminals + 1024;
    struct univ_packet *packets = NULL;
    struct univ_result result;
    struct anl_trial drawn;
    uint32_t count = 0;
    enum anl_status status = sample_packets(scenario, &packets, &count);
    if (!status)
        status = univ_run(&scenario->network, packets, count, 2 * experiment->n, scenario->run.seed,
                          most_steps, &result);
    if (!status) status = anl_trial_draw(scenario, NULL, &drawn, error);
    free(packets);
    if (status || result.delivered < count) return status;
    outcome->complete = true;
    outcome->worms = count;
    outcome->length = 1;
    outcome->load_factor = drawn.load.factor;
    outcome->cycles = result.steps;
    outcome->congestion = result.congestion;
    outcome->dilation = result.dilation;
    outcome->lower = anl_bounds_lower(result.congestion, result.dilation, 1);
    outcome->upper = UINT64_MAX;  // Theorem 2 is not about it
    set_time(experiment, outcome);
    return ANL_OK;
}

// --- Theorems 5 and 6 ---

static enum anl_status run_competitor(const struct experiment *experiment,
                                      const struct anl_scenario *mesh, struct outcome *outcome,
                                      struct anl_error *error)
{
    const bool window = experiment->series->kind == SERIES_WINDOW;
    const struct series *worm = plan_find(experiment->plan, "worm");
    struct anl_scenario tree;
    struct area_worms worms;
    if (!worm)
        return anl_fail(error, ANL_ERR_FORMAT, "", 0, "no series 'worm', which gives the fat-tree");
    enum anl_status status =
        plan_scenario(experiment->directory, worm, experiment->n, experiment->run, &tree, error);
    if (status) return status;
    status = window ? area_window(mesh, go_on, &worms) : area_stream(mesh, go_on, &worms);
    tree.traffic.process = ANL_REPLAY;
    tree.messages = worms.messages;
    tree.num_messages = worms.count;
    tree.run.max_cycles = UINT64_C(1000000000000);
    outcome->window_cycles = (double)worms.window_cycles;
    if (!status) status = run_network(experiment, &tree, outcome);
    anl_scenario_free(&tree);
    return status;
}

static enum anl_status run_kind(const struct experiment *experiment, struct anl_scenario *scenario,
                                struct outcome *outcome, struct anl_error *error)
{
    switch (experiment->series->kind) {
    case SERIES_RUN:
        return run_network(experiment, scenario, outcome);
    case SERIES_PHASES:
        return run_phases(experiment, scenario, outcome, error);
    case SERIES_UNIV:
        return run_univ(experiment, scenario, outcome, error);
    case SERIES_WINDOW:
    case SERIES_STREAM:
        return run_competitor(experiment, scenario, outcome, error);
    }
    return ANL_ERR_ARGUMENT;
}

enum anl_status experiment_run(const struct experiment *experiment, struct outcome *outcome,
                               struct anl_error *error)
{
    struct anl_scenario scenario;
    *outcome = (struct outcome){0};
    enum anl_status status = plan_scenario(experiment->directory, experiment->series, experiment->n,
                                           experiment->run, &scenario, error);
    if (status) return status;
    error->text[0] = '\0';
    status = run_kind(experiment, &scenario, outcome, error);
    anl_scenario_free(&scenario);
    if (!status || *error->text) return status;
    return anl_fail(error, status, "", 0, "%s, N = %u: %s", experiment->series->name,
                    1u << 2 * experiment->n, anl_status_text(status));
}
