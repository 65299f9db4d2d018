// SPDX-License-Identifier: Apache-2.0

#include "adapter_rule.h"

static void reset(void *state, const int *p)
{
    (void)p;
    ((struct adapter *)state)->style = READY_VALID_PER_LANE;
}

static const struct bench_module module = {
    .name = "anl_credit_to_lane_ready",
    .parameters = "NumVcs, Depth, FlitW",
    .state_bytes = sizeof(struct adapter),
    .cycles = 5000,
    .reset = reset,
    .drive = from_credit_drive,
    .check = from_credit_check,
    .directed = from_credit_directed,
};

int main(void) { return bench_main(&module); }
