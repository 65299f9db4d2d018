// SPDX-License-Identifier: Apache-2.0
//
// Waves of a run, without slowing it down: it goes on at full speed and leaves snapshots behind.
// When it is known what is to be seen, the run is taken up again from the newest snapshot before
// that, once to find out who appears, once with waves. Both are copies of this process that end
// within.

#ifndef ANL_LOCKSTEP_WAVES_H
#define ANL_LOCKSTEP_WAVES_H

#include "run/lockstep.h"
#include "run/rtl.h"

struct waves;

// Around each cycle: begin, offer, …, high (or low, if it finds a difference), end; after the run,
// and after lockstep_finish() in the first process, finish. A copy ends in one of them.

// Nothing is wanted: *waves is NULL, and all below do nothing.
enum anl_status waves_create(struct lockstep *run, struct rtl *rtl,
                             const struct lockstep_options *options, struct waves **waves,
                             struct anl_error *error);
void waves_destroy(struct waves *waves);

void waves_begin(struct waves *waves);

// False: what is to be seen is past, the run need not go on.
bool waves_end(struct waves *waves);

// Call when no cycle follows, before lockstep_finish(): ends a copy.
void waves_over(struct waves *waves);

// Writes the files.
enum anl_status waves_finish(struct waves *waves, struct anl_error *error);

#endif
