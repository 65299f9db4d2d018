// SPDX-License-Identifier: Apache-2.0
//
// Every flit and every piece of compared state of the engine must be those of a slow judge
// (net_judge.h), in every cycle, over random networks and traffic.

#include "net_judge.h"

#include <annelid/net.h>

enum { NETWORKS = 320, CREATION_CYCLES = 150, CYCLES = 400 };

// ---------------------------------------------------------------- comparison

static void same_flits(const struct judge *j, const struct anl_net *net)
{
    size_t count, delivered, tails = 0;
    const struct anl_flit *flits = anl_net_flits(net, &count);
    const struct anl_worm *worms = anl_net_delivered(net, &delivered);
    assert_int_equal(count, j->num_flits);
    for (size_t i = 0; i < count; i++) {
        const struct anl_flit *a = &flits[i], *b = &j->flits[i];
        assert_int_equal(a->link, b->link);
        assert_int_equal(a->worm, b->worm);
        assert_int_equal(a->index, b->index);
        assert_int_equal(a->vc, b->vc);
        assert_int_equal(a->head, b->head);
        assert_int_equal(a->tail, b->tail);
        const bool ejected = b->link < j->switches * j->ports && b->link % j->ports == j->ports - 1;
        if (!ejected || !b->tail) continue;
        assert_true(tails < delivered);
        assert_int_equal(worms[tails++].id, b->worm);
    }
    assert_int_equal(tails, delivered);
}

static void same_lane(const struct anl_lane_state *a, const struct input_lane *in,
                      const struct output_lane *out)
{
    assert_int_equal(a->count, in->count);
    assert_int_equal(a->bound, in->bound.bound);
    assert_int_equal(a->bound_port, in->bound.port);
    assert_int_equal(a->bound_vc, in->bound.vc);
    assert_int_equal(a->credit, out->credit);
    assert_int_equal(a->owned, out->owner.bound);
    assert_int_equal(a->owner_port, out->owner.port);
    assert_int_equal(a->owner_vc, out->owner.vc);
}

static void same_state(const struct judge *j, const struct anl_net *net)
{
    static struct anl_lane_state lanes[MAX_SWITCHES * MAX_PORTS * VCS];
    static struct anl_port_state ports[MAX_SWITCHES * MAX_PORTS];
    static struct anl_terminal_lane_state terminal_lanes[MAX_SWITCHES * VCS];
    static uint32_t random[MAX_SWITCHES];
    struct anl_state state = {lanes, ports, random, terminal_lanes};
    const bool rotating = j->c.scan == ANL_ROTATING;
    const uint32_t vcs = j->c.num_vcs;
    anl_net_state(net, &state);
    for (uint32_t s = 0; s < j->switches; s++) {
        const struct terminal *t = &j->terminals[s];
        assert_int_equal(random[s], j->c.scan == ANL_RANDOM ? j->random[s] : 0);
        for (uint32_t p = 0; p < j->ports; p++) {
            const uint32_t port = s * j->ports + p;
            assert_int_equal(ports[port].in_ptr, rotating ? j->in_ptr[s][p] : 0);
            assert_int_equal(ports[port].out_ptr, rotating ? j->out_ptr[s][p] : 0);
            for (uint32_t v = 0; v < vcs; v++)
                same_lane(&lanes[port * vcs + v], &j->in[s][p][v], &j->out[s][p][v]);
        }
        for (uint32_t v = 0; v < vcs; v++) {
            const struct anl_terminal_lane_state *lane = &terminal_lanes[s * vcs + v];
            assert_int_equal(lane->count, t->ejection[v].count);
            assert_int_equal(lane->credit, t->injection[v].credit);
            assert_int_equal(lane->bound, t->bound.bound && t->bound.vc == v);
        }
    }
}

// ---------------------------------------------------------------- random networks and traffic

static uint32_t draw(struct anl_rng *rng, uint32_t least, uint32_t most)
{
    return least + anl_rng_below(rng, most - least + 1);
}

