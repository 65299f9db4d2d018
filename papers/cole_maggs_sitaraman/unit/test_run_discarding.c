// SPDX-License-Identifier: Apache-2.0
//
// Runs with when_blocked drop: the engine shows the flits of the machine of
// papers/cole_maggs_sitaraman/discard.md, with wide links and where lanes share a link; every worm
// is delivered or discarded; what a run says; and the referee sees what is put into it.

#include "unit.h"

#include <annelid/discard.h>
#include <annelid/discarding_referee.h>
#include <annelid/run.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct anl_scenario parse(const char *text)
{
    struct anl_scenario scenario;
    struct anl_error error;
    if (anl_scenario_parse(text, strlen(text), "inline", "", &scenario, &error))
        fail_msg("line %u: %s", (unsigned)error.line, error.text);
    return scenario;
}

// A butterfly with passes and lanes, and Bernoulli traffic.
static struct anl_scenario butterfly(uint32_t passes, uint32_t lanes, bool wide, double load)
{
    char text[512];
    snprintf(text, sizeof text,
             "network: {topology: butterfly, k: 2, n: 4, passes: %" PRIu32 "}\n"
             "switch: {when_blocked: drop, num_vcs: %" PRIu32 ", link: %s}\n"
             "traffic: {load: %g, length: [1, 4, 9]}\nrun: {cycles: 900, seed: 5}\n",
             passes, lanes, wide ? "wide" : "shared", load);
    return parse(text);
}

// --- the machine itself, worm by worm ---

// The engine's worms, given to a machine of the test's own.
struct beside {
    struct anl_engine *engine;
    struct anl_discard *machine;
    struct anl_flit *flits;  // of the step, [lanes]
    size_t count, seen;
    uint32_t turns;
    uint64_t started;  // worms that the machine has
};

static struct beside begin(const struct anl_config *config)
{
    const struct anl_discard_shape shape = {config->n - 1, config->passes, config->num_vcs};
    struct beside beside = {.turns = config->link == ANL_WIDE ? 1 : config->num_vcs};
    assert_int_equal(anl_engine_create(config, &beside.engine), ANL_OK);
    assert_int_equal(anl_discard_create(&shape, &beside.machine), ANL_OK);
    beside.flits = calloc(anl_discard_lanes(beside.machine), sizeof *beside.flits);
    assert_non_null(beside.flits);
    anl_engine_reset(beside.engine, 7);
    anl_engine_record(beside.engine, true);
    return beside;
}

static void end(struct beside *beside)
{
    anl_engine_destroy(beside->engine);
    anl_discard_destroy(beside->machine);
    free(beside->flits);
}

// Worms that are created within a step start with the next one.
static void start_worms(struct beside *beside)
{
    const uint64_t step = anl_discard_steps(beside->machine) + 1;
    for (; beside->started < anl_engine_totals(beside->engine).enqueued; beside->started++) {
        const struct anl_worm *worm = anl_engine_worm(beside->engine, (uint32_t)beside->started);
        const struct anl_discard_worm sent = {step, worm->source / 2, worm->path,
                                              worm->destination / 2, worm->length};
        assert_int_equal(anl_discard_enqueue(beside->machine, &sent, NULL), ANL_OK);
    }
}

static void check_cycle(struct beside *beside, uint64_t cycle)
{
    const uint32_t turn = (uint32_t)(cycle % beside->turns);
    size_t count, at = 0;
    if (turn == 0) {
        start_worms(beside);
        anl_discard_step(beside->machine);
        beside->count = anl_discard_flits(beside->machine, beside->flits);
    }
    anl_engine_step(beside->engine);
    const struct anl_flit *flits = anl_engine_flits(beside->engine, &count);
    for (size_t i = 0; i < beside->count; i++) {
        if (beside->turns > 1 && beside->flits[i].vc != turn) continue;
        assert_true(at < count);
        assert_memory_equal(&flits[at++], &beside->flits[i], sizeof *flits);
    }
    assert_int_equal(at, count);
    beside->seen += count;
}

