// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis of switches of two stages (docs/worms.md): the worm of the table of
// docs/switch.md, what cannot be true of their flits, and cycles that are left out.

#include "false_feeds.h"

static const struct anl_config row = {
    .topology = ANL_MESH,
    .k = 2,
    .n = 1,
    .num_vcs = 1,
    .depth = 2,
    .flit_width_bits = 64,
    .routing = ANL_DIMENSION_ORDER,
    .arbiter = ANL_ROUND_ROBIN,
    .stages = 2,
};

// A worm of five flits goes from terminal 0 to terminal 1. These are the cycles of its flits on the
// three links of its path, and what the buffers behind two of them do.
static const uint32_t crossings[3][5] = {{0, 1, 3, 4, 7}, {2, 3, 6, 7, 10}, {4, 5, 8, 9, 12}};

static const char first_stage[] = "is in the first stage", empty[] = "empty";
static const char none_yet[] = "held by worm 0, whose next flit is on its way";
static const char to_1[] = "in the register, moves to lane 0 of 0(0).+0";
static const char to_t1[] = "in the register, moves to lane 0 of 1(1).T";
static const char no_credit_for_1[] = "waits: the credit for lane 0 of 0(0).+0 is on its way";

static const char *const at_0[13] = {
    empty,       first_stage,     to_1, to_1,  first_stage, no_credit_for_1, to_1, to_1,
    first_stage, no_credit_for_1, to_1, empty, empty};
static const char *const at_1[13] = {empty,    empty,       empty,       first_stage, to_t1,
                                     to_t1,    none_yet,    first_stage, to_t1,       to_t1,
                                     none_yet, first_stage, to_t1};

static void expect_text(const struct anl_blocking *blocking, uint32_t link, const char *expected)
{
    char text[160];
    anl_blocking_text(blocking, link, text, sizeof text);
    assert_string_equal(text, expected);
}

static void the_worm_of_the_table_never_waits(void **state)
{
    (void)state;
    const uint32_t ports = anl_shape_of(&row).ports, injection = 2 * ports;
    const uint32_t links[3] = {injection, 0, anl_ejection_link(&row, 1)};
    struct worker worker = worker_create(&row, 1, NULL);
    struct anl_life life = {0};
    uint32_t flits = 0;
    worker_enqueue(&worker, 0, 1, 5);
    for (uint64_t t = 0; t < 13; t++) {
        worker_step(&worker);
        const struct fed_cycle *fed = &worker.cycles[t];
        for (size_t i = 0; i < fed->num_flits; i++)
            for (int l = 0; l < 3; l++)
                if (fed->flits[i].link == links[l])
                    assert_int_equal(t, crossings[l][fed->flits[i].index]), flits++;
        expect_text(worker.blocking, injection, at_0[t]);
        expect_text(worker.blocking, links[1], at_1[t]);
        assert_true(anl_blocking_life(worker.blocking, 0, &life));
        assert_int_equal(life.cycles[ANL_MOVING], t + 1);
    }
    assert_int_equal(flits, 15);
    assert_int_equal(life.delivered, 12);
    worker_destroy(&worker);
}

// In cycle 4 flit 2 is in the first stage. In cycle 5 the credit that it needs is on its way to the
// first stage; another switch may look at it in the second one, as docs/link.md allows.
static void no_flit_skips_a_stage(void **state)
{
    (void)state;
    struct worker worker = worker_create(&row, 1, NULL);
    worker_enqueue(&worker, 0, 1, 5);
    while (worker.num_cycles < 13)
        worker_step(&worker);
    for (uint64_t early = 4; early <= 5; early++) {
        struct anl_blocking *blocking = feed_again(&worker, early);
        const struct fed_cycle *fed = &worker.cycles[early];
        struct anl_flit flits[3] = {{.index = 2}};
        struct anl_error error = {0};
        memcpy(&flits[1], fed->flits, fed->num_flits * sizeof *flits);
        assert_int_equal(
            anl_blocking_feed_flits(blocking, early, flits, fed->num_flits + 1, &error),
            early == 4 ? ANL_ERR_FORMAT : ANL_OK);
        assert_int_equal(early == 4, strstr(error.text, "behind the first stage") != NULL);
        anl_blocking_destroy(blocking);
    }
    worker_destroy(&worker);
}

static void flits_that_cannot_be(void **state)
{
    (void)state;
    struct anl_config config = row;
    config.n = config.num_vcs = 2;
    for (config.depth = 1; config.depth <= 5; config.depth += 2)
        change_every_flit(&config, 1, 30, 60);
    config.depth = 4;
    config.flow_control = ANL_STORE_AND_FORWARD;
    change_every_flit(&config, 1, 30, 60);
    config.flow_control = ANL_WORMHOLE;
    config.link = ANL_WIDE;
    change_every_flit(&config, 1, 30, 60);
}

// Where no flit crosses a link, a credit may come or a flit pass the first stage.
static void cycles_without_flits_may_be_left_out(void **state)
{
    (void)state;
    struct worker worker = worker_create(&row, 1, NULL);
    struct anl_blocking *blocking;
    uint32_t left_out = 0;
    assert_int_equal(anl_blocking_create(&row, NULL, &blocking), ANL_OK);
    while (worker.num_cycles < 400) {
        if (worker.num_cycles % 40 == 3) worker_enqueue(&worker, 0, 1, 4);
        worker_step(&worker);
    }
    for (uint64_t t = 0; t < worker.num_cycles; t++) {
        const struct fed_cycle *fed = &worker.cycles[t];
        const bool leave_out = !fed->num_flits && !fed->num_worms && t + 1 < worker.num_cycles;
        left_out += leave_out;
        if (!leave_out) assert_int_equal(feed_cycle(blocking, t, fed, NULL), ANL_OK);
    }
    char *const one = all_of(worker.blocking, 100), *const other = all_of(blocking, 100);
    assert_string_equal(one, other);
    assert_true(left_out > 100);
    free(one);
    free(other);
    anl_blocking_destroy(blocking);
    worker_destroy(&worker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worm_of_the_table_never_waits),
        cmocka_unit_test(no_flit_skips_a_stage),
        cmocka_unit_test(flits_that_cannot_be),
        cmocka_unit_test(cycles_without_flits_may_be_left_out),
    };
    return cmocka_run_group_tests_name("blocking_stages", tests, NULL, NULL);
}
