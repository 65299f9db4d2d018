// SPDX-License-Identifier: Apache-2.0
//
// Process generator: worms as the sources of a board make them. Rules: docs/board.md.

#ifndef ANL_TRAFFIC_GENERATOR_H
#define ANL_TRAFFIC_GENERATOR_H

#include <annelid/workload.h>

// State of the generator of a terminal at the start of a run.
uint32_t generator_seed(const struct anl_scenario *scenario, uint32_t terminal);

// The worm whose head is shown with this state, which goes on to that of the next one.
struct anl_offer generator_worm(const struct anl_scenario *scenario, uint32_t source,
                                uint32_t *random);

#endif
