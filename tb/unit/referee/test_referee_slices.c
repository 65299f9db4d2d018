// SPDX-License-Identifier: Apache-2.0
//
// The referee on links of several cycles (docs/link.md) and switches of two stages
// (docs/switch.md): what the engine does is allowed, a flit that leaves before it has come is not,
// and neither is a flit or a credit that uses a slot too early.

#include "../unit.h"

#include <annelid/base.h>
#include <annelid/engine.h>
#include <annelid/referee.h>

static const struct anl_config pair = {.topology = ANL_MESH,
                                       .k = 2,
                                       .n = 1,
                                       .num_vcs = 1,
                                       .depth = 1,
                                       .flit_width_bits = 32,
                                       .routing = ANL_DIMENSION_ORDER,
                                       .link_cycles = 3};
enum { INJECT = 6, BETWEEN = 0, EJECT = 5 };  // links from terminal 0 to terminal 1

static struct anl_referee *referee_of(const struct anl_config *config)
{
    struct anl_referee *referee;
    assert_int_equal(anl_referee_create(config, &referee), ANL_OK);
    return referee;
}

static enum anl_rule broken(const struct anl_referee *referee)
{
    const struct anl_violation *violation = anl_referee_violation(referee);
    return violation ? violation->rule : ANL_RULE_NONE;
}

static bool tie_worm(void *user, struct anl_worm *worm)
{
    (void)user;
    (void)worm;
    return true;
}

// Returns a new referee that goes on from what this one knows, which is destroyed.
static struct anl_referee *referee_again(struct anl_referee *referee,
                                         const struct anl_config *config)
{
    struct anl_referee *again = referee_of(config);
    struct anl_pack pack = {0};
    anl_referee_pack(referee, &pack, tie_worm, NULL);
    struct anl_pack read = {.from = pack.bytes, .count = pack.count};
    anl_referee_pack(again, &read, tie_worm, NULL);
    assert_true(!pack.failed && !read.failed && read.count == 0);
    anl_pack_free(&pack);
    anl_referee_destroy(referee);
    return again;
}

// Returns the rule that the flits of a network break if its links are said to take so many cycles,
// and its switches to have so many stages.
static enum anl_rule judged(struct anl_config config, uint32_t cycles, uint32_t stages)
{
    struct anl_engine *engine;
    assert_int_equal(anl_engine_create(&config, &engine), ANL_OK);
    config.link_cycles = cycles;
    config.stages = stages;
    struct anl_referee *referee = referee_of(&config);
    const uint32_t terminals = anl_shape_of(&config).terminals;
    const uint16_t longest = config.flow_control == ANL_WORMHOLE ? 9 : (uint16_t)config.depth;
    anl_engine_record(engine, true);
    for (uint32_t cycle = 0; cycle < 600; cycle++) {
        size_t count;
        for (uint32_t t = 0; t < terminals && cycle < 300; t++) {
            if ((cycle + 3 * t) % 11) continue;
            uint32_t id;
            const uint32_t to = (t * 5 + cycle) % terminals;
            const uint16_t length = (uint16_t)(1 + cycle % longest);
            assert_int_equal(anl_engine_enqueue(engine, t, to, length, &id), ANL_OK);
            anl_referee_worm(referee, anl_engine_worm(engine, id));
        }
        anl_engine_step(engine);
        const struct anl_flit *flits = anl_engine_flits(engine, &count);
        anl_referee_flits(referee, cycle, flits, count);
        if (broken(referee) == ANL_RULE_NONE && cycle % 7 == 0)
            referee = referee_again(referee, &config);
    }
    const enum anl_rule rule = broken(referee);
    anl_referee_destroy(referee);
    anl_engine_destroy(engine);
    return rule;
}

