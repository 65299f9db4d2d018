// SPDX-License-Identifier: Apache-2.0
//
// The experiments of Greenberg and Oh: data files, verdicts.

#include "unit_papers.h"

#include "papers/greenberg_oh/program/greenberg_oh.h"

#include <annelid/annelid.h>
#include <stdlib.h>
#include <string.h>

// --- data files ---

static const char series_text[] = "# remark\n\na,run,s.yaml,2,6,30,600,1,\n"
                                  "b,univ,s.yaml,2,5,3,3,32,traffic.delays=2*n x.y=z\n";
static const char table_text[] = "T,time,a,16,125,1,3\nT,load,b,64,2.9,0.1,exact\n"
                                 "U,time,b,64,7,1,shown\n";
static const char figures_text[] = "2,a,\"A, with a comma\"\r\n";
static const char claims_text[] = "gain,a,b,64,5,100,,,B is better\n"
                                  "power,load,,0,1.6,1.8,0,0.5,p\n";

static void write_data(void)
{
    write_file("series.csv", series_text);
    write_file("table1.csv", table_text);
    write_file("figures.csv", figures_text);
    write_file("claims.csv", claims_text);
}

static void a_plan_says_what_its_files_say(void **state)
{
    (void)state;
    struct plan plan;
    struct anl_error error = {0};
    write_data();
    if (plan_read(directory, &plan, &error)) fail_msg("%s: %s", error.file, error.text);
    assert_int_equal(plan.num_series, 2);
    assert_int_equal(plan.series[1].kind, SERIES_UNIV);
    assert_int_equal(plan_runs(&plan.series[0], 5), 600);
    assert_int_equal(plan_runs(&plan.series[0], 6), 30);
    assert_int_equal(plan.cells[0].n, 2);
    assert_true(plan.cells[0].tolerance == 3 && plan.cells[1].tolerance == 0);
    assert_true(!plan.cells[1].shown && plan.cells[2].shown);
    assert_ptr_equal(plan.cells[1].series, &plan.series[1]);
    assert_string_equal(plan.lines[0].label, "A, with a comma");
    assert_true(!plan.claims[0].range.differs && plan.claims[1].range.differs);
    assert_true(plan.claims[1].range.our_most == 0.5);
    assert_null(plan_find(&plan, "c"));
    plan_free(&plan);
}

static void bad_data_is_refused_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text, *expected;
        uint64_t line;
    } cases[] = {
        {"series.csv", "a,run,s.yaml,2,6,30,600,1\n", "8 cells, expected 9", 1},
        {"series.csv", "\na,jump,s.yaml,2,6,30,600,1,\n", "'jump'", 2},
        {"series.csv", "a,run,s.yaml,2,7,30,600,1,\n", "from 2 to 6", 1},
        {"series.csv", "a,run,s.yaml,2,6,30,29,1,\n", "from 30 to", 1},
        {"series.csv", "a,run,s.yaml,2.5,6,30,30,1,\n", "an integer", 1},
        {"table1.csv", "T,time,c,16,125,1,3\n", "'c', expected a series", 1},
        {"table1.csv", "T,time,a,17,125,1,3\n", "'17', expected N", 1},
        {"table1.csv", "\nT,time,b,4096,125,1,3\n", "'b' is not run at N = 4096", 2},
        {"table1.csv", "T,time,a,16,125,1,4x\n", "'4x', expected a number", 1},
        {"table1.csv", "T,time,a,16,x,1,3\n", "'x', expected a number", 1},
        {"table1.csv", "# remarks\n", "no row", 0},
        {"figures.csv", "# n\n\n2,nobody,N\n", "'nobody'", 3},
        {"claims.csv", "gain,a,nobody,64,5,100,,,s\n", "'nobody'", 1},
        {"claims.csv", "gain,a,b,64,5,100,1,,s\n", "'', expected a number", 1},
        {"claims.csv", "gain,a,b,4096,5,100,,,s\n", "'b' is not run at N = 4096", 1},
        {"claims.csv", "twice,nobody,,64,5,100,,,s\n", "'nobody'", 1},
        {"claims.csv", "growth,b,,0,0,1,,,s\n", "'b' is not run at N = 4", 1},
        {"claims.csv", "growth,b,,16,0,1,,,s\n", "'b' is not run at N = 4", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan plan;
        struct anl_error error = {0};
        write_data();
        write_file(cases[i].file, cases[i].text);
        assert_int_equal(plan_read(directory, &plan, &error), ANL_ERR_FORMAT);
        assert_int_equal(error.line, cases[i].line);
        assert_non_null(strstr(error.file, cases[i].file));
        if (!strstr(error.text, cases[i].expected)) fail_msg("%zu: %s", i, error.text);
        assert_null(plan.series);
    }
    struct plan plan;
    struct anl_error error = {0};
    assert_int_equal(plan_read("/nowhere", &plan, &error), ANL_ERR_IO);
}

