// SPDX-License-Identifier: Apache-2.0
//
// The batch of 32 seats.

#define SEATS 32

#include "step.inc"

const struct batch_core batch_core_32 = {SEATS, make_state, free_state, empty_seat, enqueue, step};
