// SPDX-License-Identifier: Apache-2.0
//
// The batch of 16 slots.

#define SLOTS 16

#include "step.inc"

const struct batch_core batch_core_16 = {SLOTS, make_state, free_state, empty_slot, enqueue, step};
