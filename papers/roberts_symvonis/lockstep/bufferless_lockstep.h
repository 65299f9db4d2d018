// SPDX-License-Identifier: Apache-2.0
//
// What the lock-step compares of a mesh without buffers, beside flits.

#ifndef ANL_BUFFERLESS_LOCKSTEP_H
#define ANL_BUFFERLESS_LOCKSTEP_H

#include "papers/common/lockstep/nodes.h"
#include "run/lockstep_internal.h"

#include <annelid/bufferless_machine.h>

// Compares latches, link registers and fault of every node (nodes.c).
void compare_nodes(struct comparison *comparison, const struct anl_bufferless_state *expected);

extern const struct observed_kind observed_bufferless;  // nodes.c
extern const struct lockstep_kind lockstep_bufferless;  // bufferless.c

#endif
