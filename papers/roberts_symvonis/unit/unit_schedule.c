// SPDX-License-Identifier: Apache-2.0

#include "unit_schedule.h"

struct anl_permutation draw(uint32_t n, uint32_t part, struct anl_rng *rng)
{
    struct anl_permutation permutation;
    struct anl_error error;
    const uint64_t seed = anl_rng_next(rng);
    assert_int_equal(anl_permutation_make("random", n, seed, &permutation, &error), ANL_OK);
    for (uint32_t node = 0; node < n * n; node++)
        if (anl_rng_below(rng, 4) >= part) permutation.destinations[node] = ANL_NO_NODE;
    return permutation;
}

uint32_t path_of(uint32_t n, uint32_t from, uint32_t to, uint32_t *links)
{
    uint32_t count = 0, row = from / n, column = from % n;
    while (column != to % n) {
        const bool right = column < to % n;
        links[count++] = (row * n + column) * 4 + (right ? 0 : 1);
        column += right ? 1u : (uint32_t)-1;
    }
    while (row != to / n) {
        const bool down = row < to / n;
        links[count++] = (row * n + column) * 4 + (down ? 2 : 3);
        row += down ? 1u : (uint32_t)-1;
    }
    return count;
}

void mark(struct busy *busy, uint32_t n, uint32_t k, uint32_t worm, uint32_t to, uint32_t start)
{
    uint32_t links[2 * MOST_N];
    const uint32_t d = path_of(n, worm, to, links);
    for (uint32_t i = 0; i < d; i++)
        for (uint32_t j = 0; j < k; j++) {
            assert_true(start + i + j < MOST_STEPS);
            busy->worm[links[i]][start + i + j] = worm + 1;
        }
}

bool is_free(const struct busy *busy, uint32_t n, uint32_t k, uint32_t worm, uint32_t to,
             uint32_t start)
{
    uint32_t links[2 * MOST_N];
    const uint32_t d = path_of(n, worm, to, links);
    for (uint32_t i = 0; i < d; i++)
        for (uint32_t j = 0; j < k; j++)
            if (busy->worm[links[i]][start + i + j]) return false;
    return true;
}

void slow_schedule(const struct anl_permutation *permutation, uint32_t k, const uint32_t *order,
                   uint32_t count, uint32_t *starts)
{
    static struct busy busy;
    const uint32_t n = permutation->n;
    memset(&busy, 0, sizeof busy);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t worm = order[i], to = permutation->destinations[worm];
        uint32_t start = 1;
        while (!is_free(&busy, n, k, worm, to, start))
            start++;
        mark(&busy, n, k, worm, to, start);
        starts[worm] = start;
    }
}

struct anl_schedule fast_schedule(const struct anl_permutation *permutation, uint32_t k,
                                  enum anl_order order, uint64_t seed, uint32_t *starts)
{
    uint32_t worms[MOST_NODES];
    struct anl_scheduler *scheduler;
    assert_int_equal(anl_order_make(permutation, order, seed, worms), ANL_OK);
    assert_int_equal(anl_scheduler_create(permutation, k, &scheduler), ANL_OK);
    const struct anl_schedule schedule =
        anl_scheduler_run(scheduler, worms, anl_permutation_worms(permutation), starts);
    anl_scheduler_destroy(scheduler);
    return schedule;
}
