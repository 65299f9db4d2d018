// SPDX-License-Identifier: Apache-2.0
//
// annelid check: the referee checks flit traces by the rules alone.

#include "shared/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    struct cli_given given;
    bool incomplete, no_digest, quiet, json;
};

static const struct cli_option options[] = {
    {"incomplete", 0, NULL, "Do not ask that every worm arrived",
     CLI_AT(struct arguments, incomplete)},
    {"no-digest", 0, NULL, "Accept any digest: the trace is another program's",
     CLI_AT(struct arguments, no_digest)},
    {"quiet", 'q', NULL, "Print only what is wrong", CLI_AT(struct arguments, quiet),
     .aside = true},
    {"json", 0, NULL, "Print what is wrong as a list of reports in JSON (docs/lockstep.md)",
     CLI_AT(struct arguments, json), .aside = true},
    {0},
};

// A trace that is read for the referee. The referee takes all flits of a cycle together, so they
// are collected in batch.
struct hearing {
    char *path;
    struct anl_trace_reader *reader;
    struct anl_referee *referee;
    struct anl_scenario scenario;
    struct running_view view;
    uint64_t cycle, worms, delivered, flits;
    struct cli_batch batch;  // flits of cycle
};

static enum anl_status open_trace(struct hearing *hearing, struct anl_error *error)
{
    enum anl_status status = anl_trace_open(hearing->path, &hearing->reader, error);
    if (status) return status;
    status = cli_trace_scenario(hearing->reader, hearing->path, &hearing->scenario, error);
    if (status) return status;
    status = anl_referee_create(&hearing->scenario.network, &hearing->referee);
    if (!status) anl_referee_remember(hearing->referee);
    return status ? anl_fail(error, status, hearing->path, 0, "%s", anl_status_text(status))
                  : status;
}

static void close_trace(struct hearing *hearing)
{
    anl_referee_destroy(hearing->referee);
    anl_scenario_free(&hearing->scenario);
    anl_trace_close(hearing->reader);
    free(hearing->batch.flits);
}

static void hand_over(struct hearing *hearing)
{
    struct cli_batch *batch = &hearing->batch;
    if (batch->count)
        anl_referee_flits(hearing->referee, hearing->cycle, batch->flits, batch->count);
    batch->count = 0;
}

// Returns whether the flit is the last one of a worm that arrives. Of a trace that nobody has
// checked, links may have any number.
static bool is_last(const struct hearing *hearing, const struct anl_flit *flit)
{
    const struct anl_config *config = &hearing->scenario.network;
    return flit->tail && flit->link < anl_shape_of(config).links &&
           anl_end_of(config, flit->link).is_terminal;
}

static void show_progress(struct hearing *hearing)
{
    running_show(&hearing->view,
                 &(struct running_state){hearing->cycle, hearing->worms, hearing->delivered});
}

static enum anl_status hear(struct hearing *hearing, const struct anl_record *record)
{
    if (record->kind != ANL_RECORD_FLIT || record->cycle != hearing->cycle) hand_over(hearing);
    hearing->cycle = record->cycle;

    if (record->kind == ANL_RECORD_FLIT) {
        hearing->delivered += is_last(hearing, &record->flit);
        if (++hearing->flits % 65536 == 0) show_progress(hearing);
        return cli_batch_add(&hearing->batch, &record->flit);
    }
    if (record->kind == ANL_RECORD_WORM) {
        const struct anl_worm worm =
            cli_trace_worm(&hearing->scenario.network, hearing->reader, record->worm);
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

// Returns the report of what the referee has found in a trace.
static struct anl_report report_of(const struct hearing *hearing, const struct arguments *arguments)
{
    struct cli_given given = arguments->given;
    struct anl_report report;
    char *path = hearing->path;
    given.inputs = &path;
    given.num_inputs = 1;
    cli_begin_report(&report, &given, &hearing->scenario, hearing->path,
                     anl_referee_violation(hearing->referee));
    return report;
}

// reports is NULL unless the verdict is printed as JSON, which the caller does.
static int print_verdict(const struct hearing *hearing, const struct arguments *arguments,
                         struct anl_reports *reports)
{
    if (anl_referee_violation(hearing->referee)) {
        struct anl_report report = report_of(hearing, arguments);
        if (reports)
            anl_reports_add(reports, &report);
        else
            anl_report_print(&report, stdout);
        anl_report_end(&report);
        return CLI_NO;
    }
    if (!arguments->quiet && !reports)
        printf("%s: %" PRIu64 " worms, %" PRIu64 " flits, %" PRIu64 " cycles: no rule broken\n",
               hearing->path, hearing->worms, hearing->flits, hearing->cycle);
    return CLI_OK;
}

static int check(char *path, const struct arguments *arguments, struct anl_reports *reports)
{
    struct hearing hearing = {.path = path, .view.progress.what = "checking"};
    hearing.view.scenario = &hearing.scenario;
    struct anl_error error = {0};

    enum anl_status status = open_trace(&hearing, &error);
    if (!status && arguments->no_digest) anl_trace_ignore_digest(hearing.reader);
    if (!status) status = hear_all(&hearing, !arguments->incomplete, &error);
    cli_progress_end(&hearing.view.progress);
    const int exit_status =
        status ? cli_complain(&error) : print_verdict(&hearing, arguments, reports);
    close_trace(&hearing);
    return exit_status;
}

static int check_all(const struct arguments *arguments, struct anl_reports *reports)
{
    int worst = CLI_OK;
    for (size_t i = 0; i < arguments->given.num_inputs; i++) {
        const int exit_status = check(arguments->given.inputs[i], arguments, reports);
        if (exit_status > worst) worst = exit_status;
    }
    return worst;
}

static int check_for_programs(const struct arguments *arguments)
{
    struct anl_reports *reports = anl_reports_create();
    const int worst = reports ? check_all(arguments, reports) : CLI_BAD;
    const int printed = cli_print_json(cli_reports_json(reports));
    anl_reports_destroy(reports);
    return printed > worst ? printed : worst;
}

int cmd_check(int argc, char **argv)
{
    static const struct cli_inputs inputs = {"TRACE...", .least = 1, .most = SIZE_MAX,
                                             .too_few = "a trace file is missing"};
    static const struct cli_command command = {
        .inputs = &inputs,
        .options = options,
        .help = "Lets the referee check flit traces (docs/trace.md) by the rules alone.\v"
                "Exit status: 0 no rule broken, 1 a rule broken, 2 bad usage or bad input."};
    struct arguments arguments = {0};
    cli_parse(&command, argc, argv, &arguments);
    return arguments.json ? check_for_programs(&arguments) : check_all(&arguments, NULL);
}
