// SPDX-License-Identifier: Apache-2.0

#include "fifo_rule.h"

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const struct fifo *s = state;
    const unsigned depth = (unsigned)p[0], pushed = s->pushed, popped = s->popped;

    fifo_check(state, p, in, out);
    expect(out, "wr_ptr", index_width(depth), pushed % depth);
    expect(out, "rd_ptr", index_width(depth), popped % depth);
}

static const struct bench_module module = {
    .name = "anl_fifo",
    .parameters = "Depth, Width",
    .state_bytes = sizeof(struct fifo),
    .cycles = 5000,
    .drive = fifo_drive,
    .check = check,
    .directed = fifo_directed,
};

int main(void) { return bench_main(&module); }
