// SPDX-License-Identifier: Apache-2.0
//
// The paper of Cole, Maggs and Sitaraman: its data files, the engine's greedy runs against a slow
// oracle, the recursions, and invariants and verdicts that can fail.

#include "unit_papers.h"
#include "unit_worm_steps.h"

#include "papers/cole_maggs_sitaraman/program/cole_maggs_sitaraman.h"

#include <stdlib.h>
#include <string.h>

static const char levelled[] = "# remark\n8,4,3,6,1,20,4,0,50,2,1,0.2\n";
static const char worst[] = "1,4,1,10,1,grouped,wide,4,0,0.1,1\n";
static const char single[] = "4,1,10,5,0.70338\n";
static const char rounds[] = "3,3,3,1,1,4,2,0,0,0,0\n";
static const char stalling[] = "3,2,3,1,2,1,0,0.1\n";
static const char claims[] = "blocked,0,0,a sentence\nleast,1,10,another\n";

// The experiments are good if they are not there.
static void write_data(const char *const data[7])
{
    static const char *const names[] = {"levelled.csv",   "worst.csv",    "single.csv",
                                        "rounds.csv",     "stalling.csv", "claims.csv",
                                        "experiments.csv"};
    for (size_t i = 0; i < 7; i++)
        write_file(names[i], data[i] ? data[i] : "passes,random,4,2,1,40,5,0.5,0.7\n");
}

static void data_are_read(void **state)
{
    (void)state;
    struct plan plan;
    struct anl_error error;
    write_data((const char *const[]){levelled, worst, single, rounds, stalling, claims, NULL});
    if (plan_read(directory, &plan, &error)) fail_msg("%s: %s", error.file, error.text);
    assert_true(plan.num_levelled == 1 && plan.levelled[0].width == 8);
    assert_true(plan.worst[0].distinct == 4 && !plan.worst[0].interleaved && plan.worst[0].brief);
    assert_near(plan.single[0].unit, 1e-5, 1e-12);
    assert_true(plan.rounds[0].q == 3 && plan.stalling[0].levels == 3);
    assert_true(plan.experiments[0].what == WHAT_RANDOM && plan.experiments[0].x == 2);
    assert_int_equal(plan.claims[1].kind, CLAIM_LEAST);
    assert_string_equal(plan.claims[0].sentence, "a sentence");
    plan_free(&plan);
}

static void bad_data_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *data[7], *file;
        uint64_t line;
    } bad[] = {
        {{"1,4,3,6,1,20,4,0,50,2,1,0.2\n", worst, single, rounds, stalling, claims},
         "levelled.csv",
         1},
        {{"8,4,3,6,1,20,4,0,50,65,1,0.2\n", worst, single, rounds, stalling, claims},
         "levelled.csv",
         1},
        {{levelled, worst, "4,1,1001,5,0.70338\n", rounds, stalling, claims}, "single.csv", 1},
        {{levelled, worst, single, "3,3,3,1,1,1001,2,0,0,0,0\n", stalling, claims},
         "rounds.csv",
         1},
        {{levelled, "1,4,1,10,1,sorted,wide,4,0,0.1,1\n", single, rounds, stalling, claims},
         "worst.csv",
         1},
        {{levelled, worst, "#\n4,1,10,5\n", rounds, stalling, claims}, "single.csv", 2},
        {{levelled, worst, single, "3,0,3,1,1,4,2,0,0,0,0\n", stalling, claims}, "rounds.csv", 1},
        {{levelled, worst, single, rounds, "3,2,3,9,2,1,0,0.1\n", claims}, "stalling.csv", 1},
        {{levelled, worst, single, rounds, stalling, "soon,0,0,x\n"}, "claims.csv", 1},
        {{levelled, worst, single, rounds, stalling, claims, "passes,sorted,4,2,1,40,5,0,1\n"},
         "experiments.csv",
         1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct plan plan;
        struct anl_error error;
        write_data(bad[i].data);
        assert_int_equal(plan_read(directory, &plan, &error), ANL_ERR_FORMAT);
        assert_non_null(strstr(error.file, bad[i].file));
        assert_int_equal(error.line, bad[i].line);
        plan_free(&plan);
    }
}

// --- greedy runs ---

