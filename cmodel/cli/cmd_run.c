// SPDX-License-Identifier: Apache-2.0
//
// annelid run: runs a scenario on the golden model.

#include "shared/cli.h"

#include <annelid/annelid.h>
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct arguments {
    struct running_scenario scenario;
    const char *trace;
    uint64_t shuffle;
    bool digest, referee, json;
};

enum { KEY_SHUFFLE = 256, KEY_JSON };

static const struct argp_option options[] = {
    {"trace", 't', "FILE", 0, "Write the flit trace: binary if FILE ends in .anlt, else text", 0},
    {"digest", 'd', NULL, 0, "Compute the digest of the trace", 0},
    {"referee", 'r', NULL, 0, "Let the referee check every flit", 0},
    {"shuffle", KEY_SHUFFLE, "N", 0, "Visit the switches in a random order drawn from N", 0},
    {"json", KEY_JSON, NULL, 0, "Print the result as one JSON object", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->scenario;
        break;
    case 't':
        arguments->trace = value;
        break;
    case 'd':
        arguments->digest = true;
        break;
    case 'r':
        arguments->referee = true;
        break;
    case KEY_SHUFFLE:
        arguments->shuffle = cli_number(value, UINT64_MAX, state);
        break;
    case KEY_JSON:
        arguments->json = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const char *const end_names[] = {"complete", "max_cycles", "stalled", "stopped"};

static int print_json(const struct anl_run_result *r)
{
    return cli_print_json(json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:f, s:o, s:s}", "end",
        end_names[r->end], "cycles", cli_integer(r->cycles), "worms",
        cli_integer(r->totals.offered), "delivered", cli_integer(r->totals.delivered), "flit_hops",
        cli_integer(r->totals.flit_hops), "offered_load", r->offered_load, "accepted_load",
        r->accepted_load, "latency_mean", r->latency_mean, "latency_min",
        cli_integer(r->latency_min), "latency_p50", cli_integer(r->latency_p50), "latency_p95",
        cli_integer(r->latency_p95), "latency_p99", cli_integer(r->latency_p99), "latency_max",
        cli_integer(r->latency_max), "cpu_seconds", r->cpu_seconds, "digest",
        json_sprintf("%016" PRIx64, r->digest), "rule_broken", anl_rule_name(r->violation.rule)));
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
    for (size_t i = 0; i < arguments->scenario.settings.count; i++) {
        printf(" --set ");
        shell_word(stdout, arguments->scenario.settings.list[i]);
    }
    printf(arguments->scenario.path[0] == '-' ? " -- " : " ");
    shell_word(stdout, arguments->scenario.path);
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
    const struct argp_child children[] = {{&running_scenario_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {options,
                              parse_option,
                              "SCENARIO",
                              "Runs a scenario (docs/scenario.md) on the golden model.\v"
                              "Exit status: 0 done, 1 stalled or a rule broken, 2 bad usage or "
                              "bad input.",
                              children,
                              NULL,
                              NULL};
    struct arguments arguments = {0};
    struct anl_scenario scenario;
    struct anl_error error = {0};

    argp_err_exit_status = CLI_BAD;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    if (running_load(&arguments.scenario, &scenario, &error)) return cli_complain(&error);
    const int exit_status = run(&arguments, &scenario);
    anl_scenario_free(&scenario);
    return exit_status;
}
