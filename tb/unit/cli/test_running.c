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
    if (anl_scenario_parse(text, strlen(text), "test", "", &scenario, &error))
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

static void seconds_are_shown_only_while_they_are_known(void **state)
{
    (void)state;
    char text[256];
    cli_progress_words("running", 0.25, "cycle 5", 10, false, text, sizeof text);
    assert_string_equal(text, "running: 25 %, cycle 5, 30 s left");
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
        cmocka_unit_test(seconds_are_shown_only_while_they_are_known),
    };
    return cmocka_run_group_tests_name("running", tests, NULL, NULL);
}
