// SPDX-License-Identifier: Apache-2.0
//
// The sources of a network that discards against injections.h and
// papers/cole_maggs_sitaraman/discard.md: the lane and the start of each worm, and every flit that
// is pulled.

#include "unit.h"

#include "compare/injections.h"
#include "compare/worms.h"

// Eight columns passed twice: six levels of links.
static struct anl_config butterfly(enum anl_link link)
{
    return (struct anl_config){.topology = ANL_BUTTERFLY,
                               .routing = ANL_DESTINATION_TAG,
                               .kind = ANL_DISCARDING,
                               .link = link,
                               .k = 2,
                               .n = 4,
                               .passes = 2,
                               .num_vcs = 3,
                               .depth = 1,
                               .flit_width_bits = 40};
}

static struct anl_worm next(const struct injections *injections, uint64_t created, uint32_t source,
                            uint16_t length)
{
    return (struct anl_worm){.id = injections->count,
                             .created = created,
                             .source = source,
                             .destination = 11,
                             .path = 5,
                             .length = length};
}

static uint32_t add(struct injections *injections, uint64_t created, uint32_t source,
                    uint16_t length)
{
    const struct anl_worm worm = next(injections, created, source, length);
    assert_int_equal(injections_add(injections, &worm), ANL_OK);
    return injections->worms[worm.id].lane;
}

static void other_networks_have_none(void **unused)
{
    (void)unused;
    struct injections injections;
    assert_int_equal(injections_create(&injections, &unit_networks[6]), ANL_OK);
    assert_int_equal(injections.num_lanes, 0);
    injections_destroy(&injections);
}

// A worm takes the lowest lane that has no flit for the step of its start or a later one.
static void a_worm_takes_the_lowest_idle_lane(void **unused)
{
    (void)unused;
    const struct anl_config config = butterfly(ANL_WIDE);
    struct injections injections;
    assert_int_equal(injections_create(&injections, &config), ANL_OK);
    assert_int_equal(injections.num_lanes, 8 * INJECTIONS);
    assert_int_equal(injections.outputs, 5 * 16);
    assert_int_equal(add(&injections, 0, 2, 3), INJECTIONS);      // steps 1 to 3
    assert_int_equal(add(&injections, 0, 3, 2), INJECTIONS + 1);  // the same column: steps 1, 2
    assert_int_equal(add(&injections, 1, 4, 1), 2 * INJECTIONS);  // another column
    assert_int_equal(add(&injections, 2, 2, 1), INJECTIONS + 1);  // step 3: lane 0 sends a tail
    assert_int_equal(add(&injections, 3, 2, 1), INJECTIONS);      // step 4
    assert_int_equal(injections.end, 4 + 6 + 1 - 2);  // behind its step on the last link, 9
    injections_destroy(&injections);
}

// Where links are multiplexed a step is three cycles, and a worm that is created within a step
// starts with the next one.
static void starts_are_steps(void **unused)
{
    (void)unused;
    const struct anl_config config = butterfly(ANL_SHARED);
    static const uint32_t created[] = {0, 1, 3, 4}, starts[] = {1, 2, 2, 3};
    struct injections injections;
    uint32_t start = 0;
    assert_int_equal(injections_create(&injections, &config), ANL_OK);
    for (size_t i = 0; i < 4; i++) {
        const uint32_t lane = add(&injections, created[i], 0, 1);
        assert_true(injections_start(&injections, lane, &start));
        assert_int_equal(start, starts[i]);
        assert_false(injections_start(&injections, lane, &start));
    }
    assert_int_equal(injections.end, (3 + 6 + 1 - 2) * 3);
    injections_destroy(&injections);
}

static void flits_come_in_their_order(void **unused)
{
    (void)unused;
    const struct anl_config config = butterfly(ANL_WIDE);
    static const uint16_t lengths[] = {2, 1, 3};
    struct injections injections;
    uint32_t flit[FLIT_WORDS], expected[FLIT_WORDS], start = 0;
    assert_int_equal(injections_create(&injections, &config), ANL_OK);
    assert_false(injections_pull(&injections, 0, flit));
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(add(&injections, 10 * i, 0, lengths[i]), 0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(injections_start(&injections, 0, &start));
        assert_int_equal(start, 10 * i + 1);
        for (uint16_t index = 0; index < lengths[i]; index++) {
            flit_pack(&config, &injections.worms[i].worm, index, 0, expected);
            assert_true(injections_pull(&injections, 0, flit));
            assert_memory_equal(flit, expected, flit_words(&config) * sizeof *flit);
        }
        if (i == 1) assert_int_equal(add(&injections, 40, 0, 1), 0);  // while others wait
    }
    assert_true(injections_start(&injections, 0, &start));
    assert_int_equal(start, 41);
    assert_true(injections_pull(&injections, 0, flit));
    assert_false(injections_pull(&injections, 0, flit));
    assert_false(injections_start(&injections, 0, &start));
    injections_destroy(&injections);
}

static void too_many_worms_are_refused(void **unused)
{
    (void)unused;
    const struct anl_config config = butterfly(ANL_WIDE);
    struct injections injections;
    assert_int_equal(injections_create(&injections, &config), ANL_OK);
    for (uint32_t i = 0; i < INJECTIONS; i++)
        assert_int_equal(add(&injections, 7, i % 2, 5), i);
    const struct anl_worm worm = next(&injections, 11, 0, 1);
    assert_int_equal(injections_add(&injections, &worm), ANL_ERR_ARGUMENT);
    assert_int_equal(injections.count, INJECTIONS);
    assert_int_equal(add(&injections, 12, 0, 1), 0);
    injections_destroy(&injections);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_networks_have_none),
        cmocka_unit_test(a_worm_takes_the_lowest_idle_lane),
        cmocka_unit_test(starts_are_steps),
        cmocka_unit_test(flits_come_in_their_order),
        cmocka_unit_test(too_many_worms_are_refused),
    };
    return cmocka_run_group_tests_name("injections", tests, NULL, NULL);
}
