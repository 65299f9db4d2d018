// SPDX-License-Identifier: Apache-2.0
//
// What is known of an assertion that failed, and of what a switch says itself.

#include "unit.h"

#include "compare/difference.h"
#include "compare/failure.h"

static void expect(const struct failure *failure, const char *expected)
{
    char text[512];
    failure_describe(failure, text, sizeof text);
    assert_string_equal(text, expected);
}

static void words_of_a_switch_have_their_place(void **state)
{
    (void)state;
    struct failure failure;
    failure_say(
        &failure, "mine.sv:7",
        "[12] %Error: mine.sv:7: Assertion failed in anl_lockstep_top.dut.g_switch[3].u_switch"
        ".g_input[2].u_fifo: Depth: 1,\n  not 64\n",
        false);
    expect(&failure, "mine.sv:7 in g_input[2].u_fifo: Depth: 1, not 64");
    assert_int_equal(failure.switch_, 3);
    assert_int_equal(failure.port, 2);
    assert_string_equal(failure.condition, "no $error, $fatal, $stop or $finish");
}

static void words_may_say_less(void **state)
{
    (void)state;
    struct failure failure;
    failure_say(&failure, "mine.sv:7", "$finish", true);
    expect(&failure, "mine.sv:7: in reset: $finish");
    assert_int_equal(failure.switch_, NOWHERE);
    failure_say(&failure, "mine.sv:7", "[0] %Fatal: mine.sv:7: Assertion failed in TOP.x.y\n",
                false);
    expect(&failure, "mine.sv:7 in TOP.x.y: an error without words");
    failure_say(&failure, "a.sv:1", "[0] %Error: a.sv:1: Assertion failed in x: 'assert' failed.\n",
                false);
    assert_string_equal(failure.condition, "");
    failure_say(&failure, "a.sv:1", "%Error: of another form", false);
    expect(&failure, "a.sv:1: %Error: of another form");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_a_switch_have_their_place),
        cmocka_unit_test(words_may_say_less),
    };
    return cmocka_run_group_tests_name("lockstep_failure", tests, NULL, NULL);
}
