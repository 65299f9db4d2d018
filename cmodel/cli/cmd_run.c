// SPDX-License-Identifier: Apache-2.0
//
// annelid run: runs a scenario on the golden model.

#include "shared/cli.h"

#include <inttypes.h>
#include <stdlib.h>

struct arguments {
    struct cli_given given;
    const char *trace;
    uint64_t shuffle;
    bool digest, referee, json;
};

static const struct cli_option options[] = {
    {"trace", 't', "FILE", "Write the flit trace: binary if FILE ends in .anlt, else text",
     CLI_AT(struct arguments, trace)},
    {"digest", 'd', NULL, "Compute the digest of the trace", CLI_AT(struct arguments, digest)},
    {"referee", 'r', NULL, "Let the referee check every flit", CLI_AT(struct arguments, referee)},
    {"shuffle", 0, "N", "Visit the switches in a random order drawn from N",
     CLI_AT(struct arguments, shuffle), .most = UINT64_MAX},
    {"json", 0, NULL, "Print the result as one JSON object", CLI_AT(struct arguments, json)},
    {0},
};

static const char *const end_names[] = {"complete", "max_cycles", "stalled", "stopped"};

static json_t *json_classes(const struct anl_run_result *r)
{
    json_t *classes = json_array();
    for (uint32_t c = 0; c < r->num_classes; c++)
        json_array_append_new(
            classes, json_pack("{s:o, s:f, s:o}", "worms", cli_integer(r->classes[c].measured),
                               "latency_mean", r->classes[c].latency_mean, "latency_p99",
                               cli_integer(r->classes[c].latency_p99)));
    return classes;
}

static int print_json(const struct anl_run_result *r)
{
    json_t *result = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:f, s:o, s:s}", "end",
        end_names[r->end], "cycles", cli_integer(r->cycles), "worms",
        cli_integer(r->totals.offered), "delivered", cli_integer(r->totals.delivered), "flit_hops",
        cli_integer(r->totals.flit_hops), "offered_load", r->offered_load, "accepted_load",
        r->accepted_load, "latency_mean", r->latency_mean, "latency_min",
        cli_integer(r->latency_min), "latency_p50", cli_integer(r->latency_p50), "latency_p95",
        cli_integer(r->latency_p95), "latency_p99", cli_integer(r->latency_p99), "latency_max",
        cli_integer(r->latency_max), "cpu_seconds", r->cpu_seconds, "digest",
        json_sprintf("%016" PRIx64, r->digest), "rule_broken", anl_rule_name(r->violation.rule));
    if (r->num_classes) json_object_set_new(result, "classes", json_classes(r));
    return cli_print_json(result);
}

static void print_text(const struct anl_run_result *r, const struct arguments *arguments)
{
    printf("end         %s after %" PRIu64 " cycles\n", end_names[r->end], r->cycles);
    printf("worms       %" PRIu64 " created, %" PRIu64 " delivered\n", r->totals.offered,
           r->totals.delivered);
    printf("load        %.4f offered, %.4f accepted (flits per terminal and cycle)\n",
           r->offered_load, r->accepted_load);
    if (r->measured)
        printf("latency     mean %.2f, min %" PRIu64 ", median %" PRIu64 ", 95 %% %" PRIu64
               ", 99 %% %" PRIu64 ", max %" PRIu64 " (cycles, %" PRIu64 " worms)\n",
               r->latency_mean, r->latency_min, r->latency_p50, r->latency_p95, r->latency_p99,
               r->latency_max, r->measured);
    for (uint32_t c = 0; c < r->num_classes; c++)
        printf("  class %" PRIu32 "   mean %.2f, 99 %% %" PRIu64 " (cycles, %" PRIu64 " worms)\n",
               c, r->classes[c].latency_mean, r->classes[c].latency_p99, r->classes[c].measured);
    if (r->cpu_seconds > 0)
        printf("speed       %" PRIu64 " flit-hops, %.2f million per CPU second, %.0f cycles/s\n",
               r->totals.flit_hops, (double)r->totals.flit_hops / r->cpu_seconds * 1e-6,
               (double)r->cycles / r->cpu_seconds);
    if (arguments->digest) printf("digest      %016" PRIx64 "\n", r->digest);
    if (arguments->referee)
        printf("referee     %s\n", r->violation.rule ? r->violation.text : "no rule broken");
}

// Prints the command that shows why the run stalled.
static void print_explanation(const struct arguments *arguments)
{
    printf("why         annelid worms");
    for (size_t i = 0; i < arguments->given.num_settings; i++) {
        printf(" --set ");
        shell_word(stdout, arguments->given.settings[i]);
    }
    printf(arguments->given.inputs[0][0] == '-' ? " -- " : " ");
    shell_word(stdout, arguments->given.inputs[0]);
    putchar('\n');
}

static int run(const struct arguments *arguments, const struct anl_scenario *scenario)
{
    struct running_view view = {.progress = {.what = "running"}, .scenario = scenario};
    struct anl_run_options run_options = {.digest = arguments->digest,
                                          .referee = arguments->referee,
                                          .shuffle = arguments->shuffle,
                                          .progress_cycles = running_cycles_between_looks(scenario),
                                          .progress = running_look,
                                          .user = &view};
    struct anl_run_result result;
    struct anl_error error = {0};

    cli_catch_interrupt();
    if (arguments->trace) {
        if (anl_trace_create(arguments->trace, cli_trace_form(arguments->trace), scenario->run.seed,
                             scenario->text, &run_options.trace, &error))
            return cli_complain(&error);
    }
    enum anl_status status = anl_run(scenario, &run_options, &result, &error);
    cli_progress_end(&view.progress);
    if (!status && result.end == ANL_RUN_STOPPED)
        status = anl_fail(&error, ANL_ERR_IO, "", 0, "interrupted, nothing is written");
    if (run_options.trace && status) anl_trace_abandon(run_options.trace);
    if (run_options.trace && !status)
        status = anl_trace_finish(run_options.trace, result.cycles, &error);
    if (status) return cli_complain(&error);

    if (arguments->json && print_json(&result)) return CLI_BAD;
    if (!arguments->json) print_text(&result, arguments);
    if (!arguments->json && result.end == ANL_RUN_STALLED) print_explanation(arguments);
    return result.end == ANL_RUN_STALLED || result.violation.rule ? CLI_NO : CLI_OK;
}

int cmd_run(int argc, char **argv)
{
    static const struct cli_command command = {
        .inputs = &cli_one_scenario,
        .options = options,
        .help = "Runs a scenario (docs/scenario.md) on the golden model.\v"
                "Exit status: 0 done, 1 stalled or a rule broken, 2 bad usage or bad input."};
    struct arguments arguments = {0};
    struct anl_scenario scenario;
    cli_parse(&command, argc, argv, &arguments);
    if (cli_load(&arguments.given, &scenario)) return CLI_BAD;
    const int exit_status = run(&arguments, &scenario);
    anl_scenario_free(&scenario);
    return exit_status;
}
