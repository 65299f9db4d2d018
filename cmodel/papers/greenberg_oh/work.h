// SPDX-License-Identifier: Apache-2.0
//
// Many jobs over several threads. Each writes to a place of its own, so what comes out does not
// depend on how many threads there are or who was faster.

#ifndef GREENBERG_OH_WORK_H
#define GREENBERG_OH_WORK_H

#include <annelid/base.h>
#include <stdbool.h>
#include <stddef.h>

struct work {
    size_t jobs;
    unsigned threads;  // at least 1
    // Does one job. An error ends the work. May be called by several threads at once.
    enum anl_status (*job)(void *user, size_t index, struct anl_error *error);
    // Called by the thread that called work_do(), about ten times a second; false ends the work.
    bool (*look)(void *user, size_t done);
    void *user;
};

// ANL_OK also if look has ended it. The error of the job with the lowest index among those that
// failed.
enum anl_status work_do(const struct work *work, struct anl_error *error);

#endif
