// SPDX-License-Identifier: Apache-2.0
//
// What annelid bounds finds out, and how it prints it.

#ifndef ANNELID_CMD_BOUNDS_H
#define ANNELID_CMD_BOUNDS_H

#include "cli.h"

#include <annelid/theory.h>
#include <inttypes.h>

struct bounds_answer {
    const struct anl_scenario *scenario;
    bool ran;                // else the paths are drawn
    struct anl_trial trial;  // not run: of the worms, and lower if they have one length
    struct anl_paths paths;
    struct anl_paths_measures measures;
    uint32_t *cycle;      // of channels in the dependency graph
    size_t cycle_length;  // 0: there is none
    struct anl_paths_meeting meeting;
    struct anl_bounds_schedule theorem;  // for the longest length
    bool has_delayed;
    struct anl_trial delayed;  // the delayed-greedy run, with this schedule
    struct anl_bounds_schedule schedule;
};

void bounds_print_text(const struct bounds_answer *answer);
void bounds_print_json(const struct bounds_answer *answer);

#endif
