// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis on fat-trees: feeds that cannot be true where a head may take either of two
// links, and where a full lane takes a flit while it gives one up.

#include "false_feeds.h"

static const struct anl_config small_tree = {
    .topology = ANL_FAT_TREE,
    .k = 4,
    .n = 2,
    .num_vcs = 1,
    .depth = 1,
    .flit_width_bits = 64,
    .routing = ANL_UP_DOWN_GREEDY,
    .arbiter = ANL_ROUND_ROBIN,
    .credits = ANL_BYPASS,
};

static void flits_that_cannot_be_in_a_tree(void **state)
{
    (void)state;
    struct anl_config config = small_tree;
    const uint32_t above = 4 * 6 + 4;  // a link above the root, which does not exist
    for (int routing = ANL_UP_DOWN_FIXED; routing <= ANL_UP_DOWN_GREEDY; routing++) {
        config.routing = (enum anl_routing)routing;
        for (config.depth = 1; config.depth <= 2; config.depth++)
            change_every_flit(&config, above, 30, 42);
    }
    config.flow_control = ANL_CUT_THROUGH;
    change_every_flit(&config, above, 30, 42);
    config.flow_control = ANL_STORE_AND_FORWARD;
    change_every_flit(&config, above, 30, 42);
}

// A head that may go up by either link must not take both.
static void heads_that_go_two_ways(void **state)
{
    (void)state;
    const uint32_t injection = 36;
    const struct anl_worm worm = {.destination = 15, .length = 1};
    const struct anl_flit in = {injection, 0, 0, 0, true, true};
    const struct anl_flit up[] = {{4, 0, 0, 0, true, true}, {5, 0, 0, 0, true, true}};
    for (size_t count = 1; count <= 2; count++) {
        struct anl_blocking *blocking;
        assert_int_equal(anl_blocking_create(&small_tree, NULL, &blocking), ANL_OK);
        assert_int_equal(anl_blocking_feed_worm(blocking, &worm, NULL), ANL_OK);
        assert_int_equal(anl_blocking_feed_flits(blocking, 0, &in, 1, NULL), ANL_OK);
        assert_int_equal(anl_blocking_feed_flits(blocking, 1, up, count, NULL),
                         count == 1 ? ANL_OK : ANL_ERR_FORMAT);
        anl_blocking_destroy(blocking);
    }
}

// A full lane may take a flit while it gives one up only if its credits are bypassed.
static void lanes_that_are_full_and_flow(void **state)
{
    (void)state;
    const struct anl_worm worms[] = {{.destination = 15, .length = 1},
                                     {.id = 1, .destination = 15, .length = 1}};
    const struct anl_flit in = {36, 0, 0, 0, true, true};
    const struct anl_flit both[] = {{5, 0, 0, 0, true, true}, {36, 1, 0, 0, true, true}};
    for (int credits = ANL_REGISTERED; credits <= ANL_BYPASS; credits++) {
        struct anl_config config = small_tree;
        struct anl_blocking *blocking;
        config.credits = (enum anl_credit_return)credits;
        assert_int_equal(anl_blocking_create(&config, NULL, &blocking), ANL_OK);
        for (int i = 0; i < 2; i++)
            assert_int_equal(anl_blocking_feed_worm(blocking, &worms[i], NULL), ANL_OK);
        assert_int_equal(anl_blocking_feed_flits(blocking, 0, &in, 1, NULL), ANL_OK);
        assert_int_equal(anl_blocking_feed_flits(blocking, 1, both, 2, NULL),
                         credits == ANL_BYPASS ? ANL_OK : ANL_ERR_FORMAT);
        anl_blocking_destroy(blocking);
    }
}

static void paths_that_cannot_be(void **state)
{
    (void)state;
    for (int routing = ANL_UP_DOWN_FIXED; routing <= ANL_UP_DOWN_GREEDY; routing++)
        for (uint32_t path = 0; path < 3; path++) {
            struct anl_config config = small_tree;
            struct anl_blocking *blocking;
            const struct anl_worm worm = {.destination = 15, .length = 1, .path = path};
            config.routing = (enum anl_routing)routing;
            assert_int_equal(anl_blocking_create(&config, NULL, &blocking), ANL_OK);
            assert_int_equal(anl_blocking_feed_worm(blocking, &worm, NULL),
                             path < (routing == ANL_UP_DOWN_FIXED ? 2u : 1u) ? ANL_OK
                                                                             : ANL_ERR_FORMAT);
            anl_blocking_destroy(blocking);
        }
}

static void expect(const struct anl_blocking *blocking, uint32_t buffer, const char *wish,
                   const char *text)
{
    char words[128];
    const struct anl_buffer is = anl_blocking_buffer(blocking, buffer);
    anl_buffer_wish(anl_blocking_config(blocking), &is, words, sizeof words);
    assert_string_equal(words, wish);
    anl_blocking_text(blocking, buffer, words, sizeof words);
    assert_string_equal(words, text);
}

