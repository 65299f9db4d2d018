// SPDX-License-Identifier: Apache-2.0
//
// The history against history.h: what it keeps, and that history and counts of the lanes together
// give the flit at every place.

#include "scene.h"

static struct anl_config with_depth(struct anl_config config, uint32_t depth)
{
    config.depth = depth;
    config.flit_width_bits = 64;
    return config;
}

static void add(struct history *history, uint64_t cycle, struct anl_flit flit)
{
    history_add(history, cycle, &flit, 1);
}

// Flit n of the lane is flit n of worm 100 + n, and crosses in cycle 10 n.
static void fill(struct history *history, uint32_t link, uint8_t vc, uint32_t from, uint32_t to)
{
    for (uint32_t n = from; n < to; n++)
        add(history, 10 * (uint64_t)n,
            (struct anl_flit){
                .link = link, .vc = vc, .worm = 100 + n, .index = (uint16_t)n, .tail = n % 3 == 0});
}

static void keeps_the_last_flits(void **unused)
{
    (void)unused;
    static const uint32_t depths[] = {1, 8, 9, ANL_MAX_DEPTH};
    for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
        struct anl_config config = with_depth(unit_networks[6], depths[d]);
        struct history history;
        assert_int_equal(history_create(&history, &config), ANL_OK);
        assert_true(history.kept >= depths[d]);
        uint32_t passed = 3 * history.kept + 1;
        fill(&history, 7, 2, 0, passed);
        for (uint32_t back = 1; back <= history.kept; back++) {
            const struct passage *passage = history_last(&history, 7, 2, back);
            assert_non_null(passage);
            assert_int_equal(passage->cycle, 10 * (passed - back));
            assert_int_equal(passage->worm, 100 + passed - back);
            assert_int_equal(passage->index, passed - back);
            assert_int_equal(passage->tail, (passed - back) % 3 == 0);
        }
        assert_null(history_last(&history, 7, 2, history.kept + 1));
        history_destroy(&history);
    }
}

static void nothing_before_the_first(void **unused)
{
    (void)unused;
    struct anl_config config = with_depth(unit_networks[6], 4);
    struct history history;
    assert_int_equal(history_create(&history, &config), ANL_OK);
    assert_null(history_last(&history, 0, 0, 1));
    fill(&history, 0, 0, 0, 2);
    assert_null(history_last(&history, 0, 0, 0));
    assert_int_equal(history_last(&history, 0, 0, 1)->worm, 101);
    assert_int_equal(history_last(&history, 0, 0, 2)->worm, 100);
    assert_null(history_last(&history, 0, 0, 3));
    assert_null(history_last(&history, 0, 0, UINT64_MAX));
    history_destroy(&history);
}

// The first and last lanes of the first and the last link are filled past what is kept, side by
// side.
static void lanes_are_apart(void **unused)
{
    (void)unused;
    struct anl_config config = with_depth(unit_networks[6], 4);
    struct anl_shape shape = anl_shape_of(&config);
    const uint32_t links[] = {0, 1, shape.links - 1};
    struct history history;
    assert_int_equal(history_create(&history, &config), ANL_OK);
    for (uint32_t l = 0; l < 3; l++)
        for (uint32_t vc = 0; vc < config.num_vcs; vc++)
            fill(&history, links[l], (uint8_t)vc, 0, 20 + 4 * l + vc);
    for (uint32_t l = 0; l < 3; l++)
        for (uint32_t vc = 0; vc < config.num_vcs; vc++)
            for (uint32_t back = 1; back <= history.kept; back++)
                assert_int_equal(history_last(&history, links[l], vc, back)->worm,
                                 100 + 20 + 4 * l + vc - back);
    assert_null(history_last(&history, 2, 0, 1));
    history_destroy(&history);
}

// Every link that ends at an input is found there, and no input has a link that ends elsewhere.
static void inputs_know_their_links(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < UNIT_NUM_NETWORKS; i++) {
        struct anl_config config = with_depth(unit_networks[i], 1);
        struct anl_shape shape = anl_shape_of(&config);
        uint32_t outputs = shape.switches * shape.ports, found = 0, wired = 0;
        struct history history;
        assert_int_equal(history_create(&history, &config), ANL_OK);
        for (uint32_t link = 0; link < outputs; link++) {
            struct anl_end end = anl_link_end(&config, link / shape.ports, link % shape.ports);
            if (!end.exists || end.is_terminal) continue;
            assert_int_equal(history.into[end.node * shape.ports + end.port], link);
            found++;
        }
        for (uint32_t t = 0; t < shape.terminals; t++)
            assert_int_equal(history.into[t * shape.ports + shape.ports - 1], outputs + t);
        for (uint32_t input = 0; input < outputs; input++)
            wired += history.into[input] != UINT32_MAX;
        assert_int_equal(wired, found + shape.terminals);
        history_destroy(&history);
    }
}

// Returns the front flit of an input lane by history and count, or NULL if the lane is empty.
static const struct passage *front(const struct scene *scene, uint32_t input, uint32_t vc)
{
    uint32_t count = scene->state.lanes[input * scene->config.num_vcs + vc].count;
    return count ? history_last(&scene->history, scene->history.into[input], vc, count) : NULL;
}

static bool stands_in_front(const struct scene *scene, const struct anl_flit *flit)
{
    uint32_t ports = scene->history.shape.ports, switch_ = flit->link / ports;
    for (uint32_t p = 0; p < ports; p++) {
        for (uint32_t vc = 0; vc < scene->config.num_vcs; vc++) {
            const struct passage *at = front(scene, switch_ * ports + p, vc);
            if (at && at->worm == flit->worm && at->index == flit->index && at->tail == flit->tail)
                return true;
        }
    }
    return false;
}

// Whatever leaves a switch was, by history and counts, at the front of one of its lanes.
static void counts_say_which_flit_is_in_front(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < UNIT_NUM_NETWORKS; i++) {
        struct scene scene;
        scene_create(&scene, with_depth(unit_networks[i], 1 + (uint32_t)i % 3));
        struct anl_rng rng = anl_rng_seed(1, (uint32_t)i);
        struct anl_shape shape = scene.history.shape;
        uint32_t left = 0;
        for (uint32_t worm = 0; worm < 3 * shape.terminals; worm++) {
            const uint32_t length = 1 + anl_rng_below(&rng, 6);
            const uint32_t to = anl_rng_below(&rng, shape.terminals);
            scene_enqueue(&scene, anl_rng_below(&rng, shape.terminals), to, (uint16_t)length);
        }
        for (int cycle = 0; cycle < 40; cycle++) {
            size_t count;
            anl_engine_step(scene.net);
            const struct anl_flit *flits = anl_engine_flits(scene.net, &count);
            for (size_t f = 0; f < count; f++) {
                if (flits[f].link >= shape.switches * shape.ports) continue;
                assert_true(stands_in_front(&scene, &flits[f]));
                left++;
            }
            history_add(&scene.history, (uint64_t)cycle, flits, count);
            anl_engine_state(scene.net, &scene.state);
        }
        assert_true(left > 0);
        scene_destroy(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_last_flits),
        cmocka_unit_test(nothing_before_the_first),
        cmocka_unit_test(lanes_are_apart),
        cmocka_unit_test(inputs_know_their_links),
        cmocka_unit_test(counts_say_which_flit_is_in_front),
    };
    return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
