// SPDX-License-Identifier: Apache-2.0
//
// annelid trace --from-vcd, --from-fst: the watch judges a network in a waveform that somebody else
// has recorded. FST files are read by GTKWave's fst2vcd, whose output is read while it is written;
// so it ends, by a broken pipe, when this process does.

#include "cmd_trace.h"

#include <annelid/live.h>
#include <annelid/recorded.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct arguments {
    struct cli_given given;
    const char *fst, *vcd, *links, *output, *json;
    uint64_t first, last, patience;
    bool no_credits;
};

#define AT(member) CLI_AT(struct arguments, member)

static const struct cli_option options[] = {
    {"from-fst", 0, "FILE", "Read this FST file, by GTKWave's fst2vcd", AT(fst), .input = true},
    {"from-vcd", 0, "FILE", "Read this VCD file (-, standard input)", AT(vcd), .input = true},
    {"links", 0, "MAP", "The map of probes: which signals the links are (docs/probes.md)",
     AT(links), .input = true},
    {"output", 'o', "FILE", "Write a flit trace, binary if it ends in .anlt", AT(output),
     .output = true, .aside = true},
    {"json", 0, "FILE", "Write what is found as reports in JSON (docs/lockstep.md)", AT(json),
     .output = true, .aside = true},
    {"first", 0, "CYCLE", "The watch begins in this cycle, with an empty network (0)", AT(first),
     .most = UINT64_MAX},
    {"last", 0, "CYCLE", "It ends with this cycle", AT(last), .most = UINT64_MAX},
    {"patience", 0, "CYCLES", "Cycles without a flit after which a stall is told (1000; 0: never)",
     AT(patience), .most = UINT64_MAX},
    {"no-credits", 0, NULL, "Do not check the rules of credits", AT(no_credits)},
    {0},
};

static void check(void *user, struct argp_state *state)
{
    const struct arguments *arguments = user;
    if (!arguments->fst == !arguments->vcd)
        argp_error(state, "one of --from-fst and --from-vcd, please");
    if (!arguments->links) argp_error(state, "--links is missing, which says what the links are");
    if (arguments->first > arguments->last)
        argp_error(state, "--first %" PRIu64 " is after --last %" PRIu64, arguments->first,
                   arguments->last);
}

// --- the file ---

struct waveform {
    const char *path;
    FILE *file;
    struct child_output child;  // that reads an FST file; its file is NULL: there is none
};

static enum anl_status open_waveform(const struct arguments *arguments, struct waveform *waveform,
                                     struct anl_error *error)
{
    char program[] = "fst2vcd", end_of_options[] = "--";
    waveform->path = arguments->fst ? arguments->fst : arguments->vcd;
    waveform->file = anl_input_open(waveform->path);  // so that a missing file is told as ever
    if (!waveform->file)
        return anl_fail(error, ANL_ERR_IO, waveform->path, 0, "%s", strerror(errno));
    if (!arguments->fst) return ANL_OK;
    if (waveform->file != stdin) fclose(waveform->file);
    char *const words[] = {program, end_of_options, (char *)waveform->path, NULL};
    const int refused = child_output_open(words, &waveform->child);
    waveform->file = waveform->child.file;
    if (refused == ENOENT)
        return anl_fail(error, ANL_ERR_IO, waveform->path, 0,
                        "needs the program fst2vcd of GTKWave (Debian's package gtkwave), or the "
                        "same as a VCD file and --from-vcd");
    return refused
               ? anl_fail(error, ANL_ERR_IO, waveform->path, 0, "fst2vcd: %s", strerror(refused))
               : ANL_OK;
}

// Closes the waveform. Returns false if the program that read it has failed.
static bool close_waveform(struct waveform *waveform)
{
    FILE *file = waveform->file;
    waveform->file = NULL;
    if (waveform->child.file) return child_output_close(&waveform->child);
    if (file && file != stdin) fclose(file);
    return true;
}

// --- the watch ---

struct watching {
    const struct arguments *arguments;
    struct waveform waveform;
    struct anl_probes *probes;
    struct anl_recorded *recorded;
    struct anl_live *live;
    struct cli_progress progress;
    uint64_t begin;     // time of the first cycle of the watch
    uint64_t flits;     // that have crossed links
    uint64_t found_at;  // time of the cycle in which something was first found
};

static enum anl_status open_watch(struct watching *watching, struct anl_error *error)
{
    const struct arguments *arguments = watching->arguments;
    const struct cli_given *given = &arguments->given;
    enum anl_status status = anl_probes_load(arguments->links, given->settings, given->num_settings,
                                             &watching->probes, error);
    if (!status) status = open_waveform(arguments, &watching->waveform, error);
    if (!status)
        status = anl_recorded_open(watching->waveform.file, watching->waveform.path,
                                   watching->probes, &watching->recorded, error);
    if (status) return status;
    const struct anl_live_options live = {.links = anl_probes_links(watching->probes),
                                          .settings = given->settings,
                                          .num_settings = given->num_settings,
                                          .trace = arguments->output,
                                          .report = arguments->json,
                                          .patience_cycles = arguments->patience,
                                          .no_credits = arguments->no_credits ||
                                                        !anl_probes_have_back(watching->probes),
                                          .out = stdout};
    return anl_live_create(anl_probes_network(watching->probes), &live, &watching->live, error);
}

static void close_watch(struct watching *watching)
{
    anl_live_destroy(watching->live);
    anl_recorded_close(watching->recorded);
    close_waveform(&watching->waveform);
    anl_probes_destroy(watching->probes);
}

