// SPDX-License-Identifier: Apache-2.0
//
// What the lock-step compares of switches that discard, beside flits.

#ifndef ANL_DISCARDING_LOCKSTEP_H
#define ANL_DISCARDING_LOCKSTEP_H

#include "run/lockstep_internal.h"

#include <annelid/discarding_machine.h>

// Compares link registers and owners of the lanes of links, as the model has them (lanes.c).
void compare_lanes(struct comparison *comparison, const struct anl_discard_state *expected);
// Compares which nodes say that they discard a worm, and which heads they discard.
void compare_discards(struct comparison *comparison, const struct discards *expected);

extern const struct lockstep_kind lockstep_discarding;  // discarding.c

#endif
