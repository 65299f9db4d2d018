// SPDX-License-Identifier: Apache-2.0
//
// Draper and Ghosh 1993: our reconstruction of their model beside the engine; SHORT=1: less

#include "draper_ghosh.h"

#include <stdlib.h>

static enum anl_status do_case(void *user, size_t task, struct pool_worker *worker,
                               struct anl_error *error)
{
    const struct results *results = user;
    (void)worker;
    return measure_case(results->plan, results->only_short, &results->of[task], error);
}

static enum anl_status begin(const struct plan *plan, bool only_short, struct results *results,
                             struct anl_error *error)
{
    *results = (struct results){.plan = plan, .only_short = only_short};
    results->of = calloc(plan->num_cases, sizeof *results->of);
    if (!results->of) return cli_fail(ANL_ERR_MEMORY, error);
    for (size_t i = 0; i < plan->num_cases; i++)
        if (plan->cases[i].is_short || !only_short)
            results->of[results->count++].study = &plan->cases[i];
    return ANL_OK;
}

static enum anl_status do_paper(const struct paper_options *options, bool *good,
                                struct anl_error *error)
{
    struct plan plan;
    struct results results = {0};
    enum anl_status status = plan_read(options->data, &plan, error);
    if (!status) status = begin(&plan, options->only_short, &results, error);
    const struct pool_work runs = {.what = "measuring",
                                   .unit = "cases",
                                   .tasks = results.count,
                                   .workers = options->workers,
                                   .run = do_case,
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
        .data = "papers/draper_ghosh/data",
        .output = "build/papers/draper_ghosh",
        .only_short = "Only three networks, with fewer and shorter runs",
        .what =
            "Holds the reconstruction of the model of Draper and Ghosh (1993) against the "
            "engine, in the paper's configuration (papers/draper_ghosh/README.md).\v"
            "Exit status: 0 all errors are within their goals, 1 one is not, 2 bad usage or bad "
            "input.",
        .run = do_paper,
    };
    return paper_main(&paper, argc, argv);
}
