// SPDX-License-Identifier: Apache-2.0
//
// Scenarios of kind bufferless: what it refuses, and the starts of its worms.

#include "scenario/unit_scenario.h"

#define MESH "network: {topology: mesh, k: 4, n: 2}\n"
#define BUFFERLESS MESH "switch: {kind: bufferless}\n"

// Every key of section switch but kind and flit_width_bits is refused by its name.
static void keys_of_buffers_are_refused(void **state)
{
    (void)state;
    struct anl_scenario_key key;
    unsigned refused_keys = 0;
    for (size_t i = 0; anl_scenario_key(i, &key); i++) {
        char text[256], expected[64], number[32];
        struct anl_scenario s;
        struct anl_error error = {0};
        if (strcmp(key.section, "switch") != 0 || strcmp(key.name, "kind") == 0) continue;
        const unsigned most = scenario_keys[i].max < 8 ? (unsigned)scenario_keys[i].max : 8;
        snprintf(number, sizeof number, "%u", most);
        const char *value = strcmp(key.name, "table") == 0   ? "x.csv"
                            : strcmp(key.name, "paths") == 0 ? "shortest"
                            : scenario_keys[i].choice        ? scenario_keys[i].choice(0)
                                                             : number;
        snprintf(text, sizeof text,
                 MESH "switch: {kind: bufferless, %s: %s}\n"
                      "traffic: {process: replay, messages: x}\n",
                 key.name, value);
        snprintf(expected, sizeof expected, "%s is not for kind bufferless", key.name);
        const enum anl_status status = parse(text, &s, &error);
        if (strcmp(key.name, "flit_width_bits") == 0) {
            assert_int_equal(status, ANL_OK);
            anl_scenario_free(&s);
            continue;
        }
        assert_int_not_equal(status, ANL_OK);
        assert_string_equal(error.text, expected);
        refused_keys++;
    }
    assert_true(refused_keys > 10);
}

static const struct refused refused_bufferless[] = {
    {BUFFERLESS, 2, "process is bernoulli, kind bufferless expects replay", "all starts"},
    {BUFFERLESS "traffic: {process: batch}\n", 3, "process is batch", "expects replay"},
    {"network: {topology: torus, k: 4, n: 2}\nswitch: {kind: bufferless}\n"
     "traffic: {process: replay, messages: x}\n",
     1, "topology is torus", "kind bufferless expects mesh"},
    {"network: {topology: mesh, k: 4, n: 3}\nswitch: {kind: bufferless}\n"
     "traffic: {process: replay, messages: x}\n",
     1, "n is 3", "kind bufferless expects 2"},
};

static void a_bufferless_scenario_needs_a_mesh_and_starts(void **state)
{
    (void)state;
    all_are_refused(refused_bufferless, sizeof refused_bufferless / sizeof *refused_bufferless);
}

static void starts_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *messages, *error;
        uint64_t line;
    } cases[] = {
        {"1 0 1 4\n2 1 0 1\n5 0 1 4\n", NULL, 0},
        {"0 0 1 4\n", "cycle: found 0, expected an integer 1..999999", 1},
        {"1 0 1 4 id=1\n2 1 0 4 after=1\n",
         "after: kind bufferless has no queue in which a worm could wait for others", 2},
        {"1 0 1 4\n2 3 3 4\n", "destination: found 3, expected another terminal than the source",
         2},
        {"1 0 1 4\n\n4 0 1 4\n",
         "cycle: found 4, expected at least 5: source 0 sends another worm until then", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256], path[64];
        struct anl_scenario s;
        struct anl_error error = {0};
        snprintf(path, sizeof path, "/tmp/annelid-starts-%ld.txt", (long)getpid());
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(cases[i].messages, file);
        fclose(file);
        snprintf(text, sizeof text, BUFFERLESS "traffic: {process: replay, messages: %s}\n", path);
        const enum anl_status status =
            anl_scenario_parse(text, strlen(text), "test.yaml", "", &s, &error);
        remove(path);
        assert_int_equal(status, cases[i].error ? ANL_ERR_FORMAT : ANL_OK);
        assert_string_equal(error.text, cases[i].error ? cases[i].error : "");
        assert_int_equal(error.line, cases[i].line);
        if (!status) anl_scenario_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_buffers_are_refused),
        cmocka_unit_test(a_bufferless_scenario_needs_a_mesh_and_starts),
        cmocka_unit_test(starts_are_checked),
    };
    return cmocka_run_group_tests_name("scenario_bufferless", tests, NULL, NULL);
}
