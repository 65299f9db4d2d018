// SPDX-License-Identifier: Apache-2.0
//
// Every flit and every piece of compared state of the engine must be those of the oracle
// (tb/oracle), in every cycle, over random networks and traffic; and the referee must find nothing
// wrong.

#include "oracle/oracle.h"
#include "random_networks.h"

#include <annelid/engine.h>
#include <annelid/referee.h>

#ifndef NETWORKS
#define NETWORKS 750
#endif

enum { CREATION_CYCLES = 150, CYCLES = 400 };

// ---------------------------------------------------------------- comparison

static bool is_ejection(const struct oracle_network *j, uint32_t link)
{
    return link < j->switches * j->ports &&
           j->to[link / j->ports][link % j->ports].what == ORACLE_TERMINAL;
}

static void same_worm(const struct anl_worm *a, const struct anl_worm *b)
{
    assert_int_equal(a->id, b->id);
    assert_int_equal(a->source, b->source);
    assert_int_equal(a->destination, b->destination);
    assert_int_equal(a->length, b->length);
    assert_int_equal(a->created, b->created);
    assert_int_equal(a->path, b->path);
}

static const struct anl_worm *delivery_of(const struct anl_worm *worms, size_t count, uint32_t id)
{
    for (size_t i = 0; i < count; i++)
        if (worms[i].id == id) return &worms[i];
    fail_msg("worm %u is not delivered", id);
    return NULL;
}

static void same_flits(const struct oracle_network *j, const struct anl_engine *net)
{
    size_t count, delivered, tails = 0;
    const struct anl_flit *flits = anl_engine_flits(net, &count);
    const struct anl_worm *worms = anl_engine_delivered(net, &delivered);
    assert_int_equal(count, j->num_flits);
    for (size_t i = 0; i < count; i++) {
        const struct anl_flit *a = &flits[i], *b = &j->flits[i];
        assert_int_equal(a->link, b->link);
        assert_int_equal(a->worm, b->worm);
        assert_int_equal(a->index, b->index);
        assert_int_equal(a->vc, b->vc);
        assert_int_equal(a->head, b->head);
        assert_int_equal(a->tail, b->tail);
        if (!is_ejection(j, b->link) || !b->tail) continue;
        same_worm(delivery_of(worms, delivered, b->worm), &j->worms[b->worm]);
        tails++;
    }
    assert_int_equal(tails, delivered);
    for (size_t i = 1; i < delivered; i++)
        assert_true(worms[i - 1].destination <= worms[i].destination);
}

static void same_lane(const struct anl_lane_state *a, const struct oracle_in_lane *in,
                      const struct oracle_out_lane *out)
{
    assert_int_equal(a->count, in->count);
    assert_int_equal(a->bound, in->bound);
    assert_int_equal(a->bound_port, in->port);
    assert_int_equal(a->bound_vc, in->vc);
    assert_int_equal(a->credit, out->credits);
    assert_int_equal(a->owned, out->owned);
    assert_int_equal(a->owner_port, out->port);
    assert_int_equal(a->owner_vc, out->vc);
}

static void same_terminal(const struct oracle_network *j, const struct oracle_terminal *t,
                          const struct anl_terminal_lane_state *lanes)
{
    const uint32_t num_vcs = j->config.num_vcs;
    for (uint32_t v = 0; v < j->vcs; v++) {
        const bool sends = j->config.link == ANL_WIDE
                               ? t->sending[v].worm != ORACLE_NO_WORM
                               : t->class_[v / num_vcs].lane == (int)(v % num_vcs);
        assert_int_equal(lanes[v].count, t->ejection[v].count);
        assert_int_equal(lanes[v].credit, t->injection[v].credits);
        assert_int_equal(lanes[v].bound, sends);
    }
}

static void same_favour(const struct oracle_network *j, const struct oracle_favour *expected,
                        struct anl_favour_state seen)
{
    assert_int_equal(seen.class_, j->classes > 1 ? expected->class_ : 0);
    assert_int_equal(seen.quota, j->classes > 1 ? expected->quota : 0);
}

static void same_classes(const struct oracle_network *j, const struct anl_state *state)
{
    for (uint32_t s = 0; s < j->switches; s++)
        for (uint32_t p = 0; p < j->ports; p++) {
            const uint32_t port = s * j->ports + p;
            same_favour(j, &j->at[s].favour[p], state->favours[port]);
            for (uint32_t c = 0; c < j->classes; c++)
                assert_int_equal(state->in_ptrs[port * j->classes + c], j->at[s].offers[p][c].ptr);
        }
    for (uint32_t t = 0; t < j->terminals; t++)
        same_favour(j, &j->terminal[t].favour, state->injections[t]);
}

