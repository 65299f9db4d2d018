// SPDX-License-Identifier: Apache-2.0
//
// Classes of messages in the engine: how they share a link, that they keep to their lanes, and what
// terminals refuse (docs/switch.md, "Message classes").

#include "unit_engine.h"

// ---------------------------------------------------------------- weights

static struct anl_config line(uint32_t k, uint32_t num_vcs, uint32_t classes)
{
    return with(
        (struct anl_config){
            .topology = ANL_MESH, .k = k, .n = 1, .num_vcs = num_vcs, .classes = classes},
        4, ANL_ROUND_ROBIN, ANL_WORMHOLE);
}

static uint32_t offer_class(struct anl_engine *net, uint32_t from, uint32_t to, uint16_t length,
                            uint8_t class_, uint8_t role)
{
    uint32_t id;
    const struct anl_worm worm = {
        .source = from, .destination = to, .length = length, .class_ = class_, .role = role};
    assert_int_equal(anl_engine_enqueue_worm(net, &worm, &id), ANL_OK);
    return id;
}

// Counts the flits of each class on a link while terminals 0 and 1 of a line send as much as they
// can to terminal 2.
static void count_classes(const struct anl_config *config, uint32_t link, uint32_t *flits)
{
    enum { WORMS = 200, FILLED = 100, CYCLES = 1000 };
    struct anl_engine *net = make(config);
    for (uint32_t i = 0; i < WORMS * config->classes; i++) {
        offer_class(net, 0, 2, 8, (uint8_t)(i % config->classes), ANL_PLAIN);
        offer_class(net, 1, 2, 8, (uint8_t)(i % config->classes), ANL_PLAIN);
    }
    for (uint64_t cycle = 0; cycle < FILLED + CYCLES; cycle++) {
        size_t count;
        anl_engine_step(net);
        const struct anl_flit *seen = anl_engine_flits(net, &count);
        for (size_t i = 0; i < count && cycle >= FILLED; i++)
            if (seen[i].link == link) flits[anl_class_of(config, seen[i].vc)]++;
    }
    anl_engine_destroy(net);
}

static void a_full_link_is_shared_by_weight(void **state)
{
    (void)state;
    static const uint8_t weights[][2] = {{3, 1}, {1, 1}, {2, 5}, {255, 1}};
    for (uint32_t i = 0; i < sizeof weights / sizeof *weights; i++) {
        struct anl_config config = line(3, 8, 2);
        config.class_weights[0] = weights[i][0];
        config.class_weights[1] = weights[i][1];
        const double part = weights[i][0] / ((double)weights[i][0] + weights[i][1]);
        const uint32_t last = 1 * 3 + 0, injection = 3 * 3 + 1;  // from switch 1, from terminal 1
        const uint32_t links[] = {last, injection};
        for (uint32_t at = 0; at < 2; at++) {
            uint32_t flits[2] = {0};
            count_classes(&config, links[at], flits);
            const uint32_t all = flits[0] + flits[1];
            assert_true(all >= 450);
            if (flits[0] < (part - 0.02) * all || flits[0] > (part + 0.02) * all)
                fail_msg("weights %u, %u: %u and %u flits on link %u", weights[i][0], weights[i][1],
                         flits[0], flits[1], links[at]);
        }
    }
}

// A class without flits leaves the link to the others.
static void a_link_does_not_wait_for_a_class(void **state)
{
    (void)state;
    struct anl_config config = line(3, 2, 2);
    config.class_weights[0] = 200;
    struct anl_engine *net = make(&config);
    for (uint32_t i = 0; i < 20; i++)
        offer_class(net, 0, 2, 5, 1, ANL_PLAIN);
    for (uint32_t i = 0; i < 20 * 5 + 3; i++)
        anl_engine_step(net);
    assert_int_equal(anl_engine_totals(net).delivered, 20);
    anl_engine_destroy(net);
}

// ---------------------------------------------------------------- lanes

