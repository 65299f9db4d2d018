// SPDX-License-Identifier: Apache-2.0
//
// Roberts and Symvonis 1994: off-line schedules, bounds and claims; SHORT=1: fewer permutations

#include "roberts_symvonis.h"

#include <stdlib.h>

static enum anl_status do_study(void *user, size_t task, struct pool_worker *worker,
                                struct anl_error *error)
{
    const struct results *results = user;
    (void)worker;
    return measure_study(results->of[task].study, results->only_short, &results->of[task], error);
}

static enum anl_status begin(const struct plan *plan, bool only_short, struct results *results,
                             struct anl_error *error)
{
    *results = (struct results){.plan = plan, .only_short = only_short};
    results->of = calloc(plan->num_studies, sizeof *results->of);
    if (!results->of) return cli_fail(ANL_ERR_MEMORY, error);
    for (size_t i = 0; i < plan->num_studies; i++)
        if (plan->studies[i].brief || !only_short)
            results->of[results->count++].study = &plan->studies[i];
    return ANL_OK;
}

static enum anl_status do_paper(const struct paper_options *options, bool *good,
                                struct anl_error *error)
{
    struct plan plan;
    struct results results = {0};
    enum anl_status status = plan_read(options->data, &plan, error);
    if (!status) status = begin(&plan, options->only_short, &results, error);
    const struct pool_work runs = {.what = "scheduling",
                                   .unit = "meshes",
                                   .tasks = results.count,
                                   .workers = options->workers,
                                   .run = do_study,
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
        .data = "sim/papers/roberts_symvonis",
        .output = "build/papers/roberts_symvonis",
        .only_short = "Fewer permutations, and all permutations of a mesh of side 2 alone",
        .what = "Schedules permutations with the off-line algorithm of Roberts and Symvonis (1994) "
                "and holds the schedules against what the paper says "
                "(docs/papers/roberts-symvonis.md).\v"
                "Exit status: 0 all claims hold, 1 one does not, 2 bad usage or bad input.",
        .run = do_paper,
    };
    return paper_main(&paper, argc, argv);
}
