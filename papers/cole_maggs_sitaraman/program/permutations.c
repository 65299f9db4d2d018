// SPDX-License-Identifier: Apache-2.0
//
// Permutations on the butterfly that discards: what part of the messages one pass delivers, or two
// with random intermediate columns.

#include "cole_maggs_sitaraman.h"

#include <annelid/discard.h>
#include <stdlib.h>

enum { STEPS = 1500, DRAWS = 16 };  // of the search for a bad permutation; draws of each step

struct sending {
    const struct experiment *how;
    struct anl_discard *machine;
    uint32_t *destinations;  // [columns]
};

static void shuffle(uint32_t *destinations, uint32_t n, struct anl_rng *rng)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t other = anl_rng_below(rng, i + 1);
        destinations[i] = destinations[other];
        destinations[other] = i;
    }
}

static uint32_t reversed(uint32_t column, uint32_t levels)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < levels; i++)
        value |= (column >> i & 1) << (levels - 1 - i);
    return value;
}

// The upper half of the bits changes places with the lower one; of an odd number it is one less.
static uint32_t transposed(uint32_t column, uint32_t levels)
{
    const uint32_t half = levels / 2, rest = levels - half;
    return (column >> rest | column << half) & ((UINT32_C(1) << levels) - 1);
}

// Returns how many messages are delivered, or a number above all columns without memory.
static uint32_t send(const struct sending *sending, uint64_t seed)
{
    const uint32_t n = 1u << sending->how->size;
    struct anl_rng rng = anl_rng_seed(seed, 1);
    anl_discard_reset(sending->machine);
    for (uint32_t i = 0; i < n; i++) {
        const struct anl_discard_worm worm = {.start = 1,
                                              .source = i,
                                              .intermediate =
                                                  sending->how->x == 2 ? anl_rng_below(&rng, n) : 0,
                                              .destination = sending->destinations[i],
                                              .length = 4};
        if (anl_discard_enqueue(sending->machine, &worm, NULL)) return UINT32_MAX;
    }
    anl_discard_run(sending->machine);
    return (uint32_t)anl_discard_totals(sending->machine).delivered;
}

static uint64_t draws_of(const struct sending *sending)
{
    uint64_t delivered = 0;
    for (uint64_t seed = 1; seed <= DRAWS; seed++)
        delivered += send(sending, seed);
    return delivered;
}

// Hill climbing: two destinations change places, and back if that delivers more of the draws.
static void search(struct sending *sending)
{
    const uint32_t n = 1u << sending->how->size;
    struct anl_rng rng = anl_rng_seed(1, 2);
    shuffle(sending->destinations, n, &rng);
    uint64_t least = draws_of(sending);
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t *a = &sending->destinations[anl_rng_below(&rng, n)], kept = *a;
        uint32_t *b = &sending->destinations[anl_rng_below(&rng, n)];
        *a = *b;
        *b = kept;
        const uint64_t delivered = draws_of(sending);
        if (delivered <= least) {
            least = delivered;
        } else {
            *b = *a;
            *a = kept;
        }
    }
}

static void choose(struct sending *sending, uint64_t seed)
{
    const uint32_t levels = sending->how->size, n = 1u << levels;
    struct anl_rng rng = anl_rng_seed(seed, 0);
    if (sending->how->what == WHAT_RANDOM) shuffle(sending->destinations, n, &rng);
    for (uint32_t i = 0; i < n; i++) {
        if (sending->how->what == WHAT_BIT_REVERSE) sending->destinations[i] = reversed(i, levels);
        if (sending->how->what == WHAT_TRANSPOSE) sending->destinations[i] = transposed(i, levels);
    }
}

enum anl_status permutation_passes(const struct experiment *how, uint32_t trials, double *parts)
{
    const struct anl_discard_shape shape = {how->size, how->x, how->vcs};
    struct sending sending = {how, NULL, calloc((size_t)1 << how->size, sizeof(uint32_t))};
    enum anl_status status =
        sending.destinations ? anl_discard_create(&shape, &sending.machine) : ANL_ERR_MEMORY;
    if (!status && how->what == WHAT_WORST) search(&sending);
    for (uint32_t trial = 0; !status && trial < trials; trial++) {
        choose(&sending, trial + 1);
        const uint32_t delivered = send(&sending, DRAWS + 1 + trial);
        if (delivered > 1u << how->size) status = ANL_ERR_MEMORY;
        parts[trial] = (double)delivered / (1u << how->size);
    }
    anl_discard_destroy(sending.machine);
    free(sending.destinations);
    return status;
}
