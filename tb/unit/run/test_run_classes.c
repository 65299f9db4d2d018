// SPDX-License-Identifier: Apache-2.0
//
// Runs with classes of messages: requests and replies deadlock in one class and complete in two,
// the blocking analysis proves it, and the latencies of the classes are those of all worms.

#include "unit.h"

#include <annelid/run.h>
#include <string.h>

static struct anl_scenario parse(const char *text)
{
    struct anl_scenario scenario;
    struct anl_error error;
    if (anl_scenario_parse(text, strlen(text), "inline", "", &scenario, &error))
        fail_msg("line %u: %s", (unsigned)error.line, error.text);
    return scenario;
}

// Runs requests and replies on a network with the referee. Returns the cycle in which a deadlock
// was proved; UINT64_MAX: none.
static uint64_t run(const char *network, const char *traffic, struct anl_run_result *result)
{
    char text[512];
    snprintf(text, sizeof text, "%straffic: {process: request_reply, %s}\n", network, traffic);
    struct anl_scenario scenario = parse(text);
    struct anl_blocking *blocking;
    struct anl_error error;
    assert_int_equal(anl_blocking_create(&scenario.network, NULL, &blocking), ANL_OK);
    const struct anl_run_options options = {.referee = true, .blocking = blocking};
    if (anl_run(&scenario, &options, result, &error)) fail_msg("%s", error.text);
    assert_int_equal(result->violation.rule, ANL_RULE_NONE);
    const uint64_t deadlocked = anl_blocking_deadlocked(blocking);
    anl_blocking_destroy(blocking);
    anl_scenario_free(&scenario);
    return deadlocked;
}

#define MESH "network: {topology: mesh, k: 4, n: 2, unsafe: true}\n"
#define TORUS "network: {topology: torus, k: 4, n: 1, unsafe: true}\n"
#define BUSY "length: 8, reply_length: 8, window: 8, worms_per_terminal: 40, reply_queue: 2"

static void one_class_deadlocks_and_two_complete(void **state)
{
    (void)state;
    static const struct {
        const char *one, *two;
    } networks[] = {
        {MESH "switch: {num_vcs: 1}\n", MESH "switch: {num_vcs: 2, classes: 2}\n"},
        {MESH "switch: {num_vcs: 2}\n", MESH "switch: {num_vcs: 4, classes: 2}\n"},
        {MESH "switch: {num_vcs: 2, depth: 8, flow_control: cut_through}\n",
         MESH "switch: {num_vcs: 4, classes: 2, depth: 8, flow_control: cut_through}\n"},
        {TORUS "switch: {num_vcs: 2, arbiter: age}\n",
         TORUS "switch: {num_vcs: 6, classes: 3, arbiter: age}\n"},
        {MESH "switch: {num_vcs: 3, routing: adaptive}\n",
         MESH "switch: {num_vcs: 6, classes: 2, routing: adaptive}\n"},
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        struct anl_run_result result;
        const uint64_t deadlocked = run(networks[i].one, BUSY, &result);
        assert_int_equal(result.end, ANL_RUN_STALLED);
        assert_true(deadlocked < result.cycles - 64);
        assert_int_equal(result.num_classes, 0);
        assert_int_equal(run(networks[i].two, BUSY, &result), UINT64_MAX);
        assert_int_equal(result.end, ANL_RUN_COMPLETE);
        assert_int_equal(result.totals.delivered, result.totals.enqueued);
    }
}

// With as many reservations as there can be requests, nothing is ever refused.
static void enough_reservations_are_as_none_needed(void **state)
{
    (void)state;
    const char *const few = "length: 3, reply_length: 5, window: 2, worms_per_terminal: 30";
    const char *const many =
        "length: 3, reply_length: 5, window: 2, worms_per_terminal: 30, reply_queue: 32";
    struct anl_run_result without, with;
    run(MESH "switch: {num_vcs: 2}\n", few, &without);
    assert_int_equal(run(MESH "switch: {num_vcs: 2}\n", many, &with), UINT64_MAX);
    assert_int_equal(with.end, ANL_RUN_COMPLETE);
    assert_int_equal(with.cycles, without.cycles);
    assert_int_equal(with.totals.flit_hops, without.totals.flit_hops);
    assert_true(with.latency_mean == without.latency_mean);
}

static void classes_have_their_own_latencies(void **state)
{
    (void)state;
    struct anl_run_result result;
    run(MESH "switch: {num_vcs: 4, classes: 2, class_weights: [1, 8]}\n", BUSY, &result);
    assert_int_equal(result.num_classes, 2);
    const struct anl_class_result *a = &result.classes[0], *b = &result.classes[1];
    assert_int_equal(a->measured, 640);
    assert_int_equal(b->measured, 640);
    const double mean = (a->latency_mean + b->latency_mean) / 2;
    assert_true(mean > result.latency_mean - 1e-9 && mean < result.latency_mean + 1e-9);
    assert_true(a->latency_p99 <= result.latency_max && b->latency_p99 <= result.latency_max);
    assert_true(a->latency_p99 >= result.latency_p99 || b->latency_p99 >= result.latency_p99);
    assert_true(b->latency_mean < a->latency_mean);  // replies come first
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_class_deadlocks_and_two_complete),
        cmocka_unit_test(enough_reservations_are_as_none_needed),
        cmocka_unit_test(classes_have_their_own_latencies),
    };
    return cmocka_run_group_tests_name("run_classes", tests, NULL, NULL);
}
