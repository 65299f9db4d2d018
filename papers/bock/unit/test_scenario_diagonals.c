// SPDX-License-Identifier: Apache-2.0
//
// Scenarios of kind diagonals: what it refuses, and its parameters.

#include "scenario/unit_scenario.h"

#define MESH "network: {topology: mesh, k: 4, n: 2}\n"
#define TORUS8 "network: {topology: torus, k: 8, n: 2}\n"
#define BATCH "traffic: {process: batch, length: 1}\n"

static const struct refused refused_diagonals[] = {
    {MESH "switch: {kind: diagonals}\n" BATCH, 1, "topology is mesh",
     "kind diagonals expects torus"},
    {"network: {topology: torus, k: 8, n: 1}\nswitch: {kind: diagonals}\n" BATCH, 1, "n is 1",
     "kind diagonals expects 2..4"},
    {"network: {topology: torus, k: 2, n: 5}\nswitch: {kind: diagonals}\n" BATCH, 1, "n is 5",
     "kind diagonals expects 2..4"},
    {"network: {topology: torus, k: 513, n: 2}\nswitch: {kind: diagonals}\n" BATCH, 1, "k is 513",
     "kind diagonals expects at most 512"},
    {TORUS8 "switch: {kind: diagonals, c: 3}\n" BATCH, 1, "c = 3", "c >= 2 to divide n"},
    {TORUS8 "switch: {kind: diagonals, num_vcs: 4}\n" BATCH, 2, "num_vcs is not for",
     "kind diagonals"},
    {TORUS8 "switch: {kind: diagonals, routing: dateline}\n" BATCH, 2, "routing is dateline",
     "expects valiant or none"},
    {TORUS8 "switch: {kind: diagonals, rounds: long}\n" BATCH, 2, "found long",
     "paper, short or least"},
    {TORUS8 "switch: {kind: diagonals}\ntraffic: {process: batch, length: [1, 2]}\n", 3,
     "length has 2 numbers", "one for all worms"},
    {TORUS8 "switch: {kind: diagonals}\ntraffic: {process: request_reply}\n", 3,
     "process is request_reply", "batch, bernoulli or bursty"},
};

static void a_scenario_of_diagonals_needs_a_torus_and_one_length(void **state)
{
    (void)state;
    struct anl_scenario scenario, again;
    struct anl_error error;
    static const char text[] =
        TORUS8 "switch: {kind: diagonals, a: 2, c: 4, routing: valiant}\n" BATCH;
    all_are_refused(refused_diagonals, sizeof refused_diagonals / sizeof *refused_diagonals);
    assert_int_equal(anl_scenario_parse(text, strlen(text), "slide", "", &scenario, &error),
                     ANL_OK);
    const struct anl_diagonals_shape expected = {1, 2, 1, 4, ANL_SHORT_ROUNDS};
    assert_memory_equal(&scenario.network.diagonals, &expected, sizeof expected);
    assert_int_equal(
        anl_scenario_parse(scenario.text, strlen(scenario.text), "again", "", &again, &error),
        ANL_OK);
    assert_memory_equal(&again.network, &scenario.network, sizeof again.network);
    anl_scenario_free(&again);
    anl_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scenario_of_diagonals_needs_a_torus_and_one_length),
    };
    return cmocka_run_group_tests_name("scenario_diagonals", tests, NULL, NULL);
}
