// SPDX-License-Identifier: Apache-2.0
//
// annelid run: runs a scenario on the golden model.

#include "shared/activity.h"
#include "shared/worm_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    struct cli_given given;
    const char *trace, *worms, *activity, *checkpoint;
    enum worm_table_per per;
    uint64_t shuffle, every;
    bool digest, referee, json, restart;
};

static const struct cli_option options[] = {
    {"trace", 't', "FILE", "Write the flit trace: binary if FILE ends in .anlt, else text",
     CLI_AT(struct arguments, trace), .output = true, .aside = true},
    {"worms", 0, "FILE", "Write what became of each worm, as CSV", CLI_AT(struct arguments, worms),
     .output = true},
    {"per", 0, "worm|source|destination|pair|class",
     "With --worms: a row for each of these (worm), with its latencies",
     CLI_AT(struct arguments, per), .read = worm_table_read_per},
    {"activity", 0, "FILE",
     "Write how much happens in each link and switch: flits, toggled bits, buffer accesses, as CSV",
     CLI_AT(struct arguments, activity), .output = true},
    {"digest", 'd', NULL, "Compute the digest of the trace", CLI_AT(struct arguments, digest)},
    {"referee", 'r', NULL, "Let the referee check every flit", CLI_AT(struct arguments, referee)},
    {"shuffle", 0, "N", "Visit the switches in a random order drawn from N",
     CLI_AT(struct arguments, shuffle), .least = 1, .most = UINT64_MAX},
    {"checkpoint", 0, "FILE",
     "Keep the state of the run in FILE; a run that was killed goes on from it",
     CLI_AT(struct arguments, checkpoint), .output = true, .aside = true},
    {"every", 0, "N", "With --checkpoint: write FILE after every N cycles",
     CLI_AT(struct arguments, every), .most = UINT64_MAX, .aside = true},
    {"restart", 0, NULL, "With --checkpoint: begin anew, whatever checkpoint FILE is",
     CLI_AT(struct arguments, restart), .aside = true},
    {"json", 0, NULL, "Print the result as one JSON object", CLI_AT(struct arguments, json),
     .aside = true},
    {0},
};

static const struct cli_rule rules[] = {
    {"per", .needs = "worms"},
    {"every", .needs = "checkpoint"},
    {"restart", .needs = "checkpoint"},
    {0},
};

static json_t *json_classes(const struct anl_run_result *r)
{
    json_t *classes = json_array();
    for (uint32_t c = 0; c < r->num_classes; c++) {
        json_t *class_ = json_pack("{s:o}", "worms", cli_integer(r->classes[c].measured));
        if (r->classes[c].measured)
            json_object_update_new(class_, json_pack("{s:f, s:o}", "latency_mean",
                                                     r->classes[c].latency_mean, "latency_p99",
                                                     cli_integer(r->classes[c].latency_p99)));
        json_array_append_new(classes, class_);
    }
    return classes;
}

// Adds what the run knows of latencies and loads.
static void add_measured(json_t *object, const struct anl_run_result *r)
{
    if (r->window_cycles)
        json_object_update_new(object, json_pack("{s:f, s:f}", "offered_load", r->offered_load,
                                                 "accepted_load", r->accepted_load));
    if (r->saturation_known)
        json_object_update_new(object, json_pack("{s:b, s:f}", "saturated", r->backlog.grows,
                                                 "left_behind", r->backlog.left_behind));
    json_object_set_new(object, "measured_worms", cli_integer(r->measured));
    if (!r->measured) return;
    json_object_update_new(
        object,
        json_pack("{s:f, s:o, s:o, s:o, s:o, s:o}", "latency_mean", r->latency_mean, "latency_min",
                  cli_integer(r->latency_min), "latency_p50", cli_integer(r->latency_p50),
                  "latency_p95", cli_integer(r->latency_p95), "latency_p99",
                  cli_integer(r->latency_p99), "latency_max", cli_integer(r->latency_max)));
    if (r->num_classes) json_object_set_new(object, "classes", json_classes(r));
}

