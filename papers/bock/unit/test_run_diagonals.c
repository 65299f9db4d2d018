// SPDX-License-Identifier: Apache-2.0
//
// Runs on sliding diagonals: the engine shows the machine of papers/bock/diagonals.md, load by
// load, with worms that fail, by random nodes, and in three dimensions; what a run says; which
// worms are refused; and what the referee of traces sees.

#include "unit.h"

#include <annelid/diagonals.h>
#include <annelid/diagonals_machine.h>
#include <annelid/run.h>
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

// --- the machine itself, load by load ---

enum { MOST_WORMS = 1024 };

// A worm as the page says where it is.
struct place {
    uint32_t node, to;
    bool there;
};

struct beside {
    const struct anl_config *network;
    struct anl_diagonals_config config;
    struct anl_engine *engine;
    struct anl_diagonals *machine;
    struct place places[MOST_WORMS];
    struct anl_diagonals_worm worms[MOST_WORMS];
    uint32_t ids[MOST_WORMS];
    size_t count, delivered, failed;
    uint64_t cycle;  // that the engine runs next
};

// Returns the number of the link that ends at a register, from coordinates alone.
static uint32_t link_to(const struct beside *beside, uint32_t register_)
{
    const uint32_t n = beside->config.n, d = beside->config.d, side = register_ % (2 * d);
    uint32_t stride = 1;
    for (uint32_t dim = 0; dim < side / 2; dim++)
        stride *= n;
    const uint32_t node = register_ / (2 * d), x = node / stride % n;
    const uint32_t before = side % 2 ? (x + 1) % n : (x + n - 1) % n;
    return (node - x * stride + before * stride) * (2 * d + 1) + side;
}

static const struct anl_flit *find(const struct anl_flit *flits, size_t count, uint32_t link,
                                   uint32_t vc)
{
    for (size_t i = 0; i < count; i++)
        if (flits[i].link == link && flits[i].vc == vc) return &flits[i];
    return NULL;
}

// Every move of the machine is a flit of the engine, and there are no others.
static void expect_flits(struct beside *beside)
{
    const uint32_t sides = 2 * beside->config.d;
    size_t num_moves, count;
    const struct anl_diagonals_move *moves = anl_diagonals_moves(beside->machine, &num_moves);
    const struct anl_flit *flits = anl_engine_flits(beside->engine, &count);
    assert_int_equal(count, num_moves);
    for (size_t i = 0; i < num_moves; i++) {
        const bool out = moves[i].to == ANL_DIAGONALS_OUTSIDE;
        const struct anl_flit *flit =
            out ? find(flits, count, moves[i].from / sides * (sides + 1) + sides,
                       moves[i].from % sides)
                : find(flits, count, link_to(beside, moves[i].to), 0);
        assert_non_null(flit);
        assert_int_equal(flit->worm, beside->ids[moves[i].worm]);
        assert_int_equal(flit->index, moves[i].index);
        assert_int_equal(flit->head, flit->index == 0);
        assert_int_equal(flit->tail, flit->index + 1u == beside->config.length);
    }
    for (size_t i = 1; i < count; i++)
        assert_true(flits[i - 1].link < flits[i].link ||
                    (flits[i - 1].link == flits[i].link && flits[i - 1].vc < flits[i].vc));
}

static void run_load(struct beside *beside)
{
    while (!anl_diagonals_done(beside->machine)) {
        size_t delivered;
        anl_diagonals_step(beside->machine);
        anl_engine_step(beside->engine);
        expect_flits(beside);
        anl_engine_delivered(beside->engine, &delivered);
        beside->delivered += delivered;
        beside->cycle++;
    }
}

// Gives all worms that are not there to the machine. Returns false if there are none.
static bool load(struct beside *beside, uint32_t worms)
{
    uint32_t batches;
    beside->count = 0;
    for (uint32_t i = 0; i < worms; i++) {
        if (beside->places[i].there) continue;
        beside->ids[beside->count] = i;
        beside->worms[beside->count++] = (struct anl_diagonals_worm){
            .source = beside->places[i].node, .destination = beside->places[i].to};
    }
    if (!beside->count) return false;
    assert_int_equal(
        anl_diagonals_batch_load(&beside->config, beside->worms, beside->count, &batches), ANL_OK);
    assert_int_equal(anl_diagonals_load(beside->machine, beside->worms, beside->count, NULL),
                     ANL_OK);
    return true;
}

