// SPDX-License-Identifier: Apache-2.0
//
// What makes the engine fast changes nothing: the variants for common networks, the loops for large
// ones and the general ones give the same flits, and cycles in which nothing can happen may be
// skipped.

#include "unit_traffic.h"
#include "unit_tree.h"

#include "engine/engine.h"

#include <annelid/base.h>
#include <annelid/trace.h>

// ---------------------------------------------------------------- loops

// The loops that an engine uses, and the order in which it visits switches (0: ascending).
struct loops {
    unsigned variant;
    bool large;
    uint64_t order;
};

enum { CYCLES = 150 };

// Returns NULL if these loops do not fit the network.
static struct anl_engine *net_with(const struct anl_config *config, struct loops loops)
{
    struct anl_engine *net;
    assert_int_equal(anl_engine_create(config, &net), ANL_OK);
    net->large = loops.large && !net->leaving;
    net->variant = loops.variant;
    if (!engine_fits(net, loops.variant) || net->large != loops.large) {
        anl_engine_destroy(net);
        return NULL;
    }
    anl_engine_reset(net, 3);
    assert_int_equal(anl_engine_shuffle(net, loops.order), ANL_OK);
    anl_engine_record(net, true);
    return net;
}

static void enqueue_some(struct anl_engine *net, struct anl_rng *rng, uint32_t chance)
{
    const uint32_t terminals = net->shape.terminals;
    const uint32_t longest = net->config.flow_control == ANL_WORMHOLE ? 9 : net->config.depth;
    for (uint32_t t = 0; t < terminals; t++) {
        if (anl_rng_below(rng, chance) > 0) continue;
        const uint32_t destination = anl_rng_below(rng, terminals);
        const struct anl_worm worm = {.source = t,
                                      .destination = destination,
                                      .length = (uint16_t)(1 + anl_rng_below(rng, longest)),
                                      .class_ = (uint8_t)anl_rng_below(rng, net->classes)};
        assert_int_equal(anl_engine_enqueue_worm(net, &worm, NULL), ANL_OK);
    }
}

// Returns the digest of all flits, while worms are enqueued and while they drain. A sample under
// the address sanitizer has every loop and every network, but a third of the cycles.
static uint64_t digest_with(struct anl_engine *net, uint32_t chance)
{
    struct anl_rng rng = anl_rng_seed(9, 0);
    const uint64_t cycles = unit_slow_sample() ? CYCLES / 3 : CYCLES;
    struct anl_digest *digest;
    assert_int_equal(anl_digest_create(&digest), ANL_OK);
    for (uint64_t cycle = 0; cycle < 2 * cycles; cycle++) {
        size_t count;
        if (cycle < cycles) enqueue_some(net, &rng, chance);
        anl_engine_step(net);
        const struct anl_flit *flits = anl_engine_flits(net, &count);
        anl_digest_flits(digest, cycle, flits, count);
    }
    assert_true(anl_engine_totals(net).delivered > 0);
    const uint64_t value = anl_digest_value(digest);
    anl_digest_destroy(digest);
    anl_engine_destroy(net);
    return value;
}

static unsigned seen[NUM_VARIANTS];  // [variant] how often it was tried

static void expect_digest(const struct anl_config *config, struct loops loops, uint32_t chance,
                          uint64_t digest)
{
    struct anl_engine *net = net_with(config, loops);
    if (!net) return;
    seen[loops.variant]++;
    if (digest_with(net, chance) != digest)
        fail_msg(
            "topology %d, k %u, n %u, %u lanes, arbiter %d: variant %u, large %d, order %d differ",
            (int)config->topology, config->k, config->n, config->num_vcs, (int)config->arbiter,
            loops.variant, loops.large, (int)loops.order);
}

