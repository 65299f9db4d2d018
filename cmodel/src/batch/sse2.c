// SPDX-License-Identifier: Apache-2.0
//
// The batch of 16 seats.

#define SEATS 16

#include "step.inc"

const struct batch_core batch_core_16 = {SEATS, make_state, free_state, empty_seat, enqueue, step};