static void feed_one(struct anl_blocking *blocking, uint64_t cycle, struct anl_flit flit)
{
    assert_int_equal(anl_blocking_feed_flits(blocking, cycle, &flit, 1, NULL), ANL_OK);
}

// Worm 0 goes up by port 5. Worm 1 loses that link to it, though the other one is free; after worm
// 2 has gone up by port 4, both links hold worm 1 up.
static void both_links_are_named(void **state)
{
    (void)state;
    enum { FIRST_SOURCE = 36 };  // one lane on each link, so this is a buffer too
    const struct anl_worm worms[] = {{.destination = 15, .length = 9},
                                     {.id = 1, .source = 1, .destination = 15, .length = 9},
                                     {.id = 2, .source = 2, .destination = 15, .length = 9}};
    const char *const either = "a lane of 0(1,0).u0 or u1";
    struct anl_config config = small_tree;
    struct anl_blocking *blocking;
    config.depth = 2;
    assert_int_equal(anl_blocking_create(&config, NULL, &blocking), ANL_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(anl_blocking_feed_worm(blocking, &worms[i], NULL), ANL_OK);
    struct anl_flit in[3];
    for (uint32_t i = 0; i < 3; i++)
        in[i] = (struct anl_flit){FIRST_SOURCE + i, i, 0, 0, true, false};
    assert_int_equal(anl_blocking_feed_flits(blocking, 0, in, 3, NULL), ANL_OK);
    assert_int_equal(anl_blocking_feed_flits(blocking, 1, NULL, 0, NULL), ANL_OK);
    expect(blocking, FIRST_SOURCE, either, "could cross 0(1,0).u0, but did not");
    feed_one(blocking, 2, (struct anl_flit){5, 0, 0, 0, true, false});
    expect(blocking, FIRST_SOURCE, either, "moves to lane 0 of 0(1,0).u1");
    expect(blocking, FIRST_SOURCE + 1, either, "lost 0(1,0).u1 to worm 0");
    assert_int_equal(anl_blocking_buffer(blocking, FIRST_SOURCE).took, 1);
    expect(blocking, FIRST_SOURCE + 3, "nothing", "empty");
    feed_one(blocking, 3, (struct anl_flit){4, 2, 0, 0, true, false});
    expect(blocking, FIRST_SOURCE + 1, either, "lost 0(1,0).u0 to worm 2");
    feed_one(blocking, 4, (struct anl_flit){FIRST_SOURCE, 0, 1, 0, false, false});
    expect(blocking, FIRST_SOURCE + 1, either, "waits: lane 0 of 0(1,0).u1 held by worm 0");
    feed_one(blocking, 5, (struct anl_flit){FIRST_SOURCE + 2, 2, 1, 0, false, false});
    expect(blocking, FIRST_SOURCE, "lane 0 of 0(1,0).u1", "could cross 0(1,0).u1, but did not");
    expect(blocking, FIRST_SOURCE + 1, either, "waits: lane 0 of 0(1,0).u0 held by worm 2");
    anl_blocking_destroy(blocking);
}

// If port 4 is owned and no flit crosses an up link, the head could have gone by port 5.
static void the_link_that_could_be_taken_is_named(void **state)
{
    (void)state;
    const struct anl_worm worms[] = {{.destination = 15, .length = 9},
                                     {.id = 1, .source = 1, .destination = 15, .length = 9}};
    const struct anl_flit in[] = {{36, 0, 0, 0, true, false}, {37, 1, 0, 0, true, false}};
    struct anl_blocking *blocking;
    assert_int_equal(anl_blocking_create(&small_tree, NULL, &blocking), ANL_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(anl_blocking_feed_worm(blocking, &worms[i], NULL), ANL_OK);
    assert_int_equal(anl_blocking_feed_flits(blocking, 0, in, 2, NULL), ANL_OK);
    feed_one(blocking, 1, (struct anl_flit){4, 0, 0, 0, true, false});
    assert_int_equal(anl_blocking_feed_flits(blocking, 2, NULL, 0, NULL), ANL_OK);
    expect(blocking, 37, "a lane of 0(1,0).u0 or u1", "could cross 0(1,0).u1, but did not");
    anl_blocking_destroy(blocking);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flits_that_cannot_be_in_a_tree),
        cmocka_unit_test(heads_that_go_two_ways),
        cmocka_unit_test(lanes_that_are_full_and_flow),
        cmocka_unit_test(paths_that_cannot_be),
        cmocka_unit_test(both_links_are_named),
        cmocka_unit_test(the_link_that_could_be_taken_is_named),
    };
    return cmocka_run_group_tests_name("blocking_tree", tests, NULL, NULL);
}
