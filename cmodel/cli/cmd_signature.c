// SPDX-License-Identifier: Apache-2.0
//
// annelid signature: prints the signature that a board which runs a scenario must show.

#include "shared/cli.h"

#include <inttypes.h>

struct arguments {
    struct cli_given given;
    bool json, parameters;
};

static const struct cli_option options[] = {
    {"json", 0, NULL, "Print the result as JSON", CLI_AT(struct arguments, json)},
    {"parameters", 0, NULL, "Print the parameters of anl_board on one line, Expected among them",
     CLI_AT(struct arguments, parameters)},
    {0},
};

static const struct cli_rule rules[] = {{"json", .bars = "parameters"}, {0}};

static void print_parameters(const struct anl_scenario *scenario,
                             const struct anl_board_result *result)
{
    cli_print_parameters(&scenario->network);
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
        cli_name_file(&error, arguments->given.inputs[0]);
        return cli_complain(&error);
    }
    return print(arguments, scenario, &result);
}

int cmd_signature(int argc, char **argv)
{
    static const struct cli_command command = {
        .inputs = &cli_one_scenario,
        .options = options,
        .rules = rules,
        .help =
            "Prints the signature that a board with this scenario (process generator) must come "
            "to: that of everything that has arrived after run.cycles cycles (docs/board.md).\v"
            "The parameters are those of the module anl_board, for -G of Verilator, chparam -set "
            "of Yosys or -P of Icarus. Exit status: 0 all worms arrived, 1 some did not (the "
            "signature holds all the same), 2 bad usage or bad input."};
    struct arguments arguments = {0};
    struct anl_scenario scenario;
    cli_parse(&command, argc, argv, &arguments);
    if (cli_load(&arguments.given, &scenario)) return CLI_BAD;
    const int exit_status = predict(&arguments, &scenario);
    anl_scenario_free(&scenario);
    return exit_status;
}
