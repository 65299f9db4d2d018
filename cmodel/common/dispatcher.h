// SPDX-License-Identifier: Apache-2.0
//
// Where the threads of a pool hand in runs, and wait for them. Runners, threads of the dispatcher,
// make them: side by side those of equal networks, where it pays. Private to this room.

#ifndef ANNELID_DISPATCHER_H
#define ANNELID_DISPATCHER_H

#include "common/common.h"

struct dispatcher;

// Opens a dispatcher for so many clients, each of which is a thread. The caller gives it to
// dispatcher_close(). Returns NULL if there is no memory or no thread.
struct dispatcher *dispatcher_open(unsigned runners, unsigned clients, enum pool_engine engine);
// Makes runs, which a client hands in together, as pool_make_runs() does.
void dispatcher_run(struct dispatcher *dispatcher, struct anl_run_job *jobs, size_t count,
                    size_t needed);
// A client will hand in no more runs.
void dispatcher_leave(struct dispatcher *dispatcher);
// Is called when all clients have left.
void dispatcher_close(struct dispatcher *dispatcher);

#endif
