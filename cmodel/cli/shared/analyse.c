// SPDX-License-Identifier: Apache-2.0

#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct analysing {
    const struct analyse_options *options;
    struct analysed *found;
    const char *path;  // of the trace or scenario
    struct running_view view;
    uint64_t between_looks;  // cycles
    bool stopped;            // at options->last or by options->cycle
    struct cli_batch batch;  // of a trace: flits of the cycle that is fed next
};

static bool is_trace(const char *path)
{
    static const char text[] = "annelid-trace ", binary[] = "\x89"
                                                            "ANLT";
    char read[24] = {0};
    FILE *file = anl_input_open(path);
    if (!file) return false;  // opening it as a scenario fails too, and says why
    size_t count = fread(read, 1, sizeof read, file);
    const char *bytes = anl_skip_mark(read, &count);
    fclose(file);
    return (count > strlen(text) && memcmp(bytes, text, strlen(text)) == 0) ||
           (count > strlen(binary) && memcmp(bytes, binary, strlen(binary)) == 0);
}

// Checks what is analysed, and says whether it is a trace.
static enum anl_status check_analysed(const char *path, bool *trace, struct anl_error *error)
{
    enum anl_status status = cli_expect_ordinary(path, error);
    *trace = !status && is_trace(path);
    if (*trace && cli_team())
        status = anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                          "is a trace, which one process reads; expected a scenario");
    if (status) cli_agree(status, NULL, error);
    return status;
}

// --- runs and traces ---

static void pass_stall(void *user, const struct anl_stall *stall)
{
    const struct anl_blocking_listener *listener = &((struct analysing *)user)->options->listener;
    listener->stall(listener->user, stall);
}

static void pass_delivered(void *user, const struct anl_life *life)
{
    const struct anl_blocking_listener *listener = &((struct analysing *)user)->options->listener;
    listener->delivered(listener->user, life);
}

static enum anl_status begin(struct analysing *analysing, struct anl_error *error)
{
    const struct analyse_options *options = analysing->options;
    const struct anl_blocking_listener listener = {
        .stall = options->listener.stall ? pass_stall : NULL,
        .delivered = options->listener.delivered ? pass_delivered : NULL,
        .user = analysing,
    };
    const struct anl_config *network = &analysing->found->scenario.network;
    enum anl_status status = anl_has(network, ANL_TRAIT_BLOCKING)
                                 ? ANL_OK
                                 : cli_expect_buffered(network, analysing->path, error);
    if (!status) status = cli_expect_short_links(network, analysing->path, error);
    if (status) return status;
    status = anl_blocking_create(network, &listener, &analysing->found->blocking);
    if (status) return cli_fail(status, error);
    analysing->between_looks = running_cycles_between_looks(&analysing->found->scenario);
    return options->begin ? options->begin(options->user, &analysing->found->scenario, error)
                          : ANL_OK;
}

static void show_progress(struct analysing *analysing)
{
    const struct anl_blocking_totals totals = anl_blocking_totals(analysing->found->blocking);
    running_show(&analysing->view,
                 &(struct running_state){analysing->found->cycles, totals.worms, totals.delivered});
}

// Is called after a cycle was fed to the blocking analysis. Returns false if no more are wanted.
static bool look(struct analysing *analysing, const struct anl_flit *flits, size_t count)
{
    const struct analyse_options *options = analysing->options;
    const uint64_t cycle = analysing->found->cycles++;
    if (analysing->found->cycles % analysing->between_looks == 0) show_progress(analysing);
    if (options->cycle && !options->cycle(options->user, analysing->found->blocking, flits, count))
        analysing->stopped = true;
    analysing->stopped |= cycle >= options->last;
    return !analysing->stopped;
}

// --- runs ---

static bool look_at_run(void *user, const struct anl_blocking *blocking,
                        const struct anl_flit *flits, size_t count)
{
    (void)blocking;
    return look(user, flits, count);
}

static enum anl_status run(struct analysing *analysing, struct anl_error *error)
{
    const struct anl_run_options options = {.blocking = analysing->found->blocking,
                                            .fed = look_at_run,
                                            .user = analysing,
                                            .team = cli_team()};
    struct anl_run_result result;
    const enum anl_status status = anl_run(&analysing->found->scenario, &options, &result, error);
    analysing->found->ended =
        !status && result.end != ANL_RUN_STOPPED && result.cycles == analysing->found->cycles;
    return status;
}

static enum anl_status check_first(const struct analysing *analysing, struct anl_error *error)
{
    const uint64_t first = analysing->options->first;
    const uint64_t end = analysing->found->scenario.run.max_cycles;
    if (first < end) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, analysing->path, 0,
                    "there is no cycle %" PRIu64 ", for run.max_cycles is %" PRIu64, first, end);
}

static enum anl_status analyse_scenario(struct analysing *analysing, struct anl_error *error)
{
    const struct cli_given *given = analysing->options->given;
    enum anl_status status =
        cli_read_scenario(analysing->path, given, &analysing->found->scenario, error);
    if (!status) status = check_first(analysing, error);
    if (!status) status = begin(analysing, error);
    status = cli_agree(status, &analysing->found->scenario, error);
    return status ? status : run(analysing, error);
}

// --- traces ---