// Returns a list of reports: what the referee has found, or nothing.
static json_t *json_reports(const struct anl_run_result *r, const struct arguments *arguments,
                            const struct anl_scenario *scenario)
{
    struct anl_reports *reports = anl_reports_create();
    if (reports && r->violation.rule) {
        struct anl_report report;
        cli_begin_report(&report, &arguments->given, scenario, arguments->given.inputs[0],
                         &r->violation);
        anl_reports_add(reports, &report);
        anl_report_end(&report);
    }
    json_t *list = cli_reports_json(reports);
    anl_reports_destroy(reports);
    return list;
}

// Prints what is known, and nothing else: a digest that was not computed is not 0.
static int print_json(const struct anl_run_result *r, const struct arguments *arguments,
                      const struct anl_scenario *scenario)
{
    json_t *object = cli_provenance_json(&arguments->given, scenario);
    json_object_update_new(
        object,
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:f}", "end", anl_run_end_name(r->end), "cycles",
                  cli_integer(r->cycles), "worms", cli_integer(r->totals.enqueued), "delivered",
                  cli_integer(r->totals.delivered), "flit_hops", cli_integer(r->totals.flit_hops),
                  "cpu_seconds", r->cpu_seconds));
    add_measured(object, r);
    if (anl_has(&scenario->network, ANL_TRAIT_DISCARDS))
        json_object_set_new(object, "discarded", cli_integer(r->totals.discarded));
    if (anl_has(&scenario->network, ANL_TRAIT_FAILS))
        json_object_set_new(object, "failed", cli_integer(r->totals.failed));
    if (*r->fault) json_object_set_new(object, "fault", json_string(r->fault));
    if (r->has_digest)
        json_object_set_new(object, "digest", json_sprintf("%016" PRIx64, r->digest));
    if (r->has_referee)
        json_object_update_new(object, json_pack("{s:s, s:o}", "rule_broken",
                                                 anl_rule_name(r->violation.rule), "reports",
                                                 json_reports(r, arguments, scenario)));
    return cli_print_json(object);
}

static void print_text(const struct anl_run_result *result)
{
    char text[ANL_RUN_LINE_BYTES];
    for (enum anl_run_line line = 0; line < ANL_RUN_LINES; line++)
        if (anl_run_line(result, line, text, sizeof text)) puts(text);
}

// Says it if some terminals cannot create what their rates ask for at this load.
static void print_most_load(const struct anl_scenario *scenario)
{
    const struct anl_demand *demand = scenario->demand;
    if (demand && scenario->traffic.load > anl_demand_most_load(demand))
        printf(
            "rates       above load %.4f some terminals would have to create more than a flit per "
            "cycle\n",
            anl_demand_most_load(demand));
}

// Says it if lanes are too short for links of several cycles or switches of two stages.
static void print_full_rate(const struct anl_config *network)
{
    const uint32_t cycles = anl_link_cycles(network), depth = anl_full_rate_depth(network);
    if (anl_hop_cycles(network) == 1 || network->depth >= depth) return;
    printf("depth       of %" PRIu32 ": ", network->depth);
    if (anl_stages(network) > 1) printf("through switches of two stages ");
    if (cycles > 1) printf("over links of %" PRIu32 " cycles ", cycles);
    printf("one worm sends %" PRIu32 " flit%s in %" PRIu32 " cycles; full rate needs depth %" PRIu32
           "\n",
           network->depth, network->depth == 1 ? "" : "s", depth, depth);
}

// Says it if arbiters that are unfair shared out what the sources asked for in vain.
static void print_unfair(const struct anl_scenario *scenario, const struct anl_run_result *result)
{
    if (!result->backlog.grows || scenario->network.arbiter != ANL_RANDOM) return;
    puts("unfair      arbiter random: a candidate behind idle ones wins their share, too, so that "
         "in "
         "a\n"
         "            saturated network some sources get more than others (docs/switch.md)");
}