static void note_places(struct beside *beside)
{
    for (size_t i = 0; i < beside->count; i++) {
        const struct anl_worm *worm = anl_engine_worm(beside->engine, beside->ids[i]);
        struct place *place = &beside->places[beside->ids[i]];
        const bool arrived = beside->worms[i].state == ANL_DIAGONALS_DELIVERED;
        place->node = beside->worms[i].node;
        place->there = arrived && place->node == worm->destination;
        if (arrived) place->to = worm->destination;
        beside->failed += !arrived;
    }
}

// The engine runs until the next load can begin, and moves nothing.
static void wait_for_load(struct beside *beside)
{
    const uint64_t period = anl_diagonals_period(&beside->config);
    while (beside->cycle == 0 || (beside->cycle - 1) % period != 0) {
        size_t count;
        anl_engine_step(beside->engine);
        anl_engine_flits(beside->engine, &count);
        assert_int_equal(count, 0);
        beside->cycle++;
    }
}

// Returns how many times a worm failed.
static size_t compare(const char *text, uint32_t each, uint64_t seed)
{
    static struct beside beside;
    struct anl_scenario scenario = parse(text);
    const bool valiant = scenario.network.routing == ANL_VALIANT;
    const uint32_t nodes = anl_shape_of(&scenario.network).terminals;
    struct anl_rng rng = anl_rng_seed(seed, nodes);
    beside = (struct beside){.network = &scenario.network,
                             .config = anl_diagonals_of(&scenario.network)};
    assert_int_equal(anl_engine_create(&scenario.network, &beside.engine), ANL_OK);
    assert_int_equal(anl_diagonals_create(&beside.config, &beside.machine, NULL), ANL_OK);
    assert_int_equal(anl_diagonals_record(beside.machine, true), ANL_OK);
    anl_engine_reset(beside.engine, seed);
    anl_engine_record(beside.engine, true);
    for (uint32_t i = 0; i < nodes * each; i++) {
        const uint32_t to = anl_rng_below(&rng, nodes);
        uint32_t id;
        assert_int_equal(
            anl_engine_enqueue(beside.engine, i % nodes, to, (uint16_t)beside.config.length, &id),
            ANL_OK);
        const uint32_t first = valiant ? anl_engine_worm(beside.engine, id)->path : to;
        beside.places[i] = (struct place){.node = i % nodes, .to = first};
    }
    while (load(&beside, nodes * each)) {
        wait_for_load(&beside);
        run_load(&beside);
        note_places(&beside);
    }
    assert_true(anl_engine_idle(beside.engine));
    const struct anl_engine_totals totals = anl_engine_totals(beside.engine);
    assert_int_equal(totals.delivered, nodes * each);
    assert_int_equal(beside.delivered, nodes * each);
    assert_int_equal(totals.failed, beside.failed);
    anl_engine_destroy(beside.engine);
    anl_diagonals_destroy(beside.machine);
    anl_scenario_free(&scenario);
    return beside.failed;
}

#define SLIDE(k, n, keys, length)                                                                  \
    "network: {topology: torus, k: " #k ", n: " #n "}\nswitch: {kind: diagonals, " keys            \
    "}\ntraffic: {process: batch, length: " #length "}\n"

static void the_engine_shows_the_machine(void **state)
{
    (void)state;
    assert_true(compare(SLIDE(8, 2, "a: 2, c: 2", 1), 1, 1) > 0);
    assert_true(compare(SLIDE(16, 2, "a: 2, c: 4, rounds: paper", 2), 2, 2) > 0);
    assert_true(compare(SLIDE(16, 2, "a: 2, c: 4, routing: valiant", 2), 1, 3) > 0);
    assert_true(compare(SLIDE(8, 3, "a: 2, c: 2, rounds: least", 1), 1, 4) > 0);
    compare(SLIDE(4, 4, "a: 1, c: 2", 1), 1, 5);
}