// Feeds the cycles before the given one: first that of the batch, then those without flits.
static enum anl_status feed_until(struct analysing *analysing, uint64_t cycle,
                                  struct anl_error *error)
{
    struct cli_batch *batch = &analysing->batch;
    while (analysing->found->cycles < cycle && !analysing->stopped) {
        const enum anl_status status =
            anl_blocking_feed_flits(analysing->found->blocking, analysing->found->cycles,
                                    batch->flits, batch->count, error);
        if (status) return status;
        look(analysing, batch->flits, batch->count);
        batch->count = 0;
    }
    return ANL_OK;
}

static enum anl_status feed(struct analysing *analysing, const struct anl_trace_reader *reader,
                            const struct anl_record *record, struct anl_error *error)
{
    enum anl_status status = feed_until(analysing, record->cycle, error);
    if (status || analysing->stopped) return status;
    if (record->kind == ANL_RECORD_WORM) {
        const struct anl_worm worm =
            cli_trace_worm(&analysing->found->scenario.network, reader, record->worm);
        return anl_blocking_feed_worm(analysing->found->blocking, &worm, error);
    }
    if (record->kind == ANL_RECORD_FLIT) status = cli_batch_add(&analysing->batch, &record->flit);
    return cli_fail(status, error);
}

// Reads the trace to its end even if the analysis has stopped, so that a damaged trace is an error
// wherever the damage is.
static enum anl_status feed_all(struct analysing *analysing, struct anl_trace_reader *reader,
                                struct anl_error *error)
{
    struct anl_record record;
    enum anl_status status;
    do {
        status = anl_trace_next(reader, &record, error);
        if (!status) status = feed(analysing, reader, &record, error);
    } while (!status && record.kind != ANL_RECORD_END);
    analysing->found->ended = !status && record.cycle == analysing->found->cycles;
    return status;
}

static enum anl_status tell_trace(struct analysing *analysing, struct anl_trace_reader *reader,
                                  struct anl_error *error)
{
    enum anl_status status =
        cli_trace_scenario(reader, analysing->path, &analysing->found->scenario, error);
    analysing->found->scenario.run.seed = anl_trace_seed(reader);
    if (!status) status = begin(analysing, error);
    if (!status) status = feed_all(analysing, reader, error);
    if (status) cli_name_file(error, analysing->path);
    return status;
}

// Reads the whole trace before any of it is fed: because of a damaged cycle number the blocking
// analysis would go through cycles without flits for ever.
static enum anl_status check_trace(const char *path, struct anl_error *error)
{
    struct anl_trace_reader *reader;
    struct anl_record record = {0};
    enum anl_status status = anl_trace_open(path, &reader, error);
    if (status) return status;
    do {
        status = anl_trace_next(reader, &record, error);
    } while (!status && record.kind != ANL_RECORD_END);
    anl_trace_close(reader);
    return status;
}

static enum anl_status analyse_trace(struct analysing *analysing, struct anl_error *error)
{
    const struct cli_given *given = analysing->options->given;
    if (given->num_settings)
        return anl_fail(error, ANL_ERR_ARGUMENT, analysing->path, 0,
                        "is a trace, which is as it is; expected a scenario for '%s'",
                        given->settings[0]);
    struct anl_trace_reader *reader;
    enum anl_status status = check_trace(analysing->path, error);
    if (!status) status = anl_trace_open(analysing->path, &reader, error);
    if (status) return status;
    analysing->found->reader = reader;
    return tell_trace(analysing, reader, error);
}

// --- both of them ---

int analyse(const struct analyse_options *options, struct analysed *analysed)
{
    struct anl_error error = {0};
    *analysed = (struct analysed){0};
    const char *path = options->given->inputs[0];
    bool trace;
    if (check_analysed(path, &trace, &error)) return cli_complain(&error);
    struct analysing analysing = {.options = options,
                                  .found = analysed,
                                  .path = path,
                                  .view.scenario = &analysed->scenario,
                                  .view.progress.what = trace ? "reading" : "running"};
    enum anl_status status =
        trace ? analyse_trace(&analysing, &error) : analyse_scenario(&analysing, &error);
    if (!status && analysed->ended)
        status = anl_blocking_end(analysed->blocking, analysed->cycles, &error);
    cli_progress_end(&analysing.view.progress);
    free(analysing.batch.flits);
    if (!status) return CLI_OK;
    analysed_free(analysed);
    return cli_complain(&error);
}

void analysed_free(struct analysed *analysed)
{
    anl_blocking_destroy(analysed->blocking);
    anl_trace_close(analysed->reader);
    anl_scenario_free(&analysed->scenario);
    *analysed = (struct analysed){0};
}

static int most_first(const void *a, const void *b)
{
    const struct anl_delay *x = a, *y = b;
    if (x->cycles != y->cycles) return x->cycles < y->cycles ? 1 : -1;
    return (x->by > y->by) - (x->by < y->by);
}

struct anl_delay *sorted_delays(const struct anl_life *life)
{
    struct anl_delay *sorted = calloc(life->num_delays + 1, sizeof *sorted);
    if (!sorted || !life->num_delays) return sorted;
    memcpy(sorted, life->delays, life->num_delays * sizeof *sorted);
    qsort(sorted, life->num_delays, sizeof *sorted, most_first);
    return sorted;
}
