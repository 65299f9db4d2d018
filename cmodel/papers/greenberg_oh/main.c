// SPDX-License-Identifier: Apache-2.0
//
// Greenberg and Oh (1993), run: its table, figures and sentences beside ours.

#include "common/common.h"
#include "files.h"
#include "report.h"

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SHORT_N = 3, FULL_N = 6, MAX_WORKERS = 256 };

struct arguments {
    const char *data, *output;
    bool only_short;
    unsigned workers;
};

static const struct argp_option options[] = {
    {"data", 'd', "DIRECTORY", 0, "Where the plan is (sim/papers/greenberg_oh)", 0},
    {"output", 'o', "DIRECTORY", 0,
     "Where tables and figures go (build/papers/greenberg_oh); made if it is not there", 0},
    {"short", 's', NULL, 0, "Only N = 16 and 64", 0},
    {"jobs", 'j', "N", 0, "Runs at the same time (as many as there are processors)", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'd':
        arguments->data = value;
        break;
    case 'o':
        arguments->output = value;
        break;
    case 's':
        arguments->only_short = true;
        break;
    case 'j':
        arguments->workers = (unsigned)cli_number(value, MAX_WORKERS, state);
        if (arguments->workers == 0) argp_error(state, "--jobs 0: expected at least 1");
        break;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is one argument too many", value);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

struct paper {
    const struct arguments *arguments;
    struct plan plan;
    struct results results;
};

static bool go_on(void *user)
{
    (void)user;
    return !cli_interrupted();
}

// The last runs of the plan are the longest, so they come first.
static struct result *result_of(const struct results *results, size_t task)
{
    return &results->of[results->count - 1 - task];
}

static enum anl_status do_run(void *user, size_t task, struct pool_worker *worker,
                              struct anl_error *error)
{
    struct paper *paper = user;
    struct result *result = result_of(&paper->results, task);
    const struct experiment experiment = {.directory = paper->arguments->data,
                                          .plan = &paper->plan,
                                          .series = result->series,
                                          .n = result->n,
                                          .run = result->run,
                                          .go_on = go_on};
    (void)worker;
    const enum anl_status status = experiment_run(&experiment, &result->outcome, error);
    if (status || result->outcome.complete || cli_interrupted()) return status;
    return anl_fail(error, ANL_ERR_STALLED, "", 0, "%s, N = %u, seed %u: not all was delivered",
                    result->series->name, 1u << 2 * result->n, result->run + 1);
}

// About in the proportions of the times that runs take: N^1.5, a stream N^2 and longer.
static double weight_of(const struct result *result)
{
    if (result->series->kind == SERIES_STREAM) return (double)(UINT64_C(2) << 4 * result->n);
    return (double)(UINT64_C(1) << 3 * result->n);
}

static enum anl_status run_all(struct paper *paper, struct anl_error *error)
{
    const size_t runs = paper->results.count;
    double *weight = calloc(runs + 1, sizeof *weight);
    if (!weight) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for the runs");
    for (size_t i = 0; i < runs; i++)
        weight[i] = weight_of(result_of(&paper->results, i));
    const struct pool_work work = {.what = "running",
                                   .unit = "runs",
                                   .tasks = runs,
                                   .workers = paper->arguments->workers,
                                   .weight = weight,
                                   .run = do_run,
                                   .user = paper};
    enum anl_status status = pool_run(&work, error);
    free(weight);
    if (status && cli_interrupted())
        status = anl_fail(error, ANL_ERR_IO, "", 0, "interrupted, nothing is written");
    return status;
}

static enum anl_status make_directory(const char *path, struct anl_error *error)
{
    struct stat there;
    if (mkdir(path, 0777) == 0) return ANL_OK;
    if (errno == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode)) return ANL_OK;
    return anl_fail(error, ANL_ERR_IO, path, 0, "%s", strerror(errno));
}

static int do_paper(struct paper *paper)
{
    const struct arguments *arguments = paper->arguments;
    struct anl_error error = {0};
    bool good = false;
    enum anl_status status = plan_read(arguments->data, &paper->plan, &error);
    if (!status) status = make_directory(arguments->output, &error);
    if (!status &&
        results_begin(&paper->plan, arguments->only_short ? SHORT_N : FULL_N, &paper->results))
        status = anl_fail(&error, ANL_ERR_MEMORY, "", 0, "no memory for the results");
    if (!status) status = run_all(paper, &error);
    if (!status) good = report_print(&paper->plan, &paper->results);
    if (!status) status = files_write(arguments->output, &paper->plan, &paper->results, &error);
    results_free(&paper->results);
    plan_free(&paper->plan);
    if (status) return cli_complain(&error);
    return good ? CLI_OK : CLI_NO;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        NULL,
        "Runs what Greenberg and Oh (1993) ran on the butterfly fat-tree and prints its Table 1, "
        "its figures and its sentences beside ours (docs/papers/greenberg-oh.md).\v"
        "Exit status: 0 all cells and sentences pass or differ as is known, 1 one failed, 2 bad "
        "usage or bad input.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {
        .data = "sim/papers/greenberg_oh",
        .output = "build/papers/greenberg_oh",
        .workers = pool_cores(),
    };
    struct paper paper = {.arguments = &arguments};
    argp_err_exit_status = CLI_BAD;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    gsl_set_error_handler_off();
    cli_catch_interrupt();
    const int exit_status = do_paper(&paper);
    return cli_output_whole() ? exit_status : CLI_BAD;
}
