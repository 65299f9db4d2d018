// SPDX-License-Identifier: Apache-2.0

#include "watch.h"
#include "gather.h"
#include "running.h"

#include <annelid/annelid.h>
#include <annelid/run.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct watching {
    const struct watch_options *options;
    struct anl_scenario scenario;
    struct anl_blocking *blocking;
    struct running_view view;
    uint64_t cycles;         // fed
    uint64_t delivered;      // worms
    uint64_t between_looks;  // cycles
    bool stopped;            // at options->last or by options->cycle
    bool ended;              // the run or trace came to its own end
    struct anl_flit *batch;  // traces: flits of the cycle to be fed next
    size_t count, size;
};

static bool is_trace(const char *path)
{
    static const char text[] = "annelid-trace ", binary[] = "\x89"
                                                            "ANLT";
    char bytes[16] = {0};
    FILE *file = fopen(path, "rb");
    if (!file) return false;  // whoever opens it as a scenario says why
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return (count > strlen(text) && memcmp(bytes, text, strlen(text)) == 0) ||
           (count > strlen(binary) && memcmp(bytes, binary, strlen(binary)) == 0);
}

// Traces are gone through twice, and what cannot be read again feeds nothing the second time.
static enum anl_status check_input(const char *path, struct anl_error *error)
{
    struct stat there;
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode)) return ANL_OK;
    return anl_fail(error, ANL_ERR_IO, path, 0,
                    "is not an ordinary file; expected one, as it is read more than once");
}

// --- what runs and traces have in common ---

static void pass_stall(void *user, const struct anl_stall *stall)
{
    const struct anl_blocking_listener *listener = &((struct watching *)user)->options->listener;
    listener->stall(listener->user, stall);
}

static void count_delivered(void *user, const struct anl_life *life)
{
    struct watching *watching = user;
    const struct anl_blocking_listener *listener = &watching->options->listener;
    watching->delivered++;
    if (listener->delivered) listener->delivered(listener->user, life);
}

static enum anl_status begin(struct watching *watching, struct anl_error *error)
{
    const struct watch_options *options = watching->options;
    const struct anl_blocking_listener listener = {
        .stall = options->listener.stall ? pass_stall : NULL,
        .delivered = count_delivered,
        .user = watching,
    };
    enum anl_status status =
        anl_blocking_create(&watching->scenario.network, &listener, &watching->blocking);
    if (status) return anl_fail(error, status, "", 0, "%s", anl_status_text(status));
    watching->between_looks = running_cycles_between_looks(&watching->scenario);
    return options->begin ? options->begin(options->user, &watching->scenario, error) : ANL_OK;
}

// A cycle was fed to the blocking analysis. False: no more of them.
static bool look(struct watching *watching, const struct anl_flit *flits, size_t count)
{
    const struct watch_options *options = watching->options;
    const uint64_t cycle = watching->cycles++;
    if (watching->cycles % watching->between_looks == 0)
        running_show(&watching->view, watching->cycles, watching->delivered);
    if (cli_interrupted()) return false;
    if (options->cycle && !options->cycle(options->user, watching->blocking, flits, count))
        watching->stopped = true;
    watching->stopped |= cycle >= options->last;
    return !watching->stopped;
}

static enum anl_status interrupted(struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_IO, "", 0, "interrupted");
}

// --- a scenario is run ---

static bool look_at_run(void *user, const struct anl_blocking *blocking,
                        const struct anl_flit *flits, size_t count)
{
    (void)blocking;
    return look(user, flits, count);
}

static enum anl_status run(struct watching *watching, struct anl_error *error)
{
    const struct anl_run_options options = {
        .blocking = watching->blocking, .fed = look_at_run, .user = watching};
    struct anl_run_result result;
    enum anl_status status = anl_run(&watching->scenario, &options, &result, error);
    if (!status && cli_interrupted()) status = interrupted(error);
    watching->ended = !status && result.end != ANL_RUN_STOPPED && result.cycles == watching->cycles;
    return status;
}

static enum anl_status watch_scenario(struct watching *watching, struct anl_error *error)
{
    const struct watch_options *options = watching->options;
    enum anl_status status = anl_scenario_load_with(
        options->path, options->settings, options->num_settings, &watching->scenario, error);
    if (!status) status = begin(watching, error);
    return status ? status : run(watching, error);
}

// --- a trace feeds it ---

static enum anl_status keep_flit(struct watching *watching, const struct anl_flit *flit)
{
    struct anl_flit *batch =
        gather_room(watching->batch, watching->count, &watching->size, sizeof *batch);
    if (!batch) return ANL_ERR_MEMORY;
    watching->batch = batch;
    batch[watching->count++] = *flit;
    return ANL_OK;
}

