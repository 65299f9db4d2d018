// SPDX-License-Identifier: Apache-2.0
//
// The paper of Roberts and Symvonis: its data files, its schedules, and verdicts that can fail.

#include "unit_papers.h"

#include "papers/roberts_symvonis/roberts_symvonis.h"

#include <stdlib.h>
#include <string.h>

static const char cases[] = "# remark\n2,2,0,1\n4,1,50,10\n";
static const char means[] = "4,1,longest,6.0,50,3\n";
static const char all[] = "2,2,longest,3,2.5417\n";
static const char claims[] = "bound,,0,0,1,a sentence\nlexical,lex-desc-h-v,1,0,1,another\n";

static void write_data(const char *first, const char *second, const char *third, const char *fourth)
{
    write_file("cases.csv", first);
    write_file("means.csv", second);
    write_file("exhaustive.csv", third);
    write_file("claims.csv", fourth);
}

static void data_are_read(void **state)
{
    (void)state;
    struct plan plan;
    struct anl_error error;
    write_data(cases, means, all, claims);
    if (plan_read(directory, &plan, &error)) fail_msg("%s: %s", error.file, error.text);
    assert_int_equal(plan.num_studies, 2);
    assert_true(plan.studies[0].permutations == 0 && plan.studies[1].brief == 10);
    assert_true(plan.cells[0].order == ANL_ORDER_LONGEST && plan.cells[0].count == 50);
    assert_near(plan.cells[0].unit, 0.1, 1e-12);
    assert_near(plan.all_cells[0].unit, 0.0001, 1e-12);
    assert_int_equal(plan.claims[1].kind, CLAIM_LEXICAL);
    assert_string_equal(plan.claims[0].sentence, "a sentence");
    plan_free(&plan);
}

static void bad_data_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *data[4], *file;
        uint64_t line;
    } bad[] = {
        {{"4,0,0,1\n", means, all, claims}, "cases.csv", 1},
        {{"\n4,1,0,1\n", means, all, claims}, "cases.csv", 2},
        {{cases, "4,1,slowest,6.0,50,3\n", all, claims}, "means.csv", 1},
        {{cases, "4,1,longest,6.0,50\n", all, claims}, "means.csv", 1},
        {{cases, means, "4,2,longest,3,2.5\n", claims}, "exhaustive.csv", 1},
        {{cases, means, all, "bond,,0,0,1,x\n"}, "claims.csv", 1},
        {{cases, means, all, "# none\n"}, "claims.csv", 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct plan plan;
        struct anl_error error;
        write_data(bad[i].data[0], bad[i].data[1], bad[i].data[2], bad[i].data[3]);
        assert_int_equal(plan_read(directory, &plan, &error), ANL_ERR_FORMAT);
        assert_true(strstr(error.file, bad[i].file) && error.line == bad[i].line);
        plan_free(&plan);
    }
}

// --- what is measured, and verdicts ---

struct measured {
    struct plan plan;
    struct results results;
    struct result of[2];
};

static void measure(struct measured *measured)
{
    struct anl_error error;
    write_data(cases, means, all, claims);
    *measured = (struct measured){0};
    assert_int_equal(plan_read(directory, &measured->plan, &error), ANL_OK);
    for (size_t i = 0; i < 2; i++) {
        measured->of[i].study = &measured->plan.studies[i];
        assert_int_equal(measure_study(&measured->plan.studies[i], false, &measured->of[i], &error),
                         ANL_OK);
    }
    measured->results = (struct results){&measured->plan, measured->of, 2, false};
}

static enum verdict claimed(const struct measured *measured, enum claim_kind kind, double least,
                            double most)
{
    double value;
    const struct claim claim = {.kind = kind,
                                .order = ANL_ORDER_H_V_DESC,
                                .k = kind == CLAIM_LEXICAL ? 1 : 0,
                                .range = {.least = least, .most = most}};
    return check_claim(&measured->results, &claim, &value);
}

static void schedules_are_held_against_what_is_known(void **state)
{
    (void)state;
    struct measured measured;
    measure(&measured);
    assert_int_equal(measured.of[0].orders[ANL_ORDER_LONGEST].sample.count, 24);
    assert_int_equal(check_all(&measured.results, &measured.plan.all_cells[0]), VERDICT_PASS);
    struct cell cell = measured.plan.all_cells[0];
    cell.mean += 0.0002;
    assert_int_equal(check_all(&measured.results, &cell), VERDICT_FAIL);
    cell = measured.plan.all_cells[0];
    cell.largest = 4;
    assert_int_equal(check_all(&measured.results, &cell), VERDICT_FAIL);
    cell.n = 3;
    assert_int_equal(check_all(&measured.results, &cell), VERDICT_NONE);
    plan_free(&measured.plan);
}

static void means_may_differ_by_chance_alone(void **state)
{
    (void)state;
    struct measured measured;
    double distance;
    measure(&measured);
    const struct sample *ours = &measured.of[1].orders[ANL_ORDER_LONGEST].sample;
    struct cell cell = measured.plan.cells[0];
    assert_int_equal(ours->count, 50);
    cell.mean = ours->mean + 2 * ours->error;
    assert_int_equal(check_mean(&measured.results, &cell, &distance), VERDICT_PASS);
    cell.mean = ours->mean + 6 * ours->error;
    assert_int_equal(check_mean(&measured.results, &cell, &distance), VERDICT_FAIL);
    assert_true(distance > 3);
    plan_free(&measured.plan);
}

static void claims_can_fail(void **state)
{
    (void)state;
    struct measured measured;
    measure(&measured);
    assert_int_equal(claimed(&measured, CLAIM_BOUND, 0, 1), VERDICT_PASS);
    assert_int_equal(claimed(&measured, CLAIM_LEXICAL, 0, 1), VERDICT_PASS);
    assert_int_equal(claimed(&measured, CLAIM_BROKEN, 0, 0), VERDICT_PASS);
    assert_int_equal(claimed(&measured, CLAIM_POWER, 0, 1), VERDICT_NONE);
    // 3 n - 3 is 9 for n = 4; a makespan of 10 is too long, and so is 15 for any order.
    measured.of[1].orders[ANL_ORDER_H_V_DESC].makespan = 10;
    assert_int_equal(claimed(&measured, CLAIM_LEXICAL, 0, 1), VERDICT_FAIL);
    assert_int_equal(claimed(&measured, CLAIM_DESCENDING, 0, 1), VERDICT_FAIL);
    assert_int_equal(claimed(&measured, CLAIM_BOUND, 0, 1), VERDICT_PASS);
    measured.of[1].orders[ANL_ORDER_RANDOM].makespan = 15;
    assert_int_equal(claimed(&measured, CLAIM_BOUND, 0, 1), VERDICT_FAIL);
    measured.of[0].broken = 1;
    assert_int_equal(claimed(&measured, CLAIM_BROKEN, 0, 0), VERDICT_FAIL);
    plan_free(&measured.plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_are_read),
        cmocka_unit_test(bad_data_are_refused_with_their_place),
        cmocka_unit_test(schedules_are_held_against_what_is_known),
        cmocka_unit_test(means_may_differ_by_chance_alone),
        cmocka_unit_test(claims_can_fail),
    };
    return cmocka_run_group_tests_name("roberts_symvonis", tests, make_directory, remove_directory);
}
