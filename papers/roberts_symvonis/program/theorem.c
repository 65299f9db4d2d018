// SPDX-License-Identifier: Apache-2.0
//
// The second part of the paper, measured: the times of a supernode, snakes beside packet
// algorithms, packet algorithms alone, and the steps of Theorem 2.

#include "roberts_symvonis.h"
#include "snakes.h"

#include <math.h>
#include <stdlib.h>

static packet_algorithm *const algorithms[ALGORITHMS] = {greedy, deflecting, sorting};

static enum anl_status interrupted(struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_IO, "", 0, "interrupted");
}

// --- the times of a supernode ---

static void stay(void *user, const struct node_view *view, uint32_t out[DIRECTIONS])
{
    (void)user;
    (void)view;
    for (uint32_t port = 0; port < DIRECTIONS; port++)
        out[port] = NO_WORM;
}

// When the worm of a round with no other one is in the bottom command processor for the first
// times, when its last flit is consumed, and how long the round is.
struct lone {
    uint64_t meetings[2], consumed, steps;
};

static enum anl_status run_lone(struct trial *trial, uint32_t supersteps, struct lone *lone)
{
    struct snakes *snakes = &trial->snakes;
    uint32_t meetings = 0;
    *lone = (struct lone){.consumed = 0};
    trial_begin(trial);
    snakes->supersteps = supersteps;
    lone->steps = snakes_steps(snakes);
    enum anl_status status =
        trial_bear(trial, 0, snakes_door(&trial->layout, SIDE_LEFT), 0, trial->layout.top);
    for (uint64_t step = 1; step <= lone->steps && !status; step++) {
        snakes_step(snakes);
        status = watch_step(&trial->watch, snakes);
        if (meetings < 2 &&
            watch_is_at(&trial->watch, snakes, trial->first, 0, trial->layout.bottom))
            lone->meetings[meetings++] = step;
        if (!lone->consumed && trial->watch.consumed[trial->first] == trial->layout.k)
            lone->consumed = step;
    }
    return status;
}

enum anl_status measure_layout(const struct layout_case *layout, struct layout_result *result,
                               struct anl_error *error)
{
    struct trial trial;
    struct lone lone[3];
    enum anl_status status = trial_create(layout->f, layout->k, 1, stay, NULL, &trial, error);
    if (status) return status;
    for (uint32_t i = 0; i < 3 && !status; i++) {
        status = cli_fail(run_lone(&trial, i + 1, &lone[i]), error);
        result->rounds[i] = (uint32_t)lone[i].steps;
    }
    if (!status) {
        result->period = (uint32_t)(lone[0].meetings[1] - lone[0].meetings[0]);
        result->superstep = (uint32_t)(lone[1].consumed - lone[0].consumed);
        result->done = lone[0].consumed && lone[2].consumed <= lone[2].steps;
    }
    trial_free(&trial);
    return status;
}

// --- snakes ---

// Notes what a trial has shown, and what it would take in all rounds.
static void note(struct snake_result *result, const struct trial *trial)
{
    const struct anl_bufferless_totals totals = anl_bufferless_totals(trial->snakes.machine);
    result->runs++;
    result->queue = trial->packets.largest > result->queue ? trial->packets.largest : result->queue;
    result->together = trial->watch.most > result->together ? trial->watch.most : result->together;
    result->longest = trial->longest > result->longest ? trial->longest : result->longest;
    result->rounds += trial->rounds;
    result->compared += trial->compared;
    result->worms += totals.tails;
    result->sent += trial->packets.sent;
    result->moves += trial->watch.moves;
    result->steps += anl_bufferless_steps(trial->snakes.machine);
    if (trial->wrong) result->wrong = trial->wrong;
    if (totals.tails < totals.enqueued) result->wrong = "worms were not consumed";
}

// Fills in where the worm of each cell goes: a permutation, or random cells.
static void draw(const struct snake_case *snakes, uint32_t count, uint64_t seed, uint32_t *to)
{
    struct anl_rng rng = anl_rng_seed(seed, 0);
    shuffle(to, count, &rng);
    for (uint32_t i = 0; i < count && snakes->traffic == TRAFFIC_RANDOM; i++)
        to[i] = anl_rng_below(&rng, count);
}

