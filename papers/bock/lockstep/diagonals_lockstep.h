// SPDX-License-Identifier: Apache-2.0
//
// What the lock-step compares of sliding diagonals, beside flits.

#ifndef ANL_DIAGONALS_LOCKSTEP_H
#define ANL_DIAGONALS_LOCKSTEP_H

#include "papers/common/lockstep/nodes.h"
#include "run/lockstep_internal.h"

#include <annelid/diagonals_machine.h>

// Compares link registers, latches, turn nodes and fault of every node (registers.c).
void compare_diagonals(struct comparison *comparison, const struct anl_diagonals_nodes *expected);

// Reports whether some worm has failed.
void anl_lockstep_clean_up(uint64_t harness, svBit failed);

extern const struct observed_kind observed_diagonals;  // registers.c
extern const struct lockstep_kind lockstep_diagonals;  // diagonals.c

#endif
