// SPDX-License-Identifier: Apache-2.0
//
// The cost of attaching the blocking analysis to a run: for each scenario given, the time of a run
// with it over the time without it; and the same for CPU time, as the blocking analysis has a
// thread of its own.
//
// Both runs are in one process and take turns, so that whatever slows the machine slows both, and
// ratios are taken of neighbours. A short run is repeated until one measurement takes as long as
// was asked for, each time with another seed, so that caches and branch predictors cannot learn it.
// More measurements are made as long as it is not clear on which side of the limit the median lies.

#include "common/common.h"
#include "meter.h"

#include <annelid/base.h>
#include <annelid/run.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const work =
    "traffic, engine and statistics of `annelid run`, without digest and referee on all sides; "
    "with the blocking analysis: flits recorded, the blocking analysis created, told of every "
    "cycle, ended and destroyed; "
    "heard: a listener for every stall and delivery besides";

enum { LEAST_ROUNDS = 3, MOST_ROUNDS = 1000, LOOK_CYCLES = 65536 };

struct arguments {
    const char *json;  // NULL: no file
    char **scenarios;
    size_t count;
    uint64_t rounds, most_rounds;
    double seconds, limit;
};

// One scenario and its measurements.
struct bench {
    const char *path;
    struct anl_scenario scenario;
    uint64_t cycles;     // cycles of the last run
    uint64_t flit_hops;  // flit-hops of the runs in the last measurement
    uint64_t repeats;    // runs in one measurement
    uint64_t rounds;     // measurements so far
    // [most_rounds] CPU seconds of a measurement without a blocking analysis; and, over a neighbour
    // without one: time and CPU time with a blocking analysis, and time with one that has a
    // listener.
    double *bare, *ratios, *cpu_ratios, *heard_ratios;
    struct meter_spread seconds, ratio, cpu, heard;
};

struct measured {
    double seconds, cpu_seconds;
};

enum kind { BARE, WITH_BLOCKING, HEARD };

// --- runs ---

static bool go_on(void *user, const struct anl_engine *net)
{
    (void)user;
    (void)net;
    return !cli_interrupted();
}

static enum anl_status run(struct bench *bench, struct anl_blocking *blocking,
                           struct anl_error *error)
{
    const struct anl_run_options options = {
        .blocking = blocking, .progress_cycles = LOOK_CYCLES, .progress = go_on};
    struct anl_run_result result;
    enum anl_status status = anl_run(&bench->scenario, &options, &result, error);
    if (!status && result.end == ANL_RUN_STOPPED)
        status = anl_fail(error, ANL_ERR_IO, bench->path, 0, "interrupted");
    bench->cycles = result.cycles;
    bench->flit_hops += result.totals.flit_hops;
    return status;
}

// A listener must read the values, or the compiler might leave them out.
struct heard {
    uint64_t stalls, waited, latency;
};

static void hear_stall(void *user, const struct anl_stall *stall)
{
    struct heard *heard = user;
    heard->stalls++;
    heard->waited += stall->end - stall->begin + 1;
}

static void hear_delivered(void *user, const struct anl_life *life)
{
    ((struct heard *)user)->latency += life->delivered - life->worm.created + 1;
}

static enum anl_status run_with_blocking(struct bench *bench, bool listen, struct anl_error *error)
{
    struct heard heard = {0};
    const struct anl_blocking_listener listener = {hear_stall, hear_delivered, &heard};
    struct anl_blocking *blocking;
    enum anl_status status =
        anl_blocking_create(&bench->scenario.network, listen ? &listener : NULL, &blocking);
    if (status) return anl_fail(error, status, bench->path, 0, "%s", anl_status_text(status));
    status = run(bench, blocking, error);
    if (!status) status = anl_blocking_end(blocking, bench->cycles, error);
    anl_blocking_destroy(blocking);
    return status;
}

// --- measurements ---

static enum anl_status measure(struct bench *bench, enum kind kind, struct measured *measured,
                               struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    bench->flit_hops = 0;
    const struct measured begin = {meter_seconds(), meter_cpu_seconds()};
    for (uint64_t i = 0; i < bench->repeats && !status; i++) {
        bench->scenario.run.seed = i;
        status =
            kind == BARE ? run(bench, NULL, error) : run_with_blocking(bench, kind == HEARD, error);
    }
    measured->seconds = meter_seconds() - begin.seconds;
    measured->cpu_seconds = meter_cpu_seconds() - begin.cpu_seconds;
    return status;
}

// Finds how many runs fill a measurement. This also warms the caches.
static enum anl_status choose_repeats(struct bench *bench, double wanted, struct anl_error *error)
{
    for (bench->repeats = 1;;) {
        struct measured bare;
        const enum anl_status status = measure(bench, BARE, &bare, error);
        if (status || bare.cpu_seconds >= wanted) return status;
        const double more = 1.1 * wanted / (bare.cpu_seconds > 1e-4 ? bare.cpu_seconds : 1e-4);
        bench->repeats = (uint64_t)((double)bench->repeats * (more < 100 ? more : 100)) + 1;
    }
}

