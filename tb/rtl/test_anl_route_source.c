// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "oracle/words.h"

static unsigned port_width(const int *p) { return index_width((unsigned)p[0]); }

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state;
    put(in, port_width(p), random_below((uint64_t)p[0]));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    (void)state;
    const uint64_t next = take(in, "next", port_width(p));
    expect(out, "port", (unsigned)p[0], onehot((int)next));
    expect(out, "vcs", (unsigned)p[1], ones((unsigned)p[1]));
}

static const struct bench_module module = {
    .name = "anl_route_source",
    .parameters = "NumPorts, NumVcs",
    .state_bytes = 1,
    .cycles = 500,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