static void the_cycles_of_links_and_the_stages_are_judged(void **state)
{
    (void)state;
    struct anl_config config = {.topology = ANL_TORUS,
                                .k = 4,
                                .n = 2,
                                .num_vcs = 3,
                                .flit_width_bits = 32,
                                .arbiter = ANL_ROUND_ROBIN};
    for (uint32_t trial = 0; trial < 36; trial++) {
        config.flow_control = (enum anl_flow_control)(trial % 3);
        config.routing = trial / 3 % 2 ? ANL_ADAPTIVE : ANL_DATELINE;
        config.atomic = config.routing == ANL_ADAPTIVE && config.flow_control == ANL_WORMHOLE
                            ? ANL_ATOMIC_ADAPTIVE
                            : ANL_ATOMIC_NONE;
        config.depth = 1 + trial / 6 % 3 * 3;
        config.link_cycles = 1 + trial / 12 * 5 % 6;
        config.stages = 1 + trial % 2;
        const uint32_t cycles = config.link_cycles;
        assert_int_equal(judged(config, cycles, config.stages), ANL_RULE_NONE);
        assert_int_equal(judged(config, cycles + 1, config.stages), ANL_RULE_TOO_EARLY);
        if (config.stages == 1) assert_int_equal(judged(config, cycles, 2), ANL_RULE_TOO_EARLY);
    }
}

// A worm of two flits, whose head crosses the links in 0, 1 and 4: it is in switch 1 from 4 on. The
// slot there may be used again from 7 on, and its credit is back in 6.
static void a_slot_is_used_again_after_two_ways(void **state)
{
    (void)state;
    for (uint64_t second = 6; second <= 7; second++) {
        struct anl_referee *referee = referee_of(&pair);
        const struct anl_worm worm = {.source = 0, .destination = 1, .length = 2};
        assert_true(anl_referee_worm(referee, &worm));
        const struct {
            uint64_t cycle;
            struct anl_flit flit;
        } crossings[] = {
            {0, {.link = INJECT, .head = true}},
            {1, {.link = BETWEEN, .head = true}},
            {2, {.link = INJECT, .index = 1, .tail = true}},
            {4, {.link = EJECT, .head = true}},
            {second, {.link = BETWEEN, .index = 1, .tail = true}},
        };
        bool fine = true;
        for (size_t i = 0; i < 5; i++) {
            referee = referee_again(referee, &pair);
            fine = anl_referee_flits(referee, crossings[i].cycle, &crossings[i].flit, 1);
        }
        assert_int_equal(fine, second == 7);
        assert_int_equal(broken(referee), second == 7 ? ANL_RULE_NONE : ANL_RULE_OVERFLOW);
        anl_referee_destroy(referee);
    }
}

static void a_credit_takes_its_way_back(void **state)
{
    (void)state;
    for (uint64_t back = 5; back <= 6; back++) {
        struct anl_referee *referee = referee_of(&pair);
        const struct anl_worm worm = {.source = 0, .destination = 1, .length = 1};
        assert_true(anl_referee_worm(referee, &worm));
        const struct anl_flit head = {.head = true, .tail = true};
        for (uint64_t cycle = 0; cycle <= back; cycle++) {
            struct anl_flit flit = head;
            flit.link = cycle == 0 ? INJECT : cycle == 1 ? BETWEEN : EJECT;
            const bool crosses = cycle <= 1 || cycle == 4;
            // The credits of the other two links come as early as they may.
            const struct anl_credits credits[] = {{.link = cycle == 1   ? INJECT
                                                           : cycle == 5 ? EJECT
                                                                        : BETWEEN,
                                                   .lanes = 1},
                                                  {.link = BETWEEN, .lanes = 1}};
            const size_t others = cycle == 1 || cycle == 5, own = cycle == back;
            anl_referee_cycle(referee, cycle, &flit, crosses, credits + !others, others + own);
        }
        assert_int_equal(broken(referee), back == 6 ? ANL_RULE_NONE : ANL_RULE_EARLY_CREDIT);
        if (back == 6) assert_true(anl_referee_rest(referee));
        anl_referee_destroy(referee);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cycles_of_links_and_the_stages_are_judged),
        cmocka_unit_test(a_slot_is_used_again_after_two_ways),
        cmocka_unit_test(a_credit_takes_its_way_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
