// SPDX-License-Identifier: Apache-2.0
//
// Rates of cubes from formulas (docs/predict.md, "Two forms of rates"). Tier j is the dimension
// that is routed j-th. In a ring, channel i leads from coordinate i to i + 1 modulo k. Its lanes
// are of class A_i for worms that still have to wrap, and of class B_i for the others; A_0 and
// B_(k-1) are empty.

#include "predict.h"

#include <math.h>
#include <stdlib.h>

struct maker {
    const struct anl_uniform_cube *cube;
    struct anl_rates *rates;
    double k, nodes;
    double away;  // worms that leave their source, of one
    double pair;  // g: worms of one pair of coordinates in one ring
    double exit;  // worms that leave a ring at a node
    bool memory;
};

static void add_class(struct maker *maker, struct anl_channel_class class_)
{
    class_.links = 1;
    class_.link = ANL_NO_PORT;
    maker->memory = maker->memory && rates_add_class(maker->rates, class_);
}

static void add_flow(struct maker *maker, struct anl_channel_flow flow)
{
    maker->memory = maker->memory && rates_add_flow(maker->rates, flow);
}

// Adds a flow of so many worms from one set of lanes to one set of `to`. mates are the other worms
// of the link of `to` that do not come this way. A source sends from one lane at a time.
struct stream {
    uint32_t from, to;
    double probability, worms, mates;
};
static void add_stream(struct maker *maker, struct stream stream)
{
    if (!maker->memory || stream.worms <= 0) return;
    const struct anl_channel_class *from = &maker->rates->classes[stream.from];
    const struct anl_channel_class *to = &maker->rates->classes[stream.to];
    const uint32_t lanes = from->tier == ANL_TIER_INJECTION ? 1 : from->lanes;
    const double part = stream.worms / to->rate;
    add_flow(maker, (struct anl_channel_flow){.from = stream.from,
                                              .to = stream.to,
                                              .probability = stream.probability,
                                              .same_lane = part * to->lanes / lanes,
                                              .same_link = part,
                                              .mates = stream.mates});
}

// --- numbers of classes ---

static uint32_t sources_of(const struct anl_uniform_cube *cube)
{
    return cube->many_ports ? cube->n : 1;
}

static bool is_hypercube(const struct anl_uniform_cube *cube) { return cube->lanes[1] == 0; }

// Returns the class of channel i of a tier: A (wraps true) or B; of a hypercube its only one.
static uint32_t class_at(const struct anl_uniform_cube *cube, uint32_t tier, uint32_t i, bool wraps)
{
    const uint32_t before = sources_of(cube);
    if (is_hypercube(cube)) return before + tier;
    return before + (2 * tier + !wraps) * cube->k + i;
}

static uint32_t ejection_of(const struct anl_uniform_cube *cube)
{
    return class_at(cube, cube->n, 0, true);
}

// --- classes ---

static double rate_of_a(const struct maker *maker, uint32_t i)
{
    return maker->pair * i * (i + 1) / 2;
}

static double rate_of_b(const struct maker *maker, uint32_t i)
{
    return maker->pair * (maker->k - 1 - i) * (maker->k + i) / 2;
}

static void add_ends(struct maker *maker, bool injection, const double *first)
{
    const struct anl_uniform_cube *cube = maker->cube;
    struct anl_channel_class class_ = {.rate = 1, .link_rate = 1, .count = maker->nodes};
    class_.tier = injection ? ANL_TIER_INJECTION : ANL_TIER_EJECTION;
    class_.lanes = cube->many_ports && !injection ? 0 : cube->end_lanes;
    for (uint32_t i = 0; i < (injection ? sources_of(cube) : 1); i++) {
        if (cube->many_ports && injection) class_.rate = class_.link_rate = first[i];
        add_class(maker, class_);
    }
}

static void add_ring_classes(struct maker *maker, uint32_t tier)
{
    const struct anl_uniform_cube *cube = maker->cube;
    const double both = maker->exit * maker->k / 2;
    for (int wraps = 1; wraps >= 0; wraps--)
        for (uint32_t i = 0; i < cube->k; i++)
            add_class(maker, (struct anl_channel_class){.rate = wraps ? rate_of_a(maker, i)
                                                                      : rate_of_b(maker, i),
                                                        .link_rate = both,
                                                        .count = maker->nodes / maker->k,
                                                        .lanes = cube->lanes[!wraps],
                                                        .tier = tier});
}

