// SPDX-License-Identifier: Apache-2.0
//
// Message files: what is read, and every refusal with its line and reason.

#include "scenario/scenario.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

struct refused {
    const char *text;
    uint64_t line;
    const char *found, *expected;  // both must be in the message
};

static enum anl_status messages_of(const char *text, struct anl_scenario *s,
                                   struct anl_error *error)
{
    *s = (struct anl_scenario){.network = {.topology = ANL_MESH, .k = 3, .n = 2, .depth = 4},
                               .run = {.max_cycles = 500}};
    return scenario_read_messages(text, strlen(text), "m", s, &s->messages, &s->num_messages,
                                  error);
}

static void good_messages(void **state)
{
    (void)state;
    struct anl_scenario s;
    assert_int_equal(messages_of("# cycle source destination length\r\n"
                                 "0 0 8 1\r\n\n"
                                 "\t0  8\t0 65535 # back\n"
                                 "   # nothing\n"
                                 "499 3 3 2#end",
                                 &s, NULL),
                     ANL_OK);
    assert_int_equal(s.num_messages, 3);
    assert_int_equal(s.messages[1].source, 8);
    assert_int_equal(s.messages[1].destination, 0);
    assert_int_equal(s.messages[1].length, 65535);
    assert_int_equal(s.messages[2].cycle, 499);
    assert_int_equal(s.messages[2].length, 2);
    anl_scenario_free(&s);
}

static void refused_messages(void **state)
{
    (void)state;
    static const struct refused bad[] = {
        {"", 1, "found no message", "at least one"},
        {"# none\n\n", 3, "found no message", "at least one"},
        {"0 0 1 1\n5 0 1\n", 2, "length: found nothing", "1..65535"},
        {"0 0 1 1\n\n5\n", 3, "source: found nothing", "0..8"},
        {"0 0 1 1 1\n", 1, "found 1", "the end of the line"},
        {"0 0 1 1\n0 9 1 1\n", 2, "source: found 9", "0..8"},
        {"0 0 9 1\n", 1, "destination: found 9", "0..8"},
        {"0 0 1 0\n", 1, "length: found 0", "1..65535"},
        {"0 0 1 65536\n", 1, "length: found 65536", "1..65535"},
        {"500 0 1 1\n", 1, "cycle: found 500", "0..499"},
        {"5 0 1 1\n4 0 1 1\n", 2, "cycle: found 4", "at least 5"},
        {"-1 0 1 1\n", 1, "cycle: found -1", "an integer"},
        {"+1 0 1 1\n", 1, "cycle: found +1", "an integer"},
        {"0x1 0 1 1\n", 1, "cycle: found 0x1", "an integer"},
        {"0 0 1 1.0\n", 1, "length: found 1.0", "an integer"},
        {"0,0,1,1\n", 1, "cycle: found 0,0,1,1", "an integer"},
        {"0 0 1 18446744073709551617\n", 1, "length: found 18446744073709551617", "1..65535"},
        {"0 # 0 1 1\n", 1, "source: found nothing", "0..8"},
        {"0 0 1 1\n\v0 0 1 1\n", 2, "cycle: found ?0", "an integer"},
        {"0 0 1 1\n\xff\n", 2, "cycle: found", "an integer"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct anl_scenario s;
        struct anl_error error = {0};
        const enum anl_status status = messages_of(bad[i].text, &s, &error);
        if (status != ANL_ERR_FORMAT || error.line != bad[i].line ||
            !strstr(error.text, bad[i].found) || !strstr(error.text, bad[i].expected))
            fail_msg("%s\nstatus %d, line %" PRIu64 ": %s", bad[i].text, status, error.line,
                     error.text);
        assert_null(s.messages);
        anl_scenario_free(&s);
    }
}

static void messages_with_a_zero_byte_and_short_depth(void **state)
{
    (void)state;
    struct anl_error error;
    struct anl_scenario s;
    assert_int_equal(messages_of("0 0 1 1\n", &s, &error), ANL_OK);
    free(s.messages);
    s.messages = NULL;
    assert_int_equal(
        scenario_read_messages("0 0 1 1\0\n", 9, "m", &s, &s.messages, &s.num_messages, &error),
        ANL_ERR_FORMAT);
    s.network.admission = ANL_CUT_THROUGH;
    assert_int_equal(
        scenario_read_messages("0 0 1 5\n", 8, "m", &s, &s.messages, &s.num_messages, &error),
        ANL_ERR_FORMAT);
    assert_non_null(strstr(error.text, "1..4"));
    s.network.admission = ANL_WORMHOLE;
    s.network.length_in_head = ANL_TRUE;
    assert_int_equal(scenario_read_messages("0 0 1 127\n0 0 1 128\n", 20, "m", &s, &s.messages,
                                            &s.num_messages, &error),
                     ANL_ERR_FORMAT);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.text, "found 128, expected an integer 1..127"));
    anl_scenario_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_messages),
        cmocka_unit_test(refused_messages),
        cmocka_unit_test(messages_with_a_zero_byte_and_short_depth),
    };
    return cmocka_run_group_tests_name("messages", tests, NULL, NULL);
}
