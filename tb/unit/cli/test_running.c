// SPDX-License-Identifier: Apache-2.0
//
// What is shown of the progress of a run.

#include "unit.h"

#include "cli/shared/cli.h"

#include <string.h>

static struct anl_scenario load(const char *traffic)
{
    char text[256];
    struct anl_scenario scenario;
    struct anl_error error = {0};
    snprintf(text, sizeof text, "network: {topology: mesh, k: 2, n: 1}\n%s", traffic);
    if (anl_scenario_parse(text, strlen(text), "test", NULL, &scenario, &error))
        fail_msg("%s", error.text);
    return scenario;
}

static void expect_words(const struct anl_scenario *scenario, struct running_state state,
                         double fraction, const char *words)
{
    const struct running_view view = {.scenario = scenario};
    char text[96];
    const double got = running_words(&view, &state, text, sizeof text);
    assert_string_equal(text, words);
    assert_true(got == fraction);
}

static void a_run_that_drains_says_so(void **state)
{
    (void)state;
    struct anl_scenario scenario = load("traffic: {load: 0.5}\nrun: {cycles: 500}\n");
    expect_words(&scenario, (struct running_state){250, 40, 9}, 0.5, "cycle 250");
    expect_words(&scenario, (struct running_state){499, 80, 19}, 499 / 500.0, "cycle 499");
    expect_words(&scenario, (struct running_state){500, 80, 19}, 1,
                 "cycle 500, draining, 61 worms left");
    expect_words(&scenario, (struct running_state){685, 80, 79}, 1,
                 "cycle 685, draining, 1 worm left");
    anl_scenario_free(&scenario);
}

// The worms of a closed process are known: what is left of them is what is left of the run.
static void a_batch_is_done_when_its_worms_are(void **state)
{
    (void)state;
    struct anl_scenario scenario =
        load("traffic: {process: batch, worms_per_terminal: 4, length: 2}\n");
    expect_words(&scenario, (struct running_state){5000, 8, 6}, 0.75, "cycle 5000");
    anl_scenario_free(&scenario);
}

// Worms that are created late are not delivered sooner, and the run may end before they are.
static void the_last_creation_counts(void **state)
{
    (void)state;
    struct anl_scenario late =
        load("traffic: {process: batch, worms_per_terminal: 4, length: 2, delays: 101, "
             "delay_cycles: 100}\nrun: {max_cycles: 1000000}\n");
    expect_words(&late, (struct running_state){2500, 8, 6}, 2500 / 10001.0, "cycle 2500");
    expect_words(&late, (struct running_state){20000, 8, 6}, 0.75, "cycle 20000");
    anl_scenario_free(&late);
    struct anl_scenario replay =
        load("traffic: {process: replay, messages: none}\nrun: {max_cycles: 4000}\n");
    struct anl_message messages[4] = {{0}, {0}, {0}, {.cycle = 3999}};
    replay.messages = messages;
    replay.num_messages = 4;
    expect_words(&replay, (struct running_state){1000, 3, 3}, 0.25, "cycle 1000");
    expect_words(&replay, (struct running_state){1, 3, 0}, 1 / 4000.0, "cycle 1");
    messages[3].cycle = 0;
    expect_words(&replay, (struct running_state){1000, 4, 3}, 0.75, "cycle 1000");
    expect_words(&replay, (struct running_state){3200, 4, 3}, 0.8, "cycle 3200");
    replay.messages = NULL;
    anl_scenario_free(&replay);
}

static void seconds_are_shown_only_while_they_are_known(void **state)
{
    (void)state;
    char text[256];
    cli_progress_words("running", 0.25, "cycle 5", 10, false, text, sizeof text);
    assert_string_equal(text, "running: 25 %, cycle 5, 30 s left");
    cli_progress_words("running", 0, "cycle 5", 10, false, text, sizeof text);
    assert_string_equal(text, "running: 0 %, cycle 5");
    cli_progress_words("running", 0, "cycle 5", 10, true, text, sizeof text);
    assert_string_equal(text, "running [..............................]   0 % cycle 5");
    cli_progress_words("running", 0.5, "cycle 5", 10, true, text, sizeof text);
    assert_string_equal(text, "running [###############...............]  50 % cycle 5, 10 s left");
    for (int terminal = 0; terminal < 2; terminal++) {
        cli_progress_words("running", 1, "cycle 9, draining, 3 worms left", 10, terminal, text,
                           sizeof text);
        assert_string_equal(text, "running: cycle 9, draining, 3 worms left");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_drains_says_so),
        cmocka_unit_test(a_batch_is_done_when_its_worms_are),
        cmocka_unit_test(the_last_creation_counts),
        cmocka_unit_test(seconds_are_shown_only_while_they_are_known),
    };
    return cmocka_run_group_tests_name("running", tests, NULL, NULL);
}