// --- flows of k-ary n-cubes ---

// Worms that enter the rings of a tier at a node, from one class, whose part `probability` they
// are; over all coordinates of the node.
static void enter_ring(struct maker *maker, uint32_t from, uint32_t tier, double worms,
                       double probability)
{
    const struct anl_uniform_cube *cube = maker->cube;
    for (uint32_t s = 0; s < cube->k; s++) {
        const double a = s / maker->k, b = (maker->k - 1 - s) / maker->k;
        const double part = probability / maker->k;
        add_stream(maker, (struct stream){from, class_at(cube, tier, s, true), part * a, worms * a,
                                          rate_of_b(maker, s) - worms * b});
        add_stream(maker, (struct stream){from, class_at(cube, tier, s, false), part * b, worms * b,
                                          rate_of_a(maker, s) - worms * a});
    }
}

// Worms that leave a ring of a tier, from one class, whose part `probability` they are.
static void leave_ring(struct maker *maker, uint32_t from, uint32_t tier, double probability)
{
    const struct anl_uniform_cube *cube = maker->cube;
    double left = 1;  // part that has corrected no dimension since
    for (uint32_t j = tier + 1; j < cube->n; j++, left /= maker->k)
        enter_ring(maker, from, j, maker->exit * left, probability * left);
    add_stream(maker,
               (struct stream){from, ejection_of(cube), probability * left, maker->exit * left, 0});
}

static void follow_ring(struct maker *maker, uint32_t tier)
{
    const struct anl_uniform_cube *cube = maker->cube;
    const uint32_t last = cube->k - 1;
    for (uint32_t i = 1; i < last; i++)
        add_stream(maker,
                   (struct stream){class_at(cube, tier, i, true), class_at(cube, tier, i + 1, true),
                                   1, rate_of_a(maker, i), maker->pair * (maker->k - 2 - i)});
    const uint32_t wrap = class_at(cube, tier, last, true);
    const double on = rate_of_a(maker, last) - maker->exit;
    const double leave = maker->exit / rate_of_a(maker, last);
    add_stream(maker, (struct stream){wrap, class_at(cube, tier, 0, false), 1 - leave, on, 0});
    leave_ring(maker, wrap, tier, leave);
    for (uint32_t i = 0; i < last; i++) {
        const double rate = rate_of_b(maker, i);
        const uint32_t from = class_at(cube, tier, i, false);
        add_stream(maker,
                   (struct stream){from, class_at(cube, tier, i + 1, false), 1 - maker->exit / rate,
                                   rate - maker->exit, maker->pair * (i + 1)});
        leave_ring(maker, from, tier, maker->exit / rate);
    }
}

// Returns the worms that a source sends into a ring of a tier first.
static double first_into(const struct maker *maker, uint32_t tier)
{
    return maker->away * maker->nodes / (maker->nodes - 1) * pow(maker->k, -(double)tier) *
           (maker->k - 1) / maker->k;
}

static void make_torus(struct maker *maker)
{
    const struct anl_uniform_cube *cube = maker->cube;
    double first[ANL_MAX_DIMENSIONS] = {0};
    maker->pair = maker->away * maker->nodes / ((maker->nodes - 1) * maker->k);
    maker->exit = maker->pair * (maker->k - 1);
    maker->rates->hops = maker->exit * maker->k / 2 * cube->n;
    maker->rates->bisection = maker->exit * maker->k / 2;
    for (uint32_t j = 0; j < cube->n; j++)
        first[j] = first_into(maker, j);
    add_ends(maker, true, first);
    for (uint32_t j = 0; j < cube->n; j++)
        add_ring_classes(maker, j);
    add_ends(maker, false, NULL);
    for (uint32_t j = 0; j < cube->n; j++) {
        const double worms = first[j] * maker->k / (maker->k - 1);
        const uint32_t from = cube->many_ports ? j : 0;
        enter_ring(maker, from, j, worms, cube->many_ports ? worms / first[j] : worms);
    }
    add_stream(maker, (struct stream){0, ejection_of(cube), cube->self, cube->self, 0});
    for (uint32_t j = 0; j < cube->n; j++)
        follow_ring(maker, j);
}

// --- flows of hypercubes ---

static double binomial(int a, int b)
{
    if (b < 0 || b > a) return 0;
    double value = 1;
    for (int i = 1; i <= b; i++)
        value = value * (a - b + i) / i;
    return value;
}