// Schedules the same permutation off-line, in the order longest; that of `to` is by supernodes.
static enum anl_status schedule(const struct trial *trial, uint32_t k, const uint32_t *to,
                                struct snake_result *result)
{
    const uint32_t cells = trial->layout.cells, n = trial->packets.n * trial->layout.side;
    uint32_t *order = calloc((size_t)n * n, sizeof *order);
    uint32_t *starts = calloc((size_t)n * n, sizeof *starts);
    struct anl_permutation permutation;
    struct anl_scheduler *scheduler = NULL;
    struct anl_error error;
    enum anl_status status = anl_permutation_begin(n, &permutation, &error);
    for (uint32_t i = 0; i < n * n && !status; i++)
        permutation.destinations[snakes_node(&trial->snakes, i / cells, i % cells)] =
            snakes_node(&trial->snakes, to[i] / cells, to[i] % cells);
    if (!status && (!order || !starts)) status = ANL_ERR_MEMORY;
    if (!status) status = anl_order_make(&permutation, ANL_ORDER_LONGEST, 0, order);
    if (!status) status = anl_scheduler_create(&permutation, k, &scheduler);
    if (!status) {
        const uint32_t span = anl_scheduler_run(scheduler, order, n * n, starts).makespan;
        result->one_bend = span > result->one_bend ? span : result->one_bend;
    }
    anl_scheduler_destroy(scheduler);
    anl_permutation_free(&permutation);
    free(order);
    free(starts);
    return status;
}

// Runs the rounds of a traffic, or the one in which worms are born early.
static enum anl_status run_traffic(const struct snake_case *snakes, const uint32_t *to,
                                   struct trial *trial, uint32_t *supersteps)
{
    const bool sorts = snakes->algorithm == ALGORITHM_SORTING;
    const uint32_t most = snakes->traffic == TRAFFIC_RANDOM ? snakes->n * snakes->n : 1;
    if (snakes->traffic == TRAFFIC_EARLY) return trial_stream(trial, to, supersteps);
    if (snakes->traffic == TRAFFIC_COLOURED) return trial_coloured(trial, to);
    return trial_route(trial, to, sorts ? sorting_supersteps(snakes->n, most) : 0);
}

// Returns the steps of a permutation: those that were made if its rounds follow from it, else those
// of all rounds that the paper has.
static uint64_t total_of(const struct snake_case *snakes, struct trial *trial)
{
    const uint64_t cells = trial->layout.cells;
    if (snakes->traffic == TRAFFIC_COLOURED) return anl_bufferless_steps(trial->snakes.machine);
    trial->snakes.supersteps = trial->longest;
    const uint64_t steps = snakes_steps(&trial->snakes);
    return snakes->traffic == TRAFFIC_EARLY ? steps : steps * cells * cells;
}

// Routes all worms of a mesh.
static enum anl_status route(const struct snake_case *snakes, uint64_t seed, struct trial *trial,
                             struct snake_result *result)
{
    const uint32_t cells = trial->layout.cells, count = snakes->n * snakes->n * cells;
    uint32_t *to = calloc(count, sizeof *to), supersteps;
    if (!to) return ANL_ERR_MEMORY;
    draw(snakes, count, seed, to);
    trial->snakes.consumes = snakes->traffic == TRAFFIC_RANDOM;
    enum anl_status status = run_traffic(snakes, to, trial, &supersteps);
    if (!status && snakes->traffic == TRAFFIC_COLOURED)
        status = schedule(trial, snakes->k, to, result);
    free(to);
    const uint64_t total = total_of(snakes, trial);
    if (total > result->total) result->total = total;
    return status;
}

static enum anl_status run_mesh(const struct snake_case *snakes, uint64_t seed,
                                struct snake_result *result, struct anl_error *error)
{
    struct trial trial;
    enum anl_status status = trial_create(snakes->f, snakes->k, snakes->n,
                                          algorithms[snakes->algorithm], NULL, &trial, error);
    if (status) return status;
    status = cli_fail(route(snakes, seed, &trial, result), error);
    note(result, &trial);
    trial_free(&trial);
    return status;
}

static enum anl_status run_full(const struct snake_case *snakes, uint64_t seed,
                                struct snake_result *result, struct anl_error *error)
{
    enum { SUPERSTEPS = 4 };
    struct stress stress = {snakes->f, snakes->k, snakes->n, SUPERSTEPS, (enum fill)(seed % FILLS),
                            true,      seed};
    struct trial trial;
    enum anl_status status = stress_create(&stress, &trial, error);
    if (status) return status;
    status = cli_fail(stress_run(&stress, &trial), error);
    note(result, &trial);
    trial_free(&trial);
    return status;
}

enum anl_status measure_snakes(const struct snake_case *snakes, bool only_short,
                               struct snake_result *result, struct anl_error *error)
{
    const uint32_t count = only_short ? snakes->brief : snakes->count;
    enum anl_status status = ANL_OK;
    for (uint32_t seed = 1; seed <= count && !status; seed++) {
        if (cli_interrupted()) return interrupted(error);
        status = snakes->traffic == TRAFFIC_FULL ? run_full(snakes, seed, result, error)
                                                 : run_mesh(snakes, seed, result, error);
    }
    result->done = !status;
    return status;
}

