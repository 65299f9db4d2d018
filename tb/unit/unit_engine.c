// SPDX-License-Identifier: Apache-2.0

#include "unit_engine.h"

#include <stdlib.h>

struct anl_config with(struct anl_config config, uint32_t depth, enum anl_arbiter arbiter,
                       enum anl_flow_control flow_control)
{
    config.depth = depth;
    config.arbiter = arbiter;
    config.flow_control = flow_control;
    config.flit_width_bits = 64;
    return config;
}

struct anl_engine *make(const struct anl_config *config)
{
    struct anl_engine *net;
    assert_int_equal(anl_engine_create(config, &net), ANL_OK);
    anl_engine_record(net, true);
    return net;
}

static uint64_t expected_latency(const struct anl_config *config, uint32_t distance,
                                 uint32_t length)
{
    const uint32_t cycles = anl_link_cycles(config), stages = anl_stages(config);
    const uint32_t behind = length - 1u, links = distance + 2;
    const uint32_t later = (cycles - 1) * distance + (stages - 1) * (distance + 1);
    if (config->flow_control == ANL_STORE_AND_FORWARD) return (uint64_t)links * length + later;
    // The cycles until a slot of a lane is used again.
    const uint32_t trip = distance ? 2 * (cycles + stages - 1) : 1 + stages;
    if (config->depth >= trip) return links + later + behind;
    return links + later + behind / config->depth * trip + behind % config->depth;
}

uint64_t lone_latency(struct anl_engine *net, uint32_t source, uint32_t destination,
                      uint16_t length)
{
    size_t count = 0;
    anl_engine_reset(net, 1);
    assert_int_equal(anl_engine_enqueue(net, source, destination, length, NULL), ANL_OK);
    while (count == 0 && anl_engine_cycle(net) < 2000) {
        anl_engine_step(net);
        anl_engine_delivered(net, &count);
    }
    assert_int_equal(count, 1);
    return anl_engine_cycle(net);
}

void all_pairs(const struct anl_config *config)
{
    static const uint16_t lengths[] = {1, 2, 8};
    const uint32_t terminals = anl_shape_of(config).terminals;
    struct anl_engine *net = make(config);
    for (uint32_t s = 0; s < terminals; s++)
        for (uint32_t t = 0; t < terminals; t++)
            for (uint32_t i = 0; i < 3; i++) {
                if (config->flow_control != ANL_WORMHOLE && lengths[i] > config->depth) continue;
                assert_int_equal(lone_latency(net, s, t, lengths[i]),
                                 expected_latency(config, anl_distance(config, s, t), lengths[i]));
            }
    anl_engine_destroy(net);
}

// ---------------------------------------------------------------- invariants under random traffic

struct observer {
    const struct anl_config *config;
    struct anl_shape shape;
    struct anl_state state, again;
    uint16_t *next_index;  // [worms * links] next flit expected of the worm on the link
    uint64_t hash;         // hash of all flits seen
    // Of each of the last cycles, the flits that crossed a link between switches.
    uint32_t crossed[ANL_MAX_LINK_CYCLES];
    uint64_t granted;  // two stages: flits that leave their switches in the next cycle
};

enum { MAX_WORMS = 400 };

static struct anl_state room_for_state(const struct anl_shape *shape, size_t v)
{
    const size_t ports = (size_t)shape->switches * shape->ports;
    struct anl_state state = {0};
    state.lanes = calloc(ports * v, sizeof *state.lanes);
    state.ports = calloc(ports, sizeof *state.ports);
    state.random = calloc(shape->switches, sizeof *state.random);
    state.terminal_lanes = calloc(shape->terminals * v, sizeof *state.terminal_lanes);
    return state;
}

static void free_state(struct anl_state *state)
{
    free(state->lanes);
    free(state->ports);
    free(state->random);
    free(state->terminal_lanes);
}