static enum anl_status measure_once(struct bench *bench, struct anl_error *error)
{
    const uint64_t i = bench->rounds++;
    struct measured bare = {0}, blocking = {0}, heard = {0};
    enum anl_status status = measure(bench, BARE, &bare, error);
    if (!status) status = measure(bench, WITH_BLOCKING, &blocking, error);
    if (!status) status = measure(bench, HEARD, &heard, error);
    bench->bare[i] = bare.cpu_seconds;
    bench->ratios[i] = blocking.seconds / bare.seconds;
    bench->cpu_ratios[i] = blocking.cpu_seconds / bare.cpu_seconds;
    bench->heard_ratios[i] = heard.seconds / bare.seconds;
    return status;
}

static bool is_clear(struct bench *bench, double limit)
{
    bench->ratio = meter_spread(bench->ratios, bench->rounds);
    return bench->ratio.high < limit || bench->ratio.low >= limit;
}

static enum anl_status measure_all(struct bench *bench, const struct arguments *arguments,
                                   struct cli_progress *progress, double done,
                                   struct anl_error *error)
{
    const uint64_t least = arguments->rounds, most = arguments->most_rounds;
    enum anl_status status = choose_repeats(bench, arguments->seconds, error);
    while (!status && (bench->rounds < least ||
                       (bench->rounds < most && !is_clear(bench, arguments->limit)))) {
        const double part = (double)bench->rounds / (double)(bench->rounds < least ? least : most);
        cli_progress_update(progress, (done + part) / (double)arguments->count, bench->path);
        status = measure_once(bench, error);
    }
    if (status) return status;
    bench->seconds = meter_spread(bench->bare, bench->rounds);
    bench->ratio = meter_spread(bench->ratios, bench->rounds);
    bench->cpu = meter_spread(bench->cpu_ratios, bench->rounds);
    bench->heard = meter_spread(bench->heard_ratios, bench->rounds);
    return ANL_OK;
}

// --- results ---

static bool costs_too_much(const struct bench *bench, const struct arguments *arguments)
{
    return bench->ratio.median >= arguments->limit;
}

// Returns the flit-hops per second of the run without a blocking analysis.
static double hops_per_second(const struct bench *bench)
{
    return (double)bench->flit_hops / bench->seconds.median;
}

// Sets *name to the name of a file without its folder; returns its length without the ending.
static int name_of(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    return (int)strcspn(*name, ".");
}

static void print_header(const struct arguments *arguments)
{
    printf("Cost of the blocking analysis: time with it / without it (and CPU time, of both "
           "threads), medians "
           "of %" PRIu64 " to %" PRIu64
           " measurements of %g s or more, and the bounds between which "
           "they lie in 19 of 20 cases.\nWork: %s.\n\n"
           "%-24s %8s %8s %12s  %8s  %6s  %-10s  %6s  %6s\n",
           arguments->rounds, arguments->most_rounds, arguments->seconds, work, "scenario",
           "cycles", "repeats", "bare Mhops/s", "measured", "ratio", "bounds", "heard", "CPU");
}

static void print_row(const struct bench *bench, const struct arguments *arguments)
{
    const char *name;
    const int length = name_of(bench->path, &name);
    printf("%-24.*s %8" PRIu64 " %8" PRIu64 " %12.2f  %8" PRIu64
           "  %6.2f  %.2f..%.2f  %6.2f  %6.2f%s\n",
           length, name, bench->cycles, bench->repeats, 1e-6 * hops_per_second(bench),
           bench->rounds, bench->ratio.median, bench->ratio.low, bench->ratio.high,
           bench->heard.median, bench->cpu.median,
           costs_too_much(bench, arguments) ? "  TOO MUCH" : "");
    fflush(stdout);
}

static void write_row(FILE *file, const struct bench *bench)
{
    const char *name;
    const int length = name_of(bench->path, &name);
    fprintf(file,
            "    {\"scenario\": \"%.*s\", \"cycles\": %" PRIu64 ", \"repeats\": %" PRIu64
            ", \"bare_seconds\": %.6f, \"bare_flit_hops_per_second\": %.0f, "
            "\"rounds\": %" PRIu64
            ", \"ratio_min\": %.4f, \"ratio_low\": %.4f, \"ratio_median\": %.4f, "
            "\"ratio_high\": %.4f, \"ratio_max\": %.4f, "
            "\"heard_ratio_median\": %.4f, \"cpu_ratio_median\": %.4f}",
            length, name, bench->cycles, bench->repeats, bench->seconds.median,
            hops_per_second(bench), bench->rounds, bench->ratio.min, bench->ratio.low,
            bench->ratio.median, bench->ratio.high, bench->ratio.max, bench->heard.median,
            bench->cpu.median);
}

