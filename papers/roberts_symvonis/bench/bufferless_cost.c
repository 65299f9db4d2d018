// SPDX-License-Identifier: Apache-2.0
//
// how fast the model without buffers is, beside the buffered engine; fails if it is slower
//
// How fast the model of the mesh without buffers is: it replays a permutation of a 64 x 64 mesh
// with worms of 8 flits, beside runs of the buffered engine on the scenario that is given. Both
// take turns. Prints flit-moves and flit-hops per CPU second, medians; exit status 1 if the mesh
// without buffers is slower.

#include "beside.h"

#include <annelid/annelid.h>
#include <annelid/bufferless.h>
#include <annelid/schedule.h>
#include <stdlib.h>

enum { SIDE = 64, LENGTH = 8, NODES = SIDE * SIDE };

struct bench {
    struct anl_permutation permutation;
    uint32_t starts[NODES];
    struct anl_bufferless *machine;
};

static void prepare(struct bench *bench)
{
    struct anl_scheduler *scheduler;
    struct anl_error error;
    uint32_t order[NODES];
    if (anl_permutation_make("random", SIDE, 1, &bench->permutation, &error))
        beside_die(error.text);
    if (anl_order_make(&bench->permutation, ANL_ORDER_LONGEST, 1, order) ||
        anl_scheduler_create(&bench->permutation, LENGTH, &scheduler) ||
        anl_bufferless_create(SIDE, &bench->machine))
        beside_die("no memory");
    anl_scheduler_run(scheduler, order, NODES, bench->starts);
    anl_scheduler_destroy(scheduler);
}

// Replays the permutation once. Returns the flits that crossed links.
static uint64_t replay(void *user)
{
    struct bench *bench = user;
    anl_bufferless_reset(bench->machine);
    for (uint32_t node = 0; node < NODES; node++) {
        const struct anl_worm worm = {.source = node,
                                      .destination = bench->permutation.destinations[node],
                                      .length = LENGTH,
                                      .created = bench->starts[node]};
        if (worm.destination != node && anl_bufferless_enqueue(bench->machine, &worm, NULL))
            beside_die("a worm was refused");
    }
    while (!anl_bufferless_idle(bench->machine))
        anl_bufferless_step(bench->machine);
    if (anl_bufferless_fault(bench->machine).cause) beside_die("a fault");
    return anl_bufferless_totals(bench->machine).moves;
}

int main(int count, char **words)
{
    static struct bench bench;
    if (count != 2) beside_die("bufferless_cost SCENARIO");
    prepare(&bench);
    const int status =
        beside_the_buffered_engine(words[1], "without buffers, 64 x 64, k = 8", 1, replay, &bench);
    anl_bufferless_destroy(bench.machine);
    anl_permutation_free(&bench.permutation);
    return status;
}
