// SPDX-License-Identifier: Apache-2.0

#include "papers/common/program/paper.h"

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// --- runs ---

static enum anl_status make_directory(const char *path, struct anl_error *error)
{
    struct stat there;
    if (mkdir(path, 0777) == 0) return ANL_OK;
    if (errno == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode)) return ANL_OK;
    return anl_fail(error, ANL_ERR_IO, path, 0, "%s", strerror(errno));
}

enum anl_status paper_do_runs(const struct paper_options *options, const struct pool_work *runs,
                              struct anl_error *error)
{
    enum anl_status status = make_directory(options->output, error);
    if (!status) status = pool_run(runs, error);
    if (!status || !cli_interrupted()) return status;
    return anl_fail(error, ANL_ERR_IO, "", 0, "interrupted, nothing is written");
}

// --- verdicts ---

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {"pass", "FAIL", "differs", "shown", "not run"};
    return names[verdict];
}

enum verdict verdict_of(const struct claimed *claimed, double value)
{
    if (value >= claimed->least && value <= claimed->most) return VERDICT_PASS;
    const bool as_known =
        claimed->differs && value >= claimed->our_least && value <= claimed->our_most;
    return as_known ? VERDICT_DIFFERS : VERDICT_FAIL;
}

// --- options ---

enum { MAX_WORKERS = 256 };

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct paper_options *options = state->input;
    switch (key) {
    case 'd':
        options->data = value;
        break;
    case 'o':
        options->output = value;
        break;
    case 's':
        options->only_short = true;
        break;
    case 'j':
        options->workers = (unsigned)cli_number("jobs", value, 1, MAX_WORKERS, state);
        break;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is one argument too many", value);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int paper_main(const struct paper *paper, int argc, char **argv)
{
    const struct argp_option known[] = {
        {"data", 'd', "DIRECTORY", 0, "Where its data are (papers/<paper>/data)", 0},
        {"output", 'o', "DIRECTORY", 0,
         "Where tables and figures go (build/papers/<paper>); made if it is not there", 0},
        {"short", 's', NULL, 0, paper->only_short, 0},
        {"jobs", 'j', "N", 0, "Runs at the same time (as many as there are processors)", 0},
        {0},
    };
    const struct argp argp = {known, parse_option, NULL, paper->what, NULL, NULL, NULL};
    struct paper_options options = {
        .data = paper->data, .output = paper->output, .workers = pool_cores()};
    struct anl_error error = {0};
    bool good = false;
    argp_err_exit_status = CLI_BAD;
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    gsl_set_error_handler_off();
    cli_catch_interrupt();
    if (paper->run(&options, &good, &error)) return cli_complain(&error);
    if (!cli_output_whole()) return CLI_BAD;
    return good ? CLI_OK : CLI_NO;
}