static void expect_one_digest(const struct anl_config *config, uint32_t chance)
{
    const uint64_t digest =
        digest_with(net_with(config, (struct loops){.variant = VARIANT_any}), chance);
    for (unsigned variant = 0; variant < NUM_VARIANTS; variant++)
        for (int large = 0; large < 2; large++)
            expect_digest(config, (struct loops){variant, large, 0}, chance, digest);
    expect_digest(config, (struct loops){VARIANT_any, false, 5}, chance, digest);
}

static void every_variant_was_tried(void **state)
{
    (void)state;
    for (unsigned variant = 0; variant < NUM_VARIANTS; variant++)
        assert_true(seen[variant] > 0);
}

static void loops_agree(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < UNIT_NUM_NETWORKS; i++)
        for (uint32_t num_vcs = 1; num_vcs <= 8; num_vcs++)
            for (uint32_t depth = 1; depth <= 4; depth++) {
                if ((i + num_vcs + depth) % unit_step(5)) continue;
                struct anl_config config = unit_networks[i];
                config.num_vcs = num_vcs;
                config.depth = depth;
                config.flit_width_bits = 64;
                config.arbiter = depth == 3 ? ANL_AGE : ANL_ROUND_ROBIN;
                if (anl_config_check(&config, NULL)) continue;  // datelines need two lanes
                expect_one_digest(&config, 6);
            }
}

// Sets arbiter, lanes and room of a network with wide links. Returns false if there is no such
// network.
static bool make_wide(struct anl_config *config, uint32_t number)
{
    config->link = ANL_WIDE;
    config->num_vcs = 1 + number % 4;
    config->depth = 1 + number / 4 % 2;
    config->credits = (enum anl_credit_return)(number / 8 % 2);
    config->arbiter = (enum anl_arbiter)(number % 5);
    config->flit_width_bits = 64;
    return !anl_config_check(config, NULL);
}

static void loops_agree_on_wide_links(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < UNIT_NUM_NETWORKS; i++)
        for (uint32_t number = 0; number < 16; number++) {
            struct anl_config config = unit_networks[i];
            if ((i + number) % unit_step(3)) continue;
            if (make_wide(&config, number)) expect_one_digest(&config, 3);
        }
}

// docs/switch.md, "Wide links": with one lane they are shared links.
static void one_lane_is_not_shared_with_another(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < UNIT_NUM_NETWORKS; i++)
        for (uint32_t number = 0; number < 8; number += 4)
            for (int arbiter = ANL_FIXED; arbiter <= ANL_FARTHEST; arbiter++) {
                struct anl_config config = unit_networks[i];
                const struct loops loops = {.variant = VARIANT_any};
                if (!make_wide(&config, number)) continue;
                config.arbiter = (enum anl_arbiter)arbiter;
                const uint64_t wide = digest_with(net_with(&config, loops), 3);
                config.link = ANL_SHARED;
                assert_true(digest_with(net_with(&config, loops), 3) == wide);
            }
}

static void loops_agree_in_trees(void **state)
{
    (void)state;
    for (int routing = ANL_UP_DOWN_FIXED; routing <= ANL_UP_DOWN_GREEDY; routing++)
        for (int credits = ANL_REGISTERED; credits <= ANL_BYPASS; credits++)
            for (int arbiter = ANL_FIXED; arbiter <= ANL_LAST_ARBITER; arbiter++) {
                struct anl_config config = tree(3, (enum anl_routing)routing);
                config.depth = 1 + (uint32_t)arbiter % 2;
                config.num_vcs = 1;
                config.arbiter = (enum anl_arbiter)arbiter;
                config.credits = (enum anl_credit_return)credits;
                expect_one_digest(&config, 6);
            }
}

static void loops_agree_with_classes(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < UNIT_NUM_NETWORKS; i++)
        for (uint32_t classes = 2; classes <= 4; classes++)
            for (int arbiter = ANL_FIXED; arbiter <= ANL_LAST_ARBITER; arbiter++) {
                if ((i + classes + (uint32_t)arbiter) % unit_step(3)) continue;
                struct anl_config config = unit_networks[i];
                config.num_vcs = 2 * classes;
                config.classes = classes;
                config.class_weights[0] = 3;
                config.depth = 2;
                config.flit_width_bits = 64;
                config.arbiter = (enum anl_arbiter)arbiter;
                expect_one_digest(&config, 4);
            }
}

