// SPDX-License-Identifier: Apache-2.0
//
// Traffic: every pattern against its formula, and lengths against their list.

#include <annelid/base.h>
#include <annelid/network.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit_traffic.h"

// The worms of a batch with a pattern, terminal by terminal.
struct batch {
    struct anl_scenario scenario;
    struct anl_traffic *traffic;
    const struct anl_new_worm *new_worms;
    size_t count;
    uint32_t terminals, per_terminal;
};

// The traffic keeps the address of the scenario, so it stays where it is.
static struct batch *batch_of(const char *network, const char *pattern, uint32_t per_terminal,
                              unsigned seed)
{
    char text[512];
    snprintf(text, sizeof text,
             "network: {%s}\nswitch: {num_vcs: 2}\n"
             "traffic: {process: batch, worms_per_terminal: %u, pattern: %s}\nrun: {seed: %u}\n",
             network, per_terminal, pattern, seed);
    struct batch *batch = calloc(1, sizeof *batch);
    assert_non_null(batch);
    batch->scenario = scenario_of(text);
    batch->per_terminal = per_terminal;
    batch->traffic = traffic_of(&batch->scenario);
    batch->terminals = anl_shape_of(&batch->scenario.network).terminals;
    assert_false(anl_traffic_done(batch->traffic));
    batch->new_worms = anl_traffic_cycle(batch->traffic, 0, &batch->count);
    assert_true(anl_traffic_done(batch->traffic));
    assert_int_equal(batch->count, (size_t)batch->terminals * per_terminal);
    for (size_t i = 0; i < batch->count; i++) {
        assert_int_equal(batch->new_worms[i].source, i / per_terminal);
        assert_int_equal(batch->new_worms[i].length, 8);
        assert_true(batch->new_worms[i].destination < batch->terminals);
    }
    return batch;
}

static void free_batch(struct batch *batch)
{
    size_t count;
    assert_non_null(anl_traffic_cycle(batch->traffic, 1, &count));
    assert_int_equal(count, 0);
    anl_traffic_destroy(batch->traffic);
    anl_scenario_free(&batch->scenario);
    free(batch);
}

static const struct cube {
    const char *text;
    uint32_t k, n, bits;  // bits 0: T is not a power of two
} cubes[] = {
    {"topology: mesh, k: 4, n: 2", 4, 2, 4},
    {"topology: mesh, k: 3, n: 3", 3, 3, 0},
    {"topology: hypercube, n: 4", 2, 4, 4},
    {"topology: torus, k: 5, n: 2", 5, 2, 0},
    {"topology: unidirectional_torus, k: 6, n: 1", 6, 1, 0},
    {"topology: torus, k: 8, n: 3", 8, 3, 9},
    {"topology: mesh, k: 2, n: 1", 2, 1, 1},
    {"topology: mesh, k: 1, n: 3", 1, 3, 0},
    {"topology: mesh, k: 7, n: 4", 7, 4, 0},
    {"topology: fat_tree, n: 3", 4, 3, 6},  // read as a mesh with k = 4
    {"topology: fat_tree, n: 1", 4, 1, 2},
};
enum { NUM_CUBES = sizeof cubes / sizeof *cubes };

// The formulas of docs/scenario.md on arrays of coordinates and of bits.
static uint32_t from_digits(const uint32_t *digits, uint32_t count, uint32_t base)
{
    uint32_t value = 0, weight = 1;
    for (uint32_t i = 0; i < count; i++, weight *= base)
        value += digits[i] * weight;
    return value;
}

static void to_digits(uint32_t value, uint32_t *digits, uint32_t count, uint32_t base)
{
    for (uint32_t i = 0; i < count; i++, value /= base)
        digits[i] = value % base;
}

static uint32_t complement(const struct cube *c, uint32_t s)
{
    return (uint32_t)lround(pow(c->k, c->n)) - 1 - s;
}

static uint32_t reversed(uint32_t s, uint32_t count, uint32_t base)
{
    uint32_t x[32], y[32];
    to_digits(s, x, count, base);
    for (uint32_t i = 0; i < count; i++)
        y[i] = x[count - 1 - i];
    return from_digits(y, count, base);
}

static uint32_t transpose(const struct cube *c, uint32_t s) { return reversed(s, c->n, c->k); }
static uint32_t bit_reverse(const struct cube *c, uint32_t s) { return reversed(s, c->bits, 2); }

static uint32_t shuffle(const struct cube *c, uint32_t s)
{
    uint32_t x[32], y[32];
    to_digits(s, x, c->bits, 2);
    for (uint32_t i = 0; i < c->bits; i++)
        y[(i + 1) % c->bits] = x[i];
    return from_digits(y, c->bits, 2);
}

