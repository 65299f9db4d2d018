// SPDX-License-Identifier: Apache-2.0
//
// Claims that one number each says something of; data/experiments.csv explains the kinds.

#include "cole_maggs_sitaraman.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_ROUNDS = 20, MOST_POINTS = 32 };

static void note_sample(struct experiment_result *result, const double *values, uint32_t count)
{
    const struct sample sample = sample_of(values, count);
    result->value = sample.mean;
    result->error = count > 1 ? sample.error : 0;
}

// --- worst networks on other switches ---

struct worst_run {
    struct anl_worst_case network;
    uint32_t length, lanes, depth;
    enum link_kind link;
    bool stored;
};

// Runs a worst network greedily. *bound receives (L - D) M / B.
static enum anl_status run_worst(const struct results *results, const struct worst_run *worst,
                                 double *steps, double *bound, struct anl_error *error)
{
    static const char *const links[] = {"wide", "shared"};
    struct anl_instance instance;
    struct anl_link_measures measures = {0};
    struct run run = {0};
    char name[96];
    enum anl_status status = anl_worst_case_make(&worst->network, &instance, error);
    if (!status) status = cli_fail(anl_link_paths_measure(&instance.paths, &measures), error);
    const struct how_to_run how = {.directory = results->directory,
                                   .name = name,
                                   .lanes = worst->lanes,
                                   .link = worst->link,
                                   .length = (uint16_t)worst->length,
                                   .depth = (uint16_t)worst->depth,
                                   .stored = worst->stored};
    snprintf(name, sizeof name,
             "other-%" PRIu32 "-c%" PRIu32 "-d%" PRIu32 "-l%" PRIu32 "-%s-b%" PRIu32 "-%" PRIu32,
             worst->network.vcs, measures.congestion, measures.dilation, worst->length,
             links[worst->link], worst->lanes, worst->depth);
    if (!status) status = simulate(&instance, &how, &run, error);
    if (!status && !run.complete)
        status = anl_fail(error, ANL_ERR_STALLED, "", 0, "%s stalled", name);
    *steps = (double)run.steps;
    *bound =
        ((double)worst->length - measures.dilation) * instance.paths.messages / worst->network.vcs;
    anl_instance_free(&instance);
    return status;
}

// How many times as fast one network runs as another: the same with other switches.
static enum anl_status compare(const struct results *results, const struct worst_run *slow,
                               const struct worst_run *fast, double *value, struct anl_error *error)
{
    double first, second, bound;
    enum anl_status status = run_worst(results, slow, &first, &bound, error);
    if (!status) status = run_worst(results, fast, &second, &bound, error);
    if (!status) *value = first / second;
    return status;
}

// The network of M' = size messages, x copies of each, that is the worst for one lane.
static enum anl_status measure_gain(const struct results *results, struct experiment_result *result,
                                    struct anl_error *error)
{
    const struct experiment *row = result->row;
    const enum link_kind link = row->what == WHAT_SHARED ? LINK_SHARED : LINK_WIDE;
    struct worst_run slow = {
        .network = {.vcs = 1, .distinct = row->size, .copies = row->x, .interleaved = true},
        .lanes = 1,
        .depth = link == LINK_SHARED ? 2 : 1,
        .link = link};
    slow.length = 2 * anl_worst_case_links(&slow.network);
    if (row->kind == EXPERIMENT_STORED && slow.length > ANL_MAX_DEPTH) slow.length = ANL_MAX_DEPTH;
    struct worst_run fast = slow;
    if (row->kind == EXPERIMENT_SHORT) fast.length = (slow.length + row->vcs - 1) / row->vcs;
    if (row->kind == EXPERIMENT_LANES) fast.lanes = row->vcs;
    if (row->kind == EXPERIMENT_BUFFERS) fast.depth *= row->vcs;
    if (row->kind == EXPERIMENT_STORED) {
        fast.link = LINK_SHARED;
        fast.stored = true;
        fast.depth = slow.length;
    }
    return compare(results, &slow, &fast, &result->value, error);
}

