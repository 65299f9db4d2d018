// SPDX-License-Identifier: Apache-2.0
//
// What the engine and the check of a network promise of any kind, held on a mesh without buffers.

#include "unit_engine.h"

#include <string.h>

static const struct anl_config mesh2 = {.kind = ANL_BUFFERLESS,
                                        .topology = ANL_MESH,
                                        .k = 2,
                                        .n = 2,
                                        .num_vcs = 1,
                                        .depth = 1,
                                        .flit_width_bits = 32};

// A switch without buffers is idle as soon as its last flit has crossed, so a flit has moved in the
// last step; in the cycles that are skipped none moves.
static void nothing_moves_in_skipped_cycles(void **state)
{
    (void)state;
    struct anl_engine *net = make(&mesh2);
    anl_engine_step(net);
    assert_int_equal(anl_engine_enqueue(net, 0, 3, 1, NULL), ANL_OK);
    for (uint32_t i = 0; i < 100 && !anl_engine_idle(net); i++)
        anl_engine_step(net);
    assert_int_equal(anl_engine_totals(net).moved, 1);
    assert_int_equal(anl_engine_skip(net, 50), ANL_OK);
    assert_int_equal(anl_engine_totals(net).moved, 0);
    assert_int_equal(anl_engine_cycle(net), 50);
    anl_engine_destroy(net);
}

static void expect_refusal(struct anl_config config, const char *reason)
{
    struct anl_error error;
    assert_int_equal(anl_config_check(&config, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, reason));
}

static void links_of_cycles_and_stages_are_refused(void **state)
{
    (void)state;
    struct anl_config config = mesh2;
    config.link_cycles = 2;
    expect_refusal(config, "link_cycles is 2, switches of another kind than buffered expect 1");
    config = mesh2;
    config.stages = 2;
    expect_refusal(config, "stages is 2, switches of another kind than buffered expect 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_moves_in_skipped_cycles),
        cmocka_unit_test(links_of_cycles_and_stages_are_refused),
    };
    return cmocka_run_group_tests_name("engine_bufferless", tests, NULL, NULL);
}
