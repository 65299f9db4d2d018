// SPDX-License-Identifier: Apache-2.0
//
// how fast the model that discards is, beside the buffered engine; fails below 0.7 of it
//
// How fast the model of the butterfly that discards is: a round of two passes in the butterfly with
// 1,024 inputs, with 10 worms of 10 flits from each input, random colours, columns and
// destinations, beside runs of the buffered engine on the scenario that is given. Both take turns.
// Prints flit-moves and flit-hops per CPU second, medians; exit status 1 if the first are less than
// 0.7 of the second.

#include "beside.h"

#include <annelid/annelid.h>
#include <annelid/discard.h>
#include <stdlib.h>

enum { LEVELS = 10, COLUMNS = 1 << LEVELS, LANES = 2, COLOURS = 16 };
enum { EACH = 10, LENGTH = 10, WORMS = EACH * COLUMNS };

struct bench {
    struct anl_discard_worm worms[WORMS];  // of a round, by colour
    struct anl_discard *machine;
};

static int by_start(const void *a, const void *b)
{
    const struct anl_discard_worm *first = a, *second = b;
    return (first->start > second->start) - (first->start < second->start);
}

static void draw(struct bench *bench)
{
    struct anl_rng rng = anl_rng_seed(1, 0);
    for (uint32_t i = 0; i < WORMS; i++)
        bench->worms[i] = (struct anl_discard_worm){
            1 + anl_rng_below(&rng, COLOURS) * (uint64_t)LENGTH, i / EACH,
            anl_rng_below(&rng, COLUMNS), anl_rng_below(&rng, COLUMNS), LENGTH};
    qsort(bench->worms, WORMS, sizeof *bench->worms, by_start);
}

static void prepare(struct bench *bench)
{
    const struct anl_discard_shape shape = {LEVELS, 2, LANES};
    if (anl_discard_create(&shape, &bench->machine)) beside_die("no memory");
    draw(bench);
}

// Runs the round once, worms enqueued. Returns the flits that crossed links.
static uint64_t play(void *user)
{
    struct bench *bench = user;
    anl_discard_reset(bench->machine);
    for (uint32_t i = 0; i < WORMS; i++)
        if (anl_discard_enqueue(bench->machine, &bench->worms[i], NULL))
            beside_die("a worm was refused");
    while (!anl_discard_idle(bench->machine))
        anl_discard_step(bench->machine);
    if (anl_discard_steps(bench->machine) > COLOURS * LENGTH + 2 * LEVELS - 1)
        beside_die("a long round");
    return anl_discard_totals(bench->machine).moves;
}

int main(int count, char **words)
{
    static struct bench bench;
    if (count != 2) beside_die("discard_cost SCENARIO");
    prepare(&bench);
    const int status = beside_the_buffered_engine(
        words[1], "butterfly that discards, 1,024 inputs, 2 passes, 2 lanes", 0.7, play, &bench);
    anl_discard_destroy(bench.machine);
    return status;
}