static void settings_are_put_in(void **state)
{
    (void)state;
    const struct series series = {.name = "a",
                                  .scenario = "s.yaml",
                                  .settings = "traffic.delays=2*n traffic.length=16,32 "
                                              "switch.depth=3"};
    const struct plan plan = {.directory = directory};
    struct anl_scenario scenario;
    struct anl_error error = {0};
    write_file("s.yaml", "network: {topology: fat_tree, n: 2}\ntraffic: {process: batch}\n");
    if (plan_scenario(&plan, &series, 4, 6, &scenario, &error)) fail_msg("%s", error.text);
    assert_int_equal(scenario.network.n, 4);
    assert_int_equal(scenario.run.seed, 7);
    assert_int_equal(scenario.traffic.delays, 8);
    assert_int_equal(scenario.traffic.num_lengths, 2);
    assert_int_equal(scenario.network.depth, 3);
    anl_scenario_free(&scenario);
}

// --- verdicts ---

// Two series of 30 runs at N = 64, times around their means, one of them with a deviation of 10.
struct known {
    struct series series[2];
    struct plan plan;
    struct results results;
    struct result of[60];
};

static void know(struct known *known, double first, double second)
{
    *known = (struct known){
        .series = {{.name = "a", .least = 3, .most = 3, .runs = 30, .all = 30, .scale = 1},
                   {.name = "b", .least = 3, .most = 3, .runs = 30, .all = 30, .scale = 1}},
    };
    known->plan = (struct plan){.series = known->series, .num_series = 2};
    known->results = (struct results){.plan = &known->plan, .of = known->of, .count = 60};
    const double swing = 10 * sqrt(29.0 / 30);
    for (uint32_t i = 0; i < 30; i++) {
        known->of[i] = (struct result){&known->series[0], 3, i, {.time = first}};
        known->of[30 + i] = (struct result){&known->series[1], 3, i, {.time = second}};
        known->of[i].outcome.time += i % 2 ? swing : -swing;
    }
}

static void cells_are_checked_by_standard_errors(void **state)
{
    (void)state;
    struct known known;
    know(&known, 100, 258);
    struct cell cell = {"A", QUANTITY_TIME, &known.series[0], 3, 100, 1, 3, false};
    const double error = sqrt(100.0 / 30 * 2 + 1.0 / 12);
    struct cell_verdict checked = check_cell(&known.results, &cell);
    assert_near(checked.ours.deviation, 10, 1e-9);
    assert_near(checked.z, 0, 1e-9);
    assert_int_equal(checked.verdict, VERDICT_PASS);
    cell.paper = 100 + 2.9 * error;
    checked = check_cell(&known.results, &cell);
    assert_near(checked.z, 2.9, 1e-9);
    assert_near(checked.deviation, 100 * (100 - cell.paper) / cell.paper, 1e-9);
    assert_int_equal(checked.verdict, VERDICT_PASS);
    cell.paper = 100 - 3.1 * error;
    assert_int_equal(check_cell(&known.results, &cell).verdict, VERDICT_FAIL);

    struct cell exact = {"B", QUANTITY_TIME, &known.series[1], 3, 258, 1, 0, false};
    assert_int_equal(check_cell(&known.results, &exact).verdict, VERDICT_PASS);
    for (int wrong = 257; wrong <= 259; wrong += 2) {
        known.of[59].outcome.time = wrong;
        assert_int_equal(check_cell(&known.results, &exact).verdict, VERDICT_FAIL);
    }
    exact.shown = true;
    assert_int_equal(check_cell(&known.results, &exact).verdict, VERDICT_SHOWN);
    exact.n = 4;
    assert_int_equal(check_cell(&known.results, &exact).verdict, VERDICT_NONE);
}

