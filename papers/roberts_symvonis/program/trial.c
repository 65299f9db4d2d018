// SPDX-License-Identifier: Apache-2.0
//
// Rounds of snakes beside the packet algorithm alone. After each superstep each supernode must have
// the worms that the algorithm has in its node; at the end of a round all are consumed.

#include "common/common.h"
#include "snakes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SUPERSTEPS = 1 << 16 };

enum anl_status trial_create(uint32_t f, uint32_t k, uint32_t n, packet_algorithm *algorithm,
                             void *user, struct trial *trial, struct anl_error *error)
{
    *trial = (struct trial){.destinations = {.room = f - DIRECTIONS}};
    if (!user) user = &trial->destinations;
    enum anl_status status = layout_create(f, k, &trial->layout, error);
    if (!status) status = snakes_create(&trial->layout, n, algorithm, user, &trial->snakes, error);
    if (!status) status = packets_create(n, algorithm, user, &trial->packets, error);
    if (status)
        trial_free(trial);
    else
        watch_start(&trial->watch, &trial->snakes);
    return status;
}

void trial_free(struct trial *trial)
{
    watch_free(&trial->watch);
    packets_free(&trial->packets);
    snakes_free(&trial->snakes);
    layout_free(&trial->layout);
    free(trial->to);
    *trial = (struct trial){0};
}

// --- worms ---

void trial_begin(struct trial *trial)
{
    struct packets *packets = &trial->packets;
    snakes_begin(&trial->snakes, 0);
    trial->first = (uint32_t)anl_bufferless_totals(trial->snakes.machine).enqueued;
    packets->superstep = 0;
    for (uint32_t node = 0; node < packets->n * packets->n; node++)
        packets->queues[node].count = 0;
}

enum anl_status trial_note(struct trial *trial, uint32_t worm, uint32_t supernode,
                           uint32_t to_supernode)
{
    if (worm >= trial->room) {
        const uint32_t room = 2 * (worm + 1);
        uint32_t *to = realloc(trial->to, room * sizeof *to);
        if (!to) return ANL_ERR_MEMORY;
        trial->destinations.of = trial->to = to;
        trial->room = room;
    }
    trial->to[worm] = to_supernode;
    return packets_add(&trial->packets, supernode, worm);
}

enum anl_status trial_bear(struct trial *trial, uint32_t supernode, uint32_t cell,
                           uint32_t to_supernode, uint32_t to_cell)
{
    uint32_t worm;
    const uint32_t node = snakes_node(&trial->snakes, to_supernode, to_cell);
    const enum anl_status status = snakes_bear(&trial->snakes, supernode, cell, node, &worm);
    return status ? status : trial_note(trial, worm, supernode, to_supernode);
}

enum anl_status trial_count(const struct trial *trial, uint32_t *supersteps)
{
    struct packets copy;
    struct anl_error error;
    const struct packets *packets = &trial->packets;
    const size_t bytes = (size_t)packets->n * packets->n * sizeof *packets->queues;
    enum anl_status status =
        packets_create(packets->n, packets->algorithm, packets->user, &copy, &error);
    if (!status) memcpy(copy.queues, packets->queues, bytes);
    *supersteps = 0;
    while (!status && packets_away(&copy, &trial->destinations)) {
        status = packets_step(&copy);
        if (trial->snakes.consumes) packets_consume(&copy, &trial->destinations);
        if (++*supersteps == MOST_SUPERSTEPS) status = ANL_ERR_ARGUMENT;
    }
    packets_free(&copy);
    return status;
}

// --- a round ---

static void find_wrong(struct trial *trial, bool good, const char *what)
{
    if (!good && !trial->wrong) trial->wrong = what;
}

static enum anl_status step_to(struct trial *trial, uint64_t step)
{
    const struct snakes *snakes = &trial->snakes;
    enum anl_status status = ANL_OK;
    while (!status && !trial->wrong && anl_bufferless_steps(snakes->machine) < step) {
        snakes_step(&trial->snakes);
        status = watch_step(&trial->watch, snakes);
        find_wrong(trial, !anl_bufferless_fault(snakes->machine).cause, "fault");
        find_wrong(trial, !snakes->disagreed, "processors disagree");
        find_wrong(trial, !snakes->overflowed, "overflow");
        find_wrong(trial, !trial->watch.broken, trial->watch.broken);
    }
    return status;
}

// Returns whether each supernode has the worms that the packet algorithm has in its node.
static bool queues_agree(const struct trial *trial)
{
    const struct anl_bufferless_totals totals = anl_bufferless_totals(trial->snakes.machine);
    uint64_t worms = 0;
    for (uint32_t node = 0; node < trial->packets.n * trial->packets.n; node++)
        for (uint32_t i = 0; i < trial->packets.queues[node].count; i++, worms++)
            if (watch_supernode(&trial->watch, &trial->snakes,
                                trial->packets.queues[node].worms[i]) != node)
                return false;
    return worms == totals.enqueued - totals.tails;
}

