// SPDX-License-Identifier: Apache-2.0
//
// annelid-mpi: commands of annelid over the ranks of an MPI program (docs/scale.md). Files and
// output are those of annelid; rank 0 alone writes them.

#include "ranks.h"

#include "cli/shared/cli.h"

#include <stdlib.h>
#include <string.h>

// Results name the command that makes the same on one machine.
static const struct cli_menu menu = {
    .name = "annelid",
    .what = "command",
    .head = "Usage: mpirun -n RANKS annelid-mpi COMMAND [OPTION...] [FILE...]\n"
            "Commands of annelid over the ranks of an MPI program, with the same results.\n\n",
    .foot = "Exit status: 0 done, 1 the answer is no (a stall), 2 bad usage or bad input.\n",
    .entries = {
        {"run", cmd_run, "run a scenario on one network, of which each rank has a part"},
        {"worms", cmd_worms, "tell which worms were blocked, of one network in parts"},
        {"sweep", cmd_sweep, "run a scenario at many loads, with many seeds, in variants"},
    }};

int main(int argc, char **argv)
{
    int exit_status = CLI_OK;
    if (!ranks_begin(&argc, &argv)) return CLI_BAD;
    parts_begin();
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        puts(CLI_PROGRAM);
    else
        exit_status = cli_choose(&menu, argc, argv);
    return cli_output_whole() ? exit_status : CLI_BAD;
}
