// SPDX-License-Identifier: Apache-2.0
//
// Roberts and Symvonis 1994: off-line schedules, storage snakes, bounds and claims; SHORT=1: less

#include "roberts_symvonis.h"

#include <stdlib.h>

// Tasks are the rows of all data files, those that take long first, and the controls.
static enum anl_status do_task(void *user, size_t task, struct pool_worker *worker,
                               struct anl_error *error)
{
    const struct results *results = user;
    (void)worker;
    if (task < results->num_snakes)
        return measure_snakes(results->snakes[task].of, results->only_short, &results->snakes[task],
                              error);
    task -= results->num_snakes;
    if (task < results->num_packets)
        return measure_packets(results->packets[task].of, results->only_short,
                               &results->packets[task], error);
    task -= results->num_packets;
    if (task < results->num_climbs)
        return measure_climb(results->climbs[task].of, &results->climbs[task], error);
    task -= results->num_climbs;
    if (task < results->num_graphs)
        return measure_graph(results->graphs[task].of, &results->graphs[task], error);
    task -= results->num_graphs;
    if (task < results->num_layouts)
        return measure_layout(results->layouts[task].layout, &results->layouts[task], error);
    task -= results->num_layouts;
    if (task < results->num_controls)
        return measure_control((uint32_t)task, &results->controls[task], error);
    task -= results->num_controls;
    return measure_study(results->of[task].study, results->only_short, &results->of[task], error);
}

static size_t count_tasks(const struct results *results)
{
    return results->count + results->num_snakes + results->num_packets + results->num_climbs +
           results->num_graphs + results->num_layouts + results->num_controls;
}

static bool allocate(const struct plan *plan, struct results *results)
{
    results->of = calloc(plan->num_studies, sizeof *results->of);
    results->snakes = calloc(plan->num_snakes, sizeof *results->snakes);
    results->packets = calloc(plan->num_packets, sizeof *results->packets);
    results->layouts = calloc(plan->num_layouts, sizeof *results->layouts);
    results->climbs = calloc(plan->num_climbs, sizeof *results->climbs);
    results->graphs = calloc(plan->num_graphs, sizeof *results->graphs);
    results->num_controls = measure_num_controls();
    results->controls = calloc(results->num_controls, sizeof *results->controls);
    return results->of && results->snakes && results->packets && results->layouts &&
           results->climbs && results->graphs && results->controls;
}

static enum anl_status begin(const struct plan *plan, bool only_short, struct results *results,
                             struct anl_error *error)
{
    *results = (struct results){.plan = plan, .only_short = only_short};
    if (!allocate(plan, results)) return cli_fail(ANL_ERR_MEMORY, error);
    for (size_t i = 0; i < plan->num_studies; i++)
        if (plan->studies[i].brief || !only_short)
            results->of[results->count++].study = &plan->studies[i];
    for (size_t i = 0; i < plan->num_snakes; i++)
        if (plan->snakes[i].brief || !only_short)
            results->snakes[results->num_snakes++].of = &plan->snakes[i];
    for (size_t i = 0; i < plan->num_packets; i++)
        if (plan->packets[i].brief || !only_short)
            results->packets[results->num_packets++].of = &plan->packets[i];
    for (size_t i = 0; i < plan->num_climbs; i++)
        if (plan->climbs[i].brief || !only_short)
            results->climbs[results->num_climbs++].of = &plan->climbs[i];
    for (size_t i = 0; i < plan->num_graphs; i++)
        if (plan->graphs[i].brief || !only_short)
            results->graphs[results->num_graphs++].of = &plan->graphs[i];
    for (size_t i = 0; i < plan->num_layouts; i++)
        if (plan->layouts[i].brief || !only_short)
            results->layouts[results->num_layouts++].layout = &plan->layouts[i];
    return ANL_OK;
}

static void end(struct results *results)
{
    free(results->of);
    free(results->snakes);
    free(results->packets);
    free(results->layouts);
    free(results->climbs);
    free(results->graphs);
    free(results->controls);
}

static enum anl_status do_paper(const struct paper_options *options, bool *good,
                                struct anl_error *error)
{
    struct plan plan;
    struct results results = {0};
    enum anl_status status = plan_read(options->data, &plan, error);
    if (!status) status = begin(&plan, options->only_short, &results, error);
    const struct pool_work runs = {.what = "measuring",
                                   .unit = "rows",
                                   .tasks = count_tasks(&results),
                                   .workers = options->workers,
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
        .data = "papers/roberts_symvonis/data",
        .output = "build/papers/roberts_symvonis",
        .only_short = "Fewer permutations, and all permutations of a mesh of side 2 alone",
        .what =
            "Schedules permutations with the off-line algorithm of Roberts and Symvonis (1994), "
            "routes them with storage snakes, and holds both against what the paper says "
            "(papers/roberts_symvonis/README.md).\v"
            "Exit status: 0 all claims hold, 1 one does not, 2 bad usage or bad input.",
        .run = do_paper,
    };
    return paper_main(&paper, argc, argv);
}
