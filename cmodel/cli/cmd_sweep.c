// SPDX-License-Identifier: Apache-2.0
//
// annelid sweep: runs a scenario at many loads, with many seeds, in several variants
// (docs/sweep.md).

#include "sweep/sweep.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct arguments {
    struct cli_given given;
    const char *output;
    struct sweep_key keys[SWEEP_MAX_KEYS];
    size_t num_keys;
    struct sweep_list loads, seeds;  // loads are empty if the user gave none
    bool find_saturation, digest, restart, json;
    double tolerance;
    size_t points;  // 0: the user gave none
    unsigned workers;
    enum pool_engine engine;
};

// --- arguments ---

static void read_key(void *user, const char *text, struct argp_state *state)
{
    struct arguments *arguments = user;
    struct anl_error error;
    if (arguments->num_keys == SWEEP_MAX_KEYS)
        argp_error(state, "more than %d varied keys", SWEEP_MAX_KEYS);
    struct sweep_key *key = &arguments->keys[arguments->num_keys];
    if (sweep_key_read(text, key, &error)) argp_error(state, "%s", error.text);
    for (size_t i = 0; i < arguments->num_keys; i++)
        if (strcmp(arguments->keys[i].name, key->name) == 0)
            argp_error(state, "%s is varied twice", key->name);
    arguments->num_keys++;
}

static void read_tolerance(void *tolerance, const char *text, struct argp_state *state)
{
    char *end;
    const double value = strtod(text, &end);
    if (*end || !(value >= 0.0001 && value <= 0.5))
        argp_error(state, "--tolerance %s: expected a number from 0.0001 to 0.5%s", text,
                   strchr(text, ',') ? ", with a point and no comma" : "");
    *(double *)tolerance = value;
}

static void read_engine(void *engine, const char *text, struct argp_state *state)
{
    static const char *const names[] = {"scalar", "auto", "batch"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        *(enum pool_engine *)engine = (enum pool_engine)i;
        return;
    }
    argp_error(state, "--engine %s: expected auto, scalar or batch", text);
}

enum { MOST_POINTS = 10000 };

#define AT(member) CLI_AT(struct arguments, member)

static const struct cli_option options[] = {
    {"output", 'o', "FILE",
     "The CSV file, a row for each run; with --find-saturation FILE.saturation.csv, too (of "
     "lanes.csv: lanes.saturation.csv)",
     AT(output), .output = true, .aside = true},
    {"loads", 0, "LIST",
     "Flits per terminal and cycle: loads and ranges FROM:TO:STEP, separated by commas (without: "
     "the scenario's load)",
     AT(loads), .read = sweep_read_loads},
    {"seeds", 0, "LIST",
     "N: 1 to N (10); or seeds and ranges A-B, separated by commas; in place of --seed", AT(seeds),
     .read = sweep_read_seeds},
    {"vary", 0, "SECTION.KEY=A,B,C",
     "A variant for each value; given several times, for each combination", .read = read_key},
    {"find-saturation", 0, NULL, "Look for the saturation load of each variant",
     AT(find_saturation)},
    {"points", 0, "N", "With --find-saturation: sweep N loads up to 98 % of it", AT(points),
     .least = 1, .most = MOST_POINTS},
    {"tolerance", 0, "X", "Of --find-saturation, a part of the load (0.01)", AT(tolerance),
     .read = read_tolerance},
    {"digest", 'd', NULL, "Add the digest of the flit trace of each run", AT(digest)},
    {"workers", 'w', "N", "Threads (without: as many as there are cores)", AT(workers), .least = 1,
     .most = SWEEP_MOST_WORKERS, .aside = true},
    {"engine", 0, "NAME",
     "How runs are made: scalar, one by one; batch, side by side where that can be; auto, where it "
     "is faster, too (auto)",
     AT(engine), .read = read_engine, .aside = true},
    {"restart", 0, NULL, "Throw away what an interrupted sweep left", AT(restart), .aside = true},
    {"json", 0, NULL, "Print the tables, means with their intervals, as one JSON object", AT(json),
     .aside = true},
    {0},
};

static const struct cli_rule rules[] = {
    {"points", .needs = "find-saturation"},
    {"tolerance", .needs = "find-saturation"},
    {"points", .bars = "loads"},
    {"digest", .bars = "find-saturation", .unless = "loads|points"},
    {"restart", .needs = "output"},
    {0},
};

