// SPDX-License-Identifier: Apache-2.0
//
// Tasks shared out among threads, each to the first that is free; a bar says how far they are.

#ifndef ANNELID_SWEEP_POOL_H
#define ANNELID_SWEEP_POOL_H

#include <annelid/base.h>
#include <stddef.h>

// The thread that works on a task.
struct sweep_worker;

// Says that this fraction of the worker's task is done. NULL: nobody wants to know.
void sweep_worker_progress(struct sweep_worker *worker, double fraction);

struct sweep_work {
    const char *what;  // for the bar, e.g. "sweeping"
    const char *unit;  // of what are there so many, e.g. "runs"
    size_t tasks;
    unsigned workers;      // > 0
    const double *weight;  // [tasks] how long each may take, beside the others; NULL: alike
    enum anl_status (*run)(void *user, size_t task, struct sweep_worker *worker,
                           struct anl_error *error);
    void *user;
};

// Runs all tasks; each is told to one thread. After an error, or Ctrl-C, no more are begun, and
// those that have begun are waited for. ANL_ERR_IO after Ctrl-C.
enum anl_status sweep_pool_run(const struct sweep_work *work, struct anl_error *error);

// Processors that this process may use.
unsigned sweep_pool_cores(void);

#endif
