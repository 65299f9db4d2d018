// SPDX-License-Identifier: Apache-2.0
//
// The state of traffic (docs/checkpoint.md): generators that go on from each other's state create
// what one generator creates, with each process. The network is a stand-in, which delivers each
// worm some cycles after it was created.

#include "unit_traffic.h"

enum { CYCLES = 500, MOST_WORMS = 20000, MOST_A_CYCLE = 4096 };

// A worm and when it is taken, which is a cycle after it is delivered.
struct lifetime {
    struct anl_worm worm;
    uint64_t delivered;
};

struct play {
    const struct anl_scenario *scenario;
    struct anl_traffic *traffic;
    struct lifetime lifetimes[MOST_WORMS];
    uint32_t count;
    uint64_t hash;
};

static void hash_worm(struct play *play, uint64_t cycle, const struct anl_new_worm *worm)
{
    const uint64_t numbers[] = {cycle,
                                worm->source,
                                worm->destination,
                                worm->length,
                                worm->class_,
                                worm->role,
                                worm->has_path ? worm->path : 0,
                                worm->route ? worm->route[0] + 1u : 0};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        play->hash = anl_mix(play->hash ^ numbers[i]) + 1;
}

static void create(struct play *play, uint64_t cycle)
{
    size_t count;
    const struct anl_new_worm *worms = anl_traffic_cycle(play->traffic, cycle, &count);
    for (size_t i = 0; i < count; i++) {
        assert_true(play->count < MOST_WORMS);
        struct lifetime *lifetime = &play->lifetimes[play->count];
        hash_worm(play, cycle, &worms[i]);
        lifetime->worm = (struct anl_worm){.id = play->count++,
                                           .source = worms[i].source,
                                           .destination = worms[i].destination,
                                           .role = worms[i].role};
        lifetime->delivered = cycle + 1 + anl_mix(lifetime->worm.id) % 20;
    }
}

typedef void tell(struct anl_traffic *traffic, const struct anl_worm *worms, size_t count);

// Tells of the worms that were delivered in a cycle.
static void tell_of(struct play *play, uint64_t cycle, tell *told)
{
    static struct anl_worm worms[MOST_A_CYCLE];
    size_t count = 0;
    for (uint32_t i = 0; i < play->count; i++)
        if (play->lifetimes[i].delivered == cycle) {
            assert_true(count < MOST_A_CYCLE);
            worms[count++] = play->lifetimes[i].worm;
        }
    told(play->traffic, worms, count);
}

// Returns a hash of all that is created, if another generator goes on after every few cycles (0:
// never).
static uint64_t play(const struct anl_scenario *scenario, uint64_t few)
{
    static struct play play;
    play = (struct play){.scenario = scenario, .traffic = traffic_of(scenario)};
    for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
        if (scenario->network.reply_queue && cycle) tell_of(&play, cycle - 1, anl_traffic_taken);
        create(&play, cycle);
        tell_of(&play, cycle, anl_traffic_delivered);
        if (few && cycle % few == 0) play.traffic = packed_again(play.traffic, scenario);
        play.hash = anl_mix(play.hash ^ anl_traffic_done(play.traffic));
        play.hash = anl_mix(play.hash ^ anl_traffic_next(play.traffic));
    }
    assert_true(play.count > 10);
    anl_traffic_destroy(play.traffic);
    return play.hash;
}

#define MESH "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 2, classes: 2}\n"

static const char *const texts[] = {
    MESH "traffic: {load: 0.2, length: [1, 4, 9]}\nrun: {cycles: 400}\n",
    MESH "traffic: {load: 0.6, length: 2, pattern: hotspot}\nrun: {cycles: 500}\n",
    MESH "traffic: {process: bursty, load: 0.2, length: 2, burst_cycles: 9}\nrun: {cycles: 400}\n",
    MESH "traffic: {process: batch, worms_per_terminal: 9, length: [1, 4], pattern: q_relation}\n",
    MESH "traffic: {process: batch, worms_per_terminal: 9, delays: 30, delay_cycles: 7}\n",
    "network: {topology: mesh, k: 3, n: 2}\n"
    "traffic: {process: generator, worms_per_terminal: 5, length: 3}\n",
    MESH "traffic: {process: request_reply, worms_per_terminal: 20, window: 3, reply_length: 4}\n",
    MESH "traffic: {process: request_reply, worms_per_terminal: 20, window: 2, reply_queue: 2}\n",
};

static void generators_go_on(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct anl_scenario scenario = scenario_of(texts[i]);
        const uint64_t one = play(&scenario, 0);
        for (uint64_t few = 1; few < 8; few += 3)
            if (play(&scenario, few) != one)
                fail_msg("another generator after every %u cycles creates other worms\n%s",
                         (unsigned)few, texts[i]);
        anl_scenario_free(&scenario);
    }
}

// Messages that wait for nothing, some with a route and a path.
static void messages_go_on(void **state)
{
    static const uint8_t route[] = {2, 0};
    static struct anl_message messages[200];
    struct anl_scenario scenario = scenario_of("network: {topology: mesh, k: 2, n: 2}\n"
                                               "traffic: {process: replay, messages: none}\n");
    (void)state;
    for (uint32_t m = 0; m < 200; m++) {
        messages[m] = (struct anl_message){.cycle = m / 3 * 2, .source = m % 4, .length = 1};
        if (m % 5 == 0) messages[m].route = route, messages[m].route_length = 2;
        if (m % 7 == 0) messages[m].path = m, messages[m].has_path = true;
    }
    scenario.messages = messages;
    scenario.num_messages = 200;
    const uint64_t one = play(&scenario, 0);
    assert_true(play(&scenario, 3) == one);

    struct anl_traffic *traffic = traffic_of(&scenario);
    size_t count;
    anl_traffic_cycle(traffic, 0, &count);
    traffic = packed_again(traffic, &scenario);
    for (uint32_t id = 0; id < 4; id++) {
        struct anl_worm worm = {.id = id};
        assert_int_equal(anl_traffic_tie(traffic, &worm), id < 3);
        assert_ptr_equal(worm.route, id == 0 ? route : NULL);
        assert_int_equal(worm.route_length, id == 0 ? 2 : 0);
    }
    anl_traffic_destroy(traffic);
    scenario.messages = NULL;
    scenario.num_messages = 0;
    anl_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(generators_go_on),
                                       cmocka_unit_test(messages_go_on)};
    return cmocka_run_group_tests_name("traffic_pack", tests, NULL, NULL);
}
