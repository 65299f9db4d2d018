// SPDX-License-Identifier: Apache-2.0
//
// The delayed-greedy algorithm of Theorem 2: every worm waits for x phases, x uniform in
// 0 … R - 1, and then goes greedily.

#ifndef GREENBERG_OH_DELAYED_H
#define GREENBERG_OH_DELAYED_H

#include "bounds.h"

#include <annelid/scenario.h>

// Sets the delays of a batch as Theorem 2 wants them for the paths that its worms will have: those
// of the routing, drawn as under up_down_fixed where the run would choose. As these paths may
// depend on the order of creation, and so on the delays, R is raised until it is enough; it is
// schedule->delays then. ANL_ERR_ARGUMENT: no batch; ANL_ERR_MEMORY.
enum anl_status delayed_prepare(struct anl_scenario *scenario, struct bounds_schedule *schedule,
                                struct anl_error *error);

#endif
