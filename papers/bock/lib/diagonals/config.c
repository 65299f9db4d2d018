// SPDX-License-Identifier: Apache-2.0
//
// Parameters: their conditions, how long everything takes, and how worms are put into batches.

#include "diagonals.h"

#include <stdlib.h>
#include <string.h>

void anl_diagonals_paper_rounds(struct anl_diagonals_config *config)
{
    config->rounds = config->c;
    config->forward = 2 * config->c * config->length;
    config->round_cycles = 2 * config->forward + 2 * config->length;
}

// Sets rounds and forward as given, and the least steps of a round that these allow.
static void set_rounds(struct anl_diagonals_config *config, uint32_t rounds, uint32_t forward)
{
    const uint32_t back = forward + 2 * config->length;
    const uint32_t up_and_down = 2 * config->c * config->length + config->length;
    config->rounds = rounds;
    config->forward = forward;
    config->round_cycles = forward + (back > up_and_down ? back : up_and_down);
}

void anl_diagonals_short_rounds(struct anl_diagonals_config *config)
{
    set_rounds(config, 8, 2 * config->c);
}

void anl_diagonals_least_rounds(struct anl_diagonals_config *config)
{
    set_rounds(config, 6, 2 * config->c);
}

struct anl_diagonals_config anl_diagonals_of(const struct anl_config *network)
{
    const struct anl_diagonals_shape *shape = &network->diagonals;
    struct anl_diagonals_config config = {.n = network->k,
                                          .d = network->n,
                                          .length = shape->length,
                                          .a = shape->a,
                                          .b = shape->b,
                                          .c = shape->c};
    void (*const set[])(struct anl_diagonals_config *) = {
        [ANL_PAPER_ROUNDS] = anl_diagonals_paper_rounds,
        [ANL_SHORT_ROUNDS] = anl_diagonals_short_rounds,
        [ANL_LEAST_ROUNDS] = anl_diagonals_least_rounds,
    };
    set[shape->rounds](&config);
    return config;
}

static bool fits(uint32_t n, uint32_t d)
{
    uint64_t nodes = 1;
    for (uint32_t dim = 0; dim < d; dim++)
        if ((nodes *= n) > ANL_DIAGONALS_MAX_NODES) return false;
    return true;
}

struct condition {
    bool holds;
    const char *expected;
};

enum anl_status anl_diagonals_check(const struct anl_diagonals_config *config,
                                    struct anl_error *error)
{
    const uint64_t n = config->n, c = config->c, l = config->length;
    const uint64_t apart = (uint64_t)config->a * config->b * l;
    const uint64_t forward = config->forward, round = config->round_cycles;
    const struct condition conditions[] = {
        {config->d >= 2 && config->d <= ANL_DIAGONALS_MAX_D, "2 to 8 dimensions"},
        {n >= 2 && fits(config->n, config->d), "n >= 2, and at most 2^24 nodes"},
        {l >= 1 && l <= ANL_DIAGONALS_MAX_LENGTH, "worms of 1 to 4096 flits"},
        {config->a >= 1 && config->a <= n && config->b >= 1 && config->b <= n,
         "a and b from 1 to n"},
        {apart && n % apart == 0, "a b L to divide n, so that every row has the same slots"},
        {c >= 2 && c <= n && n % c == 0, "c >= 2 to divide n, so that all column blocks are whole"},
        {c * l <= n, "c L <= n, so that a row block fits into the torus"},
        {config->rounds >= 1 && config->rounds <= 1u << 20, "1 to 2^20 rounds"},
        {forward >= 2 * c && forward <= n,
         "2 c <= F <= n, so that a round comes to every column that a worm wants, and not "
         "around the torus"},
        {round >= 2 * forward + 2 * l && round >= forward + 2 * c * l + l && round < 1u << 24,
         "Z >= 2 F + 2 L and Z >= F + 2 c L + L, so that worms are back, or stand in their column, "
         "when a round ends"},
    };
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (!conditions[i].holds)
            return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                            "n = %u, d = %u, L = %u, a = %u, b = %u, c = %u, R = %u, F = %u, "
                            "Z = %u: expected %s",
                            config->n, config->d, config->length, config->a, config->b, config->c,
                            config->rounds, config->forward, config->round_cycles,
                            conditions[i].expected);
    return ANL_OK;
}

uint64_t anl_diagonals_delivery_cycles(const struct anl_diagonals_config *config)
{
    return (uint64_t)config->n + config->length;
}

uint64_t anl_diagonals_stage_cycles(const struct anl_diagonals_config *config)
{
    return 3 * ((uint64_t)config->n + config->length) + config->c + 2 * (uint64_t)config->length +
           (uint64_t)config->rounds * config->round_cycles;
}

uint64_t anl_diagonals_cycles(const struct anl_diagonals_config *config, uint32_t batches)
{
    const uint64_t stage = anl_diagonals_stage_cycles(config);
    const uint64_t delivery = anl_diagonals_delivery_cycles(config);
    if (batches == 0) return 0;
    if (config->d == 2) return batches * (stage + delivery);
    return (2 * (uint64_t)batches + config->d - 3) * stage + delivery;
}

uint64_t anl_diagonals_period(const struct anl_diagonals_config *config)
{
    const uint64_t stage = anl_diagonals_stage_cycles(config);
    return stage + (config->d == 2 ? anl_diagonals_delivery_cycles(config) : stage);
}

// --- batches ---

// What a batch has of a row: how many worms, and the columns of the first and the last one. Worms
// come in the order of their columns.
struct share {
    uint32_t row, batch, worms, first, last;
};