static void show_progress(struct watching *watching)
{
    enum { CYCLES = 1024 };
    char detail[80];
    const uint64_t cycles = anl_recorded_cycles(watching->recorded);
    if (cycles % CYCLES) return;
    snprintf(detail, sizeof detail, "%" PRIu64 " cycles, %" PRIu64 " flits", cycles,
             watching->flits);
    cli_progress_update(&watching->progress, 1, detail);
}

// Tells the watch of a cycle. *over receives whether it has ended.
static enum anl_status watch_cycle(struct watching *watching, bool *over, struct anl_error *error)
{
    struct anl_live *live = watching->live;
    const uint64_t now = anl_live_now(live);
    size_t count;
    const enum anl_status status = anl_recorded_tell(watching->recorded, live, error);
    if (status) return status;
    if (!now) watching->begin = anl_recorded_time(watching->recorded);
    const bool before = anl_live_finding(live);
    if (!anl_live_cycle(live) && !before)
        watching->found_at = anl_recorded_time(watching->recorded);
    anl_live_flits(live, &count);
    watching->flits += count;
    *over = anl_live_now(live) == now;
    return ANL_OK;
}

static enum anl_status watch_all(struct watching *watching, struct anl_error *error)
{
    const struct arguments *arguments = watching->arguments;
    for (bool over = false, there; !over;) {
        enum anl_status status = anl_recorded_next(watching->recorded, &there, error);
        if (status || !there) return status;
        const uint64_t cycle = anl_recorded_cycles(watching->recorded) - 1;
        if (cycle > arguments->last) break;
        if (cycle >= arguments->first) status = watch_cycle(watching, &over, error);
        if (status) return status;
        show_progress(watching);
    }
    return ANL_OK;
}

// --- the verdict ---

// Writes a time with its unit.
static struct cli_name time_text(const struct watching *watching, uint64_t time)
{
    struct cli_name name;
    const char *scale = anl_recorded_timescale(watching->recorded);
    const bool one = *scale == '1' && strspn(scale, "0123456789") == 1;
    snprintf(name.text, sizeof name.text, "%" PRIu64 "%s%s", time, one || !*scale ? " " : " x ",
             one ? scale + 1 : scale);
    return name;
}

static void print_times(const struct watching *watching)
{
    const struct anl_recorded *recorded = watching->recorded;
    const char *path = watching->waveform.path;
    printf("%s: cycle 0 of the watch is cycle %" PRIu64 ", at time %s", path,
           watching->arguments->first, time_text(watching, watching->begin).text);
    if (anl_live_finding(watching->live))
        printf("; found at time %s", time_text(watching, watching->found_at).text);
    putchar('\n');
    if (anl_recorded_was_reset(recorded))
        printf("%s: reset rises again in cycle %" PRIu64 ", and the watch ends there\n", path,
               anl_recorded_cycles(recorded));
    if (anl_recorded_unknown_flits(recorded))
        printf("%s: %" PRIu64
               " flits were offered with bits that are neither 0 nor 1, taken as 0\n",
               path, anl_recorded_unknown_flits(recorded));
}

static enum anl_status check_seen(const struct watching *watching, struct anl_error *error)
{
    const uint64_t cycles = anl_recorded_cycles(watching->recorded);
    const char *path = watching->waveform.path;
    if (!anl_live_now(watching->live) && !anl_live_finding(watching->live))
        return anl_fail(error, ANL_ERR_FORMAT, path, 0,
                        "found %" PRIu64 " cycles, rising edges of the clock in which reset is 0, "
                        "expected at least %" PRIu64,
                        cycles, watching->arguments->first + 1);
    if (!watching->flits && !anl_live_finding(watching->live))
        return anl_fail(error, ANL_ERR_FORMAT, path, 0,
                        "found no flit on any link in %" PRIu64 " cycles, so nothing can be said",
                        cycles);
    return ANL_OK;
}

// Says that fst2vcd has failed: what is behind the last cycle is missing, so only what was found
// stands.
static enum anl_status blame_reader(const struct watching *watching, enum anl_status status,
                                    struct anl_error *error)
{
    const char *path = watching->waveform.path;
    if (status) return anl_fail(error, status, path, 0, "fst2vcd cannot read it as an FST file");
    if (anl_live_finding(watching->live)) return ANL_OK;
    return anl_fail(error, ANL_ERR_IO, path, 0,
                    "fst2vcd has failed behind %" PRIu64 " cycles, in which no rule was broken",
                    anl_recorded_cycles(watching->recorded));
}

static int watch(struct watching *watching)
{
    struct anl_error error = {0};
    enum anl_status status = open_watch(watching, &error);
    if (!status) status = watch_all(watching, &error);
    cli_progress_end(&watching->progress);
    if (!status) status = check_seen(watching, &error);
    if (!close_waveform(&watching->waveform)) status = blame_reader(watching, status, &error);
    if (status) return cli_complain(&error);
    const bool good = anl_live_end(watching->live);
    print_times(watching);
    return good ? CLI_OK : CLI_NO;
}

int trace_watch(int argc, char **argv)
{
    static const struct cli_inputs inputs = {"",
                                             0,
                                             0,
                                             "",
                                             "no files but those of options, please",
                                             "Options that replace values of the scenario:"};
    static const struct cli_command command = {
        .inputs = &inputs,
        .options = options,
        .check = check,
        .help = "Judges a network in a waveform that somebody else has recorded, by the rules "
                "alone, and says who waits for whom (docs/probes.md).\v"
                "Exit status: 0 no rule broken, 1 a rule broken, a deadlock or a stall, 2 bad "
                "usage, bad input, or nothing can be said."};
    struct arguments arguments = {.last = UINT64_MAX, .patience = 1000};
    cli_parse(&command, argc, argv, &arguments);
    struct watching watching = {.arguments = &arguments, .progress = {.what = "watching"}};
    const int exit_status = watch(&watching);
    close_watch(&watching);
    return exit_status;
}