static void compare(uint32_t passes, uint32_t lanes, bool wide)
{
    enum { CYCLES = 600, PAUSE = 100 };
    struct anl_scenario scenario = butterfly(passes, lanes, wide, 0.1);
    struct beside beside = begin(&scenario.network);
    struct anl_rng rng = anl_rng_seed(lanes, passes);
    for (uint64_t cycle = 0; cycle < CYCLES || !anl_engine_idle(beside.engine); cycle++) {
        const bool pause = cycle / PAUSE % 2 == 1;  // in which the engine comes to rest
        for (uint32_t t = 0; t < 16 && cycle < CYCLES && !pause; t++) {
            if (anl_rng_below(&rng, 20) > 0) continue;
            const uint16_t length = (uint16_t)(1 + anl_rng_below(&rng, 9));
            const uint32_t to = anl_rng_below(&rng, 16);
            assert_int_equal(anl_engine_enqueue(beside.engine, t, to, length, NULL), ANL_OK);
        }
        check_cycle(&beside, cycle);
    }
    const struct anl_engine_totals totals = anl_engine_totals(beside.engine);
    const struct anl_discard_totals machine = anl_discard_totals(beside.machine);
    assert_true(totals.delivered == machine.delivered && totals.discarded == machine.discarded);
    assert_int_equal(totals.delivered + totals.discarded, totals.enqueued);
    assert_true(totals.discarded > 0 || lanes > 2);
    assert_true(totals.flit_hops == beside.seen && totals.flit_hops == machine.moves);
    end(&beside);
    anl_scenario_free(&scenario);
}

static void the_engine_shows_the_machine(void **state)
{
    (void)state;
    for (uint32_t passes = 1; passes <= 2; passes++)
        for (uint32_t lanes = 1; lanes <= 4; lanes++)
            for (int wide = 0; wide <= 1; wide++)
                compare(passes, lanes, wide);
}

