// SPDX-License-Identifier: Apache-2.0
//
// Common part of the tests of the teaching scenarios: runs a scenario of sim/scenarios/ on the
// golden model, feeds its blocking analysis, and keeps the lives of the worms that were delivered.
// The tests run at the top of the source tree.

#ifndef ANNELID_LESSON_H
#define ANNELID_LESSON_H

#include "unit.h"

#include <annelid/blocking.h>
#include <annelid/network.h>
#include <annelid/run.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lesson {
    struct anl_scenario scenario;
    struct anl_blocking *blocking;
    struct anl_run_result result;
    struct anl_life *lives;  // [worm] all 0 if the worm was not delivered
    size_t num_lives;
    bool (*look)(struct lesson *lesson,
                 const struct anl_engine *net);  // called after every cycle; may be NULL
    void *user;                                  // for look
};

// Returns the latency of a worm that was delivered.
uint64_t lesson_latency(const struct anl_life *life);
// Reads the scenario; settings, up to the first NULL, replace values in it.
struct lesson lesson_load(const char *name, const char *const *settings);
// Runs it to its end.
void lesson_run(struct lesson *lesson);
void lesson_free(struct lesson *lesson);

#endif
