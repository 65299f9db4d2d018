// SPDX-License-Identifier: Apache-2.0
//
// What the tests of schedules share: permutations drawn at random, and the algorithm as the paper
// has it, with a table of links and steps.

#ifndef ANNELID_UNIT_SCHEDULE_H
#define ANNELID_UNIT_SCHEDULE_H

#include "unit.h"

#include <annelid/schedule.h>

#include <stdio.h>
#include <string.h>

enum { MOST_N = 8, MOST_NODES = MOST_N * MOST_N, MOST_LINKS = 4 * MOST_NODES, MOST_STEPS = 1024 };

// Draws a permutation in which each worm is there with probability part / 4. The caller frees it.
struct anl_permutation draw(uint32_t n, uint32_t part, struct anl_rng *rng);

// --- the algorithm as it is printed ---

// Writes the links of a path with one bend, as numbers node * 4 + direction; returns how many.
uint32_t path_of(uint32_t n, uint32_t from, uint32_t to, uint32_t *links);
// Which worm has a flit on a link in a step; 0: none, else the worm's number + 1.
struct busy {
    uint32_t worm[MOST_LINKS][MOST_STEPS];
};

// Marks the links of a worm that starts in that step, and says whether they are free for it.
void mark(struct busy *busy, uint32_t n, uint32_t k, uint32_t worm, uint32_t to, uint32_t start);
bool is_free(const struct busy *busy, uint32_t n, uint32_t k, uint32_t worm, uint32_t to,
             uint32_t start);
void slow_schedule(const struct anl_permutation *permutation, uint32_t k, const uint32_t *order,
                   uint32_t count, uint32_t *starts);
// Schedules in a fixed order, or a random one.
struct anl_schedule fast_schedule(const struct anl_permutation *permutation, uint32_t k,
                                  enum anl_order order, uint64_t seed, uint32_t *starts);

#endif