static void keeps_to_its_lanes(const struct anl_config *config, uint64_t *flits_of_class)
{
    struct anl_rng rng = anl_rng_seed(4, (uint32_t)config->routing);
    struct anl_engine *net = make(config);
    const uint32_t terminals = anl_shape_of(config).terminals;
    uint8_t class_of[2000];
    uint32_t worms = 0;
    for (uint32_t cycle = 0; cycle < 300; cycle++) {
        for (uint32_t t = 0; t < terminals && worms < 2000; t++) {
            if (anl_rng_below(&rng, 20) > 0) continue;
            class_of[worms] = (uint8_t)anl_rng_below(&rng, config->classes);
            const uint32_t length = 1 + anl_rng_below(&rng, 4);
            offer_class(net, t, anl_rng_below(&rng, terminals), (uint16_t)length, class_of[worms],
                        ANL_PLAIN);
            worms++;
        }
        size_t count;
        anl_engine_step(net);
        const struct anl_flit *flits = anl_engine_flits(net, &count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(anl_class_of(config, flits[i].vc), class_of[flits[i].worm]);
            flits_of_class[class_of[flits[i].worm]]++;
        }
    }
    anl_engine_destroy(net);
}

static void no_lane_of_another_class_is_entered(void **state)
{
    (void)state;
    static const struct anl_config configs[] = {
        {.topology = ANL_MESH, .k = 4, .n = 2, .num_vcs = 4, .classes = 4},
        {.topology = ANL_TORUS,
         .k = 4,
         .n = 2,
         .num_vcs = 6,
         .classes = 3,
         .routing = ANL_DATELINE},
        {.topology = ANL_TORUS,
         .k = 4,
         .n = 2,
         .num_vcs = 8,
         .classes = 2,
         .routing = ANL_ADAPTIVE,
         .atomic = ANL_ATOMIC_ADAPTIVE},
        {.topology = ANL_MESH, .k = 4, .n = 2, .num_vcs = 6, .classes = 2, .routing = ANL_ODD_EVEN},
        {.topology = ANL_FAT_TREE,
         .k = 4,
         .n = 2,
         .num_vcs = 4,
         .classes = 2,
         .routing = ANL_UP_DOWN_GREEDY,
         .credits = ANL_BYPASS},
    };
    for (uint32_t i = 0; i < sizeof configs / sizeof *configs; i++)
        for (int flow_control = ANL_WORMHOLE; flow_control <= ANL_STORE_AND_FORWARD;
             flow_control++) {
            const struct anl_config config =
                with(configs[i], 4, ANL_ROUND_ROBIN, (enum anl_flow_control)flow_control);
            uint64_t flits[ANL_MAX_VCS] = {0};
            keeps_to_its_lanes(&config, flits);
            for (uint32_t c = 0; c < config.classes; c++)
                assert_true(flits[c] > 100);
        }
}

// ---------------------------------------------------------------- pointers

// Fills in_ptrs, favours and injections of a network of one switch with three ports, of which the
// last is that of its terminal.
struct pointers {
    uint8_t in_ptrs[3 * ANL_MAX_VCS];
    struct anl_favour_state favours[3], injections[1];
};

static struct pointers look(const struct anl_engine *net)
{
    struct pointers seen;
    struct anl_lane_state lanes[3 * ANL_MAX_VCS];
    struct anl_port_state ports[3];
    uint32_t random[1];
    struct anl_terminal_lane_state terminal_lanes[ANL_MAX_VCS];
    struct anl_state state = {.lanes = lanes,
                              .ports = ports,
                              .random = random,
                              .terminal_lanes = terminal_lanes,
                              .in_ptrs = seen.in_ptrs,
                              .favours = seen.favours,
                              .injections = seen.injections};
    anl_engine_state(net, &state);
    assert_int_equal(ports[2].in_ptr, 0);
    return seen;
}

