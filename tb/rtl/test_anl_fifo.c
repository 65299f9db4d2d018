// SPDX-License-Identifier: Apache-2.0

#include "fifo_rule.h"

static const struct bench_module module = {
    .name = "anl_fifo",
    .parameters = "Depth, Width",
    .state_bytes = sizeof(struct fifo),
    .cycles = 5000,
    .drive = fifo_drive,
    .check = fifo_check,
    .directed = fifo_directed,
};

int main(void) { return bench_main(&module); }
