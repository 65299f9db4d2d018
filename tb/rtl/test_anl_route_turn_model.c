// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "cube_routes.h"

struct state {
    int unused;
};

static struct oracle_cube cube(const int *p)
{
    return (struct oracle_cube){MESH, p[2], (unsigned)p[0], (unsigned)p[1], (unsigned)p[3]};
}

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state;
    drive_options(cube(p), in);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    (void)state;
    check_options(cube(p), in, out);
}

static const struct bench_module module = {
    .name = "anl_route_turn_model",
    .parameters = "K, N, Rule, NumVcs",
    .state_bytes = sizeof(struct state),
    .cycles = 17000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