static bool wants_rows(const struct arguments *arguments)
{
    return !arguments->find_saturation || arguments->points || arguments->loads.count;
}

static void check(void *user, struct argp_state *state)
{
    const struct arguments *arguments = user;
    for (size_t i = 0; i < arguments->num_keys; i++)
        if (cli_sets(&arguments->given, arguments->keys[i].name))
            argp_error(state, "%s is varied by --vary and set to one value; expected one of them",
                       arguments->keys[i].name);
    if (cli_sets(&arguments->given, "run.seed")) argp_error(state, "seeds are what --seeds says");
    if (cli_sets(&arguments->given, "traffic.load") &&
        (arguments->loads.count || arguments->find_saturation))
        argp_error(state, "--load, or --loads and --find-saturation");
    if (wants_rows(arguments) && !arguments->output) argp_error(state, "-o FILE is missing");
}

// --- the sweep ---

struct sweep {
    const struct arguments *arguments;
    struct sweep_variants variants;
    struct sweep_saturation *found;  // [variants] NULL: the user did not ask for it
    char *journal, *found_path;      // paths of these files; NULL: they are not written
    char *scratch;                   // of a sweep whose output is no file: where its rows are made
    struct sweep_points rows;        // of the CSV file that was written
    uint64_t question;               // sweep_variants_hash()
    json_t *json;                    // what is printed in the end; NULL: tables are
};

static enum anl_status lay_points(struct sweep *sweep, struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < sweep->variants.count && !status; i++) {
        struct sweep_list *loads = &sweep->variants.list[i].loads;
        free(loads->values);
        status = sweep_list_up_to(sweep->found[i].load, sweep->arguments->points, loads, error);
        if (!status && !loads->count)
            status = anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                              "saturated at every load: there are no points below");
    }
    return status;
}

static enum anl_status find_saturation(struct sweep *sweep, struct sweep_runs *runs,
                                       struct anl_error *error)
{
    const struct arguments *arguments = sweep->arguments;
    struct sweep_flows *flows = calloc(sweep->variants.count, sizeof *flows);
    enum anl_status status = flows ? sweep_saturation_find(runs, arguments->tolerance,
                                                           arguments->workers, sweep->found, error)
                                   : cli_fail(ANL_ERR_MEMORY, error);
    if (!status)
        status = sweep_flows_find(&sweep->variants, sweep->found, arguments->workers, flows, error);
    if (!status && sweep->json)
        json_object_set_new(sweep->json, "saturation",
                            sweep_saturation_json(&sweep->variants, sweep->found, flows));
    else if (!status)
        sweep_print_saturation(&sweep->variants, sweep->found, flows);
    free(flows);
    return !status && arguments->points ? lay_points(sweep, error) : status;
}

// Copies the rows to an output that is no file, where they cannot be read again.
static enum anl_status pass_on(const char *from, const char *to, struct anl_error *error)
{
    struct anl_output output;
    char *text;
    enum anl_status status = csv_text(from, &text, error);
    if (!status) status = anl_output_open(to, &output, error);
    if (!status) {
        fputs(text, output.file);
        status = anl_output_finish(&output, error);
    }
    free(text);
    return status;
}

static enum anl_status make_rows(struct sweep *sweep, struct sweep_runs *runs,
                                 struct anl_error *error)
{
    const struct arguments *arguments = sweep->arguments;
    const char *path = sweep->scratch ? sweep->scratch : arguments->output;
    enum anl_status status = sweep_runs_write(runs, arguments->workers, path, error);
    if (!status) status = sweep_points_read(path, &sweep->rows, error);
    if (!status && sweep->json)
        json_object_set_new(sweep->json, "points", sweep_points_json(&sweep->rows));
    else if (!status)
        sweep_print_points(&sweep->rows);
    if (!status && sweep->scratch) status = pass_on(path, arguments->output, error);
    return status;
}

static enum anl_status write_found(const struct sweep *sweep, struct anl_error *error)
{
    const struct arguments *arguments = sweep->arguments;
    char *command = cli_command_text(&arguments->given);
    const struct sweep_search search = {.found = sweep->found,
                                        .tolerance = arguments->tolerance,
                                        .program = CLI_PROGRAM,
                                        .given = &arguments->given,
                                        .command = command,
                                        .rows = wants_rows(arguments) ? &sweep->rows : NULL};
    const enum anl_status status =
        command ? sweep_saturation_write(sweep->found_path, &sweep->variants, &search, error)
                : cli_fail(ANL_ERR_MEMORY, error);
    free(command);
    return status;
}

