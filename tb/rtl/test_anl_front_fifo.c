// SPDX-License-Identifier: Apache-2.0

#include "fifo_rule.h"

// The front register is loaded when the front leaves and in every cycle in which there is no front.
static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const struct fifo *s = state;
    const unsigned depth = (unsigned)p[0], width = (unsigned)p[1];
    const unsigned popped = s->popped, next = popped + (s->pushed > popped);
    const bool none = next == popped;

    fifo_check(state, p, in, out);
    expect(out, "load", 1, none || s->popped > popped);
    if (s->pushed > next)
        expect(out, "next", width, s->entries[next % depth]);
    else
        ignore(out, "next", width);
}

static const struct bench_module module = {
    .name = "anl_front_fifo",
    .parameters = "Depth, Width",
    .state_bytes = sizeof(struct fifo),
    .cycles = 5000,
    .drive = fifo_drive,
    .check = check,
    .directed = fifo_directed,
};

int main(void) { return bench_main(&module); }
