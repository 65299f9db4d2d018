// SPDX-License-Identifier: Apache-2.0
//
// Destinations that are a function of the source, or are sampled once, become a table. The others
// are sampled for each worm.

#include "workload.h"

#include <annelid/network.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint32_t bits_of(uint32_t terminals)
{
    uint32_t bits = 0;
    while (UINT32_C(1) << bits < terminals)
        bits++;
    return bits;
}

static uint32_t bits_reversed(uint32_t value, uint32_t bits)
{
    uint32_t reversed = 0;
    for (uint32_t i = 0; i < bits; i++)
        reversed |= (value >> i & 1) << (bits - 1 - i);
    return reversed;
}

static uint32_t rotated_left(uint32_t value, uint32_t bits)
{
    if (bits == 0) return value;
    const uint32_t mask = (UINT32_C(1) << bits) - 1;
    return ((value << 1) | (value >> (bits - 1))) & mask;
}

static uint32_t coordinates_reversed(const struct anl_config *network, uint32_t source)
{
    const struct anl_cube cube = anl_coordinates_of(network);
    uint32_t destination = 0, rest = source / cube.concentration;
    for (uint32_t d = 0; d < cube.dimensions; rest /= cube.radix[d++])
        destination = destination * cube.radix[d] + rest % cube.radix[d];
    return destination * cube.concentration + source % cube.concentration;
}

// Returns the terminal that is `distance` away in every dimension, or, if distance is 0, just less
// than half the radix.
static uint32_t shifted(const struct anl_config *network, uint32_t source, uint32_t distance)
{
    const struct anl_cube cube = anl_coordinates_of(network);
    uint32_t destination = 0, rest = source / cube.concentration, stride = cube.concentration;
    for (uint32_t d = 0; d < cube.dimensions; rest /= cube.radix[d], stride *= cube.radix[d], d++) {
        const uint32_t k = cube.radix[d], by = distance ? distance : (k + 1) / 2 - 1;
        destination += (rest % k + by) % k * stride;
    }
    return destination + source % cube.concentration;
}

static uint32_t function_of(const struct anl_workload *workload, uint32_t source,
                            uint32_t terminals)
{
    const struct anl_config *network = workload->network;
    switch (workload->traffic->pattern) {
    case ANL_COMPLEMENT:
        return terminals - 1 - source;
    case ANL_TRANSPOSE:
        return coordinates_reversed(network, source);
    case ANL_BIT_REVERSE:
        return bits_reversed(source, bits_of(terminals));
    case ANL_SHUFFLE:
        return rotated_left(source, bits_of(terminals));
    case ANL_TORNADO:
        return shifted(network, source, 0);
    case ANL_NEIGHBOUR:
        return shifted(network, source, 1);
    case ANL_MANY_TO_ONE:
        return workload->traffic->hotspot_terminal;
    case ANL_FAR_CORNER:
        return 2 * source < terminals ? terminals - 1 : 0;
    case ANL_UNIFORM:
    case ANL_UNIFORM_OTHERS:
    case ANL_HOTSPOT:
    case ANL_PERMUTATION:
    case ANL_Q_RELATION:
    case ANL_RANDOM_FUNCTION:
    case ANL_MATRIX:
    case ANL_SPHERE:
        break;
    }
    return source;  // not reached: these are sampled
}

static void permute(uint32_t *row, uint32_t count, struct anl_rng *rng)
{
    for (uint32_t i = count; i-- > 1;) {
        const uint32_t j = anl_rng_below(rng, i + 1);
        const uint32_t kept = row[i];
        row[i] = row[j];
        row[j] = kept;
    }
}

// Samples the destinations of all terminals in one permutation or function.
static void sample(uint32_t *row, uint32_t terminals, enum anl_pattern kind, struct anl_rng *rng)
{
    for (uint32_t s = 0; s < terminals; s++)
        row[s] = kind == ANL_RANDOM_FUNCTION ? anl_rng_below(rng, terminals) : s;
    if (kind != ANL_RANDOM_FUNCTION) permute(row, terminals, rng);
}

// Samples for all terminals, and keeps what is asked for.
static bool fill_sampled(struct pattern *pattern, const struct anl_workload *workload)
{
    const size_t kept = pattern->count * sizeof *pattern->destinations;
    struct anl_rng rng = anl_rng_seed(workload->seed, pattern->terminals);
    uint32_t *row = malloc(pattern->terminals * sizeof *row);
    for (uint32_t r = 0; row && r < pattern->rows; r++) {
        sample(row, pattern->terminals, workload->traffic->pattern, &rng);
        memcpy(&pattern->destinations[(size_t)r * pattern->count], &row[pattern->first], kept);
    }
    free(row);
    return row != NULL;
}

static bool fill(struct pattern *pattern, const struct anl_workload *workload)
{
    const enum anl_pattern kind = workload->traffic->pattern;
    if (kind == ANL_PERMUTATION || kind == ANL_Q_RELATION || kind == ANL_RANDOM_FUNCTION)
        return fill_sampled(pattern, workload);
    for (uint32_t i = 0; i < pattern->count; i++)
        pattern->destinations[i] = function_of(workload, pattern->first + i, pattern->terminals);
    return true;
}