// Runs to the end of a superstep, and compares the queues.
static enum anl_status run_superstep(struct trial *trial, uint32_t superstep)
{
    const struct snakes *snakes = &trial->snakes;
    enum anl_status status = step_to(trial, snakes->begun + snakes_boundary(snakes, superstep));
    if (trial->wrong || status) return status;
    status = packets_step(&trial->packets);
    find_wrong(trial, queues_agree(trial), "queues differ");
    if (snakes->consumes) packets_consume(&trial->packets, &trial->destinations);
    trial->compared++;
    return status;
}

// Runs the rest of a round: the last consumption.
static enum anl_status end_round(struct trial *trial, uint32_t supersteps)
{
    struct snakes *snakes = &trial->snakes;
    snakes->supersteps = supersteps;
    const enum anl_status status = step_to(trial, snakes->begun + snakes_steps(snakes));
    const uint32_t enqueued = (uint32_t)anl_bufferless_totals(snakes->machine).enqueued;
    trial->rounds++;
    if (supersteps > trial->longest) trial->longest = supersteps;
    for (uint32_t worm = trial->first; worm < enqueued && !status; worm++)
        find_wrong(trial, trial->watch.consumed[worm] == trial->layout.k, "not consumed in time");
    return status;
}

enum anl_status trial_run(struct trial *trial, uint32_t supersteps)
{
    enum anl_status status = ANL_OK;
    trial->snakes.supersteps = supersteps;
    for (uint32_t i = 0; i < supersteps && !status && !trial->wrong; i++)
        status = run_superstep(trial, i);
    return status ? status : end_round(trial, supersteps);
}

// --- many rounds, or one in their place ---

// Runs the round of a birth and a target cell, if it has a worm.
static enum anl_status run_class(struct trial *trial, const uint32_t *to, uint32_t birth,
                                 uint32_t target, uint32_t supersteps)
{
    const uint32_t cells = trial->layout.cells, nodes = trial->packets.n * trial->packets.n;
    enum anl_status status = ANL_OK;
    bool any = false;
    for (uint32_t i = 0; i < nodes && !status; i++) {
        const uint32_t from = i * cells + birth;
        if (to[from] % cells != target || to[from] == from) continue;
        if (!any) trial_begin(trial);
        any = true;
        status = trial_bear(trial, i, birth, to[from] / cells, target);
    }
    if (!any || status) return status;
    if (cli_interrupted()) return ANL_ERR_IO;
    if (!supersteps) {
        status = trial_count(trial, &supersteps);
        if (supersteps == 0 && trial->snakes.consumes) supersteps = 1;
    }
    return status ? status : trial_run(trial, supersteps);
}

enum anl_status trial_route(struct trial *trial, const uint32_t *to, uint32_t supersteps)
{
    const uint32_t cells = trial->layout.cells;
    enum anl_status status = ANL_OK;
    for (uint32_t i = 0; i < cells * cells && !status && !trial->wrong; i++)
        status = run_class(trial, to, i / cells, i % cells, supersteps);
    return status;
}

// Lets the next worm of a supernode be born that takes part from a superstep on. *next is the first
// cell that may have one, and receives the one behind it.
static enum anl_status bear_next(struct trial *trial, const uint32_t *to, uint32_t superstep,
                                 uint32_t supernode, uint32_t *next)
{
    struct snakes *snakes = &trial->snakes;
    const uint32_t cells = trial->layout.cells;
    while (*next < cells && to[supernode * cells + *next] == supernode * cells + *next)
        ++*next;
    if (*next == cells) return ANL_OK;
    const uint32_t end = to[supernode * cells + *next];
    const uint32_t node = snakes_node(snakes, end / cells, end % cells);
    uint32_t worm;
    const enum anl_status status =
        superstep ? snakes_bear_early(snakes, superstep, supernode, *next, node, &worm)
                  : snakes_bear(snakes, supernode, *next, node, &worm);
    if (status || worm == NO_WORM) return status;
    ++*next;
    return trial_note(trial, worm, supernode, end / cells);
}

// Returns whether a worm is on its way or is still to be born.
static bool is_busy(const struct trial *trial, const uint32_t *next)
{
    bool busy = false;
    for (uint32_t i = 0; i < trial->packets.n * trial->packets.n; i++)
        busy |= next[i] < trial->layout.cells || trial->packets.queues[i].count;
    return busy;
}

enum anl_status trial_stream(struct trial *trial, const uint32_t *to, uint32_t *supersteps)
{
    const uint32_t nodes = trial->packets.n * trial->packets.n;
    uint32_t *next = calloc(nodes, sizeof *next), superstep = 0;
    enum anl_status status = next ? ANL_OK : ANL_ERR_MEMORY;
    trial->snakes.consumes = true;
    trial_begin(trial);
    trial->snakes.supersteps = MOST_SUPERSTEPS;
    for (; !status && !trial->wrong; superstep++) {
        for (uint32_t i = 0; i < nodes && !status; i++)
            status = bear_next(trial, to, superstep, i, &next[i]);
        if (status || !is_busy(trial, next)) break;
        if (superstep == MOST_SUPERSTEPS || cli_interrupted()) status = ANL_ERR_IO;
        if (!status) status = run_superstep(trial, superstep);
    }
    *supersteps = superstep;
    free(next);
    return status || trial->wrong ? status : end_round(trial, superstep);
}
