// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis of worms that bring routes of their own: what a head wants is the next port
// of its list, also where no table leads, and a deadlock by such routes is found. And what a source
// wants where routes have layers.

#include "unit_graph.h"

#include <annelid/blocking.h>
#include <annelid/engine.h>

// Two switches, connected both ways by ports 0 and by ports 1, with a terminal each at port 2.
static struct anl_graph *twice(void)
{
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(2, 3, 2, &graph, NULL), ANL_OK);
    for (uint32_t p = 0; p < 2; p++) {
        assert_int_equal(anl_graph_link(graph, p, 3 + p, NULL), ANL_OK);
        assert_int_equal(anl_graph_link(graph, 3 + p, p, NULL), ANL_OK);
    }
    for (uint32_t t = 0; t < 2; t++)
        assert_int_equal(anl_graph_attach(graph, t, 3 * t + 2, NULL), ANL_OK);
    assert_int_equal(anl_graph_route_source(graph, ANL_SHORTEST, 1, NULL), ANL_OK);
    return graph;
}

struct play {
    struct anl_graph *graph;
    struct anl_config config;
    struct anl_engine *net;
    struct anl_blocking *blocking;
};

static struct play begin(void)
{
    struct play play = {.graph = twice()};
    play.config = graph_config(play.graph, ANL_SOURCE, 1);
    play.config.depth = 1;
    assert_int_equal(anl_engine_create(&play.config, &play.net), ANL_OK);
    assert_int_equal(anl_blocking_create(&play.config, NULL, &play.blocking), ANL_OK);
    anl_engine_record(play.net, true);
    return play;
}

static void end(struct play *play)
{
    anl_engine_destroy(play->net);
    anl_blocking_destroy(play->blocking);
    anl_graph_destroy(play->graph);
}

static void enqueue(struct play *play, uint32_t from, uint32_t to, const uint8_t *route,
                    uint16_t length)
{
    uint32_t id;
    const struct anl_worm worm = {
        .source = from, .destination = to, .length = 5, .route = route, .route_length = length};
    assert_int_equal(anl_engine_enqueue_worm(play->net, &worm, &id), ANL_OK);
    assert_int_equal(anl_blocking_feed_worm(play->blocking, anl_engine_worm(play->net, id), NULL),
                     ANL_OK);
}

static void step(struct play *play)
{
    size_t count;
    struct anl_error error = {0};
    const uint64_t now = anl_engine_cycle(play->net);
    anl_engine_step(play->net);
    const struct anl_flit *flits = anl_engine_flits(play->net, &count);
    if (anl_blocking_feed_flits(play->blocking, now, flits, count, &error))
        fail_msg("%s", error.text);
}

// Each worm goes there, back and there again. In cycle 1 the heads cross links 0 and 3; then each
// wants the link that the other worm holds.
static void routes_that_hold_each_other_are_a_deadlock(void **state)
{
    (void)state;
    static const uint8_t there_and_back[] = {0, 0, 1, 2};
    struct play play = begin();
    enqueue(&play, 0, 1, there_and_back, 4);
    enqueue(&play, 1, 0, there_and_back, 4);
    for (uint32_t cycle = 0; cycle < 8; cycle++)
        step(&play);
    const struct anl_buffer buffer = anl_blocking_buffer(play.blocking, 0);
    assert_int_equal(buffer.worm, 0);
    assert_int_equal(buffer.wants, 3);
    size_t count;
    const uint32_t *circle = anl_blocking_circle(play.blocking, &count);
    assert_int_equal(anl_blocking_deadlocked(play.blocking), 2);
    assert_int_equal(count, 2);
    assert_int_equal(circle[0], 0);
    assert_int_equal(anl_blocking_held_by(play.blocking, 0), 1);
    assert_int_equal(anl_blocking_held_by(play.blocking, 1), 0);
    end(&play);
}

// The table would go by link 0; a worm with a list goes by link 1 and comes back by it.
static void worms_are_followed_along_their_lists(void **state)
{
    (void)state;
    static const uint8_t by_the_other[] = {1, 1, 0, 2};
    struct play play = begin();
    enqueue(&play, 0, 1, by_the_other, 4);
    enqueue(&play, 1, 1, NULL, 0);
    while (!anl_engine_idle(play.net))
        step(&play);
    assert_int_equal(anl_blocking_deadlocked(play.blocking), UINT64_MAX);
    assert_int_equal(anl_blocking_totals(play.blocking).dilation, 5);
    end(&play);
}

// A one-way ring of five with three lanes, one for each layer: at its source the head of a worm
// wants the lane of the layer of its route.
static void a_source_wants_the_lanes_of_a_layer(void **state)
{
    (void)state;
    enum { RING = 5, LANES = 3 };
    struct anl_graph *graph;
    uint32_t wanted = 0;
    assert_int_equal(anl_graph_create(RING, 2, RING, &graph, NULL), ANL_OK);
    for (uint32_t s = 0; s < RING; s++) {
        assert_int_equal(anl_graph_link(graph, 2 * s, (s + 1) % RING * 2, NULL), ANL_OK);
        assert_int_equal(anl_graph_attach(graph, s, 2 * s + 1, NULL), ANL_OK);
    }
    assert_int_equal(anl_graph_route(graph, ANL_LAYERED, LANES, NULL), ANL_OK);
    struct anl_config config = graph_config(graph, ANL_LAYERED, LANES);
    const uint32_t source = anl_shape_of(&config).links * LANES + 4;
    config.depth = 1;
    for (uint32_t to = 0; to < RING; to++) {
        struct anl_blocking *blocking;
        const struct anl_worm worm = {.source = 4, .destination = to, .length = 1};
        assert_int_equal(anl_blocking_create(&config, NULL, &blocking), ANL_OK);
        assert_int_equal(anl_blocking_feed_worm(blocking, &worm, NULL), ANL_OK);
        assert_int_equal(anl_blocking_feed_flits(blocking, 0, NULL, 0, NULL), ANL_OK);
        const uint32_t vcs = anl_blocking_buffer(blocking, source).wants_vcs;
        assert_int_equal(vcs, anl_injection_vcs(&config, 4, to));
        wanted |= vcs;
        anl_blocking_destroy(blocking);
    }
    assert_int_equal(wanted, (1u << LANES) - 1);
    anl_graph_destroy(graph);
}

// A trace may say anything.
static void a_wrong_list_is_refused(void **state)
{
    (void)state;
    static const uint8_t wrong[] = {0, 7}, twice_by_one[] = {0, 1, 0, 2};
    struct play play = begin();
    struct anl_error error = {0};
    struct anl_worm worm = {.destination = 1, .length = 1, .route = wrong, .route_length = 2};
    assert_int_equal(anl_blocking_feed_worm(play.blocking, &worm, &error), ANL_ERR_FORMAT);
    assert_string_equal(error.text, "worm 0: found port 7, expected 0..2");
    end(&play);
    play = begin();
    worm.route = twice_by_one;
    worm.route_length = 4;
    assert_int_equal(anl_blocking_feed_worm(play.blocking, &worm, &error), ANL_ERR_FORMAT);
    assert_string_equal(error.text, "worm 0: link 0.0 is passed twice");
    end(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_that_hold_each_other_are_a_deadlock),
        cmocka_unit_test(worms_are_followed_along_their_lists),
        cmocka_unit_test(a_source_wants_the_lanes_of_a_layer),
        cmocka_unit_test(a_wrong_list_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
