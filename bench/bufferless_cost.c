// SPDX-License-Identifier: Apache-2.0
//
// How fast the model of the mesh without buffers is: it replays a permutation of a 64 x 64 mesh
// with worms of 8 flits, beside runs of the buffered engine on the scenario that is given. Both
// take turns. Prints flit-moves and flit-hops per CPU second, medians; exit status 1 if the mesh
// without buffers is slower.

#include "meter.h"

#include <annelid/annelid.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 7, REPLAYS = 40, SIDE = 64, LENGTH = 8, NODES = SIDE * SIDE };

struct bench {
    struct anl_scenario scenario;
    struct anl_permutation permutation;
    uint32_t starts[NODES];
    struct anl_bufferless *machine;
};

static _Noreturn void die(const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(2);
}

static void prepare(struct bench *bench, const char *path)
{
    struct anl_scheduler *scheduler;
    struct anl_error error;
    uint32_t order[NODES];
    if (anl_scenario_load(path, &bench->scenario, &error)) die(error.text);
    if (anl_permutation_make("random", SIDE, 1, &bench->permutation, &error)) die(error.text);
    if (anl_order_make(&bench->permutation, ANL_ORDER_LONGEST, 1, order) ||
        anl_scheduler_create(&bench->permutation, LENGTH, &scheduler) ||
        anl_bufferless_create(SIDE, &bench->machine))
        die("no memory");
    anl_scheduler_run(scheduler, order, NODES, bench->starts);
    anl_scheduler_destroy(scheduler);
}

// Replays the permutation once. Returns the flits that crossed links.
static uint64_t replay(struct bench *bench)
{
    anl_bufferless_reset(bench->machine);
    for (uint32_t node = 0; node < NODES; node++) {
        const struct anl_worm worm = {.source = node,
                                      .destination = bench->permutation.destinations[node],
                                      .length = LENGTH,
                                      .created = bench->starts[node]};
        if (worm.destination != node && anl_bufferless_offer(bench->machine, &worm, NULL))
            die("a worm was refused");
    }
    while (!anl_bufferless_idle(bench->machine))
        anl_bufferless_step(bench->machine);
    if (anl_bufferless_fault(bench->machine).cause) die("a fault");
    return anl_bufferless_totals(bench->machine).moves;
}

static double moves_per_second(struct bench *bench)
{
    uint64_t moves = 0;
    const double begin = meter_cpu_seconds();
    for (uint32_t i = 0; i < REPLAYS; i++)
        moves += replay(bench);
    return (double)moves / (meter_cpu_seconds() - begin);
}

static double hops_per_second(struct bench *bench)
{
    const struct anl_run_options options = {0};
    struct anl_run_result result;
    const double begin = meter_cpu_seconds();
    if (anl_run(&bench->scenario, &options, &result, NULL)) die("no run");
    return (double)result.totals.flit_hops / (meter_cpu_seconds() - begin);
}

int main(int count, char **words)
{
    static struct bench bench;
    double moves[ROUNDS], hops[ROUNDS];
    if (count != 2) die("bufferless_cost SCENARIO");
    prepare(&bench, words[1]);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        moves[i] = moves_per_second(&bench);
        hops[i] = hops_per_second(&bench);
    }
    const double fast = meter_spread(moves, ROUNDS).median;
    const double buffered = meter_spread(hops, ROUNDS).median;
    printf("without buffers, %d x %d, k = %d: %.1f million flit-moves per CPU second\n", SIDE, SIDE,
           LENGTH, fast / 1e6);
    printf("buffered, %s: %.1f million flit-hops; ratio %.2f\n", words[1], buffered / 1e6,
           fast / buffered);
    anl_bufferless_destroy(bench.machine);
    anl_permutation_free(&bench.permutation);
    anl_scenario_free(&bench.scenario);
    return fast < buffered;
}
