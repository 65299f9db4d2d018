// SPDX-License-Identifier: Apache-2.0
//
// The paper of Roberts and Symvonis: its data files, its schedules, and verdicts that can fail.

#include "unit_papers.h"

#include "papers/roberts_symvonis/program/roberts_symvonis.h"

#include <stdlib.h>
#include <string.h>

static const char cases[] = "# remark\n2,2,0,1\n4,1,50,10\n";
static const char means[] = "4,1,longest,6.0,50,3\n";
static const char all[] = "2,2,longest,3,2.5417\n";
static const char claims[] = "bound,,0,0,1,a sentence\nlexical,lex-desc-h-v,1,0,1,another\n";

static const char layouts[] = "12,4,42,168,365,533,701,1\n";
static const char snakes[] = "permutation,12,4,2,greedy,2,1\nfull,12,4,3,push,3,1\n"
                             "early,12,4,2,deflecting,1,1\n";
static const char coloured[] = "coloured,12,4,2,greedy,1,1\n";
static const char climbs[] = "3,1,,1,2000,4,1\n3,1,longest,1,2000,4,1\n";
static const char graphs[] = "tree,4,2,2,3,,2,13.00,1\nmesh,4,4,4,1,1,2,6.50,1\n";
static const char packets[] = "4,5,1\n9,2,0\n";

