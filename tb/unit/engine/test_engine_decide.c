// SPDX-License-Identifier: Apache-2.0
//
// The decision phase of a cycle only reads: if it runs twice it lists the same moves, and no state
// has changed. The test knows the engine's own state, because no public function runs the phase
// alone.

#include "unit_tree.h"

#include "engine/engine.h"

#include <annelid/base.h>
#include <string.h>

enum { CYCLES = 400 };

// Everything that a decision may read, as one string of bytes.
struct snapshot {
    size_t size;
    uint8_t bytes[1 << 18];
};

static void keep(struct snapshot *snapshot, const void *data, size_t bytes)
{
    assert_true(snapshot->size + bytes <= sizeof snapshot->bytes);
    memcpy(snapshot->bytes + snapshot->size, data, bytes);
    snapshot->size += bytes;
}

// Keeps a port without the lane that it offered last, the only thing that a decision leaves behind.
static void keep_port(struct snapshot *snapshot, const struct port *port)
{
    struct port kept = *port;
    kept.offered = 0;
    keep(snapshot, &kept, sizeof kept);
}

static void take_snapshot(struct snapshot *snapshot, const struct anl_engine *net)
{
    const size_t v = net->config.num_vcs;
    snapshot->size = 0;
    for (uint32_t link = 0; link < net->shape.links; link++)
        keep_port(snapshot, &net->ports[link]);
    keep(snapshot, net->lanes, net->shape.links * v * sizeof *net->lanes);
    keep(snapshot, net->worms_in,
         net->switch_links * v * net->config.depth * sizeof *net->worms_in);
    keep(snapshot, net->wanted, (net->switch_links / 64 + 1) * sizeof *net->wanted);
    keep(snapshot, net->sources, net->shape.terminals * sizeof *net->sources);
    keep(snapshot, net->pending, (net->shape.terminals / 64 + 1) * sizeof *net->pending);
    if (net->random) keep(snapshot, net->random, net->shape.switches * sizeof *net->random);
}

static uint64_t decide_twice(struct anl_engine *net, struct snapshot *before,
                             struct snapshot *after)
{
    static struct move moves[4096];
    take_snapshot(before, net);
    engine_decide(net);
    const size_t count = net->num_moves + net->num_injections;
    assert_true(count <= sizeof moves / sizeof *moves);
    memcpy(moves, net->moves, count * sizeof *moves);
    engine_decide(net);
    take_snapshot(after, net);
    assert_int_equal(net->num_moves + net->num_injections, count);
    for (size_t i = 0; i < count; i++) {
        const struct move *a = &moves[i], *b = &net->moves[i];
        assert_true(a->port == b->port && a->link == b->link);
        assert_true(a->from_vc == b->from_vc && a->to_vc == b->to_vc);
    }
    assert_int_equal(before->size, after->size);
    assert_memory_equal(before->bytes, after->bytes, before->size);
    return count;
}

static void decide_under_traffic(const struct anl_config *config, uint32_t seed)
{
    static struct snapshot before, after;
    struct anl_engine *net;
    uint64_t moves = 0;
    assert_int_equal(anl_engine_create(config, &net), ANL_OK);
    struct anl_rng rng = anl_rng_seed(seed, 0);
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        const uint32_t terminals = net->shape.terminals;
        for (uint32_t t = 0; t < terminals; t++) {
            if (anl_rng_below(&rng, 6) > 0) continue;
            const uint32_t length = 1 + anl_rng_below(&rng, 4);
            anl_engine_enqueue(net, t, anl_rng_below(&rng, terminals), (uint16_t)length, NULL);
        }
        moves += decide_twice(net, &before, &after);
        anl_engine_step(net);
    }
    assert_true(moves > CYCLES / 2);
    anl_engine_destroy(net);
}

static void deciding_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < UNIT_NUM_NETWORKS; i++)
        for (int arbiter = ANL_FIXED; arbiter <= ANL_LAST_ARBITER; arbiter++) {
            struct anl_config config = unit_networks[i];
            if ((i + (uint32_t)arbiter) % unit_step(3)) continue;
            config.depth = 4;
            config.flit_width_bits = 64;
            config.arbiter = (enum anl_arbiter)arbiter;
            config.flow_control = (enum anl_flow_control)((int)i % 3);
            decide_under_traffic(&config, i);
        }
}

// In a chained tree the flits that leave in the cycle count in its decisions. They must be
// forgotten before the decisions are made again.
static void deciding_changes_nothing_in_a_tree(void **state)
{
    (void)state;
    for (int routing = ANL_UP_DOWN_FIXED; routing <= ANL_UP_DOWN_GREEDY; routing++)
        for (int arbiter = ANL_FIXED; arbiter <= ANL_LAST_ARBITER; arbiter++)
            for (int credits = ANL_REGISTERED; credits <= ANL_BYPASS; credits++) {
                struct anl_config config = tree(2, (enum anl_routing)routing);
                config.depth = 4;
                config.num_vcs = 1 + (uint32_t)arbiter % 2;
                config.arbiter = (enum anl_arbiter)arbiter;
                config.flow_control = (enum anl_flow_control)((arbiter + routing) % 3);
                config.credits = (enum anl_credit_return)credits;
                decide_under_traffic(&config, 7);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deciding_changes_nothing),
        cmocka_unit_test(deciding_changes_nothing_in_a_tree),
    };
    return cmocka_run_group_tests_name("net_decide", tests, NULL, NULL);
}
