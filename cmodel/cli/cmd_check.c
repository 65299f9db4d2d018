// SPDX-License-Identifier: Apache-2.0
//
// annelid check: the referee checks flit traces by the rules alone.

#include "shared/cli.h"

#include <annelid/annelid.h>
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_INCOMPLETE = 256 };

struct arguments {
    char **traces;
    int num_traces;
    bool incomplete, quiet;
};

static const struct argp_option options[] = {
    {"incomplete", KEY_INCOMPLETE, NULL, 0, "Do not ask that every worm arrived", 0},
    {"quiet", 'q', NULL, 0, "Print only what is wrong", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    (void)value;
    switch (key) {
    case KEY_INCOMPLETE:
        arguments->incomplete = true;
        break;
    case 'q':
        arguments->quiet = true;
        break;
    case ARGP_KEY_ARGS:
        arguments->traces = state->argv + state->next;
        arguments->num_traces = state->argc - state->next;
        break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a trace file is missing");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// A trace that is read for the referee. The referee takes all flits of a cycle together, so they
// are collected in batch.
struct hearing {
    const char *path;
    struct anl_trace_reader *reader;
    struct anl_referee *referee;
    struct anl_scenario scenario;
    struct cli_progress progress;
    uint64_t cycle, worms, flits;
    struct anl_flit *batch;  // flits of cycle
    size_t count, size;
};

static enum anl_status open_trace(struct hearing *hearing, struct anl_error *error)
{
    enum anl_status status = anl_trace_open(hearing->path, &hearing->reader, error);
    if (status) return status;

    char name[sizeof error->file];
    const char *text = anl_trace_scenario_text(hearing->reader);
    snprintf(name, sizeof name, "%s (scenario)", hearing->path);
    status = anl_scenario_parse(text, strlen(text), name, NULL, &hearing->scenario, error);
    if (status) return status;
    status = anl_referee_create(&hearing->scenario.network, &hearing->referee);
    return status ? anl_fail(error, status, hearing->path, 0, "%s", anl_status_text(status))
                  : status;
}

static void close_trace(struct hearing *hearing)
{
    anl_referee_destroy(hearing->referee);
    anl_scenario_free(&hearing->scenario);
    anl_trace_close(hearing->reader);
    free(hearing->batch);
}

static void hand_over(struct hearing *hearing)
{
    if (hearing->count)
        anl_referee_flits(hearing->referee, hearing->cycle, hearing->batch, hearing->count);
    hearing->count = 0;
}

static void show_progress(struct hearing *hearing)
{
    char detail[96];
    snprintf(detail, sizeof detail, "cycle %" PRIu64 ", %.1f million flits", hearing->cycle,
             (double)hearing->flits * 1e-6);
    cli_progress_update(&hearing->progress,
                        (double)hearing->cycle / (double)hearing->scenario.run.cycles, detail);
}

static enum anl_status collect(struct hearing *hearing, const struct anl_flit *flit)
{
    struct anl_flit *batch =
        gather_room(hearing->batch, hearing->count, &hearing->size, sizeof *batch);
    if (!batch) return ANL_ERR_MEMORY;
    hearing->batch = batch;
    batch[hearing->count++] = *flit;
    if (++hearing->flits % 65536 == 0) show_progress(hearing);
    return ANL_OK;
}

static enum anl_status hear(struct hearing *hearing, const struct anl_record *record)
{
    if (record->kind != ANL_RECORD_FLIT || record->cycle != hearing->cycle) hand_over(hearing);
    hearing->cycle = record->cycle;

    if (record->kind == ANL_RECORD_FLIT) return collect(hearing, &record->flit);
    if (record->kind == ANL_RECORD_WORM) {
        struct anl_worm worm = record->worm;
        worm.path = anl_worm_path(&hearing->scenario.network, anl_trace_seed(hearing->reader),
                                  worm.id);  // not written in traces
        anl_referee_worm(hearing->referee, &worm);
        hearing->worms++;
    }
    return anl_referee_status(hearing->referee);
}

// Reads the whole trace. It goes on after a violation, for a damaged trace must get no verdict.
static enum anl_status hear_all(struct hearing *hearing, bool complete, struct anl_error *error)
{
    struct anl_record record;
    enum anl_status status;
    do {
        status = anl_trace_next(hearing->reader, &record, error);
        if (status) return status;
        status = hear(hearing, &record);
        if (status) return anl_fail(error, status, hearing->path, 0, "%s", anl_status_text(status));
    } while (record.kind != ANL_RECORD_END);
    anl_referee_end(hearing->referee, record.cycle, complete);
    return ANL_OK;
}

static int print_verdict(const struct hearing *hearing, bool quiet)
{
    const struct anl_violation *violation = anl_referee_violation(hearing->referee);
    if (violation) {
        printf("%s: %s: %s\n", hearing->path, anl_rule_name(violation->rule), violation->text);
        return CLI_NO;
    }
    if (!quiet)
        printf("%s: %" PRIu64 " worms, %" PRIu64 " flits, %" PRIu64 " cycles: no rule broken\n",
               hearing->path, hearing->worms, hearing->flits, hearing->cycle);
    return CLI_OK;
}

static int check(const char *path, const struct arguments *arguments)
{
    struct hearing hearing = {.path = path, .progress = {.what = "checking"}};
    struct anl_error error = {0};

    enum anl_status status = open_trace(&hearing, &error);
    if (!status) status = hear_all(&hearing, !arguments->incomplete, &error);
    cli_progress_end(&hearing.progress);
    const int exit_status =
        status ? cli_complain(&error) : print_verdict(&hearing, arguments->quiet);
    close_trace(&hearing);
    return exit_status;
}

int cmd_check(int argc, char **argv)
{
    const struct argp argp = {options,
                              parse_option,
                              "TRACE...",
                              "Lets the referee check flit traces (docs/trace.md) by the rules "
                              "alone.\vExit status: 0 no rule broken, 1 a rule broken, 2 bad usage "
                              "or bad input.",
                              NULL,
                              NULL,
                              NULL};
    struct arguments arguments = {0};
    int worst = CLI_OK;

    argp_err_exit_status = CLI_BAD;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    for (int i = 0; i < arguments.num_traces; i++) {
        const int exit_status = check(arguments.traces[i], &arguments);
        if (exit_status > worst) worst = exit_status;
    }
    return worst;
}
