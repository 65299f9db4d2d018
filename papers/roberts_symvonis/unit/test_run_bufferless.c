// SPDX-License-Identifier: Apache-2.0
//
// Runs of kind bufferless: the scenarios with their golden digests, each flit in the step that the
// rules say, pauses that a run skips, and a fault that ends it.

#include "unit.h"

#include <annelid/bufferless_referee.h>
#include <annelid/run.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct outcome {
    struct anl_run_result result;
    uint64_t late;  // worms that were not delivered in start + d + k - 1
};

static uint32_t gap(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

static uint64_t due(const struct anl_scenario *scenario, const struct anl_worm *worm)
{
    const uint32_t n = scenario->network.k, from = worm->source, to = worm->destination;
    return worm->created + gap(from / n, to / n) + gap(from % n, to % n) + worm->length - 1;
}

struct watch {
    const struct anl_scenario *scenario;
    uint64_t late;
};

static bool look(void *user, const struct anl_engine *engine)
{
    struct watch *watch = user;
    size_t count;
    const struct anl_worm *delivered = anl_engine_delivered(engine, &count);
    for (size_t i = 0; i < count; i++)
        watch->late += due(watch->scenario, &delivered[i]) + 1 != anl_engine_cycle(engine);
    return true;
}

static struct outcome run(const struct anl_scenario *scenario, bool observed)
{
    struct watch watch = {.scenario = scenario};
    struct anl_error error = {0};
    struct outcome outcome;
    const struct anl_run_options options = {.digest = observed,
                                            .referee = observed,
                                            .progress_cycles = observed,
                                            .progress = look,
                                            .user = &watch};
    if (anl_run(scenario, &options, &outcome.result, &error)) fail_msg("%s", error.text);
    outcome.late = watch.late;
    return outcome;
}

static void the_scenarios_have_their_digests(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        uint64_t worms, cycles, digest;
    } golden[] = {
        {"papers/roberts_symvonis/scenarios/bufferless4_rotate.yaml", 16, 17,
         UINT64_C(0xc1c5bbdcc297aee9)},
        {"papers/roberts_symvonis/scenarios/bufferless8_random.yaml", 63, 39,
         UINT64_C(0xd3871584c041da0e)},
    };
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        struct anl_scenario scenario;
        struct anl_error error = {0};
        if (anl_scenario_load(golden[i].path, &scenario, &error)) fail_msg("%s", error.text);
        const struct outcome outcome = run(&scenario, true);
        assert_int_equal(outcome.result.end, ANL_RUN_COMPLETE);
        assert_int_equal(outcome.result.totals.delivered, golden[i].worms);
        assert_int_equal(outcome.result.totals.queued, 0);
        assert_int_equal(outcome.result.cycles, golden[i].cycles);
        assert_int_equal(outcome.result.digest, golden[i].digest);
        assert_int_equal(outcome.result.violation.rule, ANL_RULE_NONE);
        assert_int_equal(outcome.late, 0);
        anl_scenario_free(&scenario);
    }
}

// Runs messages on a 3 x 3 mesh.
static struct outcome run_messages(const char *messages, bool observed)
{
    char path[64], text[256];
    struct anl_scenario scenario;
    struct anl_error error = {0};
    snprintf(path, sizeof path, "/tmp/annelid-bufferless-%ld.txt", (long)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(messages, file);
    fclose(file);
    snprintf(text, sizeof text,
             "network: {topology: mesh, k: 3, n: 2}\nswitch: {kind: bufferless}\n"
             "traffic: {process: replay, messages: %s}\nrun: {max_cycles: %s}\n",
             path, observed ? "10000" : "1000000000000");
    if (anl_scenario_parse(text, strlen(text), "test", "", &scenario, &error))
        fail_msg("%s", error.text);
    const struct outcome outcome = run(&scenario, observed);
    anl_scenario_free(&scenario);
    remove(path);
    return outcome;
}

// The two worms of papers/roberts_symvonis/bufferless.md: latency is d + k, from the first flit to
// the last.
static void two_worms_are_counted(void **state)
{
    (void)state;
    const struct outcome outcome = run_messages("1 0 2 3\n5 1 5 3\n", true);
    assert_int_equal(outcome.result.end, ANL_RUN_COMPLETE);
    assert_int_equal(outcome.result.cycles, 10);
    assert_int_equal(outcome.result.totals.flit_hops, 18);
    assert_int_equal(outcome.result.totals.ejected_flits, 6);
    assert_int_equal(outcome.result.measured, 2);
    assert_int_equal(outcome.result.latency_min, 5);
    assert_int_equal(outcome.result.latency_max, 5);
    assert_int_equal(outcome.result.violation.rule, ANL_RULE_NONE);
    assert_string_equal(outcome.result.fault, "");
}

// The second worm starts in the step in which the first one has gone, or much later.
static void pauses_are_skipped(void **state)
{
    (void)state;
    static const uint64_t starts[] = {6, 7, 8, 999999999};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        char messages[64];
        snprintf(messages, sizeof messages, "1 0 2 3\n%llu 1 5 3\n", (unsigned long long)starts[i]);
        const struct outcome outcome = run_messages(messages, false);
        assert_int_equal(outcome.result.end, ANL_RUN_COMPLETE);
        assert_int_equal(outcome.result.totals.delivered, 2);
        assert_int_equal(outcome.result.cycles, starts[i] + 5);
        assert_int_equal(outcome.result.latency_max, 5);
    }
    const struct outcome seen = run_messages("1 0 2 3\n2000 1 5 3\n", true);
    assert_int_equal(seen.result.violation.rule, ANL_RULE_NONE);
    assert_int_equal(seen.late, 0);
}

static void a_fault_ends_the_run(void **state)
{
    (void)state;
    char line[ANL_RUN_LINE_BYTES];
    const struct outcome outcome = run_messages("1 0 2 3\n4 1 5 3\n", true);
    assert_int_equal(outcome.result.end, ANL_RUN_FAULT);
    assert_int_equal(outcome.result.cycles, 5);
    assert_string_equal(outcome.result.fault, "step 4, (0,1).E: worms 0 and 1 collide");
    assert_int_equal(outcome.result.violation.rule,
                     ANL_RULE_OF(ANL_BUFFERLESS, ANL_BUFFERLESS_NO_IDLE));
    assert_int_equal(outcome.result.violation.cycle, 5);
    assert_true(anl_run_line(&outcome.result, ANL_LINE_END, line, sizeof line));
    assert_string_equal(line, "end         fault after 5 cycles");
    assert_true(anl_run_line(&outcome.result, ANL_LINE_FAULT, line, sizeof line));
    assert_string_equal(line, "fault       step 4, (0,1).E: worms 0 and 1 collide");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scenarios_have_their_digests),
        cmocka_unit_test(two_worms_are_counted),
        cmocka_unit_test(pauses_are_skipped),
        cmocka_unit_test(a_fault_ends_the_run),
    };
    return cmocka_run_group_tests_name("run_bufferless", tests, NULL, NULL);
}