// Any D = size and C = x: the steps of a greedy run over the bound.
static enum anl_status measure_any(const struct results *results, struct experiment_result *result,
                                   struct anl_error *error)
{
    const struct experiment *row = result->row;
    struct worst_run worst = {.network = {.vcs = row->vcs,
                                          .distinct = row->vcs + 1,
                                          .copies = row->x / (row->vcs + 1),
                                          .more = row->x % (row->vcs + 1),
                                          .dilation = row->size},
                              .length = row->size * (row->what == WHAT_2_D   ? 2
                                                     : row->what == WHAT_4_D ? 4
                                                                             : 16),
                              .lanes = row->vcs};
    double steps, bound;
    while (anl_worst_case_links(&worst.network) <= row->size)
        worst.network.distinct++;
    worst.network.distinct--;
    const enum anl_status status = run_worst(results, &worst, &steps, &bound, error);
    if (!status) result->value = steps / bound;
    return status;
}

// --- butterflies ---

// Rounds until q = x messages from each input are delivered, once each or in log n copies or more.
static enum anl_status measure_few(struct experiment_result *result, uint32_t trials)
{
    const struct experiment *row = result->row;
    const uint32_t times = row->what == WHAT_DUPLICATED ? (row->size + row->x - 1) / row->x : 1;
    const uint32_t colours = two_pass_colours(row->size, row->x * times, row->vcs, 1);
    double rounds[MOST_TRIALS];
    for (uint32_t trial = 0; trial < trials; trial++) {
        const struct two_pass how = {row->size, row->x,    row->size, row->vcs,
                                     colours,   trial + 1, times};
        struct two_pass_result one;
        const enum anl_status status = two_pass_run(&how, MOST_ROUNDS, &one);
        if (status) return status;
        rounds[trial] = one.broken ? HUGE_VAL : one.rounds;
    }
    note_sample(result, rounds, trials);
    return ANL_OK;
}

// Rounds with beta = x and q = L = log n: the most copies of an input, or the part that round 0
// loses.
static enum anl_status measure_beta(struct experiment_result *result, uint32_t trials)
{
    const struct experiment *row = result->row;
    const uint32_t q = row->size, colours = two_pass_colours(row->size, q, row->vcs, row->x);
    double most = 0, lost[MOST_TRIALS];
    for (uint32_t trial = 0; trial < trials; trial++) {
        const struct two_pass how = {row->size, q, q, row->vcs, colours, trial + 1, 1};
        struct two_pass_result one;
        const enum anl_status status = two_pass_run(&how, MOST_ROUNDS, &one);
        if (status) return status;
        most = one.broken ? HUGE_VAL : fmax(most, one.most_copies);
        lost[trial] = one.undelivered;
    }
    note_sample(result, lost, trials);
    if (row->kind == EXPERIMENT_COPIES) *result = (struct experiment_result){row, false, most, 0};
    return ANL_OK;
}

// The least number of colours that the q = log n messages of an input have, over q: of all inputs
// and trials.
static enum anl_status measure_distinct(struct experiment_result *result, uint32_t trials)
{
    const struct experiment *row = result->row;
    const uint32_t q = row->size, colours = two_pass_colours(row->size, q, row->vcs, row->x);
    uint32_t *last = calloc(colours, sizeof *last), least = q, input = 0;
    struct anl_rng rng = anl_rng_seed(1, 4);
    if (!last) return ANL_ERR_MEMORY;
    while (input++ < trials << row->size) {
        uint32_t distinct = 0;
        for (uint32_t i = 0; i < q; i++) {
            uint32_t *of = &last[anl_rng_below(&rng, colours)];
            distinct += *of != input;
            *of = input;
        }
        if (distinct < least) least = distinct;
    }
    free(last);
    result->value = (double)least / q;
    return ANL_OK;
}

static enum anl_status measure_permutation(struct experiment_result *result, uint32_t trials)
{
    double parts[MOST_TRIALS];
    const enum anl_status status = permutation_passes(result->row, trials, parts);
    if (!status) note_sample(result, parts, trials);
    return status;
}

static enum anl_status measure_time(const struct results *results, struct experiment_result *result,
                                    uint32_t trials, struct anl_error *error)
{
    double values[MOST_TRIALS];
    for (uint32_t trial = 0; trial < trials; trial++) {
        const enum anl_status status =
            one_pass_time(results, result->row, trial + 1, &values[trial], error);
        if (status) return status;
    }
    note_sample(result, values, trials);
    if (result->row->kind == EXPERIMENT_PHASES) result->value = sample_of(values, trials).least;
    return ANL_OK;
}