static void loops_agree_where_heads_select(void **state)
{
    (void)state;
    for (int routing = ANL_WEST_FIRST; routing <= ANL_ADAPTIVE; routing++)
        for (int select = ANL_MOST_CREDITS; select <= ANL_STRAIGHT_FIRST; select++)
            for (uint32_t depth = 1; depth <= 3; depth++) {
                if ((routing + select + (int)depth) % (int)unit_step(2)) continue;
                const struct anl_config config = {
                    .topology = routing == ANL_ADAPTIVE && depth == 2 ? ANL_TORUS : ANL_MESH,
                    .k = 5,
                    .n = 2,
                    .num_vcs = 3,
                    .depth = depth,
                    .flit_width_bits = 64,
                    .routing = (enum anl_routing)routing,
                    .select = (enum anl_select)select,
                    .atomic = routing == ANL_ADAPTIVE ? ANL_ATOMIC_ADAPTIVE : ANL_ATOMIC_NONE,
                    .arbiter = depth == 3 ? ANL_AGE : ANL_ROUND_ROBIN};
                expect_one_digest(&config, 6);
            }
}

// More switches than are decided at a time, more moves than are committed at a time, and switches
// whose ports are in two words of a bit set.
static void loops_agree_in_large_networks(void **state)
{
    (void)state;
    for (uint32_t num_vcs = 1; num_vcs <= 4; num_vcs += unit_step(3)) {
        struct anl_config config = {.topology = ANL_MESH,
                                    .k = 35,
                                    .n = 2,
                                    .num_vcs = num_vcs,
                                    .depth = 2,
                                    .flit_width_bits = 64,
                                    .arbiter = ANL_ROUND_ROBIN};
        expect_one_digest(&config, 100);
    }
}

// ---------------------------------------------------------------- idle cycles

struct outcome {
    uint64_t cycles, digest, skipped;
    uint32_t random;  // state of the generator of switch 0
};

static void enqueue_all_of(struct anl_engine *net, struct anl_traffic *traffic,
                           struct anl_digest *digest)
{
    size_t count;
    const uint64_t now = anl_engine_cycle(net), next = anl_traffic_next(traffic);
    const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, now, &count);
    assert_int_equal(next == now, count > 0);
    for (size_t i = 0; i < count; i++) {
        uint32_t id;
        assert_int_equal(anl_engine_enqueue(net, new_worms[i].source, new_worms[i].destination,
                                            new_worms[i].length, &id),
                         ANL_OK);
        anl_digest_worm(digest, anl_engine_worm(net, id));
    }
}

static void step_and_tell(struct anl_engine *net, struct anl_traffic *traffic,
                          struct anl_digest *digest)
{
    size_t count;
    const uint64_t cycle = anl_engine_cycle(net);
    anl_engine_step(net);
    const struct anl_flit *flits = anl_engine_flits(net, &count);
    anl_digest_flits(digest, cycle, flits, count);
    const struct anl_worm *worms = anl_engine_delivered(net, &count);
    anl_traffic_delivered(traffic, worms, count);
}

static bool is_over(const struct anl_engine *net, const struct anl_traffic *traffic)
{
    const struct anl_engine_totals totals = anl_engine_totals(net);
    return totals.enqueued == totals.delivered && anl_traffic_done(traffic);
}