// The first two of 30 runs are those of the paper's number; either mean may be too far away.
static void both_means_of_a_cell_count(void **state)
{
    (void)state;
    struct known known;
    know(&known, 100, 258);
    const struct cell cell = {"A", QUANTITY_TIME, &known.series[0], 3, 100, 1, 3, false};
    known.series[0].runs = 2;
    known.of[0].outcome.time = known.of[1].outcome.time = 106;
    struct cell_verdict checked = check_cell(&known.results, &cell);
    assert_true(checked.ours.count == 2 && checked.all.count == 30);
    assert_true(fabs(checked.z) > 3 && fabs(checked.z_all) < 3);
    assert_int_equal(checked.verdict, VERDICT_FAIL);
    known.of[0].outcome.time = 70;
    known.of[1].outcome.time = 130;
    for (int i = 2; i < 30; i++)
        known.of[i].outcome.time = 130 + i % 2;
    checked = check_cell(&known.results, &cell);
    assert_true(fabs(checked.z) < 3 && fabs(checked.z_all) > 3);
    assert_int_equal(checked.verdict, VERDICT_FAIL);
}

static void claims_are_checked_by_their_ranges(void **state)
{
    (void)state;
    struct known known;
    know(&known, 100, 92);
    struct claim claim = {CLAIM_GAIN, "a", "b", 3, {4, 8, false, 0, 0}, ""};
    struct claim_verdict checked = check_claim(&known.results, &claim);
    assert_near(checked.value, 8, 1e-9);
    assert_near(checked.error, 100 * 0.92 * (10 / sqrt(30)) / 100, 1e-9);
    know(&known, 100, 91);
    assert_int_equal(check_claim(&known.results, &claim).verdict, VERDICT_FAIL);
    claim.range.differs = true;
    claim.range.our_least = 8.5;
    claim.range.our_most = 10;
    assert_int_equal(check_claim(&known.results, &claim).verdict, VERDICT_DIFFERS);
    know(&known, 100, 80);
    assert_int_equal(check_claim(&known.results, &claim).verdict, VERDICT_FAIL);
    know(&known, 100, 95);
    assert_int_equal(check_claim(&known.results, &claim).verdict, VERDICT_PASS);
    claim.n = 4;
    assert_int_equal(check_claim(&known.results, &claim).verdict, VERDICT_NONE);
}

