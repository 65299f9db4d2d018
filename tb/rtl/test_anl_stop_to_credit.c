// SPDX-License-Identifier: Apache-2.0

#include "adapter_rule.h"

static void reset(void *state, const int *p)
{
    (void)p;
    ((struct adapter *)state)->style = STOP_GO;
}

static const struct bench_module module = {
    .name = "anl_stop_to_credit",
    .parameters = "NumVcs, Depth, FlitW",
    .state_bytes = sizeof(struct adapter),
    .cycles = 5000,
    .reset = reset,
    .drive = to_credit_drive,
    .check = to_credit_check,
    .directed = to_credit_directed,
};

int main(void) { return bench_main(&module); }
