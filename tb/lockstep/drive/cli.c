// SPDX-License-Identifier: Apache-2.0
//
// lockstep: runs one scenario on the network for which it was built. Exit status 0: no difference;
// 1: a difference, a broken rule or an unexpected stall; 2: the run could not be made.

#include "compare/identify.h"
#include "key.h"
#include "run/lockstep.h"
#include "run/rtl.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: lockstep [options] SCENARIO\n"
    "  --seed N           instead of the scenario's\n"
    "  --set KEY=VALUE    instead of what the scenario says (section.key=value); any number\n"
    "  --max-cycles N     instead of the scenario's\n"
    "  --prelude N        cycles of traffic before the reset that begins the run, 0: none\n"
    "  --expect-stall     the run must end in a deadlock\n"
    "  --expect-fault     the run must end in a fault of a switch without buffers\n"
    "  --expect-unblocked no worm may ever wait\n"
    "  --trace FILE       write the RTL's flits (binary form, docs/trace.md)\n"
    "  --waves FILE.fst   write waves, and .gtkw .words .txt beside them, of the first "
    "difference,\n"
    "                     the deadlock or the longest wait (needs a program built with waves)\n"
    "  --at N             waves of cycle N: of the worm that has waited longest there\n"
    "  --worm N           waves of worm N\n"
    "  --all              RTL signals of all switches, not only of those of the blocking analysis\n"
    "  --dut FILE         the switch that was built in, for the replay command\n"
    "  --mode NAME        exact, links or rules, of a network by switches; else that of the "
    "program\n"
    "  --awake            evaluate all switches in every cycle, also idle ones\n"
    "  --threads N        threads that evaluate switches, up to 64; the result is the same\n"
    "  --json             the result as one line of JSON\n"
    "  --progress         say every half second how far the run is\n"
    "  --tamper KIND@N    falsify one observation in cycle N or soon after (drop, add, lane, "
    "head,\n"
    "                     tail, data, sink, state): the test of the comparison itself\n"
    "  --help\n";

struct arguments {
    struct lockstep_options options;
    bool has_seed, json, help;
    uint64_t seed, max_cycles;
    const char **settings;  // room for all words of the command line
};

enum {
    SEED = 1,
    SET,
    MAX_CYCLES,
    PRELUDE,
    STALL,
    FAULT,
    UNBLOCKED,
    TRACE,
    WAVES,
    AT,
    WORM,
    ALL,
    DUT,
    MODE,
    AWAKE,
    THREADS,
    JSON,
    PROGRESS,
    TAMPER,
    HELP
};

static const struct option long_options[] = {
    {"seed", required_argument, NULL, SEED},
    {"max-cycles", required_argument, NULL, MAX_CYCLES},
    {"prelude", required_argument, NULL, PRELUDE},
    {"expect-stall", no_argument, NULL, STALL},
    {"expect-fault", no_argument, NULL, FAULT},
    {"expect-unblocked", no_argument, NULL, UNBLOCKED},
    {"trace", required_argument, NULL, TRACE},
    {"waves", required_argument, NULL, WAVES},
    {"at", required_argument, NULL, AT},
    {"worm", required_argument, NULL, WORM},
    {"all", no_argument, NULL, ALL},
    {"dut", required_argument, NULL, DUT},
    {"mode", required_argument, NULL, MODE},
    {"awake", no_argument, NULL, AWAKE},
    {"threads", required_argument, NULL, THREADS},
    {"json", no_argument, NULL, JSON},
    {"progress", no_argument, NULL, PROGRESS},
    {"tamper", required_argument, NULL, TAMPER},
    {"help", no_argument, NULL, HELP},
    {"set", required_argument, NULL, SET},
    {0},
};

