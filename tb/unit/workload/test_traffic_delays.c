// SPDX-License-Identifier: Apache-2.0
//
// Traffic: a batch whose worms wait before they are created, against samples that this test makes
// and sorts.

#include <annelid/base.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit_traffic.h"

// Makes the samples again, terminal by terminal, and sorts them as docs/scenario.md says.
enum { DELAYED_TERMINALS = 64, DELAYED_EACH = 20 };

struct delayed {
    uint64_t cycle;
    uint32_t order;  // rank by terminal and sample
    uint32_t destination;
    uint16_t length;
};

static int by_creation(const void *a, const void *b)
{
    const struct delayed *x = a, *y = b;
    if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void sample_delayed(const struct anl_traffic_config *config, uint64_t seed,
                           struct delayed *worms)
{
    for (uint32_t order = 0, t = 0; t < DELAYED_TERMINALS; t++) {
        struct anl_rng rng = anl_rng_seed(seed, t);
        for (uint32_t i = 0; i < DELAYED_EACH; i++, order++) {
            worms[order].order = order;
            worms[order].destination = anl_rng_below(&rng, DELAYED_TERMINALS);
            worms[order].length = config->lengths[0];
            if (config->num_lengths > 1)
                worms[order].length = config->lengths[anl_rng_below(&rng, config->num_lengths)];
            worms[order].cycle =
                (uint64_t)anl_rng_below(&rng, config->delays) * config->delay_cycles;
        }
    }
    qsort(worms, DELAYED_TERMINALS * DELAYED_EACH, sizeof *worms, by_creation);
}

static void a_batch_waits_as_sampled(const char *traffic_text, uint64_t seed)
{
    char text[256];
    snprintf(text, sizeof text,
             "network: {topology: fat_tree, n: 3}\n"
             "traffic: {process: batch, worms_per_terminal: %d, %s}\n",
             DELAYED_EACH, traffic_text);
    struct anl_scenario s = scenario_of(text);
    s.run.seed = seed;
    struct anl_traffic *traffic = traffic_of(&s);
    static struct delayed expected[DELAYED_TERMINALS * DELAYED_EACH];
    sample_delayed(&s.traffic, seed, expected);

    size_t next = 0;
    for (uint64_t cycle = 0; !anl_traffic_done(traffic); cycle++) {
        size_t count;
        const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, cycle, &count);
        for (size_t i = 0; i < count; i++, next++) {
            assert_true(next < DELAYED_TERMINALS * DELAYED_EACH);
            assert_int_equal(cycle, expected[next].cycle);
            assert_int_equal(new_worms[i].source, expected[next].order / DELAYED_EACH);
            assert_int_equal(new_worms[i].destination, expected[next].destination);
            assert_int_equal(new_worms[i].length, expected[next].length);
        }
        assert_true(cycle <= (uint64_t)(s.traffic.delays - 1) * s.traffic.delay_cycles);
    }
    assert_int_equal(next, DELAYED_TERMINALS * DELAYED_EACH);
    anl_traffic_destroy(traffic);
    anl_scenario_free(&s);
}

static void batches_wait_as_sampled(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        a_batch_waits_as_sampled("length: 32, delays: 2", seed);
        a_batch_waits_as_sampled("length: [1, 2, 9], delays: 7, delay_cycles: 160", seed);
        a_batch_waits_as_sampled("length: 1, delays: 5000", seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(batches_wait_as_sampled)};
    return cmocka_run_group_tests_name("traffic_delays", tests, NULL, NULL);
}
