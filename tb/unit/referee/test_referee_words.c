// SPDX-License-Identifier: Apache-2.0
//
// The words of the referee about a violation: which lane the head took, and which terminals exist.

#include "referee_trace.h"

#include <string.h>

static const struct anl_config line = {
    .topology = ANL_MESH, .k = 3, .n = 1, .num_vcs = 2, .depth = 4, .flit_width_bits = 32};

static void expect_words(const struct trace *trace, enum anl_rule rule, const char *words)
{
    const struct anl_violation verdict = judge(trace, true, false);
    assert_int_equal(verdict.rule, rule);
    if (!strstr(verdict.text, words)) fail_msg("said '%s', expected '%s'", verdict.text, words);
}

static void names_the_marks_of_a_flit(void **state)
{
    (void)state;
    struct trace trace = {.config = line};
    add_worm(&trace, 0, 1, 2, 3, START);
    add_flit(&trace, START, 10, 0, &trace.worms[0], 0);
    trace.events[0].flit.tail = true;
    expect_words(&trace, ANL_RULE_BAD_MARKS, "its marks are head tail");
    trace.events[0].flit.head = false;
    expect_words(&trace, ANL_RULE_BAD_MARKS, "its marks are tail");
    trace.events[0].flit.tail = false;
    expect_words(&trace, ANL_RULE_BAD_MARKS, "its marks are those of a body flit");
}

static void names_the_lane_that_the_head_took(void **state)
{
    (void)state;
    struct trace trace = {.config = line};
    add_worm(&trace, 0, 1, 2, 2, START);
    add_flit(&trace, START, 10, 1, &trace.worms[0], 0);
    add_flit(&trace, START + 1, 10, 0, &trace.worms[0], 1);
    expect_words(&trace, ANL_RULE_SPLIT_WORM, "its head took T1.inject lane 1");
    trace.events[1].flit.vc = 1;
    add_flit(&trace, START + 2, 3, 0, &trace.worms[0], 0);
    add_flit(&trace, START + 3, 3, 1, &trace.worms[0], 1);
    expect_words(&trace, ANL_RULE_SPLIT_WORM, "its head took 1(1).+0 lane 0");
}

// Links 0 to 8 leave the three switches and 9 to 11 the terminals.
static void names_a_link_that_is_not_there_by_its_number(void **state)
{
    (void)state;
    struct trace trace = {.config = line};
    add_worm(&trace, 0, 1, 2, 3, START);
    add_flit(&trace, START, 12, 0, &trace.worms[0], 0);
    expect_words(&trace, ANL_RULE_BAD_LINK, "link 12");
}

static void names_the_terminals_that_there_are(void **state)
{
    (void)state;
    struct trace trace = {.config = line};
    add_worm(&trace, 0, 1, 3, 2, START);
    expect_words(&trace, ANL_RULE_UNKNOWN_WORM, "(1->3, 2 flits)");
    expect_words(&trace, ANL_RULE_UNKNOWN_WORM, "but terminals are 0 to 2,");
}

// A head has 7 bits for the length, if it carries it.
static void names_the_longest_worm_that_there_is(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct trace trace = {.config = line};
        trace.config.flow_control = (enum anl_flow_control)(i / 2);
        trace.config.length_in_head = i % 2 ? ANL_TRUE : ANL_FALSE;
        add_worm(&trace, 0, 1, 2, 127, START);
        assert_int_equal(judge(&trace, false, false).rule, ANL_RULE_NONE);
        trace.worms[0].length = 128;
        if (i > 0)
            expect_words(&trace, ANL_RULE_UNKNOWN_WORM, "a worm has 1 to 127 flits");
        else
            assert_int_equal(judge(&trace, false, false).rule, ANL_RULE_NONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_marks_of_a_flit),
        cmocka_unit_test(names_the_lane_that_the_head_took),
        cmocka_unit_test(names_a_link_that_is_not_there_by_its_number),
        cmocka_unit_test(names_the_terminals_that_there_are),
        cmocka_unit_test(names_the_longest_worm_that_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