static void each_class_has_a_pointer(void **state)
{
    (void)state;
    struct anl_config config = line(1, 6, 2);
    config.class_weights[1] = 2;
    struct anl_engine *net = make(&config);
    for (uint32_t worm = 0; worm < 4; worm++) {  // one-flit worms, each alone: lane 0 of the class
        const struct pointers before = look(net);
        assert_int_equal(before.in_ptrs[2 * 2 + 0], 0);
        assert_int_equal(before.in_ptrs[2 * 2 + 1], worm > 0);
        offer_class(net, 0, 0, 1, 1, ANL_PLAIN);
        for (uint32_t cycle = 0; cycle < 4; cycle++)
            anl_engine_step(net);
    }
    offer_class(net, 0, 0, 1, 0, ANL_PLAIN);
    for (uint32_t cycle = 0; cycle < 4; cycle++)
        anl_engine_step(net);
    assert_int_equal(look(net).in_ptrs[2 * 2 + 0], 1);
    assert_int_equal(look(net).in_ptrs[2 * 2 + 1], 1);
    anl_engine_destroy(net);
}

// Class 0 has weight 1, class 1 weight 2.
static void the_quota_counts_all_flits(void **state)
{
    (void)state;
    static const struct {
        uint8_t class_, favoured, quota;  // of a flit that moves, and what is favoured then
    } steps[] = {{1, 1, 2}, {0, 1, 1}, {0, 0, 1}, {1, 1, 2}, {0, 1, 1}, {1, 0, 1}};
    struct anl_config config = line(1, 2, 2);
    config.class_weights[1] = 2;
    struct anl_engine *net = make(&config);
    for (uint32_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        offer_class(net, 0, 0, 1, steps[i].class_, ANL_PLAIN);
        for (uint32_t cycle = 0; cycle < 4; cycle++)
            anl_engine_step(net);
        const struct pointers now = look(net);
        assert_int_equal(now.injections[0].class_, steps[i].favoured);
        assert_int_equal(now.injections[0].quota, steps[i].quota);
        assert_int_equal(now.favours[2].class_, steps[i].favoured);
        assert_int_equal(now.favours[2].quota, steps[i].quota);
        assert_int_equal(now.favours[0].quota, 1);
    }
    anl_engine_reset(net, 1);
    assert_int_equal(look(net).injections[0].class_, 0);
    anl_engine_destroy(net);
}

// ---------------------------------------------------------------- terminals that refuse

static struct anl_sink_state sink(const struct anl_engine *net, uint32_t terminal, uint32_t class_,
                                  uint16_t *reservations)
{
    static struct anl_lane_state lanes[2 * 3 * 2];
    static struct anl_port_state ports[2 * 3];
    static uint32_t random[2];
    static struct anl_terminal_lane_state terminal_lanes[2 * 2];
    static struct anl_sink_state sinks[2 * 2];
    static uint16_t all_reservations[2];
    struct anl_state state = {.lanes = lanes,
                              .ports = ports,
                              .random = random,
                              .terminal_lanes = terminal_lanes,
                              .sinks = sinks,
                              .reservations = all_reservations};
    anl_engine_state(net, &state);
    *reservations = all_reservations[terminal];
    return sinks[terminal * 2 + class_];
}