// The power of log n by which the part that one pass delivers falls, where n doubles its logarithm.
static double exponent_at(uint32_t levels, uint32_t vcs)
{
    return log2(recursion_single(levels, vcs) / recursion_single(2 * levels, vcs));
}

enum anl_status measure_experiment(const struct results *results, struct experiment_result *result,
                                   struct anl_error *error)
{
    const struct experiment *row = result->row;
    const uint32_t trials = results->only_short ? row->brief : row->trials;
    enum anl_status status = ANL_OK;
    if (trials == 0) return ANL_OK;
    switch (row->kind) {
    case EXPERIMENT_PASSES:
        status = cli_fail(measure_permutation(result, trials), error);
        break;
    case EXPERIMENT_POWER:
    case EXPERIMENT_AWAY:
        return ANL_OK;
    case EXPERIMENT_EXPONENT:
        result->value = exponent_at(row->size, row->vcs);
        break;
    case EXPERIMENT_ROUNDS:
        status = cli_fail(measure_few(result, trials), error);
        break;
    case EXPERIMENT_COPIES:
    case EXPERIMENT_LOST:
        status = cli_fail(measure_beta(result, trials), error);
        break;
    case EXPERIMENT_DISTINCT:
        status = cli_fail(measure_distinct(result, trials), error);
        break;
    case EXPERIMENT_STORED:
    case EXPERIMENT_BUFFERS:
    case EXPERIMENT_LANES:
    case EXPERIMENT_SHORT:
        status = measure_gain(results, result, error);
        break;
    case EXPERIMENT_ANY:
        status = measure_any(results, result, error);
        break;
    case EXPERIMENT_BALLS:
        status = cli_fail(balls_alpha(row->vcs, row->size, &result->value), error);
        break;
    case EXPERIMENT_APART:
        status = cli_fail(largest_apart(row, trials, &result->value), error);
        break;
    case EXPERIMENT_PHASES:
    case EXPERIMENT_TIME:
        status = measure_time(results, result, trials, error);
        break;
    }
    result->done = !status;
    return status;
}

// --- laws ---

// The parts that x passes of a permutation deliver, over log n.
static size_t points_of(const struct results *results, const struct experiment *law,
                        struct power_point *points)
{
    size_t count = 0;
    for (size_t i = 0; i < results->plan->num_experiments && count < MOST_POINTS; i++) {
        const struct experiment_result *result = &results->experiments[i];
        const struct experiment *row = result->row;
        if (result->done && row->kind == EXPERIMENT_PASSES && row->what == law->what &&
            row->x == law->x && row->vcs == law->vcs)
            points[count++] = (struct power_point){row->size, 1, result->value};
    }
    return count;
}

// Returns by which part the values are away at most from (a + b log n)^(-1/B), where a and b are of
// least squares.
static double away_from_law(const struct power_point *points, size_t count, uint32_t vcs)
{
    double x = 0, y = 0, xx = 0, xy = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        const double value = pow(points[i].y, -(double)vcs);
        x += points[i].x / (double)count;
        y += value / (double)count;
        xx += points[i].x * points[i].x / (double)count;
        xy += points[i].x * value / (double)count;
    }
    const double slope = (xy - x * y) / (xx - x * x);
    for (size_t i = 0; i < count; i++) {
        const double law = pow(y + slope * (points[i].x - x), -1.0 / vcs);
        most = fmax(most, fabs(points[i].y / law - 1));
    }
    return most;
}

void finish_experiments(const struct results *results)
{
    for (size_t i = 0; i < results->plan->num_experiments; i++) {
        struct experiment_result *result = &results->experiments[i];
        const struct experiment *row = result->row;
        struct power_point points[MOST_POINTS];
        if (row->kind != EXPERIMENT_POWER && row->kind != EXPERIMENT_AWAY) continue;
        const size_t count = points_of(results, row, points);
        if (count < 3) continue;
        const struct power_law law = fit_logarithms(points, count);
        const bool power = row->kind == EXPERIMENT_POWER;
        result->value = power ? -law.power : away_from_law(points, count, row->vcs);
        result->error = power ? (law.high - law.low) / 2 : 0;
        result->done = true;
    }
}
