// SPDX-License-Identifier: Apache-2.0
//
// Time travel: sleeping copies of this process (fork), made during a run, from which the run can be
// repeated from an earlier cycle, as often as needed. A copy needs memory only for what has changed
// since. The copies are few and evenly spread over the run: when there is no more room, every
// second one is ended and their distance doubles.
//
// A process that repeats a part of the run writes its results to memory that all processes share,
// and ends.

#ifndef ANL_LOCKSTEP_SNAPSHOT_H
#define ANL_LOCKSTEP_SNAPSHOT_H

#include <annelid/base.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct snapshots;

// Allows at most `most` (>= 2) copies, at first `distance` (>= 1) cycles apart, and allocates
// shared_bytes of memory, all zero, that all copies share. ANL_ERR_MEMORY: *snapshots is NULL.
enum anl_status snapshots_create(size_t most, uint64_t distance, size_t shared_bytes,
                                 struct snapshots **snapshots);

// Ends the sleeping copies. A copy must not call this. snapshots may be NULL.
void snapshots_destroy(struct snapshots *snapshots);

// Returns the memory that all copies share.
void *snapshots_shared(const struct snapshots *snapshots);

// To be called at the start of each cycle, ascending; makes a copy if it is time. Returns false in
// the process that calls it. It returns true when the run is repeated from here: that is another
// process, which must end with _exit().
bool snapshots_pass(struct snapshots *snapshots, uint64_t cycle);

// Repeats the run from the newest copy that was made not after cycle, and waits until that process
// has ended. ANL_ERR_ARGUMENT: there is no such copy; ANL_ERR_IO: the process could not be made, or
// did not end with status 0.
enum anl_status snapshots_take_up(struct snapshots *snapshots, uint64_t cycle);

#endif