static struct anl_instance worst_case(uint32_t vcs, uint32_t distinct, uint32_t copies,
                                      bool interleaved)
{
    struct anl_instance instance;
    const struct anl_worst_case how = {vcs, distinct, copies, interleaved, 0, 0};
    assert_int_equal(anl_worst_case_make(&how, &instance, NULL), ANL_OK);
    return instance;
}

// The oracle gives the numbers that an older program found, exactly.
static void the_oracle_gives_the_printed_steps(void **state)
{
    (void)state;
    static const struct {
        uint32_t vcs, distinct, copies, lanes, steps;
        bool interleaved;
    } printed[] = {
        {1, 11, 1, 1, 428, false},  {1, 11, 1, 2, 56, false},  {1, 11, 6, 1, 2536, false},
        {1, 11, 6, 2, 1260, false}, {1, 11, 6, 1, 2478, true}, {1, 11, 6, 2, 546, true},
        {2, 6, 4, 2, 478, false},   {3, 6, 3, 3, 247, false},
    };
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        struct anl_instance instance = worst_case(printed[i].vcs, printed[i].distinct,
                                                  printed[i].copies, printed[i].interleaved);
        assert_int_equal(count_worm_steps(&instance, printed[i].lanes, 38, BY_MESSAGE),
                         printed[i].steps);
        anl_instance_free(&instance);
    }
}

static struct run simulate_greedy(const struct anl_instance *instance, uint32_t lanes,
                                  uint32_t length, const uint64_t *starts)
{
    struct run run;
    struct anl_error error;
    const struct how_to_run how = {.directory = directory,
                                   .name = "instance",
                                   .lanes = lanes,
                                   .link = LINK_WIDE,
                                   .length = (uint16_t)length,
                                   .starts = starts};
    if (simulate(instance, &how, &run, &error)) fail_msg("%s: %s", error.file, error.text);
    assert_true(run.complete);
    return run;
}

static void check_greedy(struct anl_instance *instance, uint32_t length)
{
    for (uint32_t lanes = 1; lanes <= 3; lanes++)
        assert_int_equal(simulate_greedy(instance, lanes, length, NULL).steps,
                         count_worm_steps(instance, lanes, length, BY_PORT));
    anl_instance_free(instance);
}

// The engine's greedy runs take as many steps as those of the oracle with the switch's order.
static void the_engine_takes_the_oracles_steps(void **state)
{
    (void)state;
    struct anl_instance instance;
    for (uint32_t copies = 1; copies <= 3; copies++)
        for (uint32_t order = 0; order < 2; order++) {
            instance = worst_case(1, 5, copies, order);
            check_greedy(&instance, 5 + copies);
            instance = worst_case(2, 5, copies, order);
            check_greedy(&instance, 12);
        }
    for (uint32_t seed = 1; seed <= unit_trials(12); seed++) {
        const struct levelled row = {.width = 8, .dilation = 7, .congestion = 5};
        assert_int_equal(levelled_make(&row, seed, &instance), ANL_OK);
        check_greedy(&instance, 1 + seed);
        assert_int_equal(butterfly_make(3, 3, seed, &instance), ANL_OK);
        check_greedy(&instance, 4);
    }
}

// I3: worms of one colour that all start together wait for nobody, and those of two colours do.
static void a_schedule_that_is_too_early_blocks_worms(void **state)
{
    (void)state;
    struct anl_instance instance = worst_case(1, 4, 1, false);
    uint64_t starts[4] = {0, 10 + 5 - 1, 2 * (10 + 5 - 1), 3 * (10 + 5 - 1)};
    assert_int_equal(simulate_greedy(&instance, 1, 10, starts).blocked, 0);
    starts[1]--;
    starts[2]--;
    starts[2]--;
    starts[3] -= 10;
    assert_true(simulate_greedy(&instance, 1, 10, starts).blocked > 0);
    anl_instance_free(&instance);
}

static void check_schedule_of_levelled(const struct results *results, const struct levelled *row)
{
    struct levelled_result result = {.row = row};
    struct anl_error error;
    if (measure_levelled(results, &result, &error)) fail_msg("%s: %s", error.file, error.text);
    assert_int_equal(result.blocked, 0);
    assert_int_equal(result.uneven, 0);
}

