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
    assert_int_equal(messages_of("# cycle source destination length\n"
                                 "0 0 8 1\n\n"
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
        {"0,0,1,1\n", 1, "cycle: found 0,0,1,1", "; fields are separated by blanks"},
        {"0 0 1 1 1\n", 1, "found 1", "the end of the line"},
        {"0 0 1 1\n0 9 1 1\n", 2, "source: found 9", "0..8"},
        {"0 0 T1 1\n", 1, "destination: found T1", "0..8 (a terminal); terminals are numbers"},
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
        {"0 0 1 1\n\v0 0 1 1\n", 2, "cycle: found '?0'", "an integer"},
        {"0 0 1 1\n\xff\n", 2, "cycle: found", "an integer"},
        {"0 0 1 1 id=1\n0 0 1 1 di=1\n", 2, "found di=1", "path=…, id=… or after=…"},
        {"0 0 1 1 path=0\n", 1, "path: found 0, expected none", "a butterfly with two passes"},
        {"0 0 1 1 =\n", 1, "found =", "id=… or after=…"},
        {"0 0 1 1 id=\n", 1, "id: found nothing", "an integer 0..18446744073709551615"},
        {"0 0 1 1 id=18446744073709551616\n", 1, "id: found 18446744073709551616", "an integer"},
        {"0 0 1 1 id=01\n", 1, "id: found 01", "an integer"},
        {"0 0 1 1 id=1 id=2\n", 1, "id: found a second time", "expected once"},
        {"0 0 1 1 id=1\n0 0 1 1\n0 0 1 1 id=1\n", 3, "id: found 1 a second time",
         "the first one is in line 1"},
        {"0 0 1 1 id=1\n0 0 1 1 after=1 after=1\n", 2, "after: found a second time", "once"},
        {"0 0 1 1 after=\n", 1, "after: found nothing", "the id of a message"},
        {"0 0 1 1 after=1,\n", 1, "after: found nothing", "the id of a message"},
        {"0 0 1 1 after=1+\n", 1, "after: found 1+", "perhaps + and 1..4294967295 cycles"},
        {"0 0 1 1 after=+1\n", 1, "after: found +1", "the id of a message"},
        {"0 0 1 1 after=1+0\n", 1, "after: found 1+0", "1..4294967295"},
        {"0 0 1 1 after=1+4294967296\n", 1, "after: found 1+4294967296", "1..4294967295"},
        {"0 0 1 1 id=1\n0 0 1 1 after=1,2\n", 2, "after: found 2", "no message has this id"},
        {"0 0 1 1 id=5\n0 0 1 1 after=5,3\n", 2, "after: found 3", "no message has this id"},
        {"0 0 1 1 after=1\n", 1, "after: found 1", "no message has this id"},
        {"0 0 1 1 id=1 2\n", 1, "found 2", "the end of the line"},
        {"0 0 1 1\n0 0 1 1 id=1 after=1\n", 2, "wait for each other in a circle of 1:", " line 2"},
        {"0 0 1 1 id=1 after=9\n0 0 1 1 id=9\n\n0 0 1 1 id=2 after=9,4\n0 0 1 1 id=3 after=2\n"
         "0 0 1 1 id=4 after=1,3\n",
         4, "wait for each other in a circle of 3:", " line 4, line 6, line 5"},
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

static void messages_may_wait_for_others(void **state)
{
    (void)state;
    struct anl_scenario s;
    struct anl_error error = {0};
    if (messages_of("0 0 8 1 after=18446744073709551615+4294967295,5,5+7 # both\n"
                    "0 8 0 2 after=7 id=5\n"
                    "1 1 1 1\n"
                    "3 2 2 2 id=18446744073709551615\n"
                    "3 2 2 2 id=7#",
                    &s, &error))
        fail_msg("%s", error.text);
    assert_int_equal(s.num_messages, 5);
    static const struct anl_after first[] = {{3, UINT32_MAX}, {1, 1}, {1, 7}}, second[] = {{4, 1}};
    assert_int_equal(s.messages[0].num_after, 3);
    assert_memory_equal(s.messages[0].after, first, sizeof first);
    assert_int_equal(s.messages[1].num_after, 1);
    assert_memory_equal(s.messages[1].after, second, sizeof second);
    for (unsigned i = 2; i < 5; i++) {
        assert_int_equal(s.messages[i].num_after, 0);
        assert_null(s.messages[i].after);
    }
    anl_scenario_free(&s);
}

static enum anl_status butterfly_messages_of(const char *text, struct anl_scenario *s,
                                             struct anl_error *error)
{
    *s = (struct anl_scenario){
        .network = {.topology = ANL_BUTTERFLY, .k = 3, .n = 3, .passes = 2, .depth = 4},
        .run = {.max_cycles = 500}};
    return scenario_read_messages(text, strlen(text), "m", s, &s->messages, &s->num_messages,
                                  error);
}

static void messages_may_give_paths(void **state)
{
    (void)state;
    static const struct refused bad[] = {
        {"0 0 1 1 path=9\n", 1, "path: found 9", "an integer 0..8"},
        {"0 0 1 1 path=\n", 1, "path: found nothing", "an integer 0..8"},
        {"0 0 1 1 path=-1\n", 1, "path: found -1", "an integer 0..8"},
        {"0 0 1 1 path=01\n", 1, "path: found 01", "an integer 0..8"},
        {"0 0 1 1\n0 0 1 1 path=1 path=1\n", 2, "path: found a second time", "once"},
        {"0 0 1 1 paths=1\n", 1, "found paths=1", "path=…"},
    };
    struct anl_scenario s;
    struct anl_error error;
    assert_int_equal(butterfly_messages_of("0 26 1 1 path=8 id=5\n1 0 1 1 after=5 path=0\n"
                                           "2 0 1 1\n",
                                           &s, NULL),
                     ANL_OK);
    assert_true(s.messages[0].has_path && s.messages[1].has_path && !s.messages[2].has_path);
    assert_int_equal(s.messages[0].path, 8);
    assert_int_equal(s.messages[1].path, 0);
    assert_int_equal(s.messages[1].num_after, 1);
    anl_scenario_free(&s);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(butterfly_messages_of(bad[i].text, &s, &error), ANL_ERR_FORMAT);
        assert_int_equal(error.line, bad[i].line);
        if (!strstr(error.text, bad[i].found) || !strstr(error.text, bad[i].expected))
            fail_msg("\"%s\": %s", bad[i].text, error.text);
    }
}

static void no_message_waits_for_too_many(void **state)
{
    (void)state;
    char text[1 << 15];
    for (int more = 0; more < 2; more++) {
        struct anl_scenario s;
        struct anl_error error = {0};
        int used = snprintf(text, sizeof text, "0 0 1 1 id=0\n0 0 1 1 after=0");
        for (int i = 1; i < ANL_MAX_AFTER + more; i++)
            used += snprintf(text + used, sizeof text - (size_t)used, ",0+%d", i);
        const enum anl_status status = messages_of(text, &s, &error);
        assert_int_equal(status, more ? ANL_ERR_FORMAT : ANL_OK);
        if (more) assert_non_null(strstr(error.text, "after: found more than 1024 messages"));
        if (!more) assert_int_equal(s.messages[1].after[ANL_MAX_AFTER - 1].cycles, 1023);
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
    s.network.flow_control = ANL_CUT_THROUGH;
    assert_int_equal(
        scenario_read_messages("0 0 1 5\n", 8, "m", &s, &s.messages, &s.num_messages, &error),
        ANL_ERR_FORMAT);
    assert_non_null(strstr(error.text, "1..4"));
    s.network.flow_control = ANL_WORMHOLE;
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
        cmocka_unit_test(messages_may_wait_for_others),
        cmocka_unit_test(messages_may_give_paths),
        cmocka_unit_test(no_message_waits_for_too_many),
        cmocka_unit_test(messages_with_a_zero_byte_and_short_depth),
    };
    return cmocka_run_group_tests_name("messages", tests, NULL, NULL);
}
