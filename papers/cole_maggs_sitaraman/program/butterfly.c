// SPDX-License-Identifier: Apache-2.0
//
// What is measured of butterflies that discard.

#include "cole_maggs_sitaraman.h"

#include <annelid/discard.h>
#include <stdlib.h>

enum { MOST_ROUNDS = 20 };

static uint32_t trials_of(const struct results *results, uint32_t all, uint32_t brief)
{
    return results->only_short ? brief : all;
}

// --- one pass ---

static enum anl_status send_once(struct anl_discard *machine, const struct single *row,
                                 uint64_t seed, struct sent *sent)
{
    const uint32_t n = 1u << row->levels;
    struct anl_rng rng = anl_rng_seed(seed, 0);
    anl_discard_reset(machine);
    for (uint32_t i = 0; i < n; i++) {
        sent[i].worm = (struct anl_discard_worm){
            .start = 1, .source = i, .destination = anl_rng_below(&rng, n), .length = 4};
        const enum anl_status status = anl_discard_enqueue(machine, &sent[i].worm, NULL);
        if (status) return status;
    }
    anl_discard_run(machine);
    for (uint32_t i = 0; i < n; i++)
        sent[i].outcome = anl_discard_outcome(machine, i);
    return ANL_OK;
}

static enum anl_status measure_passes(struct anl_discard *machine, struct single_result *result,
                                      uint32_t trials, struct sent *sent)
{
    const struct single *row = result->row;
    const struct anl_discard_shape shape = {row->levels, 1, row->vcs};
    const uint32_t n = 1u << row->levels;
    double fractions[MOST_TRIALS];
    enum anl_status status = ANL_OK;
    for (uint32_t trial = 0; !status && trial < trials; trial++) {
        uint64_t broken;
        status = send_once(machine, row, trial + 1, sent);
        fractions[trial] = (double)anl_discard_totals(machine).delivered / n;
        if (!status) status = rounds_check(&shape, sent, n, UINT64_MAX, &broken);
        if (!status) result->broken += broken;
    }
    if (status) return status;
    result->exact = recursion_single(row->levels, row->vcs);
    result->fraction = sample_of(fractions, trials);
    result->done = trials > 0;
    return ANL_OK;
}

enum anl_status measure_single(const struct results *results, struct single_result *result,
                               struct anl_error *error)
{
    const struct single *row = result->row;
    const struct anl_discard_shape shape = {row->levels, 1, row->vcs};
    const uint32_t trials = trials_of(results, row->trials, row->brief);
    struct sent *sent = calloc((size_t)1 << row->levels, sizeof *sent);
    struct anl_discard *machine = NULL;
    enum anl_status status = sent ? anl_discard_create(&shape, &machine) : ANL_ERR_MEMORY;
    if (!status) status = measure_passes(machine, result, trials, sent);
    anl_discard_destroy(machine);
    free(sent);
    return cli_fail(status, error);
}

// --- two passes ---

enum anl_status measure_rounds(const struct results *results, struct rounds_result *result,
                               struct anl_error *error)
{
    const struct rounds *row = result->row;
    const uint32_t trials = trials_of(results, row->trials, row->brief);
    double undelivered[MOST_TRIALS], rounds[MOST_TRIALS], total[MOST_TRIALS];
    result->colours = two_pass_colours(row->levels, row->q, row->vcs, row->beta);
    result->steps = two_pass_steps(row->levels, result->colours, row->length);
    result->allowed = two_pass_allowed(row->levels, row->q);
    result->recursion = recursion_undelivered(row->levels, row->vcs, row->q, result->colours);
    for (uint32_t trial = 0; trial < trials; trial++) {
        const struct two_pass how = {row->levels, row->q, row->length, row->vcs, result->colours,
                                     trial + 1,   1};
        struct two_pass_result one;
        const enum anl_status status = two_pass_run(&how, MOST_ROUNDS, &one);
        if (status) return cli_fail(status, error);
        undelivered[trial] = one.undelivered;
        rounds[trial] = one.rounds;
        total[trial] = (double)one.steps;
        if (one.rounds > result->most_rounds) result->most_rounds = one.rounds;
        if (one.most_copies > result->most_copies) result->most_copies = one.most_copies;
        result->over += one.rounds > result->allowed;
        result->broken += one.broken;
    }
    result->undelivered = sample_of(undelivered, trials);
    result->rounds = sample_of(rounds, trials);
    result->total = sample_of(total, trials);
    result->done = trials > 0;
    return ANL_OK;
}
