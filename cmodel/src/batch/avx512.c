// SPDX-License-Identifier: Apache-2.0
//
// The batch of 64 slots.

#define SLOTS 64

#include "step.inc"

const struct batch_core batch_core_64 = {SLOTS, make_state, free_state, empty_slot, enqueue, step};
