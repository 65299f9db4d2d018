// SPDX-License-Identifier: Apache-2.0
//
// calibrate: does a fixed amount of work and measures the CPU time that it takes today: arithmetic
// in registers, and steps through a table larger than the nearer caches, where each step depends on
// the one before. A difference between two times is one of the machine, not of the project.

#include "meter.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TABLE_ENTRIES = 1 << 21, STEPS = 700000, TURNS = 50000000 };

static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint64_t compute(void)
{
    uint64_t state = 1;
    for (uint64_t i = 0; i < TURNS; i++)
        draw(&state);
    return state;
}

// Makes one cycle through all entries, in random order.
static void fill(uint32_t *next)
{
    uint64_t state = 1;
    for (uint32_t i = 0; i < TABLE_ENTRIES; i++)
        next[i] = i;
    for (uint32_t i = TABLE_ENTRIES - 1; i > 0; i--) {
        const uint32_t other = (uint32_t)(draw(&state) % i), kept = next[i];
        next[i] = next[other];
        next[other] = kept;
    }
}

static uint32_t walk(const uint32_t *next)
{
    uint32_t at = 0;
    for (uint64_t i = 0; i < STEPS; i++)
        at = next[at];
    return at;
}

int main(void)
{
    uint32_t *const next = malloc(TABLE_ENTRIES * sizeof *next);
    if (!next) return 1;
    fill(next);
    const double begin = meter_cpu_seconds();
    const uint64_t computed = compute();
    const double between = meter_cpu_seconds();
    const uint32_t walked = walk(next);
    const double end = meter_cpu_seconds();
    free(next);
    // The results are printed so that the compiler cannot leave out the work.
    printf("{\"arithmetic_seconds\": %.6f, \"memory_seconds\": %.6f, \"computed\": %llu, "
           "\"walked\": %u}\n",
           between - begin, end - between, (unsigned long long)computed, walked);
    return 0;
}
