// SPDX-License-Identifier: Apache-2.0
//
// An engine whose terminals are outside does what the whole network does, if it is told the flits
// that terminals send and the credits that they give back, in the cycles in which they come
// (docs/clocks.md, "Lock-step across crossings").

#include "parts.h"

#include <string.h>

enum { MOST_TERMINALS = 128, CYCLES = 300, MOST_LANES = 8, ROOM = 1 << 14 };

// The whole network, and its switches with terminals outside: a part for each of them, or one.
struct both {
    struct anl_scenario scenario;
    struct anl_network *network;
    struct anl_engine *whole, *inside;
    struct anl_shape shape;
    uint32_t of_terminal[MOST_TERMINALS];
    uint8_t arrived[MOST_TERMINALS];  // lanes whose flit the terminal takes in this cycle
};

static bool fits(const struct anl_config *config)
{
    return config->credits == ANL_REGISTERED && !config->reply_queue && anl_stages(config) == 1 &&
           anl_shape_of(config).terminals <= MOST_TERMINALS && config->num_vcs <= MOST_LANES;
}

// Draws a scenario with a network that can have its terminals outside. Returns whether it has found
// one.
static bool draw_fitting(struct anl_rng *rng, const char *network, struct anl_scenario *scenario)
{
    for (int tries = 0; tries < 8; tries++) {
        *scenario = draw_scenario(rng, network);
        if (fits(&scenario->network)) return true;
        anl_scenario_free(scenario);
    }
    return false;
}

static struct both make_both(struct anl_rng *rng, struct anl_scenario scenario)
{
    struct both both = {.scenario = scenario};
    static const uint32_t none[4096];
    struct anl_error error = {0};
    assert_int_equal(anl_network_create(&both.scenario.network, &both.network), ANL_OK);
    both.shape = anl_shape_of(&both.scenario.network);
    const bool each = anl_rng_below(rng, 2) != 0;
    for (uint32_t t = 0; t < both.shape.terminals; t++)
        both.of_terminal[t] = 1 + t * each;
    const struct anl_parts parts = {.of_switch = none, .of_terminal = both.of_terminal};
    assert_int_equal(anl_engine_create_on(both.network, &both.whole), ANL_OK);
    if (anl_engine_create_inside(both.network, &parts, 0, &both.inside, &error))
        fail_msg("%s", error.text);
    struct anl_engine *const engines[] = {both.whole, both.inside};
    for (int e = 0; e < 2; e++) {
        anl_engine_record(engines[e], true);
        anl_engine_reset(engines[e], both.scenario.run.seed);
    }
    return both;
}

static void destroy_both(struct both *both)
{
    anl_engine_destroy(both->inside);
    anl_engine_destroy(both->whole);
    anl_network_destroy(both->network);
    anl_scenario_free(&both->scenario);
}

// Return the number of a terminal's injection link among those of its part, and that of its
// ejection link: both ascend by their numbers in the network.
static uint32_t place_of_injection(const struct both *both, uint32_t terminal)
{
    uint32_t place = 0;
    for (uint32_t t = 0; t < terminal; t++)
        place += both->of_terminal[t] == both->of_terminal[terminal];
    return place;
}

static uint32_t place_of_ejection(const struct both *both, uint32_t terminal)
{
    const struct anl_config *config = &both->scenario.network;
    uint32_t place = 0;
    for (uint32_t t = 0; t < both->shape.terminals; t++)
        place += both->of_terminal[t] == both->of_terminal[terminal] &&
                 anl_ejection_link(config, t) < anl_ejection_link(config, terminal);
    return place;
}

// Writes what the terminals of a part say in this cycle: the flits that they send in the whole
// network, and the credits of what came in the cycle before.
static struct anl_border *write_message(const struct both *both, uint32_t index, uint32_t part,
                                        struct anl_border *message)
{
    size_t count;
    const struct anl_flit *flits = anl_engine_flits(both->whole, &count);
    const uint32_t first = both->shape.switches * both->shape.ports;
    *message = anl_engine_expects(both->inside, index);
    for (size_t i = 0; i < count; i++)
        if (flits[i].link >= first && both->of_terminal[flits[i].link - first] == part &&
            flits[i].head)
            anl_border_worms(message)[message->num_worms++] =
                *anl_engine_worm(both->whole, flits[i].worm);
    for (size_t i = 0; i < count; i++)
        if (flits[i].link >= first && both->of_terminal[flits[i].link - first] == part)
            anl_border_flits(message)[message->num_flits++] =
                (struct anl_crossing){.link = place_of_injection(both, flits[i].link - first),
                                      .vc = flits[i].vc,
                                      .head = flits[i].head,
                                      .tail = flits[i].tail};
    for (uint32_t t = 0; t < both->shape.terminals; t++)
        for (uint32_t vc = 0; both->of_terminal[t] == part && vc < MOST_LANES; vc++)
            if (both->arrived[t] >> vc & 1)
                anl_border_credits(message)[message->num_credits++] =
                    (struct anl_crossing){.link = place_of_ejection(both, t), .vc = (uint8_t)vc};
    return message;
}