static uint32_t moved(const struct cube *c, uint32_t s, uint32_t by)
{
    uint32_t x[32];
    to_digits(s, x, c->n, c->k);
    for (uint32_t i = 0; i < c->n; i++)
        x[i] = (x[i] + by) % c->k;
    return from_digits(x, c->n, c->k);
}

static uint32_t tornado(const struct cube *c, uint32_t s)
{
    return moved(c, s, (uint32_t)ceil(c->k / 2.0) - 1);
}
static uint32_t neighbour(const struct cube *c, uint32_t s) { return moved(c, s, 1); }
static uint32_t to_last(const struct cube *c, uint32_t s)
{
    (void)s;
    return complement(c, 0);
}

static uint32_t far_corner(const struct cube *c, uint32_t s)
{
    const uint32_t last = complement(c, 0);
    return 2 * s < last + 1 ? last : 0;
}

static void every_function(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t (*formula)(const struct cube *, uint32_t);
        bool bits;
    } functions[] = {
        {"complement", complement, false},  {"transpose", transpose, false},
        {"bit_reverse", bit_reverse, true}, {"shuffle", shuffle, true},
        {"tornado", tornado, false},        {"neighbour", neighbour, false},
        {"far_corner", far_corner, false},  {"many_to_one, hotspot_terminal: ", to_last, false},
    };
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        for (size_t i = 0; i < NUM_CUBES; i++) {
            if (functions[f].bits && cubes[i].bits == 0) continue;
            char text[64];
            snprintf(text, sizeof text, "%s", functions[f].text);
            if (functions[f].formula == to_last)
                snprintf(text, sizeof text, "%s%u", functions[f].text, to_last(&cubes[i], 0));
            struct batch *b = batch_of(cubes[i].text, text, 2, 1);
            for (size_t w = 0; w < b->count; w++)
                assert_int_equal(b->new_worms[w].destination,
                                 functions[f].formula(&cubes[i], (uint32_t)w / 2));
            free_batch(b);
        }
}

static void known_examples(void **state)
{
    (void)state;
    // In a 4 x 4 cube terminal 6 = (2,1) = 0110.
    static const struct {
        const char *pattern;
        uint32_t destination;
    } of_six[] = {{"complement", 9}, {"transpose", 9}, {"bit_reverse", 6},
                  {"shuffle", 12},   {"tornado", 11},  {"neighbour", 11}};
    for (size_t i = 0; i < sizeof of_six / sizeof *of_six; i++) {
        struct batch *b = batch_of("topology: mesh, k: 4, n: 2", of_six[i].pattern, 1, 1);
        assert_int_equal(b->new_worms[6].destination, of_six[i].destination);
        free_batch(b);
    }
}

static uint32_t fixed_points(const struct batch *b, uint32_t worm)
{
    uint8_t *taken = calloc(b->terminals, 1);
    uint32_t fixed = 0;
    for (uint32_t s = 0; s < b->terminals; s++) {
        const uint32_t destination = b->new_worms[s * b->per_terminal + worm].destination;
        assert_int_equal(taken[destination]++, 0);
        fixed += destination == s;
    }
    free(taken);
    return fixed;
}

static void permutations_are_permutations(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_CUBES; i++) {
        struct batch *b = batch_of(cubes[i].text, "permutation", 3, 5);
        for (uint32_t w = 0; w < 3; w++)
            fixed_points(b, w);
        for (size_t w = 0; w < b->count; w++)
            assert_int_equal(b->new_worms[w].destination, b->new_worms[w - w % 3].destination);
        free_batch(b);
    }
}

static void a_random_function_is_any_function(void **state)
{
    (void)state;
    enum { TERMINALS = 1024 };
    uint32_t counts[3][TERMINALS] = {{0}};
    for (unsigned seed = 1; seed <= 3; seed++) {
        struct batch *b = batch_of("topology: fat_tree, n: 5", "random_function", 3, seed);
        for (size_t w = 0; w < b->count; w++)
            assert_int_equal(b->new_worms[w].destination, b->new_worms[w - w % 3].destination);
        for (uint32_t s = 0; s < TERMINALS; s++)
            counts[seed - 1][b->new_worms[3 * s].destination]++;
        // The generator of the pattern has stream T and gives a sample for terminal 0, 1, …
        struct anl_rng rng = anl_rng_seed(seed, TERMINALS);
        for (uint32_t s = 0; s < TERMINALS; s++)
            assert_int_equal(b->new_worms[3 * s].destination, anl_rng_below(&rng, TERMINALS));
        free_batch(b);
    }
    // Of n terminals the share 1/e is nobody's destination: about 377 ± 10.
    for (uint32_t seed = 0; seed < 3; seed++) {
        uint32_t missed = 0;
        for (uint32_t t = 0; t < TERMINALS; t++)
            missed += counts[seed][t] == 0;
        assert_between(missed, 330, 424);
    }
}

