// SPDX-License-Identifier: Apache-2.0

#include "draper_ghosh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double parts[PARTS] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
const double equals[EQUALS] = {1.5, 2, 3, 4, 5};

enum { MOST_SEEDS = 12, SHORT_PARTS = 7, PATH_BYTES = 4096 };

// How much is run.
struct effort {
    uint32_t seeds;     // of a latency
    uint32_t searches;  // seeds of a saturation load
    double worms;       // that a run of a latency measures at 70 % of saturation
    uint64_t cycles;    // of a run that tells whether a load can be carried
    size_t parts;
};
static const struct effort full = {12, 3, 80000, 60000, PARTS};
static const struct effort brief = {4, 2, 15000, 20000, SHORT_PARTS};

// A case while it is measured.
struct work {
    const struct plan *plan;
    const struct effort *effort;
    struct result *result;
    double spread[ANL_MAX_DIMENSIONS + 1];
    const double *has_spread;  // spread, or NULL
    struct anl_rates rates;
    struct anl_model models[FORMS];
    struct nodes nodes;
    struct anl_error *error;
};

// --- one run ---

static enum anl_status load(const struct work *work, struct anl_scenario *scenario)
{
    enum { MOST_SETTINGS = 8 };
    const struct study *study = work->result->study;
    char path[PATH_BYTES], text[256], *rest = text;
    const char *settings[MOST_SETTINGS];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/%s", work->plan->directory, study->scenario);
    snprintf(text, sizeof text, "%s", study->settings);
    for (char *word; *text && count < MOST_SETTINGS && (word = strsep(&rest, " "));)
        settings[count++] = word;
    return anl_scenario_load_with(path, settings, count, scenario, work->error);
}

static bool look(void *user, const struct anl_engine *engine)
{
    (void)user;
    (void)engine;
    return !cli_interrupted();
}

// Runs worms at a rate for so many cycles. If to_end, the run goes on until all are delivered.
static enum anl_status run(const struct work *work, double worms, uint64_t seed, uint64_t cycles,
                           bool to_end, struct anl_windows *windows, struct anl_run_result *result)
{
    struct anl_scenario scenario;
    enum anl_status status = load(work, &scenario);
    if (status) return status;
    scenario.run =
        (struct anl_run_config){seed, cycles, cycles / 5, to_end ? UINT64_C(100) * cycles : cycles};
    status = cli_fail(traffic_make(&scenario, worms, work->has_spread), work->error);
    const struct anl_run_options options = {
        .windows = windows, .progress_cycles = 4096, .progress = look};
    if (!status) status = anl_run(&scenario, &options, result, work->error);
    anl_scenario_free(&scenario);
    if (!status && result->end == ANL_RUN_STOPPED)
        return anl_fail(work->error, ANL_ERR_IO, "", 0, "interrupted");
    return status;
}

// --- saturation ---

// *beyond receives whether the backlog grows by more than 1 % of the flits that are created, both
// in the third and in the last quarter of a run.
static enum anl_status is_beyond(const struct work *work, double worms, uint64_t seed, bool *beyond)
{
    const uint64_t cycles = work->effort->cycles;
    struct anl_windows windows = {.cycles = cycles / 4};
    struct anl_run_result result;
    const enum anl_status status = run(work, worms, seed, cycles, false, &windows, &result);
    *beyond = true;
    for (size_t i = 2; i < 4 && i < windows.count; i++) {
        const double created = (double)windows.at[i].created_flits;
        *beyond &= created - (double)windows.at[i].ejected_flits > 0.01 * created;
    }
    free(windows.at);
    return status;
}

static enum anl_status find_saturation(const struct work *work, struct result *result)
{
    double sum = 0;
    for (uint64_t seed = 1; seed <= work->effort->searches; seed++) {
        double low = 0.8 * result->predicted[PLAIN], high = 1.4 * result->predicted[PLAIN];
        while (high - low > 0.004 * high) {
            bool beyond;
            const double middle = (low + high) / 2;
            const enum anl_status status = is_beyond(work, middle, seed, &beyond);
            if (status) return status;
            *(beyond ? &high : &low) = middle;
        }
        sum += (low + high) / 2;
    }
    result->measured = sum / work->effort->searches;
    return ANL_OK;
}

// --- latencies ---

double point_error(const struct point *point, int form)
{
    return 100 * (point->model[form] / point->latency.mean - 1);
}

static enum anl_status predict(const struct work *work, int form, double worms, double *latency)
{
    struct anl_prediction prediction;
    const enum anl_status status =
        anl_model_solve(&work->models[form], &work->rates, worms, NULL, &prediction);
    *latency = prediction.saturated ? NAN : prediction.latency;
    return cli_fail(status, work->error);
}

// Returns the worms that a run measures: the fewer they meet, the fewer are needed. Above 70 % of
// saturation there are no goals that need as many.
static double worms_at(const struct effort *effort, double part)
{
    return effort->worms * (part > 0.75 ? 0.5 : fmax(0.1, part * part / 0.49));
}

static enum anl_status measure_point(const struct work *work, double part, struct point *point)
{
    double values[MOST_SEEDS];
    const struct effort *effort = work->effort;
    const double worms = part * work->result->measured;
    const uint64_t cycles = (uint64_t)(1.25 * worms_at(effort, part) / (worms * work->nodes.count));
    point->worms = worms;
    for (uint64_t seed = 1; seed <= effort->seeds; seed++) {
        struct anl_run_result result;
        const enum anl_status status = run(work, worms, 100 + seed, cycles, true, NULL, &result);
        if (status) return status;
        values[seed - 1] = result.latency_mean;
    }
    point->latency = sample_of(values, effort->seeds);
    enum anl_status status = ANL_OK;
    for (int form = 0; !status && form < FORMS; form++)
        status = predict(work, form, worms, &point->model[form]);
    return status;
}