// Reads a number; returns false if text is anything else.
static bool number(const char *text, uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

static bool worm_number(const char *text, uint32_t *worm)
{
    uint64_t value = 0;
    if (!number(text, &value) || value >= NOWHERE) return false;
    *worm = (uint32_t)value;
    return true;
}

static bool take_prelude(struct lockstep_options *options)
{
    uint64_t value = 0;
    options->prelude_given = number(optarg, &value) && value <= UINT32_MAX;
    options->prelude = (uint32_t)value;
    return options->prelude_given;
}

static bool take_threads(struct lockstep_options *options)
{
    enum { MOST = 64 };
    uint64_t value = 0;
    const bool good = number(optarg, &value) && value >= 1 && value <= MOST;
    options->threads = (unsigned)value;
    return good;
}

// Takes a mode that the program has.
static bool take_mode(const char *text, struct lockstep_options *options)
{
    for (int mode = LOCKSTEP_EXACT; mode <= LOCKSTEP_RULES; mode++) {
        if (strcmp(lockstep_mode_name(mode), text) != 0) continue;
        options->mode = mode;
        return !rtl_mode() || strcmp(rtl_mode(), text) == 0;
    }
    return false;
}

static bool take_option(struct arguments *arguments, int option)
{
    struct lockstep_options *options = &arguments->options;
    switch (option) {
    case SEED:
        arguments->has_seed = true;
        return number(optarg, &arguments->seed);
    case SET:
        arguments->settings[options->num_settings++] = optarg;
        return true;
    case MAX_CYCLES:
        return number(optarg, &arguments->max_cycles);
    case PRELUDE:
        return take_prelude(options);
    case STALL:
        options->expect_stall = true;
        return true;
    case FAULT:
        options->expect_fault = true;
        return true;
    case UNBLOCKED:
        options->expect_unblocked = true;
        return true;
    case TRACE:
        options->trace_path = optarg;
        return true;
    case WAVES:
        options->waves_path = optarg;
        return true;
    case AT:
        return number(optarg, &options->at) && options->at < UINT64_MAX;
    case WORM:
        return worm_number(optarg, &options->worm);
    case ALL:
        options->waves_of_all = true;
        return true;
    case DUT:
        options->dut = optarg;
        return true;
    case MODE:
        return take_mode(optarg, options);
    case AWAKE:
        options->awake = true;
        return true;
    case THREADS:
        return take_threads(options);
    case JSON:
        arguments->json = true;
        return true;
    case PROGRESS:
        options->progress = true;
        return true;
    case TAMPER:
        return tamper_parse(optarg, &options->tamper);
    case HELP:
        arguments->help = true;
        return true;
    default:
        return false;
    }
}

static bool parse(int argc, char **argv, struct arguments *arguments)
{
    arguments->options.settings = arguments->settings;
    take_mode(rtl_mode() ? rtl_mode() : "exact", &arguments->options);
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;)
        if (!take_option(arguments, option)) return false;
    if (arguments->help) return true;
    if (optind + 1 != argc) return false;
    arguments->options.scenario_path = argv[optind];
    return true;
}

static bool fits(const struct anl_scenario *scenario)
{
    char key[KEY_BYTES];
    if (!rtl_key()) return true;
    key_of(&scenario->network, key);
    if (strcmp(key, rtl_key()) == 0) return true;
    fprintf(stderr, "lockstep: the scenario needs the network %s, this program has %s\n", key,
            rtl_key());
    return false;
}

static const char *end_name(enum anl_run_end end)
{
    static const char *const names[] = {"complete", "max_cycles", "stalled", "stopped", "fault"};
    return names[end];
}

static json_t *integer(uint64_t value) { return json_integer((json_int_t)value); }

static json_t *digest(uint64_t value) { return json_sprintf("%016" PRIx64, value); }

// Adds what registers said of lanes, which only exact mode watches.
static void print_registers(json_t *object, const struct lockstep_coverage *coverage)
{
    json_object_set_new(object, "lanes_full", integer(coverage->full));
    json_object_set_new(object, "lanes_bound", integer(coverage->bound));
    json_object_set_new(object, "lanes_no_credit", integer(coverage->no_credit));
    json_object_set_new(object, "lanes_owned", integer(coverage->owned));
}

// Returns {kind: {"own": …, "times": {way: how many heads took it}}}.
static json_t *ways_of(const struct ways *ways)
{
    json_t *kinds = json_object();
    struct way_taken taken;
    for (size_t at = 0; ways_next(ways, &at, &taken);) {
        json_t *kind = json_object_get(kinds, taken.kind);
        if (!kind) {
            kind = json_pack("{s:b, s:{}}", "own", taken.own, "times");
            json_object_set_new(kinds, taken.kind, kind);
        }
        json_object_set_new(json_object_get(kind, "times"), taken.name, integer(taken.times));
    }
    return kinds;
}

static json_t *list_of(const struct anl_reports *reports)
{
    char *text = anl_reports_text(reports);
    json_t *list = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return list;
}

// Prints one JSON object on a line. place, cycle and what are those of the first difference.
static bool print_json(const struct anl_scenario *scenario, const struct lockstep_options *options,
                       const struct lockstep_result *result)
{
    const struct difference *difference = &result->difference;
    const struct lockstep_coverage *coverage = &result->coverage;
    char link[64];
    json_t *object = json_pack(
        "{s:b, s:s, s:o, s:o, s:o, s:o, s:f, s:f, s:f, s:o, s:o, s:o, s:s, s:o}", "pass",
        result->pass, "end", end_name(result->end), "seed", integer(scenario->run.seed), "cycles",
        integer(result->cycles), "flits", integer(result->flits), "worms", integer(result->worms),
        "model_seconds", result->model_seconds, "rtl_seconds", result->rtl_seconds,
        "blocking_seconds", result->blocking_seconds, "model_digest", digest(result->model_digest),
        "rtl_digest", digest(result->rtl_digest), "lanes", integer(coverage->lanes), "reason",
        result->reason, "waited", integer(result->waited));
    if (options->mode == LOCKSTEP_EXACT) print_registers(object, coverage);
    json_object_set_new(object, "ways", ways_of(options->ways));
    json_object_set_new(object, "reports", list_of(options->reports));
    if (result->deadlock != UINT64_MAX)
        json_object_set_new(object, "deadlock", integer(result->deadlock));
    if (result->fault[0]) json_object_set_new(object, "fault", json_string(result->fault));
    if (difference->count) {
        json_object_set_new(object, "cycle", integer(difference->cycle));
        json_object_set_new(object, "place", json_string(difference->where));
        json_object_set_new(object, "what", json_string(difference->what));
    }
    if (result->tamper.done) {
        anl_link_name(&scenario->network, result->tamper.link, link, sizeof link);
        json_object_set_new(object, "tampered_cycle", integer(result->tamper.struck));
        json_object_set_new(object, "tampered_link", json_string(link));
    }
    if (result->assertion.name[0]) {
        json_object_set_new(object, "assertion", json_string(result->assertion.name));
        json_object_set_new(object, "instance", json_string(result->assertion.scope));
        json_object_set_new(object, "values", json_string(result->assertion.values));
    }
    const bool printed = object && json_dumpf(object, stdout, JSON_REAL_PRECISION(9)) == 0;
    putchar('\n');
    json_decref(object);
    if (!printed) fputs("lockstep: the result could not be printed\n", stderr);
    return printed;
}

