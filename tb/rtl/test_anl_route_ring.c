// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "cube_routes.h"

struct state {
    int unused;
};

static struct oracle_cube cube(const int *p)
{
    return (struct oracle_cube){UNIDIRECTIONAL_TORUS, p[3] ? DATELINE : DIMENSION_ORDER,
                                (unsigned)p[0], (unsigned)p[1], (unsigned)p[2]};
}

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state;
    drive_route(cube(p), in);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    (void)state;
    check_route(cube(p), in, out);
}

static const struct bench_module module = {
    .name = "anl_route_ring",
    .parameters = "K, N, NumVcs, Dateline",
    .state_bytes = sizeof(struct state),
    .cycles = 17000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