static struct anl_config draw_config(struct anl_rng *rng)
{
    static const uint32_t most_k[4][4] = {{0, 9, 5, 3}, {0, 9, 5, 3}, {0, 9, 5, 3}, {0, 2, 2, 2}};
    struct anl_config c = {.topology = (enum anl_topology)draw(rng, ANL_MESH, ANL_HYPERCUBE)};
    c.n = draw(rng, 1, 3);
    c.k = draw(rng, c.topology == ANL_MESH ? 1 : 2, most_k[c.topology][c.n]);
    if (c.topology == ANL_HYPERCUBE) c.n = draw(rng, 1, 5);
    c.num_vcs = draw(rng, 1, draw(rng, 1, VCS));
    c.depth = draw(rng, 1, draw(rng, 1, MAX_DEPTH));
    c.flit_width_bits = 64;
    c.scan = (enum anl_scan)draw(rng, ANL_FIXED, ANL_OLDEST);
    c.admission = (enum anl_admission)draw(rng, ANL_WORMHOLE, ANL_STORE_AND_FORWARD);
    c.routing = c.topology == ANL_HYPERCUBE ? ANL_E_CUBE : ANL_DIMENSION_ORDER;
    const bool torus = c.topology == ANL_TORUS || c.topology == ANL_UNIDIRECTIONAL_TORUS;
    if (torus && c.num_vcs > 1 && draw(rng, 0, 3) > 0) c.routing = ANL_DATELINE;
    return c;
}

static void create_worms(struct judge *j, struct anl_net *net, struct anl_rng *rng, uint32_t busy,
                         uint32_t most)
{
    const uint32_t last = j->switches - 1;
    for (uint32_t t = 0; t <= last; t++) {
        if (draw(rng, 0, 99) >= busy || j->num_worms == MAX_WORMS) continue;
        const uint32_t to = draw(rng, 0, 4) == 0 ? last / 2 : draw(rng, 0, last);
        const uint16_t length = (uint16_t)draw(rng, 1, most);
        offer(j, t, to, length);
        assert_int_equal(anl_net_offer(net, t, to, length, NULL), ANL_OK);
    }
}

// One random network with random traffic; a failure is repeated by its number.
static void judge_network(struct judge *j, uint32_t number)
{
    struct anl_rng rng = anl_rng_seed(2, number);
    const struct anl_config config = draw_config(&rng);
    const uint32_t busy = draw(&rng, 1, 60);
    const uint32_t most = config.admission == ANL_WORMHOLE ? draw(&rng, 1, 12) : config.depth;
    const uint32_t idle = config.scan == ANL_OLDEST ? draw(&rng, 0, 1) * (UINT16_MAX - 100) : 0;
    struct anl_net *net;
    print_message("network %u: topology %d k %u n %u lanes %u depth %u routing %d scan %d "
                  "admission %d\n",
                  number, (int)config.topology, config.k, config.n, config.num_vcs, config.depth,
                  (int)config.routing, (int)config.scan, (int)config.admission);
    assert_int_equal(anl_net_create(&config, &net), ANL_OK);
    anl_net_record(net, true);
    anl_net_reset(net, number);
    reset(j, &config, number);
    for (; j->cycle < idle; j->cycle++)
        anl_net_step(net);  // stamps pass 2^16 soon
    while (j->cycle < idle + CYCLES) {
        same_state(j, net);
        if (j->cycle < idle + CREATION_CYCLES) create_worms(j, net, &rng, busy, most);
        step(j);
        anl_net_step(net);
        same_flits(j, net);
    }
    anl_net_destroy(net);
}

static void the_engine_agrees_with_the_judge(void **state)
{
    (void)state;
    static struct judge judge;
    for (uint32_t number = 0; number < NETWORKS; number++)
        judge_network(&judge, number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_engine_agrees_with_the_judge)};
    return cmocka_run_group_tests_name("net_oracle", tests, NULL, NULL);
}