static double rate(uint64_t count, double seconds)
{
    return seconds > 0 ? (double)count / seconds : 0;
}

static void print_text(const struct lockstep_result *result)
{
    char deadlock[48] = "";
    if (result->deadlock != UINT64_MAX && strcmp(result->difference.what, "deadlock") != 0)
        snprintf(deadlock, sizeof deadlock, ", deadlock in cycle %" PRIu64, result->deadlock);
    printf("%s: %s, %" PRIu64 " cycles, %" PRIu64 " flits, %" PRIu64 " worms, model %.0f and RTL "
           "%.0f cycles/s, digest %016" PRIx64 "%s%s%s\n",
           result->pass ? "PASS" : "FAIL", end_name(result->end), result->cycles, result->flits,
           result->worms, rate(result->cycles, result->model_seconds),
           rate(result->cycles, result->rtl_seconds), result->rtl_digest, deadlock,
           result->reason[0] ? ", " : "", result->reason);
}

static void print_error(const struct anl_error *error, enum anl_status status)
{
    const char *text = error->text[0] ? error->text : anl_status_text(status);
    fflush(stdout);  // a report that was printed before also stands before it in a common file
    if (error->line)
        fprintf(stderr, "%s:%" PRIu64 ": %s\n", error->file, error->line, text);
    else
        fprintf(stderr, "lockstep: %s%s%s\n", error->file, error->file[0] ? ": " : "", text);
}

// Runs a scenario that fits the program.
static int run_it(const struct arguments *arguments, const struct anl_scenario *scenario)
{
    struct lockstep_options options = arguments->options;
    struct lockstep_result result;
    struct anl_error error = {0};
    enum anl_status status = ANL_OK;
    int exit_status = 2;
    if (arguments->json) status = ways_create(&scenario->network, &options.ways);
    if (arguments->json && !status) options.reports = anl_reports_create();
    if (arguments->json && !status && !options.reports) status = ANL_ERR_MEMORY;
    if (!status) status = lockstep_run(scenario, &options, &result, &error);
    if (status)
        print_error(&error, status);
    else if (!arguments->json)
        print_text(&result);
    if (!status && (!arguments->json || print_json(scenario, &options, &result)))
        exit_status = !result.pass;
    ways_destroy(options.ways);
    anl_reports_destroy(options.reports);
    return exit_status;
}

static int run(const struct arguments *arguments, struct anl_scenario *scenario)
{
    if (arguments->has_seed) scenario->run.seed = arguments->seed;
    if (arguments->max_cycles) scenario->run.max_cycles = arguments->max_cycles;
    if (arguments->options.mode == LOCKSTEP_RULES)
        scenario->network.flit_width_bits = identify_width(&scenario->network);
    return fits(scenario) ? run_it(arguments, scenario) : 2;
}

static int load_and_run(const struct arguments *arguments)
{
    const struct lockstep_options *options = &arguments->options;
    struct anl_scenario scenario = {0};
    struct anl_error error = {0};
    enum anl_status status = anl_scenario_load_with(options->scenario_path, options->settings,
                                                    options->num_settings, &scenario, &error);
    if (status != ANL_OK) {
        print_error(&error, status);
        return 2;
    }
    int exit_status = run(arguments, &scenario);
    anl_scenario_free(&scenario);
    return exit_status;
}

int lockstep_main(int argc, char **argv)
{
    struct arguments arguments = {
        .options = {.at = UINT64_MAX, .worm = NOWHERE, .report = stdout},
        .settings = calloc((size_t)argc, sizeof *arguments.settings),
    };
    int exit_status = 2;
    if (!arguments.settings)
        print_error(&(struct anl_error){0}, ANL_ERR_MEMORY);
    else if (!parse(argc, argv, &arguments))
        fputs(usage, stderr);
    else if (arguments.help)
        exit_status = fputs(usage, stdout) < 0;
    else
        exit_status = load_and_run(&arguments);
    free(arguments.settings);
    return exit_status;
}
