// SPDX-License-Identifier: Apache-2.0
//
// Worms that are drawn for many cycles at once, terminal by terminal, and sorted by cycle.

#include "workload.h"

#include <stdlib.h>
#include <string.h>

// A terminal creates at most one worm in a cycle.
enum anl_status ahead_create(struct ahead *ahead, uint32_t terminals)
{
    const size_t most = (size_t)AHEAD_CYCLES * (terminals ? terminals : 1);
    *ahead = (struct ahead){.next = OPEN_NEVER,
                            .due = malloc((terminals + 1) * sizeof *ahead->due),
                            .drawn = malloc(most * sizeof *ahead->drawn),
                            .worms = malloc(most * sizeof *ahead->worms)};
    return ahead->due && ahead->drawn && ahead->worms ? ANL_OK : ANL_ERR_MEMORY;
}

void ahead_destroy(struct ahead *ahead)
{
    free(ahead->due);
    free(ahead->drawn);
    free(ahead->worms);
}

void ahead_begin(struct ahead *ahead, uint64_t cycle)
{
    ahead->begin = cycle;
    ahead->end = cycle + AHEAD_CYCLES;
    ahead->next = OPEN_NEVER;
    ahead->num_drawn = 0;
    ahead->cycles = 0;
    memset(ahead->begins, 0, sizeof ahead->begins);
}

void ahead_end(struct ahead *ahead)
{
    uint32_t place[AHEAD_CYCLES];
    for (uint32_t i = 0; i < AHEAD_CYCLES; i++) {
        place[i] = ahead->begins[i];
        ahead->begins[i + 1] += ahead->begins[i];
    }
    for (uint32_t i = 0; i < ahead->num_drawn; i++)
        ahead->worms[place[ahead->drawn[i].at]++] = ahead->drawn[i].worm;
}

uint64_t ahead_next(const struct ahead *ahead, uint64_t cycle)
{
    if (cycle >= ahead->end) return ahead->next;
    const uint64_t left = ahead->cycles >> (cycle - ahead->begin);
    return left ? cycle + (uint64_t)__builtin_ctzll(left) : ahead->next;
}