static void check_schedule_of_worst(const struct results *results, const struct worst *row)
{
    struct worst_result result = {.row = row};
    struct anl_error error;
    if (measure_worst(results, &result, &error)) fail_msg("%s: %s", error.file, error.text);
    assert_int_equal(result.blocked, 0);
    assert_int_equal(result.uneven, 0);
}

// No worm of a schedule waits, and it takes as long as it should; also where a colour begins on the
// links on which the one before ended, whose lanes of one flit are free a step after its tails.
static void schedules_never_block(void **state)
{
    (void)state;
    const struct results results = {.directory = directory};
    for (uint32_t trial = 0; trial < 24; trial++) {
        const struct levelled levels = {.width = 2 + trial % 5,
                                        .dilation = 1 + trial % 4,
                                        .congestion = 2 + trial % 7,
                                        .length = 1 + trial % 3,
                                        .vcs = 1 + trial % 2,
                                        .seeds = 1};
        const struct worst slow = {.vcs = 1 + trial % 2,
                                   .distinct = 3 + trial % 3,
                                   .copies = 1 + trial % 4,
                                   .length = 6,
                                   .lanes = 2,
                                   .interleaved = trial % 8 > 3};
        check_schedule_of_levelled(&results, &levels);
        check_schedule_of_worst(&results, &slow);
    }
}

static void check_levelled(const struct levelled *row)
{
    struct anl_instance instance;
    struct anl_link_measures measures;
    assert_int_equal(levelled_make(row, 3, &instance), ANL_OK);
    assert_int_equal(anl_link_paths_measure(&instance.paths, &measures), ANL_OK);
    assert_int_equal(measures.congestion, row->congestion);
    assert_int_equal(measures.dilation, row->dilation);
    for (uint32_t m = 0; m < instance.paths.messages; m++)
        for (size_t i = instance.paths.begin[m] + 1; i < instance.paths.begin[m + 1]; i++)
            assert_int_equal(instance.to[instance.paths.on[i - 1]],
                             instance.from[instance.paths.on[i]]);
    anl_instance_free(&instance);
}

static void levelled_paths_stay_below_the_congestion(void **state)
{
    (void)state;
    check_levelled(&(struct levelled){.width = 10, .dilation = 6, .congestion = 4});
    check_levelled(&(struct levelled){.width = 2, .dilation = 256, .congestion = 9});
    check_levelled(&(struct levelled){.width = 9, .dilation = 100, .congestion = 255});
}

// A path that does not fit into a head is refused with the scenario that asks for it.
static void paths_that_are_too_long_are_refused(void **state)
{
    (void)state;
    const struct levelled row = {
        .width = 2, .dilation = 256, .congestion = 1, .length = 1, .vcs = 1, .seeds = 1};
    const struct results results = {.directory = directory};
    struct levelled_result result = {.row = &row};
    struct anl_error error;
    assert_int_equal(measure_levelled(&results, &result, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.file, "levelled-2-256-1-l1-b1-1.yaml"));
    assert_non_null(strstr(error.text, "the routes do not fit into heads"));
}

// --- the butterfly that discards ---

// Counts what comes through a butterfly of 2 levels for all 256 choices of destinations.
static double delivered_of_all(uint32_t vcs)
{
    const struct anl_discard_shape shape = {2, 1, vcs};
    struct anl_discard *machine;
    uint64_t delivered = 0;
    assert_int_equal(anl_discard_create(&shape, &machine), ANL_OK);
    for (uint32_t choice = 0; choice < 256; choice++) {
        anl_discard_reset(machine);
        for (uint32_t i = 0; i < 4; i++) {
            const struct anl_discard_worm worm = {
                .start = 1, .source = i, .destination = choice >> 2 * i & 3, .length = 2};
            assert_int_equal(anl_discard_enqueue(machine, &worm, NULL), ANL_OK);
        }
        anl_discard_run(machine);
        delivered += anl_discard_totals(machine).delivered;
    }
    anl_discard_destroy(machine);
    return (double)delivered / (4 * 256);
}

static void the_recursion_is_exact(void **state)
{
    (void)state;
    for (uint32_t vcs = 1; vcs <= 3; vcs++)
        assert_near(recursion_single(2, vcs), delivered_of_all(vcs), 1e-12);
    assert_near(recursion_single(4, 1), .70338, 6e-6);
    assert_near(recursion_single(8, 3), .98743, 6e-6);
    assert_near(recursion_undelivered(10, 2, 10, 16), .1474, 6e-5);
}

