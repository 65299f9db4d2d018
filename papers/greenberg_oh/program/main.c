// SPDX-License-Identifier: Apache-2.0
//
// Greenberg and Oh 1993: Table 1, figures, theorems, ours beside the paper's; SHORT=1: N <= 64

#include "greenberg_oh.h"

#include <stdlib.h>

enum { SHORT_N = 3, FULL_N = 6 };

// Returns the result of a task. The last runs come first, since they take longest.
static struct result *result_of(const struct results *results, size_t task)
{
    return &results->of[results->count - 1 - task];
}

static enum anl_status do_run(void *user, size_t task, struct pool_worker *worker,
                              struct anl_error *error)
{
    const struct results *results = user;
    struct result *result = result_of(results, task);
    const enum anl_status status = experiment_run(results->plan, result, error);
    (void)worker;
    if (status || result->outcome.complete || cli_interrupted()) return status;
    return anl_fail(error, ANL_ERR_STALLED, "", 0, "%s, N = %u, seed %u: not all was delivered",
                    result->series->name, 1u << 2 * result->n, result->run + 1);
}

// Returns the relative time that a run takes: about N^1.5, a stream N^2 and longer.
static double weight_of(const void *user, size_t task)
{
    const struct result *result = result_of(user, task);
    if (result->series->kind == SERIES_STREAM) return (double)(UINT64_C(2) << 4 * result->n);
    return (double)(UINT64_C(1) << 3 * result->n);
}

static enum anl_status do_paper(const struct paper_options *options, bool *good,
                                struct anl_error *error)
{
    struct plan plan;
    struct results results = {0};
    enum anl_status status = plan_read(options->data, &plan, error);
    if (!status)
        status =
            cli_fail(results_begin(&plan, options->only_short ? SHORT_N : FULL_N, &results), error);
    const struct pool_work runs = {.what = "running",
                                   .unit = "runs",
                                   .tasks = results.count,
                                   .workers = options->workers,
                                   .weight = weight_of,
                                   .run = do_run,
                                   .user = &results};
    if (!status) status = paper_do_runs(options, &runs, error);
    if (!status) *good = report_print(&results);
    if (!status) status = files_write(options->output, &results, error);
    free(results.of);
    plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    static const struct paper paper = {
        .data = "papers/greenberg_oh/data",
        .output = "build/papers/greenberg_oh",
        .only_short = "Only N = 16 and 64",
        .what =
            "Runs what Greenberg and Oh (1993) ran on the butterfly fat-tree and prints its Table "
            "1, its figures and its sentences beside ours (papers/greenberg_oh/README.md).\v"
            "Exit status: 0 all cells and sentences pass or differ as is known, 1 one failed, 2 "
            "bad usage or bad input.",
        .run = do_paper,
    };
    return paper_main(&paper, argc, argv);
}
