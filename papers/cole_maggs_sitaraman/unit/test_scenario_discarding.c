// SPDX-License-Identifier: Apache-2.0
//
// Scenarios whose switches discard: what they refuse.

#include "scenario/unit_scenario.h"

#define MESH "network: {topology: mesh, k: 4, n: 2}\n"
#define FLY "network: {topology: butterfly, k: 2, n: 3}\n"
#define DISCARD FLY "switch: {when_blocked: drop}\n"

static const struct refused refused_discarding[] = {
    {MESH "switch: {when_blocked: drop}\n", 1, "topology is mesh", "expect butterfly"},
    {"network: {topology: butterfly, k: 3, n: 3}\nswitch: {when_blocked: drop}\n", 1, "k is 3",
     "expect 2"},
    {"network: {topology: butterfly, k: 2, n: 1}\nswitch: {when_blocked: drop}\n", 1, "n is 1",
     "expect 2..17"},
    {FLY "switch: {when_blocked: drop, depth: 4}\n", 2, "depth is not for", "that discard"},
    {FLY "switch: {when_blocked: drop, kind: buffered}\n", 2, "kind is not for", "that discard"},
    {DISCARD "traffic: {process: request_reply, worms_per_terminal: 2}\n", 3,
     "process is request_reply", "bernoulli, bursty, batch or replay"},
};

static void a_scenario_that_discards_needs_a_butterfly_and_no_answers(void **state)
{
    (void)state;
    struct anl_scenario scenario;
    all_are_refused(refused_discarding, sizeof refused_discarding / sizeof *refused_discarding);
    struct anl_error error;
    static const char text[] = FLY "switch: {when_blocked: wait}\n";
    assert_int_equal(anl_scenario_parse(text, strlen(text), "fly", "", &scenario, &error), ANL_OK);
    assert_int_equal(scenario.network.kind, ANL_BUFFERED);
    anl_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scenario_that_discards_needs_a_butterfly_and_no_answers),
    };
    return cmocka_run_group_tests_name("scenario_discarding", tests, NULL, NULL);
}