// Returns true if the destination is sampled for each worm.
static bool is_sampled(enum anl_pattern kind)
{
    return kind == ANL_UNIFORM || kind == ANL_UNIFORM_OTHERS || kind == ANL_HOTSPOT ||
           kind == ANL_MATRIX || kind == ANL_SPHERE;
}

enum anl_status pattern_create(struct pattern *pattern, const struct anl_workload *workload,
                               uint32_t first, uint32_t count)
{
    const struct anl_traffic_config *traffic = workload->traffic;
    *pattern = (struct pattern){.traffic = traffic, .first = first, .count = count, .rows = 1};
    pattern->terminals = anl_shape_of(workload->network).terminals;
    if (traffic->pattern == ANL_SPHERE)
        return spheres_create(&pattern->spheres, workload, first, count);
    if (is_sampled(traffic->pattern)) return ANL_OK;
    if (traffic->pattern == ANL_Q_RELATION) pattern->rows = traffic->worms_per_terminal;
    pattern->destinations = malloc((size_t)pattern->rows * count * sizeof *pattern->destinations);
    return pattern->destinations && fill(pattern, workload) ? ANL_OK : ANL_ERR_MEMORY;
}

void pattern_destroy(struct pattern *pattern)
{
    spheres_destroy(&pattern->spheres);
    free(pattern->destinations);
}

// Returns the matrix that decides where worms go; NULL: none does.
static const struct anl_demand *matrix_of(const struct pattern *pattern)
{
    const struct anl_demand *demand = pattern->traffic->demand;
    return pattern->traffic->pattern == ANL_MATRIX && demand && demand->begins ? demand : NULL;
}

// Returns a terminal other than source; all are equally likely.
static uint32_t another(const struct pattern *pattern, uint32_t source, struct anl_rng *rng)
{
    const uint32_t sampled = anl_rng_below(rng, pattern->terminals - 1);
    return sampled + (sampled >= source);
}

uint32_t pattern_destination(const struct pattern *pattern, uint32_t source, uint32_t index,
                             struct anl_rng *rng)
{
    if (pattern->destinations)
        return pattern->destinations[(size_t)(index % pattern->rows) * pattern->count + source -
                                     pattern->first];
    if (pattern->traffic->pattern == ANL_UNIFORM_OTHERS) return another(pattern, source, rng);
    if (pattern->traffic->pattern == ANL_SPHERE)
        return spheres_destination(&pattern->spheres, source, rng);
    if (matrix_of(pattern))
        return demand_destination(matrix_of(pattern), source, anl_rng_unit(rng));
    if (pattern->traffic->pattern == ANL_HOTSPOT &&
        anl_rng_unit(rng) < pattern->traffic->hotspot_fraction)
        return pattern->traffic->hotspot_terminal;
    return anl_rng_below(rng, pattern->terminals);
}

uint16_t pattern_length(const struct pattern *pattern, struct anl_rng *rng)
{
    const struct anl_traffic_config *traffic = pattern->traffic;
    return traffic
        ->lengths[traffic->num_lengths > 1 ? anl_rng_below(rng, traffic->num_lengths) : 0];
}

// --- probabilities ---

struct anl_destinations {
    struct pattern pattern;
};

enum anl_status anl_destinations_create(const struct anl_workload *workload,
                                        struct anl_destinations **destinations)
{
    *destinations = malloc(sizeof **destinations);
    if (!*destinations) return ANL_ERR_MEMORY;
    const uint32_t terminals = anl_shape_of(workload->network).terminals;
    const enum anl_status status =
        pattern_create(&(*destinations)->pattern, workload, 0, terminals);
    if (!status) return ANL_OK;
    anl_destinations_destroy(*destinations);
    *destinations = NULL;
    return status;
}

void anl_destinations_destroy(struct anl_destinations *destinations)
{
    if (destinations) pattern_destroy(&destinations->pattern);
    free(destinations);
}

double anl_destination_probability(const struct anl_destinations *destinations, uint32_t source,
                                   uint32_t destination)
{
    const struct pattern *pattern = &destinations->pattern;
    const struct anl_traffic_config *traffic = pattern->traffic;
    const double terminals = pattern->terminals;
    if (matrix_of(pattern)) return demand_probability(matrix_of(pattern), source, destination);
    if (traffic->pattern == ANL_UNIFORM || traffic->pattern == ANL_MATRIX) return 1 / terminals;
    if (traffic->pattern == ANL_UNIFORM_OTHERS)
        return source == destination ? 0 : 1 / (terminals - 1);
    if (traffic->pattern == ANL_HOTSPOT)
        return (1 - traffic->hotspot_fraction) / terminals +
               (destination == traffic->hotspot_terminal ? traffic->hotspot_fraction : 0);
    if (traffic->pattern == ANL_SPHERE)
        return spheres_probability(&pattern->spheres, source, destination);
    uint32_t hits = 0;
    for (uint32_t row = 0; row < pattern->rows; row++)
        hits += pattern->destinations[(size_t)row * pattern->terminals + source] == destination;
    return (double)hits / pattern->rows;
}