static void worms_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct anl_scenario scenario = butterfly(1, 1, true, 0.1);
    struct beside beside = begin(&scenario.network);
    assert_int_equal(anl_engine_enqueue(beside.engine, 16, 0, 1, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_engine_enqueue(beside.engine, 0, 16, 1, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_engine_enqueue(beside.engine, 0, 0, 0, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_engine_totals(beside.engine).enqueued, 0);
    assert_null(anl_engine_worm(beside.engine, 0));
    end(&beside);
    anl_scenario_free(&scenario);
}

// --- whole runs ---

static struct anl_run_result run(const struct anl_scenario *scenario, uint64_t progress)
{
    struct anl_run_result result;
    struct anl_error error;
    const struct anl_run_options options = {
        .digest = true, .referee = true, .progress_cycles = progress, .progress = NULL};
    if (anl_run(scenario, &options, &result, &error)) fail_msg("%s", error.text);
    return result;
}

static void every_worm_comes_to_its_end(void **state)
{
    (void)state;
    for (uint32_t lanes = 1; lanes <= 4; lanes++)
        for (int wide = 0; wide <= 1; wide++) {
            struct anl_scenario scenario = butterfly(2, lanes, wide, 0.4 / (wide ? 1 : lanes));
            const struct anl_run_result result = run(&scenario, 0);
            assert_int_equal(result.end, ANL_RUN_COMPLETE);
            assert_int_equal(result.violation.rule, ANL_RULE_NONE);
            assert_int_equal(result.totals.delivered + result.totals.discarded,
                             result.totals.enqueued);
            assert_true(result.totals.discarded > 0 || lanes > 2);
            assert_false(result.saturation_known);
            // A worm that is delivered never waited: levels of links and flits, the longest of 9.
            assert_true(!wide || result.latency_max == 6 + 9 - 1);
            assert_true(!wide || result.latency_min == 6);
            anl_scenario_free(&scenario);
        }
}

static void a_run_says_how_many_were_discarded(void **state)
{
    (void)state;
    char text[ANL_RUN_LINE_BYTES], expected[64];
    struct anl_scenario scenario = butterfly(1, 1, true, 0.4);
    const struct anl_run_result result = run(&scenario, 0);
    assert_true(anl_run_line(&result, ANL_LINE_WORMS, text, sizeof text));
    snprintf(expected, sizeof expected, " delivered, %" PRIu64 " discarded (",
             result.totals.discarded);
    assert_non_null(strstr(text, expected));
    anl_scenario_free(&scenario);
}

// --- the referee ---

// A run whose flits go to a referee, of which one record is changed.
struct lie {
    uint64_t number;  // of the flit
    enum { LOST, OTHER_LANE, OTHER_LINK, LATE } what;
};

static enum anl_rule judge(const struct anl_scenario *scenario, struct lie lie)
{
    struct anl_engine *engine;
    struct anl_referee *referee;
    struct anl_rng rng = anl_rng_seed(3, 3);
    uint64_t number = 0;
    struct anl_flit kept[512];
    assert_int_equal(anl_engine_create(&scenario->network, &engine), ANL_OK);
    assert_int_equal(anl_referee_create(&scenario->network, &referee), ANL_OK);
    anl_engine_reset(engine, 1);
    anl_engine_record(engine, true);
    size_t late = 0;
    for (uint64_t cycle = 0; cycle < 80 || !anl_engine_idle(engine); cycle++) {
        uint32_t id;
        for (uint32_t t = 0; t < 16 && cycle < 60; t++)
            if (anl_rng_below(&rng, 6) == 0) {
                assert_int_equal(anl_engine_enqueue(engine, t, anl_rng_below(&rng, 16), 3, &id),
                                 ANL_OK);
                anl_referee_worm(referee, anl_engine_worm(engine, id));
            }
        anl_engine_step(engine);
        size_t count, told = late;
        const struct anl_flit *flits = anl_engine_flits(engine, &count);
        late = 0;
        for (size_t i = 0; i < count; i++, number++) {
            struct anl_flit flit = flits[i];
            if (number == lie.number && lie.what == OTHER_LANE) flit.vc ^= 1;
            if (number == lie.number && lie.what == OTHER_LINK) flit.link ^= 1;
            if (number == lie.number && lie.what == LOST) continue;
            if (number == lie.number && lie.what == LATE)
                late = 1;
            else
                kept[told++] = flit;
        }
        anl_referee_flits(referee, cycle, kept, told);
        if (late) kept[0] = flits[0];  // the lie is about the first flit of a cycle
    }
    anl_referee_end(referee, anl_engine_cycle(engine), true);
    const enum anl_rule rule =
        anl_referee_violation(referee) ? anl_referee_violation(referee)->rule : ANL_RULE_NONE;
    anl_engine_destroy(engine);
    anl_referee_destroy(referee);
    return rule;
}

static void the_referee_sees_false_steps(void **state)
{
    (void)state;
    for (int wide = 0; wide <= 1; wide++) {
        struct anl_scenario scenario = butterfly(1, 2, wide, 0.1);
        assert_int_equal(judge(&scenario, (struct lie){UINT64_MAX, LOST}), ANL_RULE_NONE);
        for (uint64_t number = 0; number < 40; number++) {
            assert_true(judge(&scenario, (struct lie){number, LOST}) != ANL_RULE_NONE);
            assert_true(judge(&scenario, (struct lie){number, OTHER_LINK}) != ANL_RULE_NONE);
            if (!wide)
                assert_int_equal(judge(&scenario, (struct lie){number, OTHER_LANE}),
                                 ANL_RULE_OF(ANL_DISCARDING, ANL_DISCARD_ON_TIME));
        }
        assert_true(judge(&scenario, (struct lie){0, LATE}) != ANL_RULE_NONE);
        anl_scenario_free(&scenario);
    }
}

// --- what buffered networks have alone ---

static void parts_and_checkpoints_are_refused(void **state)
{
    struct anl_scenario scenario =
        parse("network: {topology: butterfly, k: 2, n: 2}\nswitch: {when_blocked: drop}\n"
              "traffic: {process: batch, worms_per_terminal: 1}\n");
    static const uint32_t half[12] = {0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    struct anl_checkpoint checkpoint = {.path = "/tmp/annelid-discarding.ckpt", .every = 10};
    const struct anl_run_options options = {.checkpoint = &checkpoint};
    struct anl_network *network;
    struct anl_engine *engine;
    struct anl_run_result result;
    struct anl_error error = {0};
    (void)state;
    assert_int_equal(anl_network_create(&scenario.network, &network), ANL_OK);
    assert_int_equal(anl_engine_create_part(network, half, 0, &engine, &error), ANL_ERR_ARGUMENT);
    assert_null(engine);
    assert_non_null(strstr(error.text, "another kind than buffered"));
    error.text[0] = '\0';
    assert_int_equal(anl_run(&scenario, &options, &result, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "another kind than buffered"));
    anl_network_destroy(network);
    anl_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_engine_shows_the_machine),
        cmocka_unit_test(worms_that_cannot_be_are_refused),
        cmocka_unit_test(every_worm_comes_to_its_end),
        cmocka_unit_test(a_run_says_how_many_were_discarded),
        cmocka_unit_test(the_referee_sees_false_steps),
        cmocka_unit_test(parts_and_checkpoints_are_refused),
    };
    return cmocka_run_group_tests_name("run_discarding", tests, NULL, NULL);
}
