// SPDX-License-Identifier: Apache-2.0
//
// The paper of Bock, Meyer auf der Heide and Scheideler: its data files, its runs, and verdicts
// that can fail.

#include "unit_papers.h"

#include "papers/bock/program/bock.h"

#include <stdlib.h>
#include <string.h>

#define CASE "function,64,2,1,4,1,8,paper,0,3,1,2168,0,3000\n"
#define CLAIM "rounds,0,1,6,a sentence\n"

static void data_are_read(void **state)
{
    (void)state;
    struct plan plan;
    struct anl_error error;
    write_file("cases.csv", "# remark\n" CASE "tornado,64,2,2,4,1,16,short,8,1,0,0,0,0\n");
    write_file("claims.csv", CLAIM "falls,2,0,1,another\n");
    if (plan_read(directory, &plan, &error)) fail_msg("%s: %s", error.file, error.text);
    assert_int_equal(plan.num_studies, 2);
    assert_int_equal(plan.studies[0].batches, 4);
    assert_int_equal(plan.studies[0].config.forward, 16);
    assert_int_equal(plan.studies[1].traffic, TRAFFIC_TORNADO);
    assert_int_equal(plan.studies[1].config.rounds, 8);
    assert_int_equal(plan.claims[1].kind, CLAIM_FALLS);
    assert_string_equal(plan.claims[1].sentence, "another");
    plan_free(&plan);
}

static void bad_data_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *cases, *claims, *file, *says;
    } bad[] = {
        {"function,64,2,3,4,1,8,paper,0,3,1,0,0,0\n", CLAIM, "cases.csv", "a b L to divide n"},
        {"function,64,2,1,4,1,8,longer,0,3,1,0,0,0\n", CLAIM, "cases.csv", "expected one of those"},
        {"function,64,2,1,4,1,8,paper,5,3,1,0,0,0\n", CLAIM, "cases.csv", "divides n"},
        {"nobody,64,2,1,4,1,8,paper,0,3,1,0,0,0\n", CLAIM, "cases.csv", "expected one of those"},
        {CASE, "round,0,1,6,a sentence\n", "claims.csv", "expected one of those"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct plan plan;
        struct anl_error error;
        write_file("cases.csv", bad[i].cases);
        write_file("claims.csv", bad[i].claims);
        assert_int_equal(plan_read(directory, &plan, &error), ANL_ERR_FORMAT);
        assert_non_null(strstr(error.file, bad[i].file));
        if (!strstr(error.text, bad[i].says)) fail_msg("%zu: %s", i, error.text);
        plan_free(&plan);
    }
}

// --- runs and verdicts ---

static struct study study_of(enum traffic traffic, uint32_t n, uint32_t c)
{
    struct study study = {.traffic = traffic,
                          .traffic_name = "",
                          .config = {.n = n, .d = 2, .length = 1, .a = 4, .b = 1, .c = c},
                          .batches = 4,
                          .range = {.least = 0, .most = 0}};
    anl_diagonals_paper_rounds(&study.config);
    return study;
}

static void every_permutation_arrives(void **state)
{
    (void)state;
    for (int traffic = TRAFFIC_FUNCTION; traffic <= TRAFFIC_RELATION; traffic++) {
        const struct study study = study_of((enum traffic)traffic, 16, 4);
        struct run run;
        assert_int_equal(measure_run(&study, 1, &run, NULL), ANL_OK);
        const bool twice = traffic == TRAFFIC_RELATION;
        assert_int_equal(run.worms, twice ? 512 : 256);
        assert_int_equal(run.undelivered, 0);
        assert_between(run.batches, traffic == TRAFFIC_FUNCTION ? 4 : 8, 40);
        assert_int_equal(run.cycles % anl_diagonals_cycles(&study.config, 1), 0);
    }
}

