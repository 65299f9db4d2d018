// SPDX-License-Identifier: Apache-2.0

#ifndef ANNELID_RANKS_H
#define ANNELID_RANKS_H

#include <annelid/base.h>
#include <annelid/run.h>
#include <stdbool.h>

// Begins MPI and makes the ranks the team of a sweep, which rank 0 leads; the others print nothing
// from now on. MPI ends when the program exits, in whatever way. Returns false after a message: MPI
// cannot be used.
bool ranks_begin(int *argc, char ***argv);

// Called by all ranks with what became of reading the command and the files, and with a hash of
// what they have read. Returns the status; for all of them ANL_ERR_ARGUMENT if another rank failed
// or has read something else.
enum anl_status ranks_agree(enum anl_status status, uint64_t question, struct anl_error *error);

// Ends all ranks after a message of this one.
void ranks_give_up(const char *reason);

// Makes the ranks the team of a run (parts.c).
void parts_begin(void);

// Cuts a network like anl_cut(), graphs with METIS if it is there (cut.c). Called by all ranks.
enum anl_status parts_cut(void *user, const struct anl_config *config, uint32_t parts,
                          uint32_t *part_of);

#endif
