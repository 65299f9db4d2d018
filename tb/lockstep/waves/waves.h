// SPDX-License-Identifier: Apache-2.0
//
// Waves of a run, without slowing it down: the run goes on at full speed and leaves snapshots
// behind. When it is known what waves must show, the run is repeated from the newest snapshot
// before that, once to find the worms, once to write the waves. Copies of this process do both and
// then end.
// within.

#ifndef ANL_LOCKSTEP_WAVES_H
#define ANL_LOCKSTEP_WAVES_H

#include "run/lockstep.h"
#include "run/rtl.h"

struct waves;

// Order of calls: in each cycle begin, offer, …, high (or low, if it finds a difference), end;
// after the run over; after lockstep_finish(), in the first process, finish. A copy ends in one of
// these calls.

// Returns ANL_OK with *waves NULL if no waves are wanted; the functions below then do nothing.
// ANL_ERR_ARGUMENT: the program was built without waves, or the path does not end in .fst;
// ANL_ERR_MEMORY.
enum anl_status waves_create(struct lockstep *run, struct rtl *rtl,
                             const struct lockstep_options *options, struct waves **waves,
                             struct anl_error *error);
void waves_destroy(struct waves *waves);

void waves_begin(struct waves *waves);

// Returns false if what the waves must show is past, so that the run can stop.
bool waves_end(struct waves *waves);

// To be called when no cycle follows, before lockstep_finish(); ends a copy.
void waves_over(struct waves *waves);

// Writes the files. ANL_ERR_ARGUMENT: there is nothing to show; ANL_ERR_IO; ANL_ERR_FORMAT;
// ANL_ERR_MEMORY.
enum anl_status waves_finish(struct waves *waves, struct anl_error *error);

#endif
