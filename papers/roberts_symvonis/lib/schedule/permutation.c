// SPDX-License-Identifier: Apache-2.0

#include <annelid/schedule.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum anl_status anl_permutation_begin(uint32_t n, struct anl_permutation *permutation,
                                      struct anl_error *error)
{
    *permutation = (struct anl_permutation){.n = n};
    if (n < 1 || n > ANL_SCHEDULE_MAX_N)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "a mesh of side %" PRIu32 ", expected 1 to %d", n, ANL_SCHEDULE_MAX_N);
    permutation->destinations = malloc((size_t)n * n * sizeof *permutation->destinations);
    if (!permutation->destinations)
        return anl_fail(error, ANL_ERR_MEMORY, "", 0, "%s", anl_status_text(ANL_ERR_MEMORY));
    for (uint32_t node = 0; node < n * n; node++)
        permutation->destinations[node] = ANL_NO_NODE;
    return ANL_OK;
}

void anl_permutation_free(struct anl_permutation *permutation)
{
    free(permutation->destinations);
    permutation->destinations = NULL;
}

// --- by name ---

static uint32_t transpose(uint32_t n, uint32_t row, uint32_t column) { return column * n + row; }

static uint32_t reversal(uint32_t n, uint32_t row, uint32_t column)
{
    return (n - 1 - row) * n + n - 1 - column;
}

static uint32_t shift(uint32_t n, uint32_t row, uint32_t column)
{
    return (row + n / 2) % n * n + (column + n / 2) % n;
}

static uint32_t rotate(uint32_t n, uint32_t row, uint32_t column)
{
    return (n - 1 - column) * n + row;
}

// Returns the number of the node with its bits in reverse order.
static uint32_t bit_reversal(uint32_t n, uint32_t row, uint32_t column)
{
    uint32_t reversed = 0;
    for (uint32_t bit = 1, rest = row * n + column; bit < n * n; bit *= 2, rest /= 2)
        reversed = 2 * reversed + rest % 2;
    return reversed;
}

static const struct {
    const char *name;
    uint32_t (*destination)(uint32_t n, uint32_t row, uint32_t column);
} formulas[] = {{"transpose", transpose},
                {"reversal", reversal},
                {"shift", shift},
                {"rotate", rotate},
                {"bitrev", bit_reversal}};
enum { FORMULAS = sizeof formulas / sizeof *formulas };

static void make_random(struct anl_permutation *permutation, uint64_t seed)
{
    const uint32_t nodes = permutation->n * permutation->n;
    uint32_t *destinations = permutation->destinations;
    struct anl_rng rng = anl_rng_seed(seed, nodes);
    for (uint32_t node = 0; node < nodes; node++)
        destinations[node] = node;
    for (uint32_t i = nodes - 1; i > 0; i--) {
        const uint32_t other = anl_rng_below(&rng, i + 1), kept = destinations[i];
        destinations[i] = destinations[other];
        destinations[other] = kept;
    }
}

enum anl_status anl_permutation_make(const char *name, uint32_t n, uint64_t seed,
                                     struct anl_permutation *permutation, struct anl_error *error)
{
    const enum anl_status status = anl_permutation_begin(n, permutation, error);
    if (status) return status;
    if (strcmp(name, "random") == 0) {
        make_random(permutation, seed);
        return ANL_OK;
    }
    size_t i = 0;
    while (i < FORMULAS && strcmp(name, formulas[i].name) != 0)
        i++;
    if (i == FORMULAS)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "permutation '%s', expected transpose, reversal, shift, rotate, bitrev or "
                        "random",
                        name);
    if (formulas[i].destination == bit_reversal && (n & (n - 1)))
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "bitrev on a mesh of side %" PRIu32 ", expected a power of two", n);
    for (uint32_t node = 0; node < n * n; node++)
        permutation->destinations[node] = formulas[i].destination(n, node / n, node % n);
    return ANL_OK;
}

// --- what holds for all ---

enum anl_status anl_permutation_check(const struct anl_permutation *permutation,
                                      struct anl_error *error)
{
    const uint32_t nodes = permutation->n * permutation->n;
    uint32_t *source = malloc(nodes * sizeof *source);
    enum anl_status status = source ? ANL_OK : ANL_ERR_MEMORY;
    if (status) return anl_fail(error, status, "", 0, "%s", anl_status_text(status));
    memset(source, 0xff, nodes * sizeof *source);  // ANL_NO_NODE
    for (uint32_t node = 0; !status && node < nodes; node++) {
        const uint32_t destination = permutation->destinations[node];
        if (destination == ANL_NO_NODE) continue;
        if (destination >= nodes)
            status = anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                              "node %" PRIu32 " sends to node %" PRIu32 ", expected 0 to %" PRIu32,
                              node, destination, nodes - 1);
        else if (source[destination] != ANL_NO_NODE)
            status = anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                              "nodes %" PRIu32 " and %" PRIu32 " both send to node %" PRIu32
                              ", expected at most one",
                              source[destination], node, destination);
        else
            source[destination] = node;
    }
    free(source);
    return status;
}

uint32_t anl_permutation_worms(const struct anl_permutation *permutation)
{
    uint32_t worms = 0;
    for (uint32_t node = 0; node < permutation->n * permutation->n; node++)
        worms += permutation->destinations[node] != ANL_NO_NODE;
    return worms;
}