static void relations_are_q_permutations(void **state)
{
    (void)state;
    struct batch *b = batch_of("topology: mesh, k: 16, n: 2", "q_relation", 50, 5);
    uint32_t fixed = 0, repeated = 0;
    for (uint32_t w = 0; w < 50; w++)
        fixed += fixed_points(b, w);
    for (size_t w = 1; w < b->count; w++)
        repeated += w % 50 && b->new_worms[w].destination == b->new_worms[w - 1].destination;
    // A random permutation of any size has one fixed point on average, so the sum is Poisson with
    // mean 50.
    assert_between(fixed, 20, 80);
    assert_between(repeated, 20, 80);
    free_batch(b);
}

static void a_relation_starts_over_after_q_worms(void **state)
{
    (void)state;
    struct anl_scenario s = scenario_of("network: {topology: mesh, k: 2, n: 2}\n"
                                        "traffic: {pattern: q_relation, worms_per_terminal: 3,\n"
                                        "  load: 1, length: 1}\nrun: {cycles: 30}\n");
    struct anl_traffic *traffic = traffic_of(&s);
    uint32_t first[3][4];
    for (uint64_t cycle = 0; cycle < 30; cycle++) {
        size_t count;
        const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, cycle, &count);
        assert_int_equal(count, 4);
        for (uint32_t t = 0; t < 4; t++) {
            if (cycle < 3) first[cycle][t] = new_worms[t].destination;
            assert_int_equal(new_worms[t].destination, first[cycle % 3][t]);
        }
    }
    anl_traffic_destroy(traffic);
    anl_scenario_free(&s);
}

// Returns Pearson's statistic of counts against equal expectations, in units of its standard
// deviation.
static double unevenness(const uint32_t *counts, uint32_t cells, double expected)
{
    double sum = 0;
    for (uint32_t i = 0; i < cells; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return (sum - (cells - 1)) / sqrt(2.0 * (cells - 1));
}

static void uniform_and_hotspot_are_what_they_say(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        double fraction;
    } sampled[] = {{"uniform", 0},
                   {"hotspot, hotspot_terminal: 7, hotspot_fraction: 0.25", 0.25},
                   {"hotspot, hotspot_terminal: 7, hotspot_fraction: 1", 1},
                   {"hotspot, hotspot_terminal: 7, hotspot_fraction: 0", 0}};
    enum { CELLS = 25, WORMS = 4000 };
    for (size_t i = 0; i < sizeof sampled / sizeof *sampled; i++) {
        struct batch *b = batch_of("topology: torus, k: 5, n: 2", sampled[i].pattern, WORMS, 3);
        uint32_t counts[CELLS] = {0};
        for (size_t w = 0; w < b->count; w++)
            counts[b->new_worms[w].destination]++;
        const double to_hot =
            (sampled[i].fraction + (1 - sampled[i].fraction) / CELLS) * (double)b->count;
        assert_true(fabs(counts[7] - to_hot) <= 5 * sqrt(to_hot));
        const double others = ((double)b->count - counts[7]) / (CELLS - 1);
        counts[7] = counts[0];
        if (others > 0) assert_true(fabs(unevenness(counts, CELLS, others)) < 5);
        if (others <= 0) assert_true(sampled[i].fraction >= 1);
        free_batch(b);
    }
}

static void uniform_others_never_stays_and_is_even(void **state)
{
    (void)state;
    enum { CELLS = 25, WORMS = 4000 };
    struct batch *b = batch_of("topology: torus, k: 5, n: 2", "uniform_others", WORMS, 3);
    for (uint32_t s = 0; s < CELLS; s++) {
        uint32_t counts[CELLS] = {0};
        for (uint32_t w = 0; w < WORMS; w++)
            counts[b->new_worms[s * WORMS + w].destination]++;
        assert_int_equal(counts[s], 0);
        counts[s] = counts[CELLS - 1];  // the other 24 are left in front
        assert_true(fabs(unevenness(counts, CELLS - 1, WORMS / (CELLS - 1.0))) < 5);
    }
    free_batch(b);
}

// A terminal samples a number below T - 1 for each worm; from s on it means the next terminal.
static void uniform_others_samples_as_the_page_says(void **state)
{
    (void)state;
    enum { TERMINALS = 3, WORMS = 50 };
    struct batch *b = batch_of("topology: mesh, k: 3, n: 1", "uniform_others", WORMS, 9);
    for (uint32_t s = 0; s < TERMINALS; s++) {
        struct anl_rng rng = anl_rng_seed(9, s);
        for (uint32_t w = 0; w < WORMS; w++) {
            const uint32_t below = anl_rng_below(&rng, TERMINALS - 1);
            const uint32_t others[2] = {s == 0, s == 2 ? 1 : 2};
            assert_int_equal(b->new_worms[s * WORMS + w].destination, others[below]);
        }
    }
    free_batch(b);
}

