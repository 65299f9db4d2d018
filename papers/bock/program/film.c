// SPDX-License-Identifier: Apache-2.0
//
// The run that is drawn: the first batch of a random function.

#include "film.h"

#include <stdlib.h>

enum { NODES = FILM_SIDE * FILM_SIDE, REGISTERS = 4 * NODES, LENGTH = 2, SEED = 26 };

// --- the run ---

struct anl_diagonals_config film_config(void)
{
    struct anl_diagonals_config config = {
        .n = FILM_SIDE, .d = 2, .length = LENGTH, .a = 2, .b = 1, .c = 4};
    anl_diagonals_short_rounds(&config);
    return config;
}

static enum anl_status begin(struct film *film, struct anl_error *error)
{
    struct anl_rng rng = anl_rng_seed(SEED, NODES);
    uint32_t batches;
    film->config = film_config();
    for (uint32_t node = 0; node < NODES; node++)
        film->worms[node] =
            (struct anl_diagonals_worm){.source = node, .destination = anl_rng_below(&rng, NODES)};
    enum anl_status status = anl_diagonals_create(&film->config, &film->machine, error);
    if (!status) status = cli_fail(anl_diagonals_record(film->machine, true), error);
    if (!status)
        status =
            cli_fail(anl_diagonals_batch_load(&film->config, film->worms, NODES, &batches), error);
    if (!status) status = anl_diagonals_load(film->machine, film->worms, NODES, error);
    return status;
}

// Runs a step, and notes what stood where before it, and what stands in it.
static void run_step(struct film *film)
{
    size_t count;
    anl_diagonals_registers(film->machine, film->at);
    anl_diagonals_step(film->machine);
    const struct anl_diagonals_move *moves = anl_diagonals_moves(film->machine, &count);
    for (uint32_t i = 0; i < REGISTERS; i++)
        film->stands[i] = film->at[i].valid;
    for (size_t i = 0; i < count; i++)
        if (moves[i].from != ANL_DIAGONALS_OUTSIDE) film->stands[moves[i].from] = false;
}

// Returns the worm of the first batch that searched longest for its column, and arrived.
static uint32_t worm_to_follow(const struct film *film)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        const struct anl_diagonals_worm *worm = &film->worms[i];
        const struct anl_diagonals_worm *best = &film->worms[found];
        if (worm->batch == 0 && worm->state == ANL_DIAGONALS_DELIVERED &&
            (best->batch != 0 || worm->rounds > best->rounds))
            found = i;
    }
    return found;
}

enum anl_status film_play(void (*show)(void *user, const struct film *film, uint64_t step),
                          void *user, struct anl_error *error)
{
    struct film *film = calloc(1, sizeof *film);
    if (!film) return cli_fail(ANL_ERR_MEMORY, error);
    enum anl_status status = begin(film, error);
    const uint64_t steps = status ? 0 : anl_diagonals_period(&film->config);
    for (uint64_t step = 0; step < steps; step++)
        run_step(film);
    film->followed = worm_to_follow(film);
    if (!status) status = anl_diagonals_load(film->machine, film->worms, NODES, error);
    for (uint64_t step = 0; step < steps && !status; step++) {
        run_step(film);
        show(user, film, step);
    }
    anl_diagonals_destroy(film->machine);
    free(film);
    return status;
}

// --- when ---

struct times film_times(const struct anl_diagonals_config *config)
{
    const uint64_t around = config->n + config->length;
    return (struct times){.inside = around,
                          .anywhere = 2 * around,
                          .reorder = 3 * around,
                          .search = 3 * around + config->c + 2 * config->length,
                          .delivery = anl_diagonals_stage_cycles(config),
                          .end = anl_diagonals_period(config),
                          .forward = config->forward,
                          .round = config->round_cycles};
}