// A worm that comes in the middle of a period waits for the next one.
static void a_worm_waits_for_the_next_load(void **state)
{
    (void)state;
    struct anl_scenario scenario = parse(SLIDE(8, 2, "a: 2, c: 2", 1));
    const struct anl_diagonals_config config = anl_diagonals_of(&scenario.network);
    const uint64_t period = anl_diagonals_period(&config);
    struct anl_engine *engine;
    const struct anl_ride *rides;
    size_t count;
    assert_int_equal(anl_engine_create(&scenario.network, &engine), ANL_OK);
    assert_int_equal(anl_engine_skip(engine, 7), ANL_OK);
    assert_int_equal(anl_engine_enqueue(engine, 3, 60, 1, NULL), ANL_OK);
    for (uint64_t cycle = 7; cycle < period; cycle++) {
        assert_int_equal(anl_engine_rides(engine, &rides, &count), ANL_OK);
        assert_int_equal(count, 0);
        anl_engine_step(engine);
        assert_int_equal(anl_engine_totals(engine).moved, 0);
    }
    assert_int_equal(anl_engine_rides(engine, &rides, &count), ANL_OK);
    assert_int_equal(count, 1);
    assert_true(rides->start == period + 1 && rides->from == 3 && rides->to == 60);
    anl_engine_step(engine);
    anl_engine_step(engine);
    assert_int_equal(anl_engine_totals(engine).moved, 1);
    anl_engine_destroy(engine);
    anl_scenario_free(&scenario);
}