static enum anl_status make_all(struct sweep *sweep, struct sweep_runs *runs,
                                struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    if (sweep->found) status = find_saturation(sweep, runs, error);
    if (!status && wants_rows(sweep->arguments)) status = make_rows(sweep, runs, error);
    if (!status && sweep->found_path) status = write_found(sweep, error);
    return status;
}

static bool any_stalled(const struct sweep *sweep)
{
    bool any = false;
    for (size_t i = 0; sweep->found && i < sweep->variants.count; i++)
        any |= sweep->found[i].stalled > 0;
    for (size_t i = 0; i < sweep->rows.num_points; i++)
        any |= sweep->rows.points[i].in_state[SWEEP_STALLED] > 0;
    return any;
}

// Says it if some terminals cannot create what their rates ask for at some of the loads.
static void tell_most_load(const struct sweep *sweep)
{
    for (size_t i = 0; i < sweep->variants.count; i++) {
        const struct sweep_variant *variant = &sweep->variants.list[i];
        const struct anl_demand *demand = variant->scenario.demand;
        if (!demand) continue;
        const double most = anl_demand_most_load(demand);
        size_t above = 0;
        for (size_t load = 0; load < variant->loads.count; load++)
            above += sweep_load_number(variant->loads.values[load]) > most;
        if (above)
            printf("%zu of %zu loads are above %.4f, from where on some terminals would have to "
                   "create more than a flit per cycle\n",
                   above, variant->loads.count, most);
        const struct sweep_saturation *found = sweep->found ? &sweep->found[i] : NULL;
        const bool beyond = found && (found->unreached || found->load > most);
        if (beyond)
            printf("Saturation was looked for above load %.4f, from where on some terminals would "
                   "have to create more than a flit per cycle: what is offered there is less than "
                   "the load says\n",
                   most);
        if (above || beyond) return;  // the rates of all variants are the same
    }
}

static void tell_what_is_kept(const struct sweep_runs *runs, const char *journal)
{
    const size_t count = sweep_journal_count(runs->journal);
    if (journal && count)
        fprintf(stderr, "annelid: %zu runs are kept in %s: the same command goes on from there\n",
                count, journal);
}

static int run_sweep(struct sweep *sweep)
{
    const struct arguments *arguments = sweep->arguments;
    struct sweep_runs runs = {.variants = &sweep->variants,
                              .seeds = &arguments->seeds,
                              .digest = arguments->digest,
                              .engine = arguments->engine,
                              .given = &arguments->given};
    struct anl_error error = {0};
    if (arguments->json) sweep->json = sweep_head_json(&sweep->variants, &arguments->given);
    cli_catch_interrupt();
    enum anl_status status = sweep_journal_open(sweep->journal, sweep->question, arguments->restart,
                                                &runs.journal, &error);
    if (status) return cli_complain(&error);
    status = make_all(sweep, &runs, &error);
    if (status) cli_complain(&error);
    if (status) tell_what_is_kept(&runs, sweep->journal);
    if (!status && !sweep->json) tell_most_load(sweep);
    sweep_journal_close(runs.journal, status != ANL_OK);
    if (status) json_decref(sweep->json);
    if (status || (sweep->json && cli_print_json(sweep->json))) return CLI_BAD;
    return any_stalled(sweep) ? CLI_NO : CLI_OK;
}

// Checks before the runs that a file can be written. path may be NULL: no file is wanted.
static enum anl_status try_output(const char *path, struct anl_error *error)
{
    struct anl_output output = {0};
    if (!path) return ANL_OK;
    const enum anl_status status = anl_output_open(path, &output, error);
    anl_output_abandon(&output);
    return status;
}

