// SPDX-License-Identifier: Apache-2.0
//
// Bock, Meyer auf der Heide and Scheideler 1996: random functions on a torus; SHORT=1: fewer runs

#include "bock.h"

#include <stdlib.h>

static enum anl_status do_task(void *user, size_t number, struct pool_worker *worker,
                               struct anl_error *error)
{
    const struct results *results = user;
    const struct task *task = &results->tasks[number];
    const struct result *result = &results->of[task->result];
    (void)worker;
    return measure_run(result->study, task->seed + 1, &result->runs[task->seed], error);
}

// Returns the relative time of a task: its worms times its steps.
static double weight_of(const void *user, size_t number)
{
    const struct results *results = user;
    const struct study *study = results->of[results->tasks[number].result].study;
    double worms = 1;
    for (uint32_t dim = 0; dim < study->config.d; dim++)
        worms *= study->config.n;
    return worms / study->batches * (double)anl_diagonals_cycles(&study->config, study->batches);
}

static enum anl_status begin(const struct plan *plan, bool only_short, struct results *results,
                             struct anl_error *error)
{
    *results = (struct results){.plan = plan};
    size_t seeds = 0;
    for (size_t i = 0; i < plan->num_studies; i++)
        seeds += plan->studies[i].seeds;
    results->of = calloc(plan->num_studies + 1, sizeof *results->of);
    results->tasks = calloc(seeds + 1, sizeof *results->tasks);
    if (!results->of || !results->tasks) return cli_fail(ANL_ERR_MEMORY, error);
    for (size_t i = 0; i < plan->num_studies; i++) {
        const struct study *study = &plan->studies[i];
        const uint32_t count = only_short ? study->brief : study->seeds;
        if (count == 0) continue;
        struct result *result = &results->of[results->count];
        *result = (struct result){study, count, calloc(count, sizeof *result->runs)};
        if (!result->runs) return cli_fail(ANL_ERR_MEMORY, error);
        for (uint32_t seed = 0; seed < count; seed++)
            results->tasks[results->num_tasks++] = (struct task){results->count, seed};
        results->count++;
    }
    return ANL_OK;
}

static void end(struct results *results)
{
    for (size_t i = 0; i < results->count; i++)
        free(results->of[i].runs);
    free(results->of);
    free(results->tasks);
}

static enum anl_status do_paper(const struct paper_options *options, bool *good,
                                struct anl_error *error)
{
    struct plan plan;
    struct results results = {0};
    enum anl_status status = plan_read(options->data, &plan, error);
    if (!status) status = begin(&plan, options->only_short, &results, error);
    const struct pool_work runs = {.what = "routing",
                                   .unit = "runs",
                                   .tasks = results.num_tasks,
                                   .workers = options->workers,
                                   .weight = weight_of,
                                   .run = do_task,
                                   .user = &results};
    if (!status) status = paper_do_runs(options, &runs, error);
    if (!status) *good = report_print(&results);
    if (!status) status = files_write(options->output, &results, error);
    end(&results);
    plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    static const struct paper paper = {
        .data = "papers/bock/data",
        .output = "build/papers/bock",
        .only_short = "Fewer seeds, and small tori alone",
        .what = "Routes random functions and permutations on a torus with the algorithm of Bock, "
                "Meyer auf der Heide and Scheideler (1996), and holds steps and failures against "
                "what was expected (papers/bock/README.md).\v"
                "Exit status: 0 all claims hold, 1 one does not, 2 bad usage or bad input.",
        .run = do_paper,
    };
    return paper_main(&paper, argc, argv);
}