size_t measure_num_controls(void)
{
    uint32_t count = 0;
    while (control_name(count))
        count++;
    return count;
}

enum anl_status measure_control(uint32_t control, struct control_result *result,
                                struct anl_error *error)
{
    if (cli_interrupted()) return interrupted(error);
    return control_run(control, &result->found, error);
}

// --- packet algorithms alone ---

// Routes one permutation with an algorithm.
static enum anl_status route_packets(uint32_t n, const uint32_t *to, enum algorithm algorithm,
                                     struct packet_result *result, struct anl_error *error)
{
    struct destinations destinations = {.of = to, .room = 8};
    struct packets packets;
    const uint32_t last = sorting_supersteps(n, 1), nodes = n * n;
    uint32_t *most = &result->algorithms[algorithm].supersteps;
    uint32_t *queue = &result->algorithms[algorithm].queue;
    enum anl_status status =
        packets_create(n, algorithms[algorithm], &destinations, &packets, error);
    for (uint32_t node = 0; node < nodes && !status; node++)
        status = cli_fail(packets_add(&packets, node, node), error);
    while (!status && packets.superstep < last &&
           (algorithm == ALGORITHM_SORTING || packets_away(&packets, &destinations)))
        status = cli_fail(packets_step(&packets), error);
    if (packets.superstep > *most) *most = packets.superstep;
    if (packets.largest > *queue) *queue = packets.largest;
    if (!status) result->algorithms[algorithm].late += packets_away(&packets, &destinations);
    packets_free(&packets);
    return status;
}

static enum anl_status route_all(uint32_t n, const uint32_t *to, struct packet_result *result,
                                 struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    for (int i = 0; i < (int)ALGORITHMS && !status; i++)
        status = route_packets(n, to, (enum algorithm)i, result, error);
    return status;
}

static enum anl_status route_named(const char *name, uint64_t seed, struct packet_result *result,
                                   struct anl_error *error)
{
    struct anl_permutation permutation;
    const uint32_t n = result->of->n;
    enum anl_status status = anl_permutation_make(name, n, seed, &permutation, error);
    if (!status) status = route_all(n, permutation.destinations, result, error);
    anl_permutation_free(&permutation);
    return status;
}

// All packets of the first row go to the column in the middle, and those of the column take their
// places.
static enum anl_status route_row_to_column(struct packet_result *result, struct anl_error *error)
{
    const uint32_t n = result->of->n, middle = n / 2;
    struct anl_permutation permutation;
    enum anl_status status = anl_permutation_begin(n, &permutation, error);
    for (uint32_t node = 0; node < n * n && !status; node++)
        permutation.destinations[node] = node;
    for (uint32_t i = 0; i < n && !status; i++) {
        permutation.destinations[i] = i * n + middle;
        permutation.destinations[i * n + middle] = i;
    }
    // The node in which row and column meet is in both lists.
    if (!status) permutation.destinations[middle * n + middle] = 0;
    if (!status) status = route_all(n, permutation.destinations, result, error);
    anl_permutation_free(&permutation);
    return status;
}

enum anl_status measure_packets(const struct packet_case *packets, bool only_short,
                                struct packet_result *result, struct anl_error *error)
{
    static const char *const names[] = {"transpose", "reversal", "shift", "rotate"};
    const uint32_t count = only_short ? packets->brief : packets->permutations;
    enum anl_status status = route_row_to_column(result, error);
    for (size_t i = 0; i < sizeof names / sizeof *names && !status; i++)
        status = route_named(names[i], 1, result, error);
    for (uint32_t seed = 1; seed <= count && !status; seed++)
        status =
            cli_interrupted() ? interrupted(error) : route_named("random", seed, result, error);
    result->done = !status;
    return status;
}

// --- Theorem 2 ---

double measure_charge(uint32_t f, uint32_t k, uint32_t supernodes, uint64_t steps)
{
    const double side = sqrt((f + 4.0) * k) + 1;
    return (double)steps / (pow((double)f * k, 2.5) * supernodes * side);
}

double measure_charge_sorting(uint32_t f, uint32_t k, uint32_t supernodes)
{
    struct layout layout;
    struct anl_error error;
    if (layout_create(f, k, &layout, &error)) return NAN;
    const uint64_t round = snakes_round_steps(&layout, sorting_supersteps(supernodes, 1));
    const double charge = measure_charge(f, k, supernodes, round * layout.cells * layout.cells);
    layout_free(&layout);
    return charge;
}
