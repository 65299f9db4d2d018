// SPDX-License-Identifier: Apache-2.0
//
// What annelid/engine.h promises besides the rules of the switch: which worms are known and when,
// and the same results in networks that are larger than a word of 64 switches, than a tile, and
// than the caches.

#include "unit_engine.h"

static size_t flits_of(const struct anl_engine *net)
{
    size_t count;
    anl_engine_flits(net, &count);
    return count;
}

static void drain(struct anl_engine *net)
{
    for (uint32_t i = 0; i < 1000 && !anl_engine_idle(net); i++)
        anl_engine_step(net);
    assert_true(anl_engine_idle(net));
}

static void flits_are_told_while_recording_is_on(void **state)
{
    (void)state;
    const struct anl_config config = with(unit_networks[2], 4, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    struct anl_engine *net = make(&config);
    assert_int_equal(anl_engine_enqueue(net, 0, 24, 5, NULL), ANL_OK);
    anl_engine_step(net);
    anl_engine_step(net);
    assert_int_equal(flits_of(net), 2);
    anl_engine_record(net, false);
    assert_int_equal(flits_of(net), 0);
    anl_engine_step(net);
    assert_int_equal(flits_of(net), 0);
    anl_engine_record(net, true);
    anl_engine_step(net);
    assert_int_equal(flits_of(net), 4);
    anl_engine_destroy(net);
}

// A worm is known until the cycle after its delivery, in which another worm may take its place.
static void worms_are_known_as_long_as_is_promised(void **state)
{
    (void)state;
    const struct anl_config config = with(unit_networks[2], 4, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    struct anl_engine *net = make(&config);
    uint32_t id;
    size_t count = 0;
    assert_null(anl_engine_worm(net, 0));
    assert_int_equal(anl_engine_enqueue(net, 3, 7, 2, &id), ANL_OK);
    for (uint32_t i = 0; i < 50 && count == 0; i++) {
        const struct anl_worm *worm = anl_engine_worm(net, id);
        assert_true(worm && worm->id == id && worm->source == 3 && worm->destination == 7);
        anl_engine_step(net);
        anl_engine_delivered(net, &count);
    }
    assert_int_equal(count, 1);
    assert_non_null(anl_engine_worm(net, id));
    anl_engine_step(net);
    assert_null(anl_engine_worm(net, id));
    assert_null(anl_engine_worm(net, id + 1));
    anl_engine_destroy(net);
}

static void worms_may_be_so_long(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct anl_config config =
            with(unit_networks[1], 4, ANL_ROUND_ROBIN, (enum anl_flow_control)(i / 2));
        config.length_in_head = i % 2 ? ANL_TRUE : ANL_FALSE;
        struct anl_engine *net = make(&config);
        const uint32_t longest = i >= 2 ? 4 : i == 1 ? 127 : 65535;
        assert_int_equal(anl_engine_enqueue(net, 0, 1, 0, NULL), ANL_ERR_ARGUMENT);
        assert_int_equal(anl_engine_enqueue(net, 0, 1, (uint16_t)longest, NULL), ANL_OK);
        if (longest < 65535)
            assert_int_equal(anl_engine_enqueue(net, 0, 1, (uint16_t)(longest + 1), NULL),
                             ANL_ERR_ARGUMENT);
        assert_int_equal(anl_engine_totals(net).enqueued, 1);
        anl_engine_destroy(net);
    }
}

// A delivered worm makes room, so the table need not grow for the worms after it.
static void many_worms_one_after_the_other(void **state)
{
    (void)state;
    const struct anl_config config = with(unit_networks[1], 4, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    struct anl_engine *net = make(&config);
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t id;
        assert_int_equal(anl_engine_enqueue(net, i % 2, 1, 1, &id), ANL_OK);
        assert_int_equal(id, i);
        drain(net);
        assert_null(anl_engine_worm(net, i / 2));
    }
    assert_int_equal(anl_engine_totals(net).delivered, 5000);
    anl_engine_destroy(net);
}

// --- generators ---

// A lone worm on a line is in each switch for as many cycles as it has flits, and only there the
// generator steps, once for each of them (docs/random.md).
static void generators_step_where_a_flit_is(void **state)
{
    (void)state;
    enum { SWITCHES = 150, LENGTH = 3, FIRST = 5, LAST = 140, SEED = 9 };
    const struct anl_config config =
        with((struct anl_config){.topology = ANL_MESH, .k = SWITCHES, .n = 1, .num_vcs = 1}, 4,
             ANL_RANDOM, ANL_WORMHOLE);
    struct anl_lane_state lanes[SWITCHES * 3];
    struct anl_port_state ports[SWITCHES * 3];
    struct anl_terminal_lane_state terminal_lanes[SWITCHES];
    uint32_t random[SWITCHES];
    struct anl_state seen = {
        .lanes = lanes, .ports = ports, .random = random, .terminal_lanes = terminal_lanes};
    struct anl_engine *net = make(&config);

    anl_engine_reset(net, SEED);
    assert_int_equal(anl_engine_enqueue(net, FIRST, LAST, LENGTH, NULL), ANL_OK);
    drain(net);
    anl_engine_state(net, &seen);
    for (uint32_t s = 0; s < SWITCHES; s++) {
        uint32_t expected = anl_switch_seed(SEED, s);
        for (uint32_t i = 0; i < LENGTH && s >= FIRST && s <= LAST; i++)
            expected = anl_xorshift32(expected);
        if (random[s] != expected) fail_msg("switch %u: %08x, not %08x", s, random[s], expected);
    }
    anl_engine_destroy(net);
}

// --- large networks ---

static uint64_t hash_of_cycle(const struct anl_engine *net)
{
    size_t count;
    uint64_t hash = 0;
    const struct anl_flit *flits = anl_engine_flits(net, &count);
    for (size_t i = 0; i < count; i++)
        hash += anl_mix((uint64_t)flits[i].link << 32 | flits[i].worm << 8 | flits[i].vc) ^
                flits[i].index;
    hash += count;
    const struct anl_worm *worms = anl_engine_delivered(net, &count);
    for (size_t i = 0; i < count; i++)
        hash = anl_mix(hash ^ worms[i].id);  // in their order
    return hash;
}

// Every terminal sends at once, across the network, so all switches of all levels work. If the
// switches are visited in another order the result must be the same.
static void run_beside_shuffled(const struct anl_config *config)
{
    struct anl_engine *nets[2];
    for (uint64_t i = 0; i < 2; i++) {
        nets[i] = make(config);
        anl_engine_shuffle(nets[i], i);
        const uint32_t terminals = anl_shape_of(config).terminals;
        for (uint32_t t = 0; t < terminals; t++)
            assert_int_equal(anl_engine_enqueue(nets[i], t, terminals - 1 - t, 4, NULL), ANL_OK);
    }
    for (uint32_t cycle = 0; cycle < 24; cycle++) {
        for (uint32_t i = 0; i < 2; i++)
            anl_engine_step(nets[i]);
        assert_true(hash_of_cycle(nets[0]) == hash_of_cycle(nets[1]));
    }
    assert_true(anl_engine_totals(nets[0]).flit_hops > anl_engine_totals(nets[0]).enqueued);
    for (uint32_t i = 0; i < 2; i++)
        anl_engine_destroy(nets[i]);
}

static void large_networks_are_as_others(void **state)
{
    (void)state;
    const struct anl_config networks[] = {
        {.topology = ANL_FAT_TREE,
         .k = 4,
         .n = 7,
         .num_vcs = 2,
         .credits = ANL_BYPASS,
         .routing = ANL_UP_DOWN_GREEDY},
        {.topology = ANL_FAT_TREE,
         .k = 4,
         .n = 7,
         .num_vcs = 1,
         .credits = ANL_BYPASS,
         .routing = ANL_UP_DOWN_RANDOM},
        {.topology = ANL_FAT_TREE, .k = 4, .n = 7, .num_vcs = 1, .routing = ANL_UP_DOWN_FIXED},
        {.topology = ANL_MESH, .k = 70, .n = 2, .num_vcs = 2},
        {.topology = ANL_HYPERCUBE, .k = 2, .n = 10, .num_vcs = 3, .routing = ANL_E_CUBE},
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        const struct anl_config config =
            with(networks[i], 2, i % 2 ? ANL_RANDOM : ANL_ROUND_ROBIN, ANL_WORMHOLE);
        run_beside_shuffled(&config);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flits_are_told_while_recording_is_on),
        cmocka_unit_test(worms_are_known_as_long_as_is_promised),
        cmocka_unit_test(worms_may_be_so_long),
        cmocka_unit_test(many_worms_one_after_the_other),
        cmocka_unit_test(generators_step_where_a_flit_is),
        cmocka_unit_test(large_networks_are_as_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
