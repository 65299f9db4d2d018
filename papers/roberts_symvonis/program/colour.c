// SPDX-License-Identifier: Apache-2.0
//
// The off-line algorithm of Newman and Schuster, O(k^1.5 n) steps, as this paper tells of it: worms
// are divided into as many rounds as a supernode has cells, such that in each round each supernode
// sends one worm and receives one. The supernodes are the two sides of a bipartite graph with an
// edge for each worm, which is regular, so it has a perfect matching; without that it is regular
// again.

#include "common/common.h"
#include "snakes.h"

#include <stdlib.h>
#include <string.h>

struct colouring {
    uint32_t nodes, cells;
    const uint32_t *to;  // [nodes * cells] as trial_route() has it
    bool *gone;          // [nodes * cells] worms of earlier rounds
    uint8_t *routed;     // [nodes * cells] rounds of each worm, counted where they are run
    uint32_t *sender;    // [nodes] the worm, by the supernode that receives it, or NO_WORM
    bool *seen;          // [nodes] supernodes that were asked in this search
};

// Looks for a receiver for a supernode; those of other supernodes change if they can.
static bool match(struct colouring *colouring, uint32_t node)
{
    for (uint32_t cell = 0; cell < colouring->cells; cell++) {
        const uint32_t worm = node * colouring->cells + cell;
        const uint32_t receiver = colouring->to[worm] / colouring->cells;
        if (colouring->gone[worm] || colouring->seen[receiver]) continue;
        colouring->seen[receiver] = true;
        const uint32_t other = colouring->sender[receiver];
        if (other == NO_WORM || match(colouring, other / colouring->cells)) {
            colouring->sender[receiver] = worm;
            return true;
        }
    }
    return false;
}

// Chooses the worms of a round. Returns whether each supernode has one: so it is in a permutation.
static bool choose_round(struct colouring *colouring)
{
    bool all = true;
    memset(colouring->sender, 0xff, colouring->nodes * sizeof *colouring->sender);  // NO_WORM
    for (uint32_t node = 0; node < colouring->nodes && all; node++) {
        memset(colouring->seen, 0, colouring->nodes * sizeof *colouring->seen);
        all = match(colouring, node);
    }
    for (uint32_t node = 0; node < colouring->nodes && all; node++)
        colouring->gone[colouring->sender[node]] = true;
    return all;
}

static enum anl_status run_round(struct trial *trial, struct colouring *colouring)
{
    const uint32_t cells = colouring->cells;
    uint32_t supersteps;
    enum anl_status status = ANL_OK;
    trial_begin(trial);
    for (uint32_t node = 0; node < colouring->nodes && !status; node++) {
        const uint32_t worm = colouring->sender[node], end = colouring->to[worm];
        colouring->routed[worm]++;
        if (end != worm)
            status = trial_bear(trial, worm / cells, worm % cells, end / cells, end % cells);
    }
    if (!status) status = trial_count(trial, &supersteps);
    return status ? status : trial_run(trial, supersteps);
}

static bool each_has_one_round(const struct colouring *colouring)
{
    for (uint32_t worm = 0; worm < colouring->nodes * colouring->cells; worm++)
        if (colouring->routed[worm] != 1) return false;
    return true;
}

enum anl_status trial_coloured(struct trial *trial, const uint32_t *to)
{
    const uint32_t nodes = trial->packets.n * trial->packets.n, cells = trial->layout.cells;
    struct colouring colouring = {.nodes = nodes,
                                  .cells = cells,
                                  .to = to,
                                  .gone = calloc((size_t)nodes * cells, sizeof(bool)),
                                  .routed = calloc((size_t)nodes * cells, sizeof(uint8_t)),
                                  .sender = calloc(nodes, sizeof(uint32_t)),
                                  .seen = calloc(nodes, sizeof(bool))};
    enum anl_status status =
        colouring.gone && colouring.routed && colouring.sender && colouring.seen ? ANL_OK
                                                                                 : ANL_ERR_MEMORY;
    for (uint32_t round = 0; round < cells && !status && !trial->wrong; round++) {
        if (!choose_round(&colouring))
            trial->wrong = "no round has a worm of each supernode";
        else
            status = cli_interrupted() ? ANL_ERR_IO : run_round(trial, &colouring);
    }
    if (!status && !trial->wrong && !each_has_one_round(&colouring))
        trial->wrong = "a worm has no round, or two";
    free(colouring.gone);
    free(colouring.routed);
    free(colouring.sender);
    free(colouring.seen);
    return status;
}
