// SPDX-License-Identifier: Apache-2.0
//
// The batch of 64 seats.

#define SEATS 64

#include "step.inc"

const struct batch_core batch_core_64 = {SEATS, make_state, free_state, empty_seat, enqueue, step};
