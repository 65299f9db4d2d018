// SPDX-License-Identifier: Apache-2.0
//
// Colours, schedules and greedy runs: of random levelled networks, of networks on which every
// schedule is slow, and of butterflies whose worms wait.

#include "cole_maggs_sitaraman.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { RESAMPLES = 200000 };

// --- colours and their schedule ---

struct scheduled {
    uint32_t colours;
    uint64_t steps;  // that it should take
    struct run run;
};

static uint64_t *starts_of(const struct anl_link_paths *paths,
                           const struct anl_colouring *colouring, uint16_t length, uint64_t *steps)
{
    uint64_t *of = calloc((size_t)colouring->count + 1, sizeof *of);
    uint64_t *starts = calloc((size_t)paths->messages + 1, sizeof *starts);
    uint16_t *lengths = calloc((size_t)paths->messages + 1, sizeof *lengths);
    const struct anl_release_rule rule = {.gap = 1};  // lanes of one flit, wide links
    struct anl_release release;
    bool good = of && starts && lengths;
    for (uint32_t m = 0; good && m < paths->messages; m++)
        lengths[m] = length;
    good = good && anl_colour_release(paths, colouring, lengths, &rule, of, &release) == ANL_OK;
    for (uint32_t m = 0; good && m < paths->messages; m++)
        starts[m] = of[colouring->of[m]];
    if (good) *steps = release.steps;
    free(of);
    free(lengths);
    if (good) return starts;
    free(starts);
    return NULL;
}

// Colours an instance by first fit, and runs the schedule.
static enum anl_status schedule(const struct anl_instance *instance, struct how_to_run how,
                                struct scheduled *scheduled, struct anl_error *error)
{
    const struct anl_colour_options options = {.method = ANL_FIRST_FIT, .vcs = how.lanes};
    struct anl_colouring colouring;
    enum anl_status status = cli_fail(anl_colour(&instance->paths, &options, &colouring), error);
    uint64_t *starts = NULL;
    if (!status) {
        starts = starts_of(&instance->paths, &colouring, how.length, &scheduled->steps);
        status = starts ? ANL_OK : cli_fail(ANL_ERR_MEMORY, error);
    }
    how.starts = starts;
    scheduled->colours = colouring.count;
    if (!status) status = simulate(instance, &how, &scheduled->run, error);
    free(starts);
    anl_colouring_free(&colouring);
    return status;
}

// --- levelled networks ---

struct levelled_values {
    double messages[MOST_SEEDS], colours[MOST_SEEDS], drawn[MOST_SEEDS], theorem[MOST_SEEDS];
    double schedule[MOST_SEEDS], greedy[MOST_SEEDS];
};

// Finds the least number of colours with which the algorithm of Moser and Tardos ends.
static enum anl_status draw_least(const struct anl_link_paths *paths, uint32_t vcs, uint64_t seed,
                                  double *least, struct anl_error *error)
{
    const struct anl_colour_options options = {
        .method = ANL_MOSER_TARDOS, .vcs = vcs, .seed = seed, .resamples = RESAMPLES};
    struct anl_colouring colouring;
    const enum anl_status status = cli_fail(anl_colour(paths, &options, &colouring), error);
    *least = colouring.drawn_from;
    anl_colouring_free(&colouring);
    return status;
}

static enum anl_status measure_instance(const struct results *results,
                                        struct levelled_result *result,
                                        const struct anl_instance *instance, uint32_t seed,
                                        struct levelled_values *values, struct anl_error *error)
{
    const struct levelled *row = result->row;
    const uint32_t at = seed - 1;
    char name[64];
    struct scheduled scheduled;
    struct run greedy;
    struct anl_link_measures measures;
    struct how_to_run how = {.directory = results->directory,
                             .name = name,
                             .lanes = row->vcs,
                             .link = LINK_WIDE,
                             .length = (uint16_t)row->length};
    const int end =
        snprintf(name, sizeof name,
                 "levelled-%" PRIu32 "-%" PRIu32 "-%" PRIu32 "-l%" PRIu32 "-b%" PRIu32 "-%" PRIu32,
                 row->width, row->dilation, row->congestion, row->length, row->vcs, seed);
    enum anl_status status = simulate(instance, &how, &greedy, error);
    snprintf(name + end, sizeof name - (size_t)end, "-colours");
    if (!status) status = schedule(instance, how, &scheduled, error);
    if (!status) status = cli_fail(anl_link_paths_measure(&instance->paths, &measures), error);
    if (!status && row->drawn > 0 && seed == 1)
        status = draw_least(&instance->paths, row->vcs, seed, &values->drawn[at], error);
    if (status) return status;
    values->messages[at] = instance->paths.messages;
    values->colours[at] = scheduled.colours;
    values->theorem[at] = anl_colour_theorem(&measures, row->vcs);
    values->schedule[at] = (double)scheduled.run.steps;
    values->greedy[at] = (double)greedy.steps;
    result->blocked += scheduled.run.blocked;
    result->uneven += !scheduled.run.complete || scheduled.run.steps != scheduled.steps;
    result->of_bound =
        fmax(result->of_bound,
             scheduled.colours / (double)anl_colour_first_fit_bound(&measures, row->vcs));
    return greedy.complete ? ANL_OK : anl_fail(error, ANL_ERR_STALLED, "", 0, "%s stalled", name);
}