// Links between two switches of a torus with k = 5 and n = 2.
static uint32_t apart_in_torus(uint32_t s, uint32_t t)
{
    uint32_t links = 0;
    for (uint32_t i = 0; i < 2; i++, s /= 5, t /= 5) {
        const uint32_t up = (t % 5 + 5 - s % 5) % 5;
        links += up < 5 - up ? up : 5 - up;
    }
    return links;
}

// A unit says whether a worm stays inside, and then a number which of the terminals there it is.
static void sphere_samples_as_the_page_says(void **state)
{
    (void)state;
    enum { TERMINALS = 25, WORMS = 40, FARTHEST = 4 };
    for (uint32_t radius = 0; radius <= FARTHEST; radius++) {
        char pattern[64];
        snprintf(pattern, sizeof pattern, "sphere, sphere_radius: %u, sphere_fraction: 0.3",
                 radius);
        struct batch *b = batch_of("topology: torus, k: 5, n: 2", pattern, WORMS, 9);
        for (uint32_t s = 0; s < TERMINALS; s++) {
            struct anl_rng rng = anl_rng_seed(9, s);
            for (uint32_t w = 0; w < WORMS; w++) {
                const bool drawn = anl_rng_unit(&rng) < 0.3;
                const bool inside = radius == FARTHEST || (radius > 0 && drawn);
                uint32_t there[TERMINALS], count = 0;
                for (uint32_t t = 0; t < TERMINALS; t++)
                    if (t != s && (apart_in_torus(s, t) <= radius) == inside) there[count++] = t;
                assert_int_equal(b->new_worms[s * WORMS + w].destination,
                                 there[anl_rng_below(&rng, count)]);
            }
        }
        free_batch(b);
    }
}

// Terminals of one switch are no link away from each other, so they are in every sphere.
static void a_sphere_has_all_terminals_of_a_switch(void **state)
{
    (void)state;
    enum { TERMINALS = 12, WORMS = 50 };
    struct batch *b = batch_of("topology: cube, radix: 4, concentration: 3",
                               "sphere, sphere_radius: 0, sphere_fraction: 1", WORMS, 2);
    for (uint32_t i = 0; i < TERMINALS * WORMS; i++) {
        assert_int_equal(b->new_worms[i].destination / 3, b->new_worms[i].source / 3);
        assert_int_not_equal(b->new_worms[i].destination, b->new_worms[i].source);
    }
    free_batch(b);
}

static void lengths_are_sampled_evenly(void **state)
{
    (void)state;
    struct anl_scenario s = scenario_of("network: {topology: mesh, k: 4, n: 2}\n"
                                        "traffic: {process: batch, worms_per_terminal: 3000,\n"
                                        "  length: [1, 8, 64, 1]}\n");
    struct anl_traffic *traffic = traffic_of(&s);
    size_t count;
    uint32_t counts[3] = {0};
    const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, 0, &count);
    for (size_t i = 0; i < count; i++)
        counts[new_worms[i].length == 1 ? 0 : new_worms[i].length == 8 ? 1 : 2]++;
    for (size_t i = 0; i < count; i++)
        assert_true(new_worms[i].length == 1 || new_worms[i].length == 8 ||
                    new_worms[i].length == 64);
    assert_true(fabs(counts[0] - 24000.0) < 5 * sqrt(12000));
    assert_true(fabs(counts[1] - 12000.0) < 5 * sqrt(9000));
    anl_traffic_destroy(traffic);
    anl_scenario_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function),
        cmocka_unit_test(known_examples),
        cmocka_unit_test(permutations_are_permutations),
        cmocka_unit_test(a_random_function_is_any_function),
        cmocka_unit_test(relations_are_q_permutations),
        cmocka_unit_test(a_relation_starts_over_after_q_worms),
        cmocka_unit_test(uniform_and_hotspot_are_what_they_say),
        cmocka_unit_test(uniform_others_never_stays_and_is_even),
        cmocka_unit_test(uniform_others_samples_as_the_page_says),
        cmocka_unit_test(sphere_samples_as_the_page_says),
        cmocka_unit_test(a_sphere_has_all_terminals_of_a_switch),
        cmocka_unit_test(lengths_are_sampled_evenly),
    };
    return cmocka_run_group_tests_name("traffic_pattern", tests, NULL, NULL);
}