static void sizes_are_those_of_the_formulas(void **state)
{
    (void)state;
    assert_int_equal(two_pass_colours(10, 10, 1, 1), 100);
    assert_int_equal(two_pass_colours(10, 10, 2, 1), 16);
    assert_int_equal(two_pass_colours(10, 10, 3, 1), 8);
    assert_int_equal(two_pass_colours(6, 6, 2, 2), 15);
    assert_int_equal(two_pass_steps(10, 16, 10), 180);
    assert_int_equal(two_pass_allowed(6, 6), 8);
    assert_int_equal(two_pass_allowed(10, 10), 9);
    assert_int_equal(two_pass_allowed(12, 12), 9);
}

static void all_messages_are_delivered_in_a_few_rounds(void **state)
{
    (void)state;
    for (uint32_t trial = 1; trial <= unit_trials(20); trial++)
        for (uint32_t vcs = 1; vcs <= 3; vcs++) {
            const struct two_pass how = {4, 4, 5, vcs, two_pass_colours(4, 4, vcs, 1), trial, 1};
            struct two_pass_result result;
            assert_int_equal(two_pass_run(&how, 20, &result), ANL_OK);
            assert_true(result.rounds >= 1 && result.rounds <= two_pass_allowed(4, 4));
            assert_true(result.most_copies >= 4);
            assert_int_equal(result.broken, 0);
            assert_int_equal(result.steps, result.rounds * two_pass_steps(4, how.colours, 5));
        }
}

// --- invariants that are broken once ---

enum { SENT = 4 };
static const struct anl_discard_shape small = {2, 1, 1};

// Two worms meet at the first link of the second level, and one of them is discarded.
static void send_some(struct sent *sent)
{
    static const struct anl_discard_worm worms[SENT] = {
        {1, 0, 0, 0, 3}, {1, 1, 0, 3, 3}, {1, 2, 0, 0, 3}, {4, 3, 0, 2, 3}};
    struct anl_discard *machine;
    assert_int_equal(anl_discard_create(&small, &machine), ANL_OK);
    for (uint32_t i = 0; i < SENT; i++)
        assert_int_equal(anl_discard_enqueue(machine, &worms[i], NULL), ANL_OK);
    anl_discard_run(machine);
    for (uint32_t i = 0; i < SENT; i++)
        sent[i] = (struct sent){worms[i], anl_discard_outcome(machine, i)};
    anl_discard_destroy(machine);
}

static uint64_t broken_in(const struct sent *sent, uint64_t last_step)
{
    uint64_t broken;
    assert_int_equal(rounds_check(&small, sent, SENT, last_step, &broken), ANL_OK);
    return broken;
}

static void each_invariant_of_a_round_can_be_broken(void **state)
{
    (void)state;
    struct sent sent[SENT];
    send_some(sent);
    assert_int_equal(sent[2].outcome.fate, ANL_DISCARD_DISCARDED);
    assert_int_equal(broken_in(sent, 7), 0);
    assert_int_equal(broken_in(sent, 6), 1);  // I10: the last flit comes in step 7
    sent[0].outcome.step++;                   // I2: a flit was late
    assert_int_equal(broken_in(sent, 7), 1);
    send_some(sent);
    sent[2].outcome.step++;  // a head found no lane in another step than that in which it came
    assert_int_equal(broken_in(sent, 7), 1);
    send_some(sent);
    sent[2].outcome = sent[0].outcome;  // I1: two worms on one lane
    assert_int_equal(broken_in(sent, 7), 1);
    send_some(sent);
    sent[1].outcome = (struct anl_discard_outcome){ANL_DISCARD_DISCARDED, 1, 2, 0};
    assert_true(broken_in(sent, 7) >= 1);  // discarded, though nobody had the lane
    send_some(sent);
    sent[3].worm.start = 1;  // I10: a worm of another colour starts with these
    assert_true(broken_in(sent, 7) >= 1);
}

// --- verdicts ---