static void verdicts_can_fail(void **state)
{
    (void)state;
    struct study small = study_of(TRAFFIC_FUNCTION, 32, 16), large = small;
    large.config.n = 64;
    struct run runs[2] = {{true, .worms = 1000, .cycles = 100, .rounds = 3},
                          {true, .worms = 1000, .cycles = 150, .rounds = 4}};
    struct result of[2] = {{&small, 1, &runs[0]}, {&large, 1, &runs[1]}};
    const struct results results = {.of = of, .count = 2};
    const struct claim falls = {.kind = CLAIM_FALLS, .length = 1, .range = {.least = 0, .most = 1}};
    const struct claim rounds = {.kind = CLAIM_ROUNDS, .range = {.least = 1, .most = 4}};
    const struct claim home = {.kind = CLAIM_DELIVERED};
    const struct claim valiant = {.kind = CLAIM_VALIANT};
    double value;
    assert_int_equal(check_cycles(&of[0]), VERDICT_SHOWN);
    small.cycles = 100;
    assert_int_equal(check_cycles(&of[0]), VERDICT_PASS);
    small.cycles = 101;
    assert_int_equal(check_cycles(&of[0]), VERDICT_FAIL);
    assert_int_equal(check_failures(&of[0], &value), VERDICT_PASS);
    runs[0].failed = 1;
    assert_int_equal(check_failures(&of[0], &value), VERDICT_FAIL);
    assert_near(value, 1000, 1e-9);
    assert_int_equal(check_claim(&results, &falls, &value), VERDICT_PASS);
    assert_near(value, 0.75, 1e-9);
    runs[1].cycles = 201;
    assert_int_equal(check_claim(&results, &falls, &value), VERDICT_FAIL);
    assert_int_equal(check_claim(&results, &rounds, &value), VERDICT_PASS);
    runs[0].rounds = 5;
    assert_int_equal(check_claim(&results, &rounds, &value), VERDICT_FAIL);
    assert_int_equal(check_claim(&results, &home, &value), VERDICT_PASS);
    runs[1].undelivered = 1;
    assert_int_equal(check_claim(&results, &home, &value), VERDICT_FAIL);
    assert_int_equal(check_claim(&results, &valiant, &value), VERDICT_NONE);
}

static void failures_must_fall_with_each_column(void **state)
{
    (void)state;
    const struct study few = study_of(TRAFFIC_FUNCTION, 60, 4),
                       more = study_of(TRAFFIC_FUNCTION, 60, 6);
    struct run runs[2] = {{true, .worms = 10000, .failed = 400},
                          {true, .worms = 10000, .failed = 100}};
    struct result of[2] = {{&few, 1, &runs[0]}, {&more, 1, &runs[1]}};
    const struct results results = {.of = of, .count = 2};
    const struct claim columns = {
        .kind = CLAIM_COLUMNS, .length = 1, .range = {.least = 0.2, .most = 0.53}};
    double value;
    assert_int_equal(check_claim(&results, &columns, &value), VERDICT_PASS);
    assert_near(value, 0.5, 1e-9);
    runs[1].failed = 200;
    assert_int_equal(check_claim(&results, &columns, &value), VERDICT_FAIL);
    runs[1].failed = 19;  // too few to say anything
    assert_int_equal(check_claim(&results, &columns, &value), VERDICT_NONE);
}

static void steps_must_fall_with_dimensions(void **state)
{
    (void)state;
    struct study three = study_of(TRAFFIC_FUNCTION, 12, 6), four;
    three.config.a = 2;
    three.config.d = 3;
    four = three;
    four.config.d = 4;
    struct run runs[2] = {{true, .worms = 1, .cycles = 100}, {true, .worms = 1, .cycles = 120}};
    struct result of[2] = {{&three, 1, &runs[0]}, {&four, 1, &runs[1]}};
    const struct results results = {.of = of, .count = 2};
    const struct claim claim = {
        .kind = CLAIM_DIMENSIONS, .length = 1, .range = {.least = 0, .most = 1}};
    double value;
    assert_int_equal(check_claim(&results, &claim, &value), VERDICT_PASS);
    assert_near(value, 0.96, 1e-9);
    runs[1].cycles = 130;
    assert_int_equal(check_claim(&results, &claim, &value), VERDICT_FAIL);
}