static void write_data(const char *first, const char *second, const char *third, const char *fourth)
{
    write_file("cases.csv", first);
    write_file("means.csv", second);
    write_file("exhaustive.csv", third);
    write_file("claims.csv", fourth);
    write_file("layouts.csv", layouts);
    write_file("snakes.csv", snakes);
    write_file("packets.csv", packets);
    write_file("climb.csv", climbs);
    write_file("graphs.csv", graphs);
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
    assert_true(plan.layouts[0].period == 42 && plan.layouts[0].rounds[2] == 701);
    assert_int_equal(plan.num_snakes, 3);
    assert_true(plan.snakes[1].traffic == TRAFFIC_FULL && plan.snakes[1].count == 3);
    assert_int_equal(plan.snakes[2].algorithm, ALGORITHM_DEFLECTING);
    assert_true(plan.packets[1].n == 9 && plan.packets[1].brief == 0);
    assert_true(plan.climbs[0].any_order && !plan.climbs[1].any_order);
    assert_true(!plan.graphs[0].queues && plan.graphs[1].queues && plan.graphs[1].queue == 1);
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

static void assert_refused(const char *name, const char *text)
{
    struct plan plan;
    struct anl_error error;
    write_data(cases, means, all, claims);
    write_file(name, text);
    assert_int_equal(plan_read(directory, &plan, &error), ANL_ERR_FORMAT);
    assert_true(strstr(error.file, name) && error.line == 1);
    plan_free(&plan);
}

static void bad_data_of_snakes_are_refused(void **state)
{
    (void)state;
    assert_refused("layouts.csv", "12,4,42,168,365,533,1\n");
    assert_refused("layouts.csv", "12,4,42,168,365,533,701,2\n");
    assert_refused("layouts.csv", "18,4,42,168,365,533,701,1\n");
    assert_refused("layouts.csv", "12,25,42,168,365,533,701,1\n");
    assert_refused("snakes.csv", "late,12,4,2,greedy,2,1\n");
    assert_refused("snakes.csv", "permutation,12,9,2,greedy,2,1\n");
    assert_refused("snakes.csv", "permutation,12,4,2,push,2,1\n");
    assert_refused("snakes.csv", "permutation,12,4,2,greedy,0,1\n");
    assert_refused("packets.csv", "1,5,1\n");
    assert_refused("climb.csv", "3,1,slowest,1,2000,4,1\n");
    assert_refused("graphs.csv", "ring,4,2,2,3,,2,29.00,1\n");
    assert_refused("graphs.csv", "mesh,4,2,2,3,1,2,29.00,1\n");
    assert_refused("graphs.csv", "hypercube,11,2,2,3,,2,29.00,1\n");
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
    measured->results = (struct results){.plan = &measured->plan, .of = measured->of, .count = 2};
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
    // Random permutations of the same mesh are not all of them.
    cell = measured.plan.all_cells[0];
    measured.plan.studies[0].permutations = 24;
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

// --- snakes and packet algorithms ---

// Fills in all rows of the files above, and the claim's value.
struct theorem {
    struct plan plan;
    struct results results;
    struct layout_result layout;
    struct snake_result snakes[3];
    struct packet_result packets[2];
};

static void measure_theorem(struct theorem *theorem)
{
    struct anl_error error;
    write_data(cases, means, all, claims);
    *theorem = (struct theorem){0};
    assert_int_equal(plan_read(directory, &theorem->plan, &error), ANL_OK);
    const struct plan *plan = &theorem->plan;
    assert_int_equal(measure_layout(plan->layouts, &theorem->layout, &error), ANL_OK);
    theorem->layout.layout = plan->layouts;
    for (size_t i = 0; i < 3; i++) {
        theorem->snakes[i].of = &plan->snakes[i];
        assert_int_equal(measure_snakes(&plan->snakes[i], true, &theorem->snakes[i], &error),
                         ANL_OK);
    }
    for (size_t i = 0; i < 2; i++) {
        theorem->packets[i].of = &plan->packets[i];
        assert_int_equal(measure_packets(&plan->packets[i], true, &theorem->packets[i], &error),
                         ANL_OK);
    }
    theorem->results = (struct results){.plan = plan,
                                        .layouts = &theorem->layout,
                                        .num_layouts = 1,
                                        .snakes = theorem->snakes,
                                        .num_snakes = 3,
                                        .packets = theorem->packets,
                                        .num_packets = 2};
}

static void assert_claim(const struct theorem *theorem, enum claim_kind kind, double expected)
{
    double value;
    const struct claim claim = {.kind = kind, .range = {.least = expected, .most = expected}};
    const enum verdict verdict = check_claim(&theorem->results, &claim, &value);
    if (verdict != VERDICT_PASS) fail_msg("claim %d: %g", kind, value);
}

static void snakes_are_held_against_what_is_known(void **state)
{
    (void)state;
    struct theorem theorem;
    measure_theorem(&theorem);
    assert_int_equal(theorem.snakes[0].runs, 1);
    assert_true(theorem.snakes[0].compared > 200 && theorem.snakes[0].worms > 300);
    assert_claim(&theorem, CLAIM_LAYOUTS, 0);
    assert_claim(&theorem, CLAIM_WRONG, 0);
    assert_claim(&theorem, CLAIM_OCCUPANCY, 1);
    assert_claim(&theorem, CLAIM_SORTING_QUEUE, 3);
    // Blocks of side 2, 4, 8 and 9, and two ways through 9 nodes.
    assert_claim(&theorem, CLAIM_SORTING_STEPS, (11 + 19 + 35 + 56 + 16) / 9.0);
    // The longest queue in the mesh of side 9 over 9.
    assert_claim(&theorem, CLAIM_GREEDY_QUEUE, 5 / 9.0);
    plan_free(&theorem.plan);
}

static void claims_on_snakes_can_fail(void **state)
{
    (void)state;
    struct theorem theorem;
    measure_theorem(&theorem);
    theorem.layout.rounds[1]++;
    assert_claim(&theorem, CLAIM_LAYOUTS, 1);
    theorem.snakes[2].wrong = "queues differ";
    assert_claim(&theorem, CLAIM_WRONG, 1);
    theorem.snakes[1].queue = 6;
    assert_claim(&theorem, CLAIM_OCCUPANCY, 0.5);
    theorem.snakes[0].together = 4;
    assert_claim(&theorem, CLAIM_TOGETHER, 4);
    theorem.packets[0].algorithms[ALGORITHM_SORTING].queue = 9;
    assert_claim(&theorem, CLAIM_SORTING_QUEUE, 9);
    theorem.packets[0].algorithms[ALGORITHM_SORTING].late = 1;
    assert_int_equal(check_packets(&theorem.packets[0]), VERDICT_FAIL);
    assert_int_equal(check_packets(&theorem.packets[1]), VERDICT_PASS);
    struct control_result controls[2] = {{NULL}, {NULL}};
    theorem.results.controls = controls;
    theorem.results.num_controls = 2;
    assert_claim(&theorem, CLAIM_MISSED, 0);
    controls[1].found = "fault";
    assert_claim(&theorem, CLAIM_MISSED, 1);
    plan_free(&theorem.plan);
}

// --- long schedules, other networks, rounds that are chosen off-line ---

static void searches_and_graphs_are_held_against_their_values(void **state)
{
    (void)state;
    struct plan plan;
    struct anl_error error;
    write_data(cases, means, all, claims);
    assert_int_equal(plan_read(directory, &plan, &error), ANL_OK);
    for (size_t i = 0; i < 2; i++) {
        struct climb_result climb = {.of = &plan.climbs[i]};
        struct graph_result graph = {.of = &plan.graphs[i]};
        assert_int_equal(measure_climb(climb.of, &climb, &error), ANL_OK);
        assert_int_equal(check_climb(&climb), VERDICT_PASS);
        plan.climbs[i].makespan++;
        assert_int_equal(check_climb(&climb), VERDICT_FAIL);
        assert_int_equal(measure_graph(graph.of, &graph, &error), ANL_OK);
        if (check_graph(&graph) != VERDICT_PASS) fail_msg("graph %zu: %g", i, graph.mean);
        assert_true(graph.part > 0.1 && graph.part <= 1 && graph.over >= 1);
        graph.broken = 1;
        assert_int_equal(check_graph(&graph), VERDICT_FAIL);
    }
    plan_free(&plan);
}

// The supernodes have 81 cells, so 81 rounds, of which a few have no worm that moves.
static void rounds_are_chosen_off_line(void **state)
{
    (void)state;
    struct plan plan;
    struct anl_error error;
    write_data(cases, means, all, claims);
    write_file("snakes.csv", coloured);
    assert_int_equal(plan_read(directory, &plan, &error), ANL_OK);
    struct snake_result result = {.of = plan.snakes};
    assert_int_equal(measure_snakes(plan.snakes, false, &result, &error), ANL_OK);
    assert_int_equal(check_snakes(&result), VERDICT_PASS);
    assert_int_equal(result.rounds, 81);
    assert_true(result.worms > 310 && result.worms <= 324);
    assert_true(result.total == result.steps && result.total > 81 * 197 && result.one_bend > 40);
    plan_free(&plan);
}

// 6561 rounds of 533 steps on a mesh of side 18.
static void rounds_are_charged_as_the_theorem_does(void **state)
{
    (void)state;
    const double charge = measure_charge(12, 4, 2, 6561 * 533);
    assert_near(charge, 6561 * 533 / (pow(48, 2.5) * 18), 1e-9);
    const double sorts = 365 + 168 * 12;
    assert_near(measure_charge_sorting(12, 4, 2), charge * sorts / 533, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_are_read),
        cmocka_unit_test(bad_data_are_refused_with_their_place),
        cmocka_unit_test(schedules_are_held_against_what_is_known),
        cmocka_unit_test(means_may_differ_by_chance_alone),
        cmocka_unit_test(claims_can_fail),
        cmocka_unit_test(bad_data_of_snakes_are_refused),
        cmocka_unit_test(snakes_are_held_against_what_is_known),
        cmocka_unit_test(claims_on_snakes_can_fail),
        cmocka_unit_test(searches_and_graphs_are_held_against_their_values),
        cmocka_unit_test(rounds_are_chosen_off_line),
        cmocka_unit_test(rounds_are_charged_as_the_theorem_does),
    };
    return cmocka_run_group_tests_name("roberts_symvonis", tests, make_directory, remove_directory);
}