static void verdicts_fail_where_they_must(void **state)
{
    (void)state;
    double errors;
    const struct single one = {4, 1, 10, 5, .70338, 1e-5};
    struct single_result single_ = {
        &one, true, recursion_single(4, 1), {.count = 10, .mean = .70, .error = .01}, 0};
    assert_int_equal(check_single(&single_, &errors), VERDICT_PASS);
    single_.fraction.mean = .74;  // I7
    assert_int_equal(check_single(&single_, &errors), VERDICT_FAIL);
    single_.fraction.mean = .70;
    single_.exact = .7035;
    assert_int_equal(check_single(&single_, &errors), VERDICT_FAIL);

    const struct single wide = {.levels = 4, .vcs = 3};
    struct single_result alike = {&wide, true, .997, {.count = 3, .mean = 1}, 0};
    assert_int_equal(check_single(&alike, &errors), VERDICT_PASS);
    alike.exact = 1;
    assert_int_equal(check_single(&alike, &errors), VERDICT_PASS);
    assert_near(errors, 0, 1e-12);
    alike.exact = .8;
    assert_int_equal(check_single(&alike, &errors), VERDICT_FAIL);

    const struct rounds row = {.levels = 6, .undelivered = .2118, .unit = 1e-4};
    struct rounds_result result = {.row = &row,
                                   .done = true,
                                   .recursion = recursion_undelivered(6, 1, 6, 36),
                                   .undelivered = {.mean = .2039}};
    assert_int_equal(check_rounds(&result), VERDICT_PASS);
    result.undelivered.mean = .19;  // I8
    assert_int_equal(check_rounds(&result), VERDICT_FAIL);
    result.undelivered.mean = .2039;
    result.broken = 1;
    assert_int_equal(check_rounds(&result), VERDICT_FAIL);

    const struct experiment claim = {.range = {.least = 1, .most = 2}};
    struct experiment_result found = {.row = &claim, .done = true, .value = 1.5};
    assert_int_equal(check_experiment(&found), VERDICT_PASS);
    found.value = 0.9;
    assert_int_equal(check_experiment(&found), VERDICT_FAIL);
    found.done = false;
    assert_int_equal(check_experiment(&found), VERDICT_NONE);

    assert_int_equal(check_within(10.4, 10, .05), VERDICT_PASS);
    assert_int_equal(check_within(10.6, 10, .05), VERDICT_FAIL);
    assert_int_equal(check_within(10.6, 0, .05), VERDICT_SHOWN);
}

// A plan with a row of each kind, and results that keep all claims but for what is changed.
struct scene {
    struct levelled levelled[2];
    struct worst worst[2];
    struct rounds rounds[2];
    struct plan plan;
    struct levelled_result levelled_results[2];
    struct worst_result worst_results[2];
    struct rounds_result rounds_results[2];
    struct results results;
};

static void set_scene(struct scene *scene)
{
    *scene = (struct scene){
        .levelled = {{.dilation = 9, .congestion = 3, .vcs = 1}, {9, 9, 3, .vcs = 2}},
        .worst = {{1, 11, 6, 38, 1}, {2, 6, 4, 38, 2}},
        .rounds = {{.levels = 6, .q = 6, .length = 6, .vcs = 1, .beta = 1},
                   {.levels = 6, .q = 6, .length = 6, .vcs = 2, .beta = 1}},
        .plan = {.num_levelled = 2, .num_worst = 2, .num_rounds = 2},
        .worst_results = {{.done = true,
                           .measures = {12, 19},
                           .messages = 66,
                           .colours = 66,
                           .schedule = 3696,
                           .greedy = {.steps = 2536},
                           .bound = 1254},
                          {.done = true,
                           .measures = {12, 19},
                           .messages = 24,
                           .colours = 12,
                           .schedule = 672,
                           .greedy = {.steps = 478},
                           .bound = 228}},
        .results = {.plan = &scene->plan,
                    .levelled = scene->levelled_results,
                    .worst = scene->worst_results,
                    .rounds = scene->rounds_results}};
    scene->plan.levelled = scene->levelled;
    scene->plan.worst = scene->worst;
    scene->plan.rounds = scene->rounds;
    for (int i = 0; i < 2; i++) {
        scene->levelled[i].dilation = 9;
        scene->levelled[i].congestion = 3;
        scene->levelled_results[i] = (struct levelled_result){
            .row = &scene->levelled[i], .done = true, .of_bound = .5, .schedule = {.mean = 90}};
        scene->worst_results[i].row = &scene->worst[i];
        scene->rounds_results[i] = (struct rounds_result){
            .row = &scene->rounds[i], .done = true, .most_rounds = 3, .total = {.mean = 660}};
    }
    scene->levelled_results[1].schedule.mean = 30;
    scene->rounds_results[1].total.mean = 120;
}