// Tells the cycles before the given one: first that of the batch, then those without flits.
static enum anl_status tell_until(struct watching *watching, uint64_t cycle,
                                  struct anl_error *error)
{
    while (watching->cycles < cycle && !watching->stopped) {
        const enum anl_status status = anl_blocking_feed_flits(
            watching->blocking, watching->cycles, watching->batch, watching->count, error);
        if (status) return status;
        look(watching, watching->batch, watching->count);
        if (cli_interrupted()) return interrupted(error);
        watching->count = 0;
    }
    return ANL_OK;
}

static enum anl_status feed(struct watching *watching, const struct anl_record *record,
                            struct anl_error *error)
{
    enum anl_status status = tell_until(watching, record->cycle, error);
    if (status || watching->stopped) return status;
    if (record->kind == ANL_RECORD_WORM) {
        const struct anl_scenario *scenario = &watching->scenario;
        struct anl_worm worm = record->worm;  // its path is not written in traces
        worm.path = anl_worm_path(&scenario->network, scenario->run.seed, worm.id);
        return anl_blocking_feed_worm(watching->blocking, &worm, error);
    }
    if (record->kind == ANL_RECORD_FLIT) status = keep_flit(watching, &record->flit);
    return status ? anl_fail(error, status, "", 0, "%s", anl_status_text(status)) : ANL_OK;
}

// Reads to the end even if the blocking analysis has stopped: a damaged trace feeds no blocking
// analysis.
static enum anl_status tell_all(struct watching *watching, struct anl_trace_reader *reader,
                                struct anl_error *error)
{
    struct anl_record record;
    enum anl_status status;
    do {
        status = anl_trace_next(reader, &record, error);
        if (!status) status = feed(watching, &record, error);
        if (!status && cli_interrupted()) status = interrupted(error);
    } while (!status && record.kind != ANL_RECORD_END);
    watching->ended = !status && record.cycle == watching->cycles;
    return status;
}

static enum anl_status tell_trace(struct watching *watching, struct anl_trace_reader *reader,
                                  struct anl_error *error)
{
    char name[sizeof error->file];
    const char *text = anl_trace_scenario_text(reader);
    snprintf(name, sizeof name, "%s (scenario)", watching->options->path);
    enum anl_status status =
        anl_scenario_parse(text, strlen(text), name, NULL, &watching->scenario, error);
    watching->scenario.run.seed = anl_trace_seed(reader);
    if (!status) status = begin(watching, error);
    if (!status) status = tell_all(watching, reader, error);
    if (status && !cli_interrupted() && !error->file[0])
        snprintf(error->file, sizeof error->file, "%s", watching->options->path);
    return status;
}

// Goes through all of it once before any of it is fed: a damaged cycle number would have the
// blocking analysis go through cycles without flits for ever.
static enum anl_status check_trace(const char *path, struct anl_error *error)
{
    struct anl_trace_reader *reader;
    struct anl_record record = {0};
    enum anl_status status = anl_trace_open(path, &reader, error);
    if (status) return status;
    do {
        status = cli_interrupted() ? interrupted(error) : anl_trace_next(reader, &record, error);
    } while (!status && record.kind != ANL_RECORD_END);
    anl_trace_close(reader);
    return status;
}

static enum anl_status watch_trace(struct watching *watching, struct anl_error *error)
{
    const struct watch_options *options = watching->options;
    if (options->num_settings)
        return anl_fail(error, ANL_ERR_ARGUMENT, options->path, 0,
                        "is a trace, which is as it is; expected a scenario for '%s'",
                        options->settings[0]);
    struct anl_trace_reader *reader;
    enum anl_status status = check_trace(options->path, error);
    if (!status) status = anl_trace_open(options->path, &reader, error);
    if (status) return status;
    status = tell_trace(watching, reader, error);
    anl_trace_close(reader);
    return status;
}

// --- both ---

int watch(const struct watch_options *options, struct watched *watched)
{
    struct anl_error error = {0};
    *watched = (struct watched){0};
    if (check_input(options->path, &error)) return cli_complain(&error);
    const bool trace = is_trace(options->path);
    struct watching watching = {.options = options,
                                .view.progress.what = trace ? "reading" : "running"};
    watching.view.scenario = &watching.scenario;
    cli_catch_interrupt();
    enum anl_status status =
        trace ? watch_trace(&watching, &error) : watch_scenario(&watching, &error);
    if (!status && watching.ended)
        status = anl_blocking_end(watching.blocking, watching.cycles, &error);
    cli_progress_end(&watching.view.progress);
    free(watching.batch);
    *watched = (struct watched){.scenario = watching.scenario,
                                .blocking = watching.blocking,
                                .cycles = watching.cycles,
                                .ended = watching.ended};
    if (!status) return CLI_OK;
    watch_free(watched);
    return cli_complain(&error);
}

void watch_free(struct watched *watched)
{
    anl_blocking_destroy(watched->blocking);
    anl_scenario_free(&watched->scenario);
    *watched = (struct watched){0};
}