static struct outcome run(const struct anl_scenario *scenario, bool skips)
{
    struct outcome outcome = {0};
    struct anl_traffic *traffic = traffic_of(scenario);
    struct anl_digest *digest;
    struct anl_engine *net;
    assert_int_equal(anl_digest_create(&digest), ANL_OK);
    assert_int_equal(anl_engine_create(&scenario->network, &net), ANL_OK);
    anl_engine_reset(net, scenario->run.seed);
    anl_engine_record(net, true);
    while (!is_over(net, traffic)) {
        const uint64_t now = anl_engine_cycle(net), next = anl_traffic_next(traffic);
        assert_true(next >= now);
        if (skips && anl_engine_idle(net)) {
            assert_int_equal(anl_engine_skip(net, next), ANL_OK);
            outcome.skipped += next - now;
        }
        enqueue_all_of(net, traffic, digest);
        step_and_tell(net, traffic, digest);
    }
    outcome.cycles = anl_engine_cycle(net);
    outcome.digest = anl_digest_value(digest);
    outcome.random = net->random ? net->random[0] : 0;
    anl_engine_destroy(net);
    anl_traffic_destroy(traffic);
    anl_digest_destroy(digest);
    return outcome;
}

static void idle_cycles_may_be_skipped(void **state)
{
    static const char *const texts[] = {
        "network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 2, arbiter: random}\n"
        "traffic: {load: 0.002, length: 3}\nrun: {cycles: 20000}\n",
        "network: {topology: torus, k: 3, n: 2}\nswitch: {num_vcs: 2, arbiter: farthest}\n"
        "traffic: {process: bursty, load: 0.01, length: 2}\nrun: {cycles: 20000}\n",
        "network: {topology: fat_tree, n: 2}\nswitch: {credits: bypass}\n"
        "traffic: {process: batch, worms_per_terminal: 2, delays: 50, delay_cycles: 300}\n",
        "network: {topology: mesh, k: 3, n: 1}\n"
        "traffic: {process: request_reply, worms_per_terminal: 40, window: 1}\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct anl_scenario scenario = scenario_of(texts[i]);
        const struct outcome all = run(&scenario, false), some = run(&scenario, true);
        assert_int_equal(all.cycles, some.cycles);
        assert_int_equal(all.digest, some.digest);
        assert_int_equal(all.random, some.random);
        if (i < 3) assert_true(some.skipped > some.cycles / 4);
        anl_scenario_free(&scenario);
    }
}

static void only_idle_cycles(void **state)
{
    struct anl_config config = unit_networks[2];
    struct anl_engine *net;
    (void)state;
    config.depth = 2;
    config.flit_width_bits = 32;
    assert_int_equal(anl_engine_create(&config, &net), ANL_OK);
    assert_int_equal(anl_engine_skip(net, 7), ANL_OK);
    assert_int_equal(anl_engine_cycle(net), 7);
    assert_int_equal(anl_engine_skip(net, 6), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_engine_enqueue(net, 0, 0, 1, NULL), ANL_OK);
    for (int cycle = 7; cycle < 10; cycle++) {  // it is injected, ejected, taken by the terminal
        assert_false(anl_engine_idle(net));
        assert_int_equal(anl_engine_skip(net, 100), ANL_ERR_ARGUMENT);
        assert_int_equal(anl_engine_cycle(net), cycle);
        anl_engine_step(net);
    }
    assert_true(anl_engine_idle(net));
    assert_int_equal(anl_engine_skip(net, 100), ANL_OK);
    assert_int_equal(anl_engine_totals(net).moved, 0);
    anl_engine_destroy(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_agree),
        cmocka_unit_test(loops_agree_in_trees),
        cmocka_unit_test(loops_agree_on_wide_links),
        cmocka_unit_test(one_lane_is_not_shared_with_another),
        cmocka_unit_test(loops_agree_with_classes),
        cmocka_unit_test(loops_agree_where_heads_select),
        cmocka_unit_test(loops_agree_in_large_networks),
        cmocka_unit_test(every_variant_was_tried),
        cmocka_unit_test(idle_cycles_may_be_skipped),
        cmocka_unit_test(only_idle_cycles),
    };
    return cmocka_run_group_tests_name("net_loops", tests, NULL, NULL);
}