// --- loads at equal latency ---

// Returns the worms at which the latency was measured to be `latency`, between two points; its
// inverse is nearly a straight line where it grows. NAN: it was not reached.
static double measured_at(const struct result *result, double latency)
{
    for (size_t i = 1; i < result->num_points; i++) {
        const struct point *a = &result->points[i - 1], *b = &result->points[i];
        if (b->latency.mean < latency) continue;
        const double part =
            (1 / latency - 1 / a->latency.mean) / (1 / b->latency.mean - 1 / a->latency.mean);
        return a->worms + part * (b->worms - a->worms);
    }
    return NAN;
}

double measured_latency(const struct result *result, double worms)
{
    for (size_t i = 1; i < result->num_points; i++) {
        const struct point *a = &result->points[i - 1], *b = &result->points[i];
        if (worms < a->worms || worms > b->worms) continue;
        const double part = (worms - a->worms) / (b->worms - a->worms);
        return 1 / ((1 - part) / a->latency.mean + part / b->latency.mean);
    }
    return NAN;
}

static enum anl_status predicted_at(const struct work *work, double latency, double *worms)
{
    double low = 0, high = work->result->predicted[CALIBRATED];
    while (high - low > 1e-6 * high) {
        double value;
        const double middle = (low + high) / 2;
        const enum anl_status status = predict(work, CALIBRATED, middle, &value);
        if (status) return status;
        *(value < latency ? &low : &high) = middle;
    }
    *worms = low;
    return ANL_OK;
}

static enum anl_status compare_loads(const struct work *work, struct result *result)
{
    const double alone = work->rates.hops + 1 + result->length;
    enum anl_status status = ANL_OK;
    for (size_t i = 0; !status && i < EQUALS; i++) {
        double predicted = NAN;
        status = predicted_at(work, equals[i] * alone, &predicted);
        result->equal[i] = 100 * (predicted / measured_at(result, equals[i] * alone) - 1);
    }
    return status;
}

// --- a case ---

// The model that annelid predict has for a scenario, but for Poisson arrivals.
static enum anl_status take_predictor(struct work *work, const struct anl_scenario *scenario)
{
    struct anl_predictor predictor;
    const enum anl_status status = anl_predictor_create(scenario, &predictor, work->error);
    if (status) return status;
    work->rates = predictor.rates;
    predictor.model.bernoulli = false;
    work->models[PLAIN] = work->models[CALIBRATED] = predictor.model;
    return ANL_OK;
}

static enum anl_status make_rates(struct work *work, const struct anl_scenario *scenario)
{
    const struct anl_workload workload = anl_scenario_workload(scenario);
    const struct nodes *nodes = &work->nodes;
    const struct anl_uniform_cube cube = {.k = nodes->k,
                                          .n = nodes->n,
                                          .lanes = {1, nodes->ring},
                                          .end_lanes = scenario->network.num_vcs,
                                          .many_ports = nodes->ports > 1,
                                          .spread = work->has_spread};
    switch (work->result->study->form) {
    case CLASSES:
        return anl_rates_cube(&cube, &work->rates, work->error);
    case ROUTES:
        return anl_rates_walk(&workload, &work->rates, work->error);
    case SCENARIO:
        return take_predictor(work, scenario);
    }
    return ANL_ERR_ARGUMENT;
}

// Fills in the probability of each distance: like 2^-h, or as a pattern has it that is the same for
// all nodes of a hypercube.
static enum anl_status make_spread(struct work *work, const struct anl_scenario *scenario)
{
    struct anl_destinations *destinations;
    const struct anl_workload workload = anl_scenario_workload(scenario);
    const uint32_t n = work->nodes.n;
    if (work->result->study->traffic == UNIFORM) return ANL_OK;
    work->has_spread = work->spread;
    if (work->result->study->traffic == SPHERICAL) {
        for (uint32_t h = 1; h <= n; h++)
            work->spread[h] = pow(0.5, h) / (1 - pow(0.5, n));
        return ANL_OK;
    }
    const enum anl_status status =
        cli_fail(anl_destinations_create(&workload, &destinations), work->error);
    for (uint32_t t = 1; !status && t < work->nodes.count; t++)
        work->spread[anl_distance(&scenario->network, 0, t)] +=
            anl_destination_probability(destinations, 0, t);
    if (!status) anl_destinations_destroy(destinations);
    return status;
}

static enum anl_status begin(struct work *work)
{
    struct anl_scenario scenario;
    struct result *result = work->result;
    enum anl_status status = load(work, &scenario);
    if (status) return status;
    work->nodes = nodes_of(&scenario.network);
    result->length = scenario.traffic.lengths[0];
    for (int form = 0; form < FORMS; form++)
        work->models[form] = anl_model_of_paper(result->length, form == CALIBRATED);
    status = make_spread(work, &scenario);
    if (!status) status = make_rates(work, &scenario);
    anl_scenario_free(&scenario);
    for (int form = 0; !status && form < FORMS; form++)
        status = cli_fail(
            anl_model_saturation(&work->models[form], &work->rates, &result->predicted[form]),
            work->error);
    return status;
}

enum anl_status measure_case(const struct plan *plan, bool only_short, struct result *result,
                             struct anl_error *error)
{
    struct work work = {
        .plan = plan, .effort = only_short ? &brief : &full, .result = result, .error = error};
    enum anl_status status = begin(&work);
    if (!status) status = find_saturation(&work, result);
    for (size_t i = 0; !status && i < work.effort->parts; i++)
        status = measure_point(&work, parts[i], &result->points[result->num_points++]);
    if (!status) status = compare_loads(&work, result);
    anl_rates_free(&work.rates);
    return status;
}