static void step_inside(struct both *both)
{
    static uint64_t room[MOST_TERMINALS][ROOM / 8];
    struct anl_error error = {0};
    anl_engine_decide(both->inside);
    anl_engine_tell(both->inside);
    anl_engine_move(both->inside);
    for (uint32_t i = 0; i < anl_engine_num_peers(both->inside); i++) {
        const struct anl_peer peer = anl_engine_peer(both->inside, i);
        assert_true(peer.most_bytes <= ROOM);
        const struct anl_border *message =
            write_message(both, i, peer.part, (struct anl_border *)room[i]);
        if (anl_engine_take(both->inside, i, message, &error)) fail_msg("%s", error.text);
    }
    assert_int_equal(anl_engine_end(both->inside), ANL_OK);
}

static bool is_same_flit(const struct anl_flit *a, const struct anl_flit *b)
{
    return a->link == b->link && a->worm == b->worm && a->index == b->index && a->vc == b->vc &&
           a->head == b->head && a->tail == b->tail;
}

// The flits that leave switches are the same.
static void compare_flits(struct both *both)
{
    size_t count, inside;
    const struct anl_flit *flits = anl_engine_flits(both->whole, &count);
    const struct anl_flit *seen = anl_engine_flits(both->inside, &inside);
    const uint32_t first = both->shape.switches * both->shape.ports;
    memset(both->arrived, 0, sizeof both->arrived);
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        if (flits[i].link >= first) continue;
        assert_true(next < inside);
        if (!is_same_flit(&flits[i], &seen[next]))
            fail_msg("link %u lane %u worm %u, expected link %u lane %u worm %u of\n%s",
                     seen[next].link, seen[next].vc, seen[next].worm, flits[i].link, flits[i].vc,
                     flits[i].worm, both->scenario.text);
        next++;
        const struct anl_end end = anl_end_of(&both->scenario.network, flits[i].link);
        if (end.is_terminal) both->arrived[end.node] |= (uint8_t)(1u << flits[i].vc);
    }
    assert_int_equal(next, inside);
}

static void compare_states(const struct both *both)
{
    static struct anl_lane_state lanes[2][ROOM];
    static struct anl_port_state ports[2][ROOM];
    static struct anl_terminal_lane_state ends[2][ROOM];
    static uint32_t random[2][ROOM];
    const uint32_t num_ports = both->shape.switches * both->shape.ports;
    const uint32_t num_lanes = num_ports * both->scenario.network.num_vcs;
    assert_true(num_lanes <= ROOM);
    for (int e = 0; e < 2; e++) {
        struct anl_state state = {
            .lanes = lanes[e], .ports = ports[e], .random = random[e], .terminal_lanes = ends[e]};
        anl_engine_state(e ? both->inside : both->whole, &state);
    }
    assert_memory_equal(lanes[0], lanes[1], num_lanes * sizeof *lanes[0]);
    assert_memory_equal(ports[0], ports[1], num_ports * sizeof *ports[0]);
    assert_memory_equal(random[0], random[1], both->shape.switches * sizeof *random[0]);
}

static uint64_t run_both(struct both *both)
{
    struct anl_traffic *traffic;
    assert_int_equal(anl_traffic_create(anl_scenario_workload(&both->scenario), &traffic), ANL_OK);
    for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
        size_t count;
        const struct anl_new_worm *worms = anl_traffic_cycle(traffic, cycle, &count);
        for (size_t i = 0; i < count; i++) {
            struct anl_worm worm = {.source = worms[i].source,
                                    .destination = worms[i].destination,
                                    .length = worms[i].length,
                                    .class_ = worms[i].class_,
                                    .role = worms[i].role,
                                    .route = worms[i].route,
                                    .route_length = worms[i].route_length,
                                    .dependencies = worms[i].dependencies};
            assert_int_equal(anl_engine_enqueue_worm(both->whole, &worm, NULL), ANL_OK);
        }
        compare_states(both);
        anl_engine_step(both->whole);
        step_inside(both);
        compare_flits(both);
        const struct anl_worm *delivered = anl_engine_delivered(both->whole, &count);
        anl_traffic_delivered(traffic, delivered, count);
    }
    anl_traffic_destroy(traffic);
    return anl_engine_totals(both->whole).delivered;
}

static void switches_do_what_they_do_in_the_whole(void **state)
{
    struct anl_rng rng = anl_rng_seed(31, 0);
    (void)state;
    uint32_t run = 0;
    for (uint32_t n = 0; n < num_part_networks(); n++) {
        struct anl_scenario scenario;
        if (!draw_fitting(&rng, part_network(n), &scenario)) continue;
        struct both both = make_both(&rng, scenario);
        assert_true(run_both(&both) > 0);
        destroy_both(&both);
        run++;
    }
    assert_true(run >= 20);
}

static void terminals_astray_are_refused(void **state)
{
    static const uint32_t switches[] = {0, 1}, terminals[] = {1, 1};
    const struct anl_parts parts = {.of_switch = switches, .of_terminal = terminals};
    struct anl_scenario scenario = scenario_of("network: {topology: mesh, k: 2, n: 1}\n");
    struct anl_network *network;
    struct anl_engine *engine;
    struct anl_error error = {0};
    (void)state;
    assert_int_equal(anl_network_create(&scenario.network, &network), ANL_OK);
    assert_int_equal(anl_engine_create_inside(network, &parts, 0, &engine, &error),
                     ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "a terminal is in a part that has switches"));
    anl_network_destroy(network);
    anl_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_do_what_they_do_in_the_whole),
        cmocka_unit_test(terminals_astray_are_refused),
    };
    return cmocka_run_group_tests_name("outside", tests, NULL, NULL);
}