static enum anl_status write_json(const struct bench *benches, const struct arguments *arguments,
                                  struct anl_error *error)
{
    struct anl_output output;
    const enum anl_status status = anl_output_open(arguments->json, &output, error);
    if (status) return status;
    fprintf(output.file,
            "{\"benchmark\": \"blocking_cost\",\n  \"work\": \"%s\",\n  \"rounds\": %" PRIu64
            ", \"most_rounds\": %" PRIu64 ", \"seconds\": %g, \"limit\": %g,\n  \"scenarios\": [\n",
            work, arguments->rounds, arguments->most_rounds, arguments->seconds, arguments->limit);
    for (size_t i = 0; i < arguments->count; i++) {
        write_row(output.file, &benches[i]);
        fputs(i + 1 < arguments->count ? ",\n" : "\n", output.file);
    }
    fputs("  ]\n}\n", output.file);
    return anl_output_finish(&output, error);
}

static int verdict(const struct bench *benches, const struct arguments *arguments)
{
    size_t bad = 0;
    for (size_t i = 0; i < arguments->count; i++)
        bad += costs_too_much(&benches[i], arguments);
    if (bad > 0)
        printf("\n%zu of %zu scenarios cost %g times the bare run or more.\n", bad,
               arguments->count, arguments->limit);
    return bad > 0 ? CLI_NO : CLI_OK;
}

// --- all of them ---

static enum anl_status load_all(struct bench *benches, const struct arguments *arguments,
                                struct anl_error *error)
{
    for (size_t i = 0; i < arguments->count; i++) {
        struct bench *bench = &benches[i];
        bench->path = arguments->scenarios[i];
        const enum anl_status status = anl_scenario_load(bench->path, &bench->scenario, error);
        if (status) return status;
        bench->bare = calloc(arguments->most_rounds, sizeof *bench->bare);
        bench->ratios = calloc(arguments->most_rounds, sizeof *bench->ratios);
        bench->cpu_ratios = calloc(arguments->most_rounds, sizeof *bench->cpu_ratios);
        bench->heard_ratios = calloc(arguments->most_rounds, sizeof *bench->heard_ratios);
        if (!bench->bare || !bench->ratios || !bench->cpu_ratios || !bench->heard_ratios)
            return anl_fail(error, ANL_ERR_MEMORY, "", 0, "%s", anl_status_text(ANL_ERR_MEMORY));
    }
    return ANL_OK;
}

static void free_all(struct bench *benches, size_t count)
{
    for (size_t i = 0; benches && i < count; i++) {
        anl_scenario_free(&benches[i].scenario);
        free(benches[i].bare);
        free(benches[i].ratios);
        free(benches[i].cpu_ratios);
        free(benches[i].heard_ratios);
    }
    free(benches);
}

static int bench_all(const struct arguments *arguments)
{
    struct cli_progress progress = {.what = "measuring"};
    struct anl_error error = {0};
    struct bench *const benches = calloc(arguments->count, sizeof *benches);
    enum anl_status status = ANL_ERR_MEMORY;

    if (benches) status = load_all(benches, arguments, &error);
    if (!status) print_header(arguments);
    for (size_t i = 0; i < arguments->count && !status; i++) {
        status = measure_all(&benches[i], arguments, &progress, (double)i, &error);
        cli_progress_end(&progress);
        if (!status) print_row(&benches[i], arguments);
    }
    if (!status && arguments->json) status = write_json(benches, arguments, &error);
    const int exit_status = status ? cli_complain(&error) : verdict(benches, arguments);
    free_all(benches, arguments->count);
    return cli_output_whole() ? exit_status : CLI_BAD;
}

// --- arguments ---

static const struct argp_option options[] = {
    {"json", 'j', "FILE", 0, "Write the results there too", 0},
    {"rounds", 'r', "N", 0, "Measurements of each kind at least (default 5, 3..1000)", 0},
    {"most", 'm', "N", 0, "And at most, if it is not clear (default 41, or as --rounds)", 0},
    {"seconds", 's', "S", 0, "Least CPU time of a measurement (default 0.3)", 0},
    {"limit", 'l', "RATIO", 0, "Median that is too much (default 2)", 0},
    {0},
};

static double positive(const char *text, struct argp_state *state)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value > 0 && value <= 1000))
        argp_error(state, "'%s': expected a number above 0, at most 1000", text);
    return value;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'j':
        arguments->json = value;
        return 0;
    case 'r':
        arguments->rounds = cli_number("rounds", value, LEAST_ROUNDS, MOST_ROUNDS, state);
        return 0;
    case 'm':
        arguments->most_rounds = cli_number("most", value, 0, MOST_ROUNDS, state);
        return 0;
    case 's':
        arguments->seconds = positive(value, state);
        return 0;
    case 'l':
        arguments->limit = positive(value, state);
        return 0;
    case ARGP_KEY_ARGS:
        arguments->scenarios = state->argv + state->next;
        arguments->count = (size_t)(state->argc - state->next);
        if (arguments->most_rounds < arguments->rounds) arguments->most_rounds = arguments->rounds;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    const struct argp argp = {
        options,
        parse_option,
        "SCENARIO...",
        "Measures what it costs to attach the blocking analysis of blocked worms to a "
        "run.\vExit status: 0 below the limit everywhere, 1 not, 2 bad usage "
        "or bad input.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {.rounds = 5, .most_rounds = 41, .seconds = 0.3, .limit = 2};

    argp_err_exit_status = CLI_BAD;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    cli_catch_interrupt();
    return bench_all(&arguments);
}