// Returns whether something is at path that is written to and cannot be read again, such as
// standard output.
static bool is_stream(const char *path)
{
    struct stat there;
    if (cli_is_stdout(path)) return true;
    return stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

static enum anl_status make_scratch(struct sweep *sweep, struct anl_error *error)
{
    const char *folder = getenv("TMPDIR");
    if (asprintf(&sweep->scratch, "%s/annelid-sweep-XXXXXX", folder ? folder : "/tmp") < 0)
        return cli_fail(ANL_ERR_MEMORY, error);
    const int file = mkstemp(sweep->scratch);
    if (file >= 0) close(file);
    if (file >= 0) return ANL_OK;
    return anl_fail(error, ANL_ERR_IO, sweep->scratch, 0, "cannot write: %s", strerror(errno));
}

static enum anl_status prepare(struct sweep *sweep, struct anl_error *error)
{
    const struct arguments *arguments = sweep->arguments;
    const bool stream = arguments->output && is_stream(arguments->output);
    const char *output = stream ? NULL : arguments->output;
    if (stream && make_scratch(sweep, error)) return ANL_ERR_IO;
    if (output && asprintf(&sweep->journal, "%s.partial", output) < 0)
        return cli_fail(ANL_ERR_MEMORY, error);
    if (arguments->find_saturation) {
        sweep->found = calloc(sweep->variants.count, sizeof *sweep->found);
        if (!sweep->found) return cli_fail(ANL_ERR_MEMORY, error);
    }
    enum anl_status status = ANL_OK;
    if (output && arguments->find_saturation) {
        sweep->found_path = sweep_saturation_path(output);
        if (!sweep->found_path) return cli_fail(ANL_ERR_MEMORY, error);
        status = cli_may_replace(sweep->found_path, "# annelid ", error);
    }
    if (!status) status = try_output(output, error);
    return status ? status : try_output(sweep->found_path, error);
}

static int obey(const struct arguments *arguments)
{
    const struct sweep_source source = {.path = arguments->given.inputs[0],
                                        .settings = arguments->given.settings,
                                        .num_settings = arguments->given.num_settings,
                                        .keys = arguments->keys,
                                        .num_keys = arguments->num_keys,
                                        .loads = arguments->loads.count ? &arguments->loads : NULL,
                                        .find_saturation = arguments->find_saturation};
    struct sweep sweep = {.arguments = arguments};
    struct anl_error error = {0};
    enum anl_status status = sweep_variants_load(&source, &sweep.variants, &error);
    const struct sweep_team *team = sweep_team();
    if (!status) sweep.question = sweep_variants_hash(&sweep.variants, arguments->digest);
    if (team) status = team->agree(status, sweep.question, &error);
    const bool follows = team && !team->leads;
    if (!status && !follows) status = prepare(&sweep, &error);
    int exit_status = CLI_OK;
    if (!status && follows)
        team->serve(&(struct sweep_runs){
            .variants = &sweep.variants, .digest = arguments->digest, .engine = arguments->engine});
    else
        exit_status = status ? cli_complain(&error) : run_sweep(&sweep);
    if (team && team->leads) team->dismiss();
    sweep_points_free(&sweep.rows);
    sweep_variants_free(&sweep.variants);
    free(sweep.found);
    if (sweep.scratch) unlink(sweep.scratch);
    free(sweep.scratch);
    free(sweep.journal);
    free(sweep.found_path);
    return exit_status;
}

int cmd_sweep(int argc, char **argv)
{
    static const struct cli_command command = {
        .inputs = &cli_one_scenario,
        .options = options,
        .rules = rules,
        .check = check,
        .help = "Runs a scenario at many loads, with many seeds, in several variants, over all "
                "cores (docs/sweep.md).\v"
                "The CSV file begins with remarks that say where the rows come from: lines that "
                "begin with #. "
                "After Ctrl-C the same command goes on where it stopped. Exit status: 0 done, 1 a "
                "run stalled, 2 bad usage, bad input, or interrupted."};
    struct arguments arguments = {.tolerance = 0.01,
                                  .engine = POOL_AUTO,
                                  .workers = sweep_team() ? sweep_team()->ranks : pool_cores()};
    struct anl_error error;
    if (sweep_list_seeds("10", &arguments.seeds, &error)) return cli_complain(&error);
    cli_parse(&command, argc, argv, &arguments);
    const int exit_status = obey(&arguments);
    free(arguments.loads.values);
    free(arguments.seeds.values);
    for (size_t i = 0; i < arguments.num_keys; i++)
        sweep_key_free(&arguments.keys[i]);
    return exit_status;
}