static struct observer observe(const struct anl_config *config)
{
    struct observer o = {.config = config, .shape = anl_shape_of(config)};
    o.state = room_for_state(&o.shape, config->num_vcs);
    o.again = room_for_state(&o.shape, config->num_vcs);
    o.next_index = calloc((size_t)MAX_WORMS * o.shape.links, sizeof *o.next_index);
    return o;
}

static void dismiss(struct observer *o)
{
    free_state(&o->state);
    free_state(&o->again);
    free(o->next_index);
}

static void mix_in(struct observer *o, uint64_t value) { o->hash = anl_mix(o->hash ^ value) + 1; }

static void check_flits(struct observer *o, const struct anl_engine *net)
{
    size_t count;
    const struct anl_flit *flits = anl_engine_flits(net, &count);
    uint32_t *crossed = &o->crossed[anl_engine_cycle(net) % ANL_MAX_LINK_CYCLES];
    uint64_t left = 0;
    *crossed = 0;
    for (size_t i = 0; i < count; i++) {
        const struct anl_flit *f = &flits[i];
        const bool injected = f->link >= o->shape.switches * o->shape.ports;
        left += !injected;
        *crossed += !injected && !anl_end_of(o->config, f->link).is_terminal;
        const struct anl_worm *worm = anl_engine_worm(net, f->worm);
        assert_non_null(worm);
        if (i > 0) assert_true(flits[i - 1].link < f->link);
        assert_int_equal(o->next_index[f->worm * o->shape.links + f->link]++, f->index);
        assert_int_equal(f->head, f->index == 0);
        assert_int_equal(f->tail, f->index + 1 == worm->length);
        mix_in(o, (uint64_t)f->worm << 32 | f->index);
        mix_in(o, (uint64_t)f->link << 32 | f->vc);
    }
    if (anl_stages(o->config) > 1) assert_int_equal(left, o->granted);
}

static const struct anl_lane_state *lane_at(const struct observer *o, uint32_t s, uint32_t p,
                                            uint32_t v)
{
    return &o->state.lanes[(s * o->shape.ports + p) * o->config->num_vcs + v];
}

// Returns the flits in lane v at the other end of output port p of switch s.
static uint32_t count_below(const struct observer *o, uint32_t s, uint32_t p, uint32_t v)
{
    const struct anl_end end = anl_link_end(o->config, s, p);
    if (!end.exists) return 0;
    if (end.is_terminal) return o->state.terminal_lanes[end.node * o->config->num_vcs + v].count;
    return lane_at(o, end.node, end.port, v)->count;
}

static void check_lane(const struct observer *o, uint32_t s, uint32_t p, uint32_t v)
{
    const struct anl_lane_state *lane = lane_at(o, s, p, v);
    assert_true(lane->count <= o->config->depth);
    // Flits and credits on their way are the rest, where a link takes several cycles.
    const uint32_t known = lane->credit + count_below(o, s, p, v);
    assert_true(known == o->config->depth ||
                (known < o->config->depth && anl_hop_cycles(o->config) > 1));
    if (lane->bound) {
        const struct anl_lane_state *out = lane_at(o, s, lane->bound_port, lane->bound_vc);
        assert_true(out->owned && out->owner_port == p && out->owner_vc == v);
    } else {
        assert_true(lane->bound_port == 0 && lane->bound_vc == 0);
    }
    if (lane->owned) {
        const struct anl_lane_state *in = lane_at(o, s, lane->owner_port, lane->owner_vc);
        assert_true(in->bound && in->bound_port == p && in->bound_vc == v);
    } else {
        assert_true(lane->owner_port == 0 && lane->owner_vc == 0);
    }
}

// Returns the flits that have crossed a link and are still on their way to the lane at its end.
static uint64_t on_their_way(const struct observer *o, const struct anl_engine *net)
{
    uint64_t flits = 0;
    for (uint32_t i = 0; i + 1 < anl_link_cycles(o->config) && i < anl_engine_cycle(net); i++)
        flits += o->crossed[(anl_engine_cycle(net) - i) % ANL_MAX_LINK_CYCLES];
    return flits;
}

