// SPDX-License-Identifier: Apache-2.0
//
// The batch of 32 slots.

#define SLOTS 32

#include "step.inc"

const struct batch_core batch_core_32 = {SLOTS, make_state, free_state, empty_slot, enqueue, step};
