// SPDX-License-Identifier: Apache-2.0
//
// Where the threads of a pool hand in runs, and wait for them. Stations, threads of the desk, make
// them: side by side those of equal networks, where it pays. Private to this room.

#ifndef ANNELID_DESK_H
#define ANNELID_DESK_H

#include "common/common.h"

struct desk;

// Opens a desk for so many clients, each of which is a thread. The caller gives it to desk_close().
// Returns NULL if there is no memory or no thread.
struct desk *desk_open(unsigned stations, unsigned clients, enum pool_engine engine);
// Makes runs, which a client hands in together, as pool_make_runs() does.
void desk_run(struct desk *desk, struct anl_run_job *jobs, size_t count, size_t needed);
// A client will hand in no more runs.
void desk_leave(struct desk *desk);
// Is called when all clients have left.
void desk_close(struct desk *desk);

#endif
