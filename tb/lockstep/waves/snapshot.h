// SPDX-License-Identifier: Apache-2.0
//
// Time travel: sleeping copies of this process (fork), made as a run goes on, from which the run
// can be taken up again at an earlier cycle, as often as wanted. A copy needs memory only for what
// has changed since. They are few and evenly spread over the run: when there is no more buffer,
// every second one is ended and the distance doubles.
//
// A process that has been taken up says what it found in memory that all share, and ends itself.

#ifndef ANL_LOCKSTEP_SNAPSHOT_H
#define ANL_LOCKSTEP_SNAPSHOT_H

#include <annelid/base.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct snapshots;

// At most `most` (>= 2) copies, at first `distance` (>= 1) cycles apart; shared_bytes of memory,
// all zero, that every copy sees as it is. On failure *snapshots is NULL.
enum anl_status snapshots_create(size_t most, uint64_t distance, size_t shared_bytes,
                                 struct snapshots **snapshots);

// Ends the copies that sleep. Not to be called by a process that was taken up. May be NULL.
void snapshots_destroy(struct snapshots *snapshots);

void *snapshots_shared(const struct snapshots *snapshots);

// To be called at the start of each cycle, ascending: makes a copy if it is time. False; but true
// when the run is taken up here: then this is another process, which must end with _exit().
bool snapshots_pass(struct snapshots *snapshots, uint64_t cycle);

// Takes the run up from the newest copy made not after cycle, and waits until that process has
// ended. ANL_ERR_ARGUMENT: there is no such copy; ANL_ERR_IO: it could not be made or did not end
// with status 0.
enum anl_status snapshots_take_up(struct snapshots *snapshots, uint64_t cycle);

#endif
