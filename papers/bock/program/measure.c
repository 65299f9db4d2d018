// SPDX-License-Identifier: Apache-2.0
//
// One run: its worms, and what became of them. All worms of a permutation go to a random node
// first, and from there to their destination (Valiant's trick).

#include "bock.h"

#include <stdlib.h>

static uint32_t nodes_of(const struct anl_diagonals_config *config)
{
    uint32_t nodes = 1;
    for (uint32_t dim = 0; dim < config->d; dim++)
        nodes *= config->n;
    return nodes;
}

// Returns the sum of the coordinates of a node.
static uint32_t sum_of(const struct anl_diagonals_config *config, uint32_t node)
{
    uint32_t sum = 0;
    for (; node > 0; node /= config->n)
        sum += node % config->n;
    return sum;
}

// --- destinations ---

// Returns the node whose coordinates are those of `node`, each one changed by a rule, in the same
// order or backwards.
static uint32_t by_coordinates(const struct anl_diagonals_config *config, uint32_t node,
                               uint32_t (*rule)(uint32_t n, uint32_t x), bool backwards)
{
    uint32_t to = 0, stride = 1, place = nodes_of(config) / config->n;
    for (uint32_t dim = 0; dim < config->d; dim++, node /= config->n) {
        to += rule(config->n, node % config->n) * (backwards ? place : stride);
        stride *= config->n;
        place /= config->n;
    }
    return to;
}

static uint32_t same(uint32_t n, uint32_t x)
{
    (void)n;
    return x;
}

static uint32_t opposite(uint32_t n, uint32_t x) { return n - 1 - x; }

static uint32_t nearly_half_around(uint32_t n, uint32_t x) { return (x + (n - 1) / 2) % n; }

// Turns every bit of the number of a node in a torus whose side is a power of two.
static uint32_t other_bits(uint32_t n, uint32_t x) { return x ^ (n - 1); }

static void shuffle(uint32_t *to, uint32_t nodes, struct anl_rng *rng)
{
    for (uint32_t node = 0; node < nodes; node++)
        to[node] = node;
    for (uint32_t i = nodes - 1; i > 0; i--) {
        const uint32_t other = anl_rng_below(rng, i + 1), kept = to[i];
        to[i] = to[other];
        to[other] = kept;
    }
}

// Writes the destinations of one worm from each node.
static void destinations(const struct study *study, struct anl_rng *rng, uint32_t *to)
{
    const struct anl_diagonals_config *config = &study->config;
    const uint32_t nodes = nodes_of(config);
    if (study->traffic >= TRAFFIC_PERMUTATION) shuffle(to, nodes, rng);
    for (uint32_t node = 0; node < nodes; node++)
        switch (study->traffic) {
        case TRAFFIC_FUNCTION:
            to[node] = anl_rng_below(rng, nodes);
            break;
        case TRAFFIC_TRANSPOSE:
            to[node] = by_coordinates(config, node, same, true);
            break;
        case TRAFFIC_REVERSAL:
            to[node] = by_coordinates(config, node, opposite, true);
            break;
        case TRAFFIC_TORNADO:
            to[node] = by_coordinates(config, node, nearly_half_around, false);
            break;
        case TRAFFIC_COMPLEMENT:
            to[node] = by_coordinates(config, node, other_bits, false);
            break;
        case TRAFFIC_PERMUTATION:
        case TRAFFIC_RELATION:
            break;
        }
}

// --- runs ---

static uint32_t larger(uint32_t one, uint32_t other) { return one > other ? one : other; }

// Adds what a half of a run did.
static void add(struct run *run, const struct anl_diagonals_run *half, size_t worms)
{
    const struct anl_diagonals_totals *totals = &half->totals;
    run->failed += (uint32_t)worms - totals->states[ANL_DIAGONALS_DELIVERED];
    run->strayed += totals->strayed;
    run->rounds = larger(run->rounds, totals->rounds);
    run->reservoir = larger(run->reservoir, totals->reservoir);
    run->row = larger(run->row, totals->row);
    run->batches += half->batches;
    run->passes += half->passes;
    run->cycles += half->cycles;
    run->clean_cycles += half->clean_cycles;
    run->moves += totals->moves;
}

