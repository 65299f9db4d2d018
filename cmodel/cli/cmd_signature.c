// SPDX-License-Identifier: Apache-2.0
//
// annelid signature: prints the signature that a board which runs a scenario must show.

#include "shared/cli.h"

#include <annelid/annelid.h>
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>

struct arguments {
    struct running_scenario scenario;
    bool json, parameters;
};

enum { KEY_JSON = 256, KEY_PARAMETERS };

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "Print the result as JSON", 0},
    {"parameters", KEY_PARAMETERS, NULL, 0,
     "Print the parameters of anl_board on one line, Expected among them", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    (void)value;
    switch (key) {
    case KEY_JSON:
        arguments->json = true;
        break;
    case KEY_PARAMETERS:
        arguments->parameters = true;
        break;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->scenario;
        break;
    case ARGP_KEY_END:
        if (arguments->json && arguments->parameters)
            argp_error(state, "--json or --parameters, not both");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void print_parameters(const struct anl_scenario *scenario,
                             const struct anl_board_result *result)
{
    const struct anl_config *config = &scenario->network;
    printf("K=%" PRIu32 " N=%" PRIu32 " Kind=%" PRIu32 " NumVcs=%" PRIu32 " Depth=%" PRIu32
           " FlitW=%" PRIu32 " Scan=%d Admission=%d",
           config->k, config->n, anl_rtl_kind(config), config->num_vcs, config->depth,
           config->flit_width_bits, (int)config->scan, (int)config->admission);
    printf(" WormsPerTerminal=%" PRIu32 " Length=%u Cycles=%" PRIu64 " Seed=64'h%016" PRIx64
           " Expected=32'h%08" PRIx32 "\n",
           scenario->traffic.worms_per_terminal, scenario->traffic.lengths[0], scenario->run.cycles,
           scenario->run.seed, result->signature);
}

static int print_json(const struct anl_board_result *result)
{
    return cli_print_json(json_pack(
        "{s:o, s:o, s:o, s:o, s:b}", "signature", json_sprintf("%08" PRIx32, result->signature),
        "flits", cli_integer(result->flits), "worms", cli_integer(result->worms), "arrived",
        cli_integer(result->arrived), "all_arrived", result->arrived == result->worms));
}

static void print_text(const struct anl_scenario *scenario, const struct anl_board_result *result)
{
    printf("signature   %08" PRIx32 "\n", result->signature);
    printf("flits       %" PRIu64 " arrived in %" PRIu64 " cycles\n", result->flits,
           scenario->run.cycles);
    if (result->arrived == result->worms)
        printf("worms       all %" PRIu64 " arrived\n", result->worms);
    else
        printf("worms       %" PRIu64 " of %" PRIu64 " arrived\n", result->arrived, result->worms);
}

static int print(const struct arguments *arguments, const struct anl_scenario *scenario,
                 const struct anl_board_result *result)
{
    if (arguments->parameters)
        print_parameters(scenario, result);
    else if (!arguments->json)
        print_text(scenario, result);
    else if (print_json(result))
        return CLI_BAD;
    return result->arrived == result->worms ? CLI_OK : CLI_NO;
}

static int predict(const struct arguments *arguments, const struct anl_scenario *scenario)
{
    struct running_view view = {
        .progress = {.what = "signing"}, .scenario = scenario, .cycles = scenario->run.cycles};
    const struct anl_board_options looks = {.progress_cycles =
                                                running_cycles_between_looks(scenario),
                                            .progress = running_look,
                                            .user = &view};
    struct anl_board_result result;
    struct anl_error error = {0};
    const enum anl_status status = anl_board_run(scenario, &looks, &result, &error);
    cli_progress_end(&view.progress);
    if (status) {
        snprintf(error.file, sizeof error.file, "%s", arguments->scenario.path);
        return cli_complain(&error);
    }
    return result.stopped ? CLI_BAD : print(arguments, scenario, &result);
}

int cmd_signature(int argc, char **argv)
{
    const struct argp_child children[] = {{&running_scenario_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        options,
        parse_option,
        "SCENARIO",
        "Print the signature that a board with this scenario (process generator) must come to: "
        "that of everything that has arrived after run.cycles cycles (docs/board.md).\v"
        "The parameters are those of the module anl_board, for -G of Verilator, chparam -set of "
        "Yosys or -P of Icarus. Exit status: 0 all worms arrived, 1 some did not (the signature "
        "holds all the same), 2 bad usage or bad input.",
        children,
        NULL,
        NULL};
    struct arguments arguments = {0};
    struct anl_scenario scenario;
    struct anl_error error;
    argp_err_exit_status = CLI_BAD;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    if (running_load(&arguments.scenario, &scenario, &error)) return cli_complain(&error);
    cli_catch_interrupt();
    const int exit_status = predict(&arguments, &scenario);
    anl_scenario_free(&scenario);
    return exit_status;
}