// Prints the command that shows why the run stalled, or ended in a fault: the one that knows worms,
// or, where flits are on a link for several cycles, the one that knows lanes.
static void print_explanation(const struct arguments *arguments, const struct anl_config *network)
{
    const char *unknown = anl_blocking_unknown(network);
    if (unknown && !anl_has(network, ANL_TRAIT_WAITS)) return;
    printf("why         annelid %s", unknown ? "cdg" : "worms");
    const bool gone = cli_print_given(&arguments->given);
    if (unknown)
        printf(" for the lanes that may wait for each other; annelid worms does not know %s",
               unknown);
    cli_print_saved(gone);
    putchar('\n');
}

// --- worms one by one, and what each link does ---

struct watch {
    struct running_view view;
    const struct arguments *arguments;
    struct worm_table table;
    struct activity activity;
};

static enum anl_status note_worm(void *user, const struct anl_worm *worm)
{
    struct watch *watch = user;
    enum anl_status status = ANL_OK;
    if (watch->arguments->worms) status = worm_table_add(&watch->table, worm);
    if (!status && watch->arguments->activity) status = activity_worm(&watch->activity, worm);
    return status;
}

static enum anl_status note_flits(void *user, uint64_t cycle, const struct anl_flit *flits,
                                  size_t count)
{
    struct watch *watch = user;
    for (size_t i = 0; watch->arguments->worms && i < count; i++)
        worm_table_flit(&watch->table, cycle, &flits[i]);
    for (size_t i = 0; watch->arguments->activity && i < count; i++)
        activity_flit(&watch->activity, cycle, &flits[i]);
    return ANL_OK;
}

static bool look(void *user, const struct anl_engine *engine)
{
    struct watch *watch = user;
    return running_look(&watch->view, engine);
}

static enum anl_status write_tables(struct watch *watch, uint64_t cycles, struct anl_error *error)
{
    const struct arguments *arguments = watch->arguments;
    const struct worm_table_file file = {.path = arguments->worms,
                                         .per = arguments->per,
                                         .warmup = watch->view.scenario->run.warmup_cycles,
                                         .given = &arguments->given,
                                         .scenario = watch->view.scenario};
    enum anl_status status = ANL_OK;
    if (arguments->worms) status = worm_table_write(&watch->table, &file, error);
    if (!status && arguments->activity)
        status = activity_write(&watch->activity, arguments->activity, cycles, &arguments->given,
                                watch->view.scenario, error);
    return status;
}

// A run that can go on keeps the records of its trace, too.
static enum anl_status create_trace(const struct arguments *arguments,
                                    const struct anl_scenario *scenario,
                                    struct anl_trace_writer **trace, struct anl_error *error)
{
    return (arguments->checkpoint ? anl_trace_create_kept : anl_trace_create)(
        arguments->trace, cli_trace_form(arguments->trace), scenario->run.seed, scenario->text,
        trace, error);
}

static enum anl_status interrupted(const struct arguments *arguments,
                                   const struct anl_run_result *result, struct anl_error *error)
{
    if (!arguments->checkpoint)
        return anl_fail(error, ANL_ERR_IO, "", 0, "interrupted, nothing is written");
    return anl_fail(error, ANL_ERR_IO, arguments->checkpoint, 0,
                    "interrupted after %" PRIu64 " cycles; the same command goes on from there",
                    result->cycles);
}