// The shares of the row that is being filled; `batches` is how many there are in all rows.
struct filling {
    const struct anl_diagonals_config *config;
    struct share *shares;  // [batches]
    uint32_t batches, room;
};

// Returns how many worms of a batch may begin in one row: with d >= 3 one for every six slots.
static uint32_t most_in_a_row(const struct anl_diagonals_config *config)
{
    const uint32_t apart = (config->d == 2 ? 1 : 6) * config->a * config->b * config->length;
    return apart < config->n ? config->n / apart : 1;
}

static bool has_room(const struct filling *filling, const struct share *share, uint32_t column)
{
    const struct anl_diagonals_config *config = filling->config;
    if (share->worms == 0) return true;
    return share->worms < most_in_a_row(config) && column - share->last >= config->length &&
           share->first + config->n - column >= config->length;
}

// Puts a worm into the first batch of its row that has room. ANL_ERR_MEMORY.
static enum anl_status fill(struct filling *filling, uint32_t row, uint32_t column, uint32_t *batch)
{
    uint32_t i = 0;
    for (;; i++) {
        if (i == filling->room) {
            filling->room = 2 * filling->room + 16;
            struct share *more = realloc(filling->shares, filling->room * sizeof *more);
            if (!more) return ANL_ERR_MEMORY;
            memset(more + i, 0, (filling->room - i) * sizeof *more);
            filling->shares = more;
        }
        struct share *share = &filling->shares[i];
        if (share->row != row + 1) *share = (struct share){.row = row + 1};
        if (has_room(filling, share, column)) break;
    }
    struct share *share = &filling->shares[i];
    if (share->worms++ == 0) share->first = column;
    share->last = column;
    if (i >= filling->batches) filling->batches = i + 1;
    *batch = i;
    return ANL_OK;
}

uint32_t *diagonals_by_source(const struct anl_diagonals_worm *worms, size_t count, uint32_t nodes)
{
    uint32_t *order = malloc((count + 1) * sizeof *order);
    size_t *places = calloc((size_t)nodes + 1, sizeof *places);
    for (size_t i = 0; order && places && i < count; i++)
        places[worms[i].source + 1]++;
    for (uint32_t node = 0; order && places && node < nodes; node++)
        places[node + 1] += places[node];
    for (size_t i = 0; order && places && i < count; i++)
        order[places[worms[i].source]++] = (uint32_t)i;
    if (!places) {
        free(order);
        order = NULL;
    }
    free(places);
    return order;
}

static uint32_t nodes_of(const struct anl_diagonals_config *config)
{
    uint32_t nodes = 1;
    for (uint32_t dim = 0; dim < config->d; dim++)
        nodes *= config->n;
    return nodes;
}

static bool have_sources(const struct anl_diagonals_worm *worms, size_t count, uint32_t nodes)
{
    for (size_t i = 0; i < count; i++)
        if (worms[i].source >= nodes) return false;
    return true;
}

enum anl_status anl_diagonals_batch(const struct anl_diagonals_config *config,
                                    struct anl_diagonals_worm *worms, size_t count,
                                    uint32_t *batches)
{
    const uint32_t nodes = nodes_of(config);
    if (!have_sources(worms, count, nodes)) return ANL_ERR_ARGUMENT;
    uint32_t *order = diagonals_by_source(worms, count, nodes);
    struct filling filling = {.config = config};
    enum anl_status status = order ? ANL_OK : ANL_ERR_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        struct anl_diagonals_worm *worm = &worms[order[i]];
        status = fill(&filling, worm->source / config->n, worm->source % config->n, &worm->batch);
    }
    *batches = filling.batches;
    free(filling.shares);
    free(order);
    return status;
}

uint32_t anl_diagonals_usual_batches(const struct anl_diagonals_config *config)
{
    const uint32_t apart = config->a * config->b * config->length;
    if (config->d == 2) return apart;
    uint32_t batches = 6 * apart < config->n ? 6 * apart : config->n;
    while (config->n % batches != 0)
        batches++;
    return batches;
}

static uint32_t sum_of_coordinates(const struct anl_diagonals_config *config, uint32_t node)
{
    uint32_t sum = 0;
    for (; node > 0; node /= config->n)
        sum += node % config->n;
    return sum;
}

// Gives a worm its batch if it has the same place in the list of its node as the others of its
// turn. Returns false if the nodes have not all the same number of worms.
static bool batch_evenly(const struct anl_diagonals_config *config,
                         struct anl_diagonals_worm *worms, size_t count, uint32_t *seen)
{
    const uint32_t nodes = nodes_of(config), each = (uint32_t)(count / nodes);
    const uint32_t batches = anl_diagonals_usual_batches(config);
    if (count % nodes != 0) return false;
    for (size_t i = 0; i < count; i++) {
        const uint32_t source = worms[i].source;
        if (seen[source] == each) return false;
        worms[i].batch = seen[source]++ * batches + sum_of_coordinates(config, source) % batches;
    }
    return true;
}

enum anl_status anl_diagonals_batch_load(const struct anl_diagonals_config *config,
                                         struct anl_diagonals_worm *worms, size_t count,
                                         uint32_t *batches)
{
    const uint32_t nodes = nodes_of(config);
    if (!have_sources(worms, count, nodes)) return ANL_ERR_ARGUMENT;
    uint32_t *seen = calloc(nodes, sizeof *seen);
    if (!seen) return ANL_ERR_MEMORY;
    const bool even = batch_evenly(config, worms, count, seen);
    free(seen);
    if (!even) return anl_diagonals_batch(config, worms, count, batches);
    *batches = (uint32_t)(count / nodes) * anl_diagonals_usual_batches(config);
    return ANL_OK;
}
