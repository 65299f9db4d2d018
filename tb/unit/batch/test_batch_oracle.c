// SPDX-License-Identifier: Apache-2.0
//
// The random networks on which the engine is held against its oracle, with random worms in each
// slot of a batch: every flit, delivery and total must be that of an engine. Slots begin in
// different cycles and are emptied in the middle of a run.

#include "random_networks.h"

#include <annelid/batch.h>
#include <annelid/engine.h>

#ifndef NETWORKS
#define NETWORKS 20000
#endif

enum { PART = 100, CYCLES = 300, CREATION_CYCLES = 120, FEW_SLOTS = 4 };

struct pair {
    struct anl_engine *run, *alone;
    struct anl_rng rng;
    uint64_t begin;  // the cycle of the batch in which it begins
    bool begun;
};

static void create_worms(struct pair *pair, uint32_t terminals, uint32_t busy, uint32_t most,
                         const struct anl_config *config)
{
    for (uint32_t t = 0; t < terminals; t++) {
        if (unit_draw(&pair->rng, 0, 99) >= busy) continue;
        struct anl_worm worm = {.source = t,
                                .destination = unit_draw(&pair->rng, 0, terminals - 1),
                                .length = (uint16_t)unit_draw(&pair->rng, 1, most)};
        worm.has_path = anl_num_paths(config) > 1 && unit_draw(&pair->rng, 0, 1);
        if (worm.has_path) worm.path = unit_draw(&pair->rng, 0, anl_num_paths(config) - 1);
        uint32_t id, expected;
        assert_int_equal(anl_engine_enqueue_worm(pair->run, &worm, &id), ANL_OK);
        assert_int_equal(anl_engine_enqueue_worm(pair->alone, &worm, &expected), ANL_OK);
        assert_int_equal(id, expected);
    }
}

static void same_flits(const struct pair *pair)
{
    size_t count, expected;
    const struct anl_flit *flits = anl_engine_flits(pair->run, &count);
    const struct anl_flit *others = anl_engine_flits(pair->alone, &expected);
    assert_int_equal(count, expected);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(flits[i].link, others[i].link);
        assert_int_equal(flits[i].worm, others[i].worm);
        assert_int_equal(flits[i].index, others[i].index);
        assert_int_equal(flits[i].vc, others[i].vc);
        assert_int_equal(flits[i].head, others[i].head);
        assert_int_equal(flits[i].tail, others[i].tail);
    }
}

static void same_deliveries(const struct pair *pair)
{
    size_t count, expected;
    const struct anl_worm *worms = anl_engine_delivered(pair->run, &count);
    const struct anl_worm *others = anl_engine_delivered(pair->alone, &expected);
    assert_int_equal(count, expected);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(worms[i].id, others[i].id);
}

static void same_totals(const struct pair *pair)
{
    const struct anl_engine_totals a = anl_engine_totals(pair->run);
    const struct anl_engine_totals b = anl_engine_totals(pair->alone);
    assert_int_equal(a.enqueued, b.enqueued);
    assert_int_equal(a.delivered, b.delivered);
    assert_int_equal(a.flit_hops, b.flit_hops);
    assert_int_equal(a.ejected_flits, b.ejected_flits);
    assert_int_equal(a.in_network, b.in_network);
    assert_int_equal(a.queued, b.queued);
    assert_int_equal(a.taken, b.taken);
    assert_int_equal(anl_engine_cycle(pair->run), anl_engine_cycle(pair->alone));
}

// Begins the runs that are due; one that begins again has its slot emptied first.
static void begin_runs(struct pair *pairs, uint32_t number, uint64_t cycle)
{
    for (uint32_t i = 0; i < FEW_SLOTS; i++) {
        if (cycle != pairs[i].begin && cycle != pairs[i].begin + CYCLES / 2) continue;
        if (pairs[i].begun && i % 2 == 0) continue;
        anl_engine_reset(pairs[i].run, number + i);
        anl_engine_reset(pairs[i].alone, number + i);
        pairs[i].begun = true;
    }
}

static void play_network(const struct anl_network *network, const struct anl_config *config,
                         struct anl_rng *rng, uint32_t number)
{
    static const uint32_t all_slots[] = {16, 32, 64};
    const uint32_t terminals = anl_shape_of(config).terminals, busy = unit_draw(rng, 1, 60);
    const uint32_t most =
        config->flow_control == ANL_WORMHOLE ? unit_draw(rng, 1, 12) : config->depth;
    struct pair pairs[FEW_SLOTS] = {{0}};
    struct anl_batch *batch;
    if (anl_batch_create(network, all_slots[number % 3], &batch))
        assert_int_equal(anl_batch_create(network, 16, &batch), ANL_OK);
    const uint32_t slots = anl_batch_slots(batch);
    for (uint32_t i = 0; i < FEW_SLOTS; i++) {
        pairs[i].run = anl_batch_run(batch, (number * 5 + i * (slots / FEW_SLOTS)) % slots);
        pairs[i].begin = i * 10;
        pairs[i].rng = anl_rng_seed(number, i);
        assert_int_equal(anl_engine_create_on(network, &pairs[i].alone), ANL_OK);
        anl_engine_record(pairs[i].run, true);
        anl_engine_record(pairs[i].alone, true);
    }
    for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
        begin_runs(pairs, number, cycle);
        for (uint32_t i = 0; i < FEW_SLOTS; i++)
            if (pairs[i].begun && anl_engine_cycle(pairs[i].run) < CREATION_CYCLES)
                create_worms(&pairs[i], terminals, busy, most, config);
        anl_batch_step(batch);
        for (uint32_t i = 0; i < FEW_SLOTS; i++) {
            anl_engine_step(pairs[i].alone);
            same_flits(&pairs[i]);
            same_deliveries(&pairs[i]);
            same_totals(&pairs[i]);
        }
    }
    for (uint32_t i = 0; i < FEW_SLOTS; i++)
        anl_engine_destroy(pairs[i].alone);
    anl_batch_destroy(batch);
}

// Returns whether a batch can run the network with this number, and has run it.
static bool batch_network(uint32_t number)
{
    struct anl_rng rng = anl_rng_seed(2, number);
    struct anl_graph *graph;
    struct anl_network *network;
    struct anl_config config = draw_config(&rng, &graph);
    const bool can = anl_batch_can(&config);
    if (can) {
        print_message("network %u: topology %d k %u n %u lanes %u depth %u routing %d arbiter %d "
                      "flow_control %d credits %d\n",
                      number, (int)config.topology, config.k, config.n, config.num_vcs,
                      config.depth, (int)config.routing, (int)config.arbiter,
                      (int)config.flow_control, (int)config.credits);
        assert_int_equal(anl_network_create(&config, &network), ANL_OK);
        play_network(network, &config, &rng, number);
        anl_network_destroy(network);
    }
    anl_graph_destroy(graph);
    return can;
}

static void a_batch_agrees_with_engines_on_random_networks(void **state)
{
    const uint32_t all = unit_share() == 1 ? NETWORKS : unit_trials(NETWORKS / PART);
    uint32_t can = 0;
    (void)state;
    for (uint32_t number = 0; can < all; number++)
        can += batch_network(number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_agrees_with_engines_on_random_networks)};
    return cmocka_run_group_tests_name("batch_oracle", tests, NULL, NULL);
}