static int run(const struct arguments *arguments, const struct anl_scenario *scenario)
{
    struct watch watch = {.view = {.progress = {.what = "running"}, .scenario = scenario},
                          .arguments = arguments,
                          .table.config = &scenario->network};
    const bool tables = (arguments->worms || arguments->activity) && cli_leads();
    struct anl_run_options run_options = {.digest = arguments->digest && cli_leads(),
                                          .referee = arguments->referee && cli_leads(),
                                          .shuffle = arguments->shuffle,
                                          .worm = tables ? note_worm : NULL,
                                          .flits = tables ? note_flits : NULL,
                                          .progress_cycles = running_cycles_between_looks(scenario),
                                          .progress = cli_leads() ? look : NULL,
                                          .user = &watch,
                                          .team = cli_team()};
    const struct anl_checkpoint checkpoint = {.path = arguments->checkpoint,
                                              .every = arguments->every,
                                              .question = anl_scenario_hash(scenario, 0),
                                              .name = arguments->given.inputs[0],
                                              .restart = arguments->restart};
    if (arguments->checkpoint) run_options.checkpoint = &checkpoint;
    struct anl_run_result result;
    struct anl_error error = {0};

    cli_catch_interrupt();
    if (arguments->trace && cli_leads() &&
        create_trace(arguments, scenario, &run_options.trace, &error))
        return cli_complain(&error);
    enum anl_status status = ANL_OK;
    if (tables && arguments->activity &&
        activity_begin(&scenario->network, scenario->run.warmup_cycles, &watch.activity))
        status = cli_fail(ANL_ERR_MEMORY, &error);
    if (!status) status = anl_run(scenario, &run_options, &result, &error);
    cli_progress_end(&watch.view.progress);
    if (!status && result.end == ANL_RUN_STOPPED) status = interrupted(arguments, &result, &error);
    if (run_options.trace && status) anl_trace_abandon(run_options.trace);
    if (run_options.trace && !status)
        status = anl_trace_finish(run_options.trace, result.cycles, &error);
    if (!status && tables) status = write_tables(&watch, result.cycles, &error);
    worm_table_free(&watch.table);
    activity_free(&watch.activity);
    if (status) return cli_complain(&error);
    if (arguments->checkpoint && cli_leads()) unlink(arguments->checkpoint);

    if (arguments->json && print_json(&result, arguments, scenario)) return CLI_BAD;
    if (!arguments->json) print_text(&result);
    if (!arguments->json) print_most_load(scenario);
    if (!arguments->json) print_full_rate(&scenario->network);
    if (!arguments->json) print_unfair(scenario, &result);
    const bool broken = result.end == ANL_RUN_STALLED || result.end == ANL_RUN_FAULT;
    if (!arguments->json && broken) print_explanation(arguments, &scenario->network);
    return broken || result.violation.rule ? CLI_NO : CLI_OK;
}

static void check(void *user, struct argp_state *state)
{
    const struct arguments *arguments = user;
    if (arguments->checkpoint && !arguments->every)
        argp_error(state, "--checkpoint FILE needs --every N, at least 1");
    if (arguments->checkpoint && (arguments->worms || arguments->activity))
        argp_error(state, "--%s is not there with --checkpoint; a trace has all worms",
                   arguments->worms ? "worms" : "activity");
    if (arguments->checkpoint && arguments->trace && cli_is_stdout(arguments->trace))
        argp_error(state, "--trace -, standard output, cannot go on from a checkpoint; expected a "
                          "file");
}

int cmd_run(int argc, char **argv)
{
    static const struct cli_command command = {
        .inputs = &cli_one_scenario,
        .options = options,
        .rules = rules,
        .check = check,
        .help =
            "Runs a scenario (docs/scenario.md) on the golden model.\v"
            "Exit status: 0 done, 1 stalled, a fault or a rule broken, 2 bad usage or bad input."};
    struct arguments arguments = {0};
    struct anl_scenario scenario;
    cli_parse(&command, argc, argv, &arguments);
    struct anl_error error = {0};
    const bool loaded = cli_load_any(&arguments.given, &scenario) == CLI_OK;
    if (cli_agree(loaded ? ANL_OK : ANL_ERR_ARGUMENT, &scenario, &error)) {
        if (!loaded) return CLI_BAD;
        anl_scenario_free(&scenario);
        return cli_complain(&error);
    }
    const int exit_status = run(&arguments, &scenario);
    anl_scenario_free(&scenario);
    return exit_status;
}
