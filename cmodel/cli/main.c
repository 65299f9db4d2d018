// SPDX-License-Identifier: Apache-2.0
//
// annelid: the command with its sub-commands, each in its own file cmd_*.c.

#include "shared/cli.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
} commands[] = {
    {"run", cmd_run, "run a scenario on the golden model"},
    {"check", cmd_check, "let the referee check a flit trace by the rules alone"},
    {"trace", cmd_trace, "show, compare, filter and convert flit traces"},
    {"worms", cmd_worms, "tell which worms were blocked, where, why, and by whom"},
    {"draw", cmd_draw, "draw worms and who waits for whom, as a picture or a page"},
    {"cdg", cmd_cdg, "tell whether a network can deadlock: its channel-dependency graph"},
    {"bounds", cmd_bounds, "tell what the theory says of the time of worms, and what they take"},
    {"sweep", cmd_sweep, "run a scenario at many loads, with many seeds, in variants"},
    {"plot", cmd_plot, "draw curves and a report of sweeps, or what one run measured"},
    {"describe", cmd_describe, "say what a scenario is, or list the keys of scenarios"},
    {"signature", cmd_signature, "say what a board that checks itself must come to"},
};
enum { NUM_COMMANDS = sizeof commands / sizeof *commands };

static void print_usage(FILE *out)
{
    fputs("Usage: annelid COMMAND [OPTION...] [FILE...]\n"
          "Golden model, referee, traces and blocked worms of the Annelid switches.\n\n",
          out);
    for (int i = 0; i < NUM_COMMANDS; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].what);
    fputs("\n`annelid COMMAND --help` tells more. Exit status: 0 done, 1 the answer is no (a rule\n"
          "broken, a difference, a stall), 2 bad usage or bad input.\n",
          out);
}

// Runs a sub-command, whose argv[0] is its full name, for its usage texts. Returns its exit status.
static int run_command(int i, int argc, char **argv)
{
    char name[32];
    snprintf(name, sizeof name, "annelid %s", commands[i].name);
    argv[0] = name;
    return commands[i].run(argc, argv);
}

static int obey(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return CLI_BAD;
    }
    for (int i = 0; i < NUM_COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0) return run_command(i, argc - 1, argv + 1);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return CLI_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts(CLI_PROGRAM);
        return CLI_OK;
    }
    fprintf(stderr, "annelid: unknown command '%s'\n", argv[1]);
    print_usage(stderr);
    return CLI_BAD;
}

int main(int argc, char **argv)
{
    const int exit_status = obey(argc, argv);
    return cli_output_whole() ? exit_status : CLI_BAD;
}