static void columns_may_grow_with_the_logarithm(void **state)
{
    (void)state;
    const struct study small = study_of(TRAFFIC_FUNCTION, 60, 12),
                       large = study_of(TRAFFIC_FUNCTION, 120, 15),
                       other = study_of(TRAFFIC_FUNCTION, 240, 30);
    struct run runs[3] = {{true, .worms = 1, .cycles = 100},
                          {true, .worms = 1, .cycles = 180},
                          {true, .worms = 1, .cycles = 9999}};
    struct result of[3] = {{&small, 1, &runs[0]}, {&large, 1, &runs[1]}, {&other, 1, &runs[2]}};
    const struct results results = {.of = of, .count = 3};
    const struct claim claim = {
        .kind = CLAIM_SCALED, .length = 1, .range = {.least = 0, .most = 1}};
    double value;
    assert_int_equal(check_claim(&results, &claim, &value), VERDICT_PASS);
    assert_near(value, 0.9, 1e-9);
    runs[1].cycles = 201;
    assert_int_equal(check_claim(&results, &claim, &value), VERDICT_FAIL);
}

static void failures_must_fall_as_blocks_grow_with_dimensions(void **state)
{
    (void)state;
    struct study three = study_of(TRAFFIC_FUNCTION, 24, 6),
                 four = study_of(TRAFFIC_FUNCTION, 24, 8);
    three.config.a = four.config.a = 2;
    three.config.d = 3;
    four.config.d = 4;
    struct run runs[2] = {{true, .worms = 1000, .failed = 200},
                          {true, .worms = 1000, .failed = 30}};
    struct result of[2] = {{&three, 1, &runs[0]}, {&four, 1, &runs[1]}};
    const struct results results = {.of = of, .count = 2};
    const struct claim claim = {
        .kind = CLAIM_BLOCKS, .length = 1, .range = {.least = 0, .most = 0.2}};
    double value;
    assert_int_equal(check_claim(&results, &claim, &value), VERDICT_PASS);
    assert_near(value, 0.15, 1e-9);
    runs[1].failed = 50;
    assert_int_equal(check_claim(&results, &claim, &value), VERDICT_FAIL);
}

static void work_and_distance_are_those_of_the_worms(void **state)
{
    (void)state;
    const struct study study = study_of(TRAFFIC_TORNADO, 16, 4);
    struct study random = study_of(TRAFFIC_FUNCTION, 16, 4);
    struct run run;
    assert_int_equal(measure_run(&study, 1, &run, NULL), ANL_OK);
    assert_int_equal(run.distance, 256 * 2 * 7);
    struct result result = {&study, 1, &run};
    const struct results results = {.of = &result, .count = 1};
    const struct claim work = {.kind = CLAIM_WORK, .range = {.least = 0, .most = 1}};
    const struct claim distance = {.kind = CLAIM_DISTANCE, .range = {.least = 0.22, .most = 0.28}};
    double value;
    assert_int_equal(check_claim(&results, &work, &value), VERDICT_PASS);
    assert_near(value, 3.5 / (double)run.cycles, 1e-9);  // 14 links of 4 at each node
    run.cycles = 3;
    assert_int_equal(check_claim(&results, &work, &value), VERDICT_FAIL);
    assert_int_equal(check_claim(&results, &distance, &value), VERDICT_NONE);
    result.study = &random;
    assert_int_equal(check_claim(&results, &distance, &value), VERDICT_FAIL);
    run.distance = 256 * 2 * 4;
    assert_int_equal(check_claim(&results, &distance, &value), VERDICT_PASS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_are_read),
        cmocka_unit_test(bad_data_are_refused_with_their_place),
        cmocka_unit_test(every_permutation_arrives),
        cmocka_unit_test(verdicts_can_fail),
        cmocka_unit_test(failures_must_fall_with_each_column),
        cmocka_unit_test(steps_must_fall_with_dimensions),
        cmocka_unit_test(columns_may_grow_with_the_logarithm),
        cmocka_unit_test(failures_must_fall_as_blocks_grow_with_dimensions),
        cmocka_unit_test(work_and_distance_are_those_of_the_worms),
    };
    return cmocka_run_group_tests_name("bock", tests, make_directory, remove_directory);
}