static void same_sinks(const struct oracle_network *j, const struct anl_state *state)
{
    for (uint32_t t = 0; t < j->terminals; t++) {
        const struct oracle_terminal *terminal = &j->terminal[t];
        const uint64_t taking = oracle_takers(j, terminal);
        assert_int_equal(state->reservations[t], terminal->reservations);
        for (uint32_t c = 0; c < j->classes; c++) {
            const struct anl_sink_state *sink = &state->sinks[t * j->classes + c];
            const int v = oracle_shown(j, terminal, c);
            const bool shows = j->config.reply_queue && v != ORACLE_NONE;
            assert_int_equal(sink->shows, shows);
            if (!shows) continue;
            assert_int_equal(sink->vc, v);
            assert_int_equal(sink->worm, oracle_worm(&terminal->ejection[v].flit[0]));
            assert_int_equal(sink->index, oracle_index(&terminal->ejection[v].flit[0]));
            assert_int_equal(sink->refuses, !(taking >> c & 1));
        }
    }
}

static void same_switch(const struct oracle_network *j, uint32_t number,
                        const struct anl_state *state)
{
    const struct oracle_switch *s = &j->at[number];
    assert_int_equal(state->random[number], s->random);
    for (uint32_t p = 0; p < j->ports; p++) {
        const uint32_t port = number * j->ports + p;
        assert_int_equal(state->ports[port].in_ptr, j->classes == 1 ? s->offers[p][0].ptr : 0);
        assert_int_equal(state->ports[port].out_ptr, s->grants[p].ptr);
        for (uint32_t v = 0; v < j->vcs; v++)
            same_lane(&state->lanes[port * j->vcs + v], &s->in[p][v], &s->out[p][v]);
    }
}

static void same_state(const struct oracle_network *j, const struct anl_engine *net)
{
    enum { PORTS = ORACLE_SWITCHES * MAX_PORTS };
    static struct anl_lane_state lanes[PORTS * VCS];
    static struct anl_port_state ports[PORTS];
    static struct anl_terminal_lane_state terminal_lanes[ORACLE_TERMINALS * VCS];
    static uint32_t random[ORACLE_SWITCHES];
    static uint8_t in_ptrs[PORTS * VCS];
    static struct anl_favour_state favours[PORTS], injections[ORACLE_TERMINALS];
    static struct anl_sink_state sinks[ORACLE_TERMINALS * VCS];
    static uint16_t reservations[ORACLE_TERMINALS];
    struct anl_state state = {.lanes = lanes,
                              .ports = ports,
                              .random = random,
                              .terminal_lanes = terminal_lanes,
                              .in_ptrs = in_ptrs,
                              .favours = favours,
                              .injections = injections,
                              .sinks = sinks,
                              .reservations = reservations};
    anl_engine_state(net, &state);
    for (uint32_t s = 0; s < j->switches; s++)
        same_switch(j, s, &state);
    for (uint32_t t = 0; t < j->terminals; t++)
        same_terminal(j, &j->terminal[t], &terminal_lanes[t * j->vcs]);
    same_classes(j, &state);
    same_sinks(j, &state);
}

// ---------------------------------------------------------------- random traffic

// One network, run by oracle, engine and referee at once.
struct trial {
    struct oracle_network *oracle;
    struct anl_engine *net;
    struct anl_referee *referee;
};

static void create_worm(struct trial *trial, const struct anl_worm *worm)
{
    oracle_enqueue(trial->oracle, worm);
    assert_int_equal(anl_engine_enqueue_worm(trial->net, worm, NULL), ANL_OK);
    anl_referee_worm(trial->referee, &trial->oracle->worms[trial->oracle->num_worms - 1]);
}

// Creates the replies to the requests whose tails are taken in this cycle.
static void create_replies(struct trial *trial, uint16_t length)
{
    const struct oracle_network *j = trial->oracle;
    size_t count, expected = 0;
    const struct anl_worm *taken = anl_engine_taken(trial->net, &count);
    for (uint32_t t = 0; t < j->terminals; t++)
        for (uint32_t c = 0; c < j->classes; c++) {
            const struct oracle_terminal *terminal = &j->terminal[t];
            if (!j->config.reply_queue || !(oracle_takers(j, terminal) >> c & 1)) continue;
            const struct oracle_flit *front =
                &terminal->ejection[oracle_shown(j, terminal, c)].flit[0];
            const struct anl_worm *worm = &j->worms[oracle_worm(front)];
            if (oracle_index(front) + 1 != worm->length) continue;
            assert_true(expected < count);
            assert_int_equal(taken[expected++].id, worm->id);
            if (worm->role != ANL_REQUEST) continue;
            create_worm(trial, &(struct anl_worm){.source = t,
                                                  .destination = worm->source,
                                                  .length = length,
                                                  .class_ = (uint8_t)(j->classes - 1),
                                                  .role = ANL_REPLY});
        }
    assert_int_equal(count, expected);
}