static enum verdict claim(const struct scene *scene, enum claim_kind kind, double least,
                          double most)
{
    double value;
    const struct claim one = {.kind = kind, .range = {.least = least, .most = most}};
    return check_claim(&scene->results, &one, &value);
}

static void claims_fail_where_they_must(void **state)
{
    (void)state;
    struct scene scene;
    set_scene(&scene);
    assert_int_equal(claim(&scene, CLAIM_BLOCKED, 0, 0), VERDICT_PASS);
    scene.worst_results[1].blocked = 1;  // I3
    assert_int_equal(claim(&scene, CLAIM_BLOCKED, 0, 0), VERDICT_FAIL);
    scene.levelled_results[0].uneven = 1;
    assert_int_equal(claim(&scene, CLAIM_MAKESPAN, 0, 0), VERDICT_FAIL);
    assert_int_equal(claim(&scene, CLAIM_FIRST_FIT, 0, 1), VERDICT_PASS);
    scene.levelled_results[1].of_bound = 1.01;  // I4
    assert_int_equal(claim(&scene, CLAIM_FIRST_FIT, 0, 1), VERDICT_FAIL);
    assert_int_equal(claim(&scene, CLAIM_LEAST, 1, 10), VERDICT_PASS);
    scene.worst_results[0].schedule = 1253;  // I5
    assert_int_equal(claim(&scene, CLAIM_LEAST, 1, 10), VERDICT_FAIL);
    assert_int_equal(claim(&scene, CLAIM_CLASSES, 0, 0), VERDICT_PASS);
    scene.worst_results[1].colours = 11;  // I6
    assert_int_equal(claim(&scene, CLAIM_CLASSES, 0, 0), VERDICT_FAIL);
    assert_int_equal(claim(&scene, CLAIM_GAIN, 1, 100), VERDICT_PASS);
    scene.worst_results[1].greedy.steps = 1269;
    assert_int_equal(claim(&scene, CLAIM_GAIN, 1, 100), VERDICT_FAIL);
    assert_int_equal(claim(&scene, CLAIM_GAIN_LEVELLED, 1.49, 1.51), VERDICT_PASS);
    assert_int_equal(claim(&scene, CLAIM_GAIN_ROUNDS, 2.74, 2.76), VERDICT_PASS);
    assert_int_equal(claim(&scene, CLAIM_ROUNDS, 1, 3), VERDICT_PASS);
    scene.rounds_results[0].most_rounds = 4;  // I9
    assert_int_equal(claim(&scene, CLAIM_ROUNDS, 1, 3), VERDICT_FAIL);
    scene.rounds_results[0].over = 1;
    assert_int_equal(claim(&scene, CLAIM_ALLOWED, 0, 0), VERDICT_FAIL);
    scene.rounds_results[1].broken = 1;
    assert_int_equal(claim(&scene, CLAIM_BROKEN, 0, 0), VERDICT_FAIL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_are_read),
        cmocka_unit_test(bad_data_are_refused_with_their_place),
        cmocka_unit_test(the_oracle_gives_the_printed_steps),
        cmocka_unit_test(the_engine_takes_the_oracles_steps),
        cmocka_unit_test(a_schedule_that_is_too_early_blocks_worms),
        cmocka_unit_test(schedules_never_block),
        cmocka_unit_test(levelled_paths_stay_below_the_congestion),
        cmocka_unit_test(paths_that_are_too_long_are_refused),
        cmocka_unit_test(the_recursion_is_exact),
        cmocka_unit_test(sizes_are_those_of_the_formulas),
        cmocka_unit_test(all_messages_are_delivered_in_a_few_rounds),
        cmocka_unit_test(each_invariant_of_a_round_can_be_broken),
        cmocka_unit_test(verdicts_fail_where_they_must),
        cmocka_unit_test(claims_fail_where_they_must),
    };
    return cmocka_run_group_tests_name("cole_maggs_sitaraman", tests, make_directory,
                                       remove_directory);
}
