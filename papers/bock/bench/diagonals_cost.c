// SPDX-License-Identifier: Apache-2.0
//
// how fast the model of sliding diagonals is, beside the buffered engine; fails if it is slower
//
// How fast the model of sliding diagonals is: a random function on a torus of 256 x 256 nodes,
// worms of two flits, short rounds, all batches, beside runs of the buffered engine on the scenario
// that is given. Both take turns. Prints flit-moves and flit-hops per CPU second, medians; exit
// status 1 if the first are fewer.

#include "beside.h"

#include <annelid/annelid.h>
#include <annelid/diagonals.h>
#include <stdlib.h>

enum { SIDE = 256, NODES = SIDE * SIDE, BATCHES = 8 };

struct bench {
    struct anl_diagonals_worm worms[NODES];
    struct anl_diagonals *machine;
};

static void prepare(struct bench *bench)
{
    struct anl_diagonals_config config = {.n = SIDE, .d = 2, .length = 2, .a = 4, .b = 1, .c = 16};
    struct anl_rng rng = anl_rng_seed(1, NODES);
    anl_diagonals_short_rounds(&config);
    if (anl_diagonals_create(&config, &bench->machine, NULL)) beside_die("no memory");
    for (uint32_t node = 0; node < NODES; node++)
        bench->worms[node] =
            (struct anl_diagonals_worm){.source = node,
                                        .destination = anl_rng_below(&rng, NODES),
                                        .batch = (node / SIDE + node % SIDE) % BATCHES};
}

// Routes the function once. Returns the flits that went to a register.
static uint64_t play(void *user)
{
    struct bench *bench = user;
    struct anl_diagonals_run run;
    if (anl_diagonals_route(bench->machine, bench->worms, NODES, &run, NULL))
        beside_die("worms collide");
    return run.totals.moves;
}

int main(int count, char **words)
{
    static struct bench bench;
    if (count != 2) beside_die("diagonals_cost SCENARIO");
    prepare(&bench);
    const int status = beside_the_buffered_engine(
        words[1], "sliding diagonals, 256 x 256, worms of 2 flits", 1, play, &bench);
    anl_diagonals_destroy(bench.machine);
    return status;
}