static void create_worms(struct trial *trial, struct anl_rng *rng, uint32_t busy, uint32_t most)
{
    const uint32_t last = trial->oracle->terminals - 1;
    for (uint32_t t = 0; t <= last; t++) {
        if (unit_draw(rng, 0, 99) >= busy || trial->oracle->num_worms >= ORACLE_WORMS / 2) continue;
        const uint32_t to = unit_draw(rng, 0, 4) == 0 ? last / 2 : unit_draw(rng, 0, last);
        struct anl_worm worm = {
            .source = t, .destination = to, .length = (uint16_t)unit_draw(rng, 1, most)};
        if (trial->oracle->classes > 1)
            worm.class_ = (uint8_t)unit_draw(rng, 0, trial->oracle->classes - 1);
        if (trial->oracle->config.reply_queue && unit_draw(rng, 0, 2)) worm.role = ANL_REQUEST;
        worm.has_path = oracle_num_paths(trial->oracle) > 1 && unit_draw(rng, 0, 1);
        if (worm.has_path) worm.path = unit_draw(rng, 0, oracle_num_paths(trial->oracle) - 1);
        create_worm(trial, &worm);
    }
}

static void step_all(struct trial *trial)
{
    struct oracle_network *j = trial->oracle;
    const uint64_t cycle = j->cycle;
    oracle_step(j);
    assert_true(oracle_adds_up(j));
    anl_engine_step(trial->net);
    same_flits(j, trial->net);
    if (!anl_referee_flits(trial->referee, cycle, j->flits, j->num_flits))
        fail_msg("%s", anl_referee_violation(trial->referee)->text);
}

// Fills a network, which must forget all of it in the reset.
static void crowd(struct anl_engine *net, const struct anl_config *c)
{
    const uint32_t terminals = anl_shape_of(c).terminals;
    for (uint32_t cycle = 0; cycle < 20; cycle++) {
        for (uint32_t t = 0; t < terminals; t++) {
            const struct anl_worm worm = {.source = t,
                                          .destination = (5 * t + cycle) % terminals,
                                          .length = (uint16_t)c->depth,
                                          .class_ = (uint8_t)(cycle % anl_num_classes(c)),
                                          .role = ANL_REQUEST};
            assert_int_equal(anl_engine_enqueue_worm(net, &worm, NULL), ANL_OK);
        }
        anl_engine_step(net);
    }
}

static void begin(struct trial *trial, const struct anl_config *c, uint32_t number)
{
    print_message(
        "network %u: topology %d k %u n %u lanes %u depth %u routing %d select %d "
        "atomic %d escapes %u arbiter %d flow_control %d credits %d link %d cycles %u stages %u "
        "classes %u routings %u reservations %u\n",
        number, (int)c->topology, c->k, c->n, c->num_vcs, c->depth, (int)c->routing, (int)c->select,
        (int)c->atomic, c->escape_vcs, (int)c->arbiter, (int)c->flow_control, (int)c->credits,
        (int)c->link, c->link_cycles, c->stages, c->classes, c->num_class_routings, c->reply_queue);
    assert_int_equal(anl_engine_create(c, &trial->net), ANL_OK);
    assert_int_equal(anl_referee_create(c, &trial->referee), ANL_OK);
    anl_engine_record(trial->net, true);
    crowd(trial->net, c);
    anl_engine_reset(trial->net, number);
    oracle_reset(trial->oracle, c, number);
}

// Runs one random network with random traffic; its number repeats a failure.
static void oracle_network(struct oracle_network *j, uint32_t number)
{
    struct anl_rng rng = anl_rng_seed(2, number);
    struct anl_graph *graph;
    struct anl_config config = draw_config(&rng, &graph);
    draw_classes(&rng, &config);
    draw_wide(&rng, &config);
    draw_class_routings(&rng, &config, graph);
    draw_hops(&rng, &config);
    const uint32_t busy = unit_draw(&rng, 1, 60);
    const uint32_t most =
        config.flow_control == ANL_WORMHOLE ? unit_draw(&rng, 1, 12) : config.depth;
    const uint32_t idle =
        config.arbiter == ANL_AGE ? unit_draw(&rng, 0, 1) * (UINT16_MAX - 100) : 0;
    struct trial trial = {.oracle = j};
    begin(&trial, &config, number);
    for (; j->cycle < idle; j->cycle++)
        anl_engine_step(trial.net);  // stamps soon pass 2^16
    while (j->cycle < idle + CYCLES) {
        same_state(j, trial.net);
        create_replies(&trial, (uint16_t)most);
        if (j->cycle < idle + CREATION_CYCLES) create_worms(&trial, &rng, busy, most);
        step_all(&trial);
    }
    anl_referee_destroy(trial.referee);
    anl_engine_destroy(trial.net);
    anl_graph_destroy(graph);
}

static void the_engine_agrees_with_the_oracle(void **state)
{
    (void)state;
    static struct oracle_network oracle;
    for (uint32_t number = 0; number < unit_trials(NETWORKS); number++)
        oracle_network(&oracle, number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_engine_agrees_with_the_oracle)};
    return cmocka_run_group_tests_name("net_oracle", tests, NULL, NULL);
}