static void cells_outside_missed_worms_and_meetings_are_counted(void **state)
{
    (void)state;
    struct known known;
    know(&known, 100, 258);
    struct cell cells[] = {{"A", QUANTITY_TIME, &known.series[0], 3, 100, 1, 3, false},
                           {"A", QUANTITY_TIME, &known.series[0], 3, 106, 1, 3, false},
                           {"B", QUANTITY_TIME, &known.series[0], 3, 106, 1, 3, false}};
    known.plan.cells = cells;
    known.plan.num_cells = 3;
    const struct claim outside = {CLAIM_OUTSIDE, "A", "", 0, {0, 0, false, 0, 0}, ""};
    struct claim_verdict checked = check_claim(&known.results, &outside);
    assert_true(checked.value == 1);
    assert_int_equal(checked.verdict, VERDICT_FAIL);
    known.of[2].outcome.missed = 3;
    const struct claim missed = {CLAIM_MISSED, "a", "", 0, {0, 0, false, 0, 0}, ""};
    checked = check_claim(&known.results, &missed);
    assert_near(checked.value, 3, 1e-9);
    known.of[5].outcome.twice = known.of[7].outcome.twice = known.of[31].outcome.twice = true;
    const struct claim twice = {CLAIM_TWICE, "a", "", 3, {0, 0, false, 0, 0}, ""};
    assert_true(check_claim(&known.results, &twice).value == 2);
}

// The time of one series grows four-fold while c + log2 N grows from 2 + 6 to 8 + 8.
static void powers_of_growth_and_largest_ratios_are_found(void **state)
{
    (void)state;
    struct known known;
    know(&known, 100, 400);
    known.series[0].most = 4;
    for (int i = 0; i < 60; i++) {
        known.of[i].outcome.congestion = i < 30 ? 2 : 8;
        known.of[i].outcome.crossing = 0.01 * i;
        known.of[i].outcome.log_square = 0.1;
        if (i < 30) continue;
        known.of[i].series = &known.series[0];
        known.of[i].n = 4;
    }
    struct claim claim = {CLAIM_GROWTH, "a", "", 4, {0, 1.9, false, 0, 0}, ""};
    struct claim_verdict checked = check_claim(&known.results, &claim);
    assert_near(checked.value, 2, 1e-9);
    assert_int_equal(checked.verdict, VERDICT_FAIL);
    claim.n = 3;
    assert_int_equal(check_claim(&known.results, &claim).verdict, VERDICT_NONE);
    claim = (struct claim){CLAIM_CROSSING, "a", "", 0, {0, 0.6, false, 0, 0}, ""};
    assert_near(check_claim(&known.results, &claim).value, 0.59, 1e-9);
    claim.n = 3;
    assert_near(check_claim(&known.results, &claim).value, 0.29, 1e-9);
    claim = (struct claim){CLAIM_LOG_SQUARE, "a", "", 0, {0, 0.09, false, 0, 0}, ""};
    assert_int_equal(check_claim(&known.results, &claim).verdict, VERDICT_FAIL);
}

static void broken_bounds_are_counted(void **state)
{
    (void)state;
    struct known known;
    know(&known, 100, 258);
    for (int i = 0; i < 60; i++)
        known.of[i].outcome = (struct outcome){.cycles = 10, .lower = 8, .upper = 20};
    known.of[0].outcome.upper = UINT64_MAX;
    struct bounds_count count = results_count_bounds(&known.results);
    assert_true(count.held_lower == 60 && count.held_upper == 59);
    assert_true(count.below == 0 && count.above == 0);
    assert_true(count.least_lower == 1.25 && count.most_upper == 0.5);
    known.of[3].outcome.cycles = 7;
    known.of[4].outcome.cycles = 21;
    count = results_count_bounds(&known.results);
    assert_true(count.below == 1 && count.above == 1);
    assert_true(count.least_lower < 1 && count.most_upper > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_says_what_its_files_say),
        cmocka_unit_test(bad_data_is_refused_with_its_place),
        cmocka_unit_test(settings_are_put_in),
        cmocka_unit_test(cells_are_checked_by_standard_errors),
        cmocka_unit_test(both_means_of_a_cell_count),
        cmocka_unit_test(claims_are_checked_by_their_ranges),
        cmocka_unit_test(cells_outside_missed_worms_and_meetings_are_counted),
        cmocka_unit_test(powers_of_growth_and_largest_ratios_are_found),
        cmocka_unit_test(broken_bounds_are_counted),
    };
    return cmocka_run_group_tests_name("greenberg_oh", tests, make_directory, remove_directory);
}