static void worms_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct anl_scenario scenario = parse(SLIDE(8, 2, "a: 2, c: 2", 1));
    struct anl_engine *engine;
    assert_int_equal(anl_engine_create(&scenario.network, &engine), ANL_OK);
    assert_int_equal(anl_engine_enqueue(engine, 64, 0, 1, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_engine_enqueue(engine, 0, 64, 1, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_engine_enqueue(engine, 0, 1, 2, NULL), ANL_ERR_ARGUMENT);
    const struct anl_worm routed = {.length = 1, .class_ = 1};
    assert_int_equal(anl_engine_enqueue_worm(engine, &routed, NULL), ANL_ERR_ARGUMENT);
    anl_engine_destroy(engine);
    anl_scenario_free(&scenario);
}

static void a_run_says_how_often_worms_failed(void **state)
{
    (void)state;
    struct anl_scenario scenario = parse(SLIDE(8, 2, "a: 2, c: 2", 1));
    struct anl_run_options options = {0};
    struct anl_run_result result;
    char line[ANL_RUN_LINE_BYTES], expected[ANL_RUN_LINE_BYTES];
    assert_int_equal(anl_run(&scenario, &options, &result, NULL), ANL_OK);
    assert_int_equal(result.end, ANL_RUN_COMPLETE);
    assert_true(result.totals.failed > 0);
    assert_true(anl_run_line(&result, ANL_LINE_WORMS, line, sizeof line));
    snprintf(expected, sizeof expected,
             "worms       64 created, 64 delivered, %llu times one failed on its way",
             (unsigned long long)result.totals.failed);
    assert_string_equal(line, expected);
    anl_scenario_free(&scenario);
}

// --- the referee ---

enum lie_kind { LOST, OTHER_LINK, OTHER_LANE, DOUBLED, OTHER_INDEX, LATE, EARLY_END, KINDS };
struct lie {
    enum lie_kind what;
    uint64_t number;  // of the flit that it is about; UINT64_MAX: no lie
};

// Tells the referee what an engine does, but for one lie. Returns the rule that is broken.
static enum anl_rule judge(const struct anl_scenario *scenario, uint64_t seed, struct lie lie)
{
    struct anl_engine *engine;
    struct anl_referee *referee;
    struct anl_flit kept[4096], late = {0};
    uint64_t number = 0;
    bool owes = false;
    assert_int_equal(anl_engine_create(&scenario->network, &engine), ANL_OK);
    assert_int_equal(anl_referee_create(&scenario->network, &referee), ANL_OK);
    anl_engine_reset(engine, seed);
    anl_engine_record(engine, true);
    const uint32_t nodes = anl_shape_of(&scenario->network).terminals;
    struct anl_rng rng = anl_rng_seed(seed, nodes);
    for (uint32_t i = 0; i < nodes; i++) {
        assert_int_equal(anl_engine_enqueue(engine, i, anl_rng_below(&rng, nodes),
                                            (uint16_t)scenario->network.diagonals.length, NULL),
                         ANL_OK);
        anl_referee_worm(referee, anl_engine_worm(engine, i));
    }
    while (!anl_engine_idle(engine)) {
        size_t count, told = 0;
        const uint64_t cycle = anl_engine_cycle(engine);
        anl_engine_step(engine);
        const struct anl_flit *flits = anl_engine_flits(engine, &count);
        if (owes) kept[told++] = late;
        owes = false;
        for (size_t i = 0; i < count; i++, number++) {
            struct anl_flit flit = flits[i];
            const bool here = number == lie.number;
            if (here && lie.what == LOST) continue;
            if (here && lie.what == OTHER_LINK) flit.link ^= 1;
            if (here && lie.what == OTHER_LANE) flit.vc ^= 1;
            if (here && lie.what == OTHER_INDEX) flit.index ^= 1;
            if (here && lie.what == DOUBLED) kept[told++] = flit;
            if (here && lie.what == LATE) {
                late = flit;
                owes = true;
                continue;
            }
            kept[told++] = flit;
        }
        if (lie.what == EARLY_END && number > lie.number) break;
        if (told) anl_referee_flits(referee, cycle, kept, told);
    }
    anl_referee_end(referee, anl_engine_cycle(engine), true);
    const struct anl_violation *violation = anl_referee_violation(referee);
    const enum anl_rule rule = violation ? violation->rule : ANL_RULE_NONE;
    assert_int_equal(anl_referee_status(referee), ANL_OK);
    if (violation) assert_non_null(strstr(violation->text, "cycle "));
    anl_engine_destroy(engine);
    anl_referee_destroy(referee);
    return rule;
}

static void the_referee_judges_every_load(void **state)
{
    (void)state;
    static const char *const texts[] = {SLIDE(8, 2, "a: 2, c: 2", 1),
                                        SLIDE(16, 2, "a: 2, c: 4, rounds: paper", 2),
                                        SLIDE(16, 2, "a: 2, c: 4, routing: valiant", 2),
                                        SLIDE(8, 3, "a: 2, c: 2, rounds: least", 1),
                                        SLIDE(10, 3, "a: 1, c: 2", 1),
                                        SLIDE(4, 2, "a: 2, c: 2", 2)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct anl_scenario scenario = parse(texts[i]);
        assert_int_equal(judge(&scenario, i + 1, (struct lie){LOST, UINT64_MAX}), ANL_RULE_NONE);
        anl_scenario_free(&scenario);
    }
}

// Flits of the first load and of the clean-up; a lie is seen wherever it is.
static void the_referee_sees_false_steps(void **state)
{
    (void)state;
    struct anl_scenario scenario = parse(SLIDE(4, 2, "a: 2, c: 2", 2));
    for (enum lie_kind what = LOST; what < KINDS; what++)
        for (uint64_t number = 0; number < 900;
             number += (1 + number % 7 * (unit_share() > 1)) * unit_step(2)) {
            const struct lie lie = {what, number};
            if (judge(&scenario, 3, lie) == ANL_RULE_NONE)
                fail_msg("lie %d about flit %llu is not seen", (int)what,
                         (unsigned long long)number);
        }
    anl_scenario_free(&scenario);
}

static void worms_that_cannot_be_are_seen(void **state)
{
    (void)state;
    struct anl_scenario scenario = parse(SLIDE(8, 2, "a: 2, c: 2", 1));
    const struct anl_worm bad[] = {{.source = 64, .length = 1},
                                   {.destination = 64, .length = 1},
                                   {.length = 2},
                                   {.length = 1, .id = 1},
                                   {.length = 1, .class_ = 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct anl_referee *referee;
        assert_int_equal(anl_referee_create(&scenario.network, &referee), ANL_OK);
        assert_false(anl_referee_worm(referee, &bad[i]));
        assert_int_equal(anl_referee_violation(referee)->rule, ANL_RULE_UNKNOWN_WORM);
        anl_referee_destroy(referee);
    }
    anl_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_engine_shows_the_machine),
        cmocka_unit_test(a_worm_waits_for_the_next_load),
        cmocka_unit_test(worms_that_cannot_be_are_refused),
        cmocka_unit_test(a_run_says_how_often_worms_failed),
        cmocka_unit_test(the_referee_judges_every_load),
        cmocka_unit_test(the_referee_sees_false_steps),
        cmocka_unit_test(worms_that_cannot_be_are_seen),
    };
    return cmocka_run_group_tests_name("run_diagonals", tests, NULL, NULL);
}
