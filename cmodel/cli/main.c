// SPDX-License-Identifier: Apache-2.0
//
// annelid: the command with its sub-commands, each in its own file cmd_*.c.

#include "shared/cli.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MACHINE(kind, name)
#define COMMAND(name, what) int cmd_##name(int argc, char **argv);
#include "parts.inc"
#undef COMMAND

#define COMMAND(name, what) {#name, cmd_##name, what},
static const struct cli_menu menu = {
    .name = "annelid",
    .what = "command",
    .head = "Usage: annelid COMMAND [OPTION...] [FILE...]\n"
            "Golden model, referee, traces and blocked worms of the Annelid switches.\n\n",
    .foot = "Exit status: 0 done, 1 the answer is no (a rule\n"
            "broken, a difference, a stall), 2 bad usage or bad input.\n",
    .entries = {
#include "shared/commands.inc"
// Those of papers come last.
#include "parts.inc"
    }};

// Opens what the caller has closed of standard input and outputs, so that no file that is written
// gets its number. What is opened can be used for the other direction alone, so each use still
// fails.
static void hold_descriptors(void)
{
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++)
        if (fcntl(number, F_GETFD) < 0)
            open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    int exit_status = CLI_OK;
    hold_descriptors();
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        puts(CLI_PROGRAM);
    else
        exit_status = cli_choose(&menu, argc, argv);
    return cli_output_whole() ? exit_status : CLI_BAD;
}