// Returns the probability that a worm has this distance, if it leaves its source.
static double spread_of(const struct maker *maker, uint32_t distance)
{
    const struct anl_uniform_cube *cube = maker->cube;
    if (cube->spread) return cube->spread[distance];
    return binomial((int)cube->n, (int)distance) / (maker->nodes - 1);
}

// Returns the sum, over the distances h, of the probability of one destination at this distance
// times the ways to choose h - used other dimensions among `free_`.
static double ways(const struct maker *maker, uint32_t free_, uint32_t used)
{
    const int n = (int)maker->cube->n;
    double sum = 0;
    for (int h = 1; h <= n; h++)
        sum += spread_of(maker, (uint32_t)h) / binomial(n, h) * binomial((int)free_, h - (int)used);
    return sum;
}

static void follow_dimension(struct maker *maker, uint32_t tier, double rate)
{
    const struct anl_uniform_cube *cube = maker->cube;
    const uint32_t n = cube->n, from = class_at(cube, tier, 0, true);
    const double scale = maker->away / rate;
    for (uint32_t j = tier + 1; j < n; j++) {
        const double part = scale * ways(maker, tier + n - 1 - j, 2);
        add_stream(maker, (struct stream){from, class_at(cube, j, 0, true), part, part * rate, 0});
    }
    const double part = scale * ways(maker, tier, 1);
    add_stream(maker, (struct stream){from, ejection_of(cube), part, part * rate, 0});
}

static void make_hypercube(struct maker *maker)
{
    const struct anl_uniform_cube *cube = maker->cube;
    const uint32_t n = cube->n;
    double first[ANL_MAX_DIMENSIONS] = {0}, mean = 0;
    for (uint32_t h = 1; h <= n; h++)
        mean += h * spread_of(maker, h);
    const double rate = maker->away * mean / n;
    maker->rates->hops = maker->away * mean;
    maker->rates->bisection = rate;
    for (uint32_t j = 0; j < n; j++)
        first[j] = maker->away * ways(maker, n - 1 - j, 1);
    add_ends(maker, true, first);
    for (uint32_t j = 0; j < n; j++)
        add_class(maker, (struct anl_channel_class){.rate = rate,
                                                    .link_rate = rate,
                                                    .count = maker->nodes,
                                                    .lanes = cube->lanes[0],
                                                    .tier = j});
    add_ends(maker, false, NULL);
    for (uint32_t j = 0; j < n; j++)
        add_stream(maker, (struct stream){cube->many_ports ? j : 0, class_at(cube, j, 0, true),
                                          cube->many_ports ? 1 : first[j], first[j], 0});
    add_stream(maker, (struct stream){0, ejection_of(cube), cube->self, cube->self, 0});
    for (uint32_t j = 0; j < n; j++)
        follow_dimension(maker, j, rate);
}

// --- check ---

static enum anl_status check(const struct anl_uniform_cube *cube, struct anl_error *error)
{
    double sum = 0;
    const bool hypercube = is_hypercube(cube);
    if (cube->k < 2 || (hypercube && cube->k != 2) || cube->n < 1 || cube->n > ANL_MAX_DIMENSIONS ||
        !cube->lanes[0] || !cube->end_lanes || !(cube->self >= 0 && cube->self < 1))
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "no k-ary n-cube or hypercube");
    if (cube->many_ports && cube->self > 0)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "with many ports no worm may go to its own source");
    if (!cube->spread) return ANL_OK;
    for (uint32_t h = 1; h <= cube->n; h++)
        sum += cube->spread[h] >= 0 ? cube->spread[h] : 2;
    if (hypercube && fabs(sum - 1) < 1e-9) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                    "distances 1 to n of a hypercube need probabilities that add up to 1");
}

enum anl_status anl_rates_cube(const struct anl_uniform_cube *cube, struct anl_rates *rates,
                               struct anl_error *error)
{
    *rates = (struct anl_rates){.tiers = cube->n};
    const enum anl_status status = check(cube, error);
    if (status) return status;
    struct maker maker = {.cube = cube,
                          .rates = rates,
                          .k = cube->k,
                          .nodes = pow(cube->k, cube->n),
                          .away = 1 - cube->self,
                          .memory = true};
    (is_hypercube(cube) ? make_hypercube : make_torus)(&maker);
    if (maker.memory) return ANL_OK;
    anl_rates_free(rates);
    return anl_fail(error, ANL_ERR_MEMORY, "", 0, "%s", anl_status_text(ANL_ERR_MEMORY));
}
