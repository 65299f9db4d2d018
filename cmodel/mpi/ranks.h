// SPDX-License-Identifier: Apache-2.0

#ifndef ANNELID_RANKS_H
#define ANNELID_RANKS_H

#include <stdbool.h>

// Begins MPI and makes the ranks the team of a sweep, which rank 0 leads; the others print nothing
// from now on. MPI ends when the program exits, in whatever way. Returns false after a message: MPI
// cannot be used.
bool ranks_begin(int *argc, char ***argv);

#endif
