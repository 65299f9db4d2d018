// SPDX-License-Identifier: Apache-2.0
//
// Cole, Maggs and Sitaraman 2001: what virtual channels are worth; SHORT=1: fewer runs

#include "cole_maggs_sitaraman.h"

#include <stdlib.h>

// The tasks: the rows of all files, one file behind the other.
static enum anl_status do_row(void *user, size_t task, struct pool_worker *worker,
                              struct anl_error *error)
{
    const struct results *results = user;
    const struct plan *plan = results->plan;
    (void)worker;
    if (cli_interrupted()) return anl_fail(error, ANL_ERR_IO, "", 0, "interrupted");
    if (task < plan->num_levelled)
        return measure_levelled(results, &results->levelled[task], error);
    task -= plan->num_levelled;
    if (task < plan->num_stalling)
        return measure_stalling(results, &results->stalling[task], error);
    task -= plan->num_stalling;
    if (task < plan->num_worst) {
        const bool wanted = plan->worst[task].brief || !results->only_short;
        return wanted ? measure_worst(results, &results->worst[task], error) : ANL_OK;
    }
    task -= plan->num_worst;
    if (task < plan->num_rounds) return measure_rounds(results, &results->rounds[task], error);
    task -= plan->num_rounds;
    if (task < plan->num_single) return measure_single(results, &results->single[task], error);
    return measure_experiment(results, &results->experiments[task - plan->num_single], error);
}

static enum anl_status begin(const struct plan *plan, struct results *results,
                             struct anl_error *error)
{
    results->levelled = calloc(plan->num_levelled, sizeof *results->levelled);
    results->worst = calloc(plan->num_worst, sizeof *results->worst);
    results->single = calloc(plan->num_single, sizeof *results->single);
    results->rounds = calloc(plan->num_rounds, sizeof *results->rounds);
    results->stalling = calloc(plan->num_stalling, sizeof *results->stalling);
    results->experiments = calloc(plan->num_experiments, sizeof *results->experiments);
    if (!results->levelled || !results->worst || !results->single || !results->rounds ||
        !results->stalling || !results->experiments)
        return cli_fail(ANL_ERR_MEMORY, error);
    for (size_t i = 0; i < plan->num_levelled; i++)
        results->levelled[i].row = &plan->levelled[i];
    for (size_t i = 0; i < plan->num_worst; i++)
        results->worst[i].row = &plan->worst[i];
    for (size_t i = 0; i < plan->num_single; i++)
        results->single[i].row = &plan->single[i];
    for (size_t i = 0; i < plan->num_rounds; i++)
        results->rounds[i].row = &plan->rounds[i];
    for (size_t i = 0; i < plan->num_stalling; i++)
        results->stalling[i].row = &plan->stalling[i];
    for (size_t i = 0; i < plan->num_experiments; i++)
        results->experiments[i].row = &plan->experiments[i];
    return ANL_OK;
}

static enum anl_status do_paper(const struct paper_options *options, bool *good,
                                struct anl_error *error)
{
    struct plan plan;
    struct results results = {
        .plan = &plan, .directory = options->output, .only_short = options->only_short};
    enum anl_status status = plan_read(options->data, &plan, error);
    if (!status) status = begin(&plan, &results, error);
    const struct pool_work runs = {.what = "measuring",
                                   .unit = "rows",
                                   .tasks = plan.num_levelled + plan.num_stalling + plan.num_worst +
                                            plan.num_rounds + plan.num_single +
                                            plan.num_experiments,
                                   .workers = options->workers,
                                   .run = do_row,
                                   .user = &results};
    if (!status) status = paper_do_runs(options, &runs, error);
    if (!status) finish_experiments(&results);
    if (!status) *good = report_print(&results);
    if (!status) status = files_write(options->output, &results, error);
    free(results.levelled);
    free(results.worst);
    free(results.single);
    free(results.rounds);
    free(results.stalling);
    free(results.experiments);
    plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    static const struct paper paper = {
        .data = "papers/cole_maggs_sitaraman/data",
        .output = "build/papers/cole_maggs_sitaraman",
        .only_short = "Fewer networks, and fewer trials of each",
        .what =
            "Measures what Cole, Maggs and Sitaraman (2001) prove of virtual channels: schedules "
            "by colours, networks on which every schedule is slow, and the butterfly that "
            "discards (papers/cole_maggs_sitaraman/README.md).\v"
            "Exit status: 0 all claims hold, 1 one does not, 2 bad usage or bad input.",
        .run = do_paper,
    };
    return paper_main(&paper, argc, argv);
}