// What may have changed is all that has.
static void check_again(struct observer *o, const struct anl_engine *net)
{
    const struct anl_state *state = &o->state, *again = &o->again;
    const size_t ports = (size_t)o->shape.switches * o->shape.ports, v = o->config->num_vcs;
    anl_engine_state_again(net, &o->again);
    assert_memory_equal(again->lanes, state->lanes, ports * v * sizeof *state->lanes);
    assert_memory_equal(again->ports, state->ports, ports * sizeof *state->ports);
    assert_memory_equal(again->random, state->random, o->shape.switches * sizeof *state->random);
    assert_memory_equal(again->terminal_lanes, state->terminal_lanes,
                        o->shape.terminals * v * sizeof *state->terminal_lanes);
}

static void check_state(struct observer *o, const struct anl_engine *net)
{
    uint64_t stored = on_their_way(o, net);
    anl_engine_state(net, &o->state);
    check_again(o, net);
    for (uint32_t s = 0; s < o->shape.switches; s++)
        for (uint32_t p = 0; p < o->shape.ports; p++)
            for (uint32_t v = 0; v < o->config->num_vcs; v++) {
                check_lane(o, s, p, v);
                stored += lane_at(o, s, p, v)->count;
            }
    for (uint32_t i = 0; i < o->shape.terminals * o->config->num_vcs; i++)
        stored += o->state.terminal_lanes[i].count;
    o->granted = anl_engine_totals(net).in_network - stored;
    if (anl_stages(o->config) == 1) assert_int_equal(o->granted, 0);
}

uint64_t random_run(const struct anl_config *config, uint64_t seed, uint64_t order)
{
    struct observer o = observe(config);
    struct anl_engine *net = make(config);
    struct anl_rng rng = anl_rng_seed(seed, 0);
    const uint32_t longest = config->flow_control == ANL_WORMHOLE ? 12 : config->depth;
    uint64_t worms = 0;

    anl_engine_reset(net, seed);
    anl_engine_state(net, &o.again);
    assert_int_equal(anl_engine_shuffle(net, order), ANL_OK);
    while (anl_engine_cycle(net) < 20000) {
        for (uint32_t t = 0; t < o.shape.terminals && worms < MAX_WORMS; t++)
            if (anl_rng_below(&rng, 8) == 0) {
                const uint16_t length = (uint16_t)(1 + anl_rng_below(&rng, longest));
                assert_int_equal(anl_engine_enqueue(net, t, anl_rng_below(&rng, o.shape.terminals),
                                                    length, NULL),
                                 0);
                worms++;
            }
        anl_engine_step(net);
        check_flits(&o, net);
        check_state(&o, net);
        if (worms == MAX_WORMS && anl_engine_totals(net).delivered == worms) break;
    }
    assert_int_equal(anl_engine_totals(net).delivered, MAX_WORMS);
    mix_in(&o, anl_engine_cycle(net));
    anl_engine_destroy(net);
    dismiss(&o);
    return o.hash;
}

void enqueue(struct anl_engine *net, uint32_t source, uint32_t destination, uint16_t length)
{
    assert_int_equal(anl_engine_enqueue(net, source, destination, length, NULL), ANL_OK);
}

char letter_on(const struct anl_engine *net, uint32_t link)
{
    size_t count;
    const struct anl_flit *flits = anl_engine_flits(net, &count);
    for (size_t i = 0; i < count; i++)
        if (flits[i].link == link) return (char)('a' + flits[i].worm);
    return '.';
}

void expect_on_link(struct anl_engine *net, uint32_t link, const char *letters)
{
    for (uint32_t i = 0; letters[i]; i++) {
        anl_engine_step(net);
        const char seen = letter_on(net, link);
        if (seen != letters[i])
            fail_msg("cycle %u: '%c' on link %u, expected '%s'", i, seen, link, letters);
    }
}

uint8_t lane_used(const struct anl_engine *net, uint32_t link)
{
    size_t count;
    const struct anl_flit *flits = anl_engine_flits(net, &count);
    for (size_t i = 0; i < count; i++)
        if (flits[i].link == link) return flits[i].vc;
    return 0xff;
}