enum anl_status measure_levelled(const struct results *results, struct levelled_result *result,
                                 struct anl_error *error)
{
    const struct levelled *row = result->row;
    const uint32_t seeds = results->only_short ? row->brief : row->seeds;
    struct levelled_values values;
    for (uint32_t seed = 1; seed <= seeds; seed++) {
        struct anl_instance instance;
        enum anl_status status = cli_fail(levelled_make(row, seed, &instance), error);
        if (!status) status = measure_instance(results, result, &instance, seed, &values, error);
        anl_instance_free(&instance);
        if (status) return status;
    }
    result->messages = sample_of(values.messages, seeds);
    result->colours = sample_of(values.colours, seeds);
    if (row->drawn > 0) result->drawn = values.drawn[0];
    result->theorem = sample_of(values.theorem, seeds);
    result->schedule = sample_of(values.schedule, seeds);
    result->greedy = sample_of(values.greedy, seeds);
    result->done = seeds > 0;
    return ANL_OK;
}

// --- worst cases ---

static enum anl_status run_worst(const struct results *results, struct worst_result *result,
                                 const struct anl_instance *instance, struct anl_error *error)
{
    const struct worst *row = result->row;
    char name[80];
    struct scheduled scheduled = {0};
    struct how_to_run how = {.directory = results->directory,
                             .name = name,
                             .lanes = row->lanes,
                             .link = row->link,
                             .length = (uint16_t)row->length};
    const int end = snprintf(
        name, sizeof name, "worst-%" PRIu32 "-%" PRIu32 "-%" PRIu32 "-%s-%s-l%" PRIu32 "-b%" PRIu32,
        row->vcs, row->distinct, row->copies, row->interleaved ? "inter" : "group",
        row->link == LINK_WIDE ? "wide" : "shared", row->length, row->lanes);
    enum anl_status status = simulate(instance, &how, &result->greedy, error);
    if (!status && !result->greedy.complete)
        status = anl_fail(error, ANL_ERR_STALLED, "", 0, "%s stalled", name);
    if (status || row->link == LINK_SHARED) return status;
    snprintf(name + end, sizeof name - (size_t)end, "-colours");
    status = schedule(instance, how, &scheduled, error);
    result->colours = scheduled.colours;
    result->schedule = scheduled.run.steps;
    result->blocked = scheduled.run.blocked;
    result->uneven = !scheduled.run.complete || scheduled.run.steps != scheduled.steps;
    return status;
}

enum anl_status measure_worst(const struct results *results, struct worst_result *result,
                              struct anl_error *error)
{
    const struct worst *row = result->row;
    const struct anl_worst_case how = {.vcs = row->vcs,
                                       .distinct = row->distinct,
                                       .copies = row->copies,
                                       .interleaved = row->interleaved};
    struct anl_instance instance;
    enum anl_status status = anl_worst_case_make(&how, &instance, error);
    if (!status)
        status = cli_fail(anl_link_paths_measure(&instance.paths, &result->measures), error);
    if (!status) status = run_worst(results, result, &instance, error);
    result->messages = instance.paths.messages;
    if (row->lanes <= row->vcs)
        result->bound =
            ((double)row->length - result->measures.dilation) * result->messages / row->lanes;
    result->done = !status;
    anl_instance_free(&instance);
    return status;
}

// --- butterflies whose worms wait ---

enum anl_status measure_stalling(const struct results *results, struct stalling_result *result,
                                 struct anl_error *error)
{
    const struct stalling *row = result->row;
    const uint32_t trials = results->only_short ? row->brief : row->trials;
    double steps[MOST_SEEDS], congestion[MOST_SEEDS];
    enum anl_status status = ANL_OK;
    for (uint32_t seed = 1; !status && seed <= trials; seed++) {
        char name[64];
        struct anl_instance instance;
        struct anl_link_measures measures = {0};
        struct run run = {0};
        const struct how_to_run how = {.directory = results->directory,
                                       .name = name,
                                       .lanes = row->vcs,
                                       .link = LINK_WIDE,
                                       .length = (uint16_t)row->length};
        snprintf(name, sizeof name, "butterfly-%" PRIu32 "-%" PRIu32 "-l%" PRIu32 "-b%" PRIu32,
                 row->levels, row->q, row->length, row->vcs);
        status = cli_fail(butterfly_make(row->levels, row->q, seed, &instance), error);
        if (!status) status = cli_fail(anl_link_paths_measure(&instance.paths, &measures), error);
        if (!status) status = simulate(&instance, &how, &run, error);
        steps[seed - 1] = (double)run.steps;
        congestion[seed - 1] = measures.congestion;
        anl_instance_free(&instance);
    }
    if (status) return status;
    result->steps = sample_of(steps, trials);
    result->congestion = sample_of(congestion, trials);
    result->done = trials > 0;
    return ANL_OK;
}