static enum anl_status route(struct anl_diagonals *machine, struct anl_diagonals_worm *worms,
                             size_t count, struct run *run, struct anl_error *error)
{
    struct anl_diagonals_run half;
    const enum anl_status status = anl_diagonals_route(machine, worms, count, &half, error);
    if (status) return status;
    add(run, &half, count);
    for (size_t i = 0; i < count; i++)
        run->undelivered += worms[i].node != worms[i].destination;
    return ANL_OK;
}

// Returns how many links are on a shortest way between two nodes.
static uint32_t distance(const struct anl_diagonals_config *config, uint32_t one, uint32_t other)
{
    uint32_t links = 0;
    for (uint32_t dim = 0; dim < config->d; dim++) {
        const uint32_t way = (one % config->n + config->n - other % config->n) % config->n;
        links += way < config->n - way ? way : config->n - way;
        one /= config->n;
        other /= config->n;
    }
    return links;
}

// Sends each worm from where it is to its destination.
static enum anl_status go_on(struct anl_diagonals *machine,
                             const struct anl_diagonals_config *config,
                             struct anl_diagonals_worm *worms, const uint32_t *to, size_t count,
                             struct run *run, struct anl_error *error)
{
    uint32_t batches;
    for (size_t i = 0; i < count; i++)
        worms[i] = (struct anl_diagonals_worm){.source = worms[i].node, .destination = to[i]};
    enum anl_status status = anl_diagonals_batch(config, worms, count, &batches);
    if (status) return cli_fail(status, error);
    return route(machine, worms, count, run, error);
}

// Runs worm by worm of each node: the first one of all nodes is in the first batches, and so on.
static enum anl_status run_worms(const struct study *study, struct anl_diagonals *machine,
                                 struct anl_diagonals_worm *worms, uint32_t *to, uint32_t each,
                                 uint64_t seed, struct run *run, struct anl_error *error)
{
    const struct anl_diagonals_config *config = &study->config;
    const uint32_t nodes = nodes_of(config), count = each * nodes;
    struct anl_rng rng = anl_rng_seed(seed, nodes);
    for (uint32_t i = 0; i < each; i++)
        destinations(study, &rng, to + i * nodes);
    const bool direct = study->traffic == TRAFFIC_FUNCTION;
    for (uint32_t i = 0; i < count; i++)
        worms[i] = (struct anl_diagonals_worm){
            .source = i % nodes,
            .destination = direct ? to[i] : anl_rng_below(&rng, nodes),
            .batch = i / nodes * study->batches + sum_of(config, i % nodes) % study->batches};
    *run = (struct run){.done = true, .worms = count};
    for (uint32_t i = 0; i < count; i++)
        run->distance += distance(config, i % nodes, to[i]);
    const enum anl_status status = route(machine, worms, count, run, error);
    if (status || direct) return status;
    return go_on(machine, config, worms, to, count, run, error);
}

enum anl_status measure_run(const struct study *study, uint32_t seed, struct run *run,
                            struct anl_error *error)
{
    const uint32_t each = study->traffic == TRAFFIC_RELATION ? 2 : 1;
    const size_t count = (size_t)nodes_of(&study->config) * each;
    struct anl_diagonals *machine;
    const enum anl_status status = anl_diagonals_create(&study->config, &machine, error);
    if (status) return status;
    struct anl_diagonals_worm *worms = calloc(count, sizeof *worms);
    uint32_t *to = malloc(count * sizeof *to);
    const enum anl_status done = worms && to
                                     ? run_worms(study, machine, worms, to, each, seed, run, error)
                                     : cli_fail(ANL_ERR_MEMORY, error);
    free(worms);
    free(to);
    anl_diagonals_destroy(machine);
    return done;
}