// Two requests of two flits go from terminal 0 to terminal 1, which has one reservation. The reply
// to the first one is enqueued in cycle 10.
//
//   cycle      0  1  2  3  4  5  6 … 10 11
//   injection  a0 a1 b0 b1
//   ejection         a0 a1 b0 b1
//   taken               a0 a1 b0       b1    the reservation of a is free again from cycle 11 on;
//                                            the reply is taken in cycle 13
static void a_tail_waits_for_a_reservation(void **state)
{
    (void)state;
    enum { REPLY = 10 };
    struct anl_config config = line(2, 2, 2);
    config.reply_queue = 1;
    struct anl_engine *net = make(&config);
    const uint32_t a = offer_class(net, 0, 1, 2, 0, ANL_REQUEST);
    const uint32_t b = offer_class(net, 0, 1, 2, 0, ANL_REQUEST);
    for (uint64_t cycle = 0; cycle < REPLY + 4; cycle++) {
        size_t count;
        uint16_t reservations;
        const struct anl_worm *taken = anl_engine_taken(net, &count);
        const struct anl_sink_state shown = sink(net, 1, 0, &reservations);
        const bool a_is_taken = cycle == 4, b_is_taken = cycle == REPLY + 1;
        assert_int_equal(count, a_is_taken || b_is_taken || cycle == REPLY + 3);
        if (a_is_taken) assert_int_equal(taken->id, a);
        if (b_is_taken) assert_int_equal(taken->id, b);
        assert_int_equal(shown.shows, (cycle >= 3 && cycle <= REPLY + 1));
        assert_int_equal(shown.refuses, (cycle >= 6 && cycle <= REPLY));
        if (cycle >= 6 && shown.shows) assert_int_equal(shown.worm, b);
        if (cycle >= 6 && shown.shows) assert_int_equal(shown.index, 1);
        assert_int_equal(reservations, (cycle >= 5 && cycle <= REPLY) || cycle > REPLY + 1);
        if (cycle == REPLY) offer_class(net, 1, 0, 1, 1, ANL_REPLY);
        anl_engine_step(net);
        assert_int_equal(anl_engine_totals(net).taken,
                         (cycle >= 3 && cycle <= 5) || cycle == REPLY + 1 || cycle == REPLY + 3);
    }
    assert_true(anl_engine_idle(net));
    anl_engine_destroy(net);
}

// The sink shows what it has refused, and takes replies of the other class meanwhile.
static void a_sink_refuses_for_its_class_alone(void **state)
{
    (void)state;
    struct anl_config config = line(2, 2, 2);
    config.reply_queue = 1;
    struct anl_engine *net = make(&config);
    for (uint32_t i = 0; i < 3; i++)
        offer_class(net, 0, 1, 1, 0, ANL_REQUEST);
    for (uint32_t i = 0; i < 5; i++)
        offer_class(net, 0, 1, 4, 1, ANL_PLAIN);
    for (uint32_t cycle = 0; cycle < 40; cycle++)
        anl_engine_step(net);
    uint16_t reservations;
    assert_true(sink(net, 1, 0, &reservations).refuses);
    assert_int_equal(reservations, 1);
    assert_false(sink(net, 1, 1, &reservations).shows);
    assert_int_equal(anl_engine_totals(net).in_network, 2);  // the second and the third request
    assert_int_equal(anl_engine_totals(net).delivered, 8);
    anl_engine_destroy(net);
}

static void worms_of_no_class_are_refused(void **state)
{
    (void)state;
    const struct anl_config config = line(2, 2, 2);
    struct anl_engine *net = make(&config);
    struct anl_worm worm = {.length = 1, .class_ = 2};
    assert_int_equal(anl_engine_enqueue_worm(net, &worm, NULL), ANL_ERR_ARGUMENT);
    worm.class_ = 1;
    worm.role = ANL_REPLY + 1;
    assert_int_equal(anl_engine_enqueue_worm(net, &worm, NULL), ANL_ERR_ARGUMENT);
    worm.role = ANL_REPLY;
    assert_int_equal(anl_engine_enqueue_worm(net, &worm, NULL), ANL_OK);
    anl_engine_destroy(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_link_is_shared_by_weight),
        cmocka_unit_test(a_link_does_not_wait_for_a_class),
        cmocka_unit_test(no_lane_of_another_class_is_entered),
        cmocka_unit_test(each_class_has_a_pointer),
        cmocka_unit_test(the_quota_counts_all_flits),
        cmocka_unit_test(a_tail_waits_for_a_reservation),
        cmocka_unit_test(a_sink_refuses_for_its_class_alone),
        cmocka_unit_test(worms_of_no_class_are_refused),
    };
    return cmocka_run_group_tests_name("net_classes", tests, NULL, NULL);
}
