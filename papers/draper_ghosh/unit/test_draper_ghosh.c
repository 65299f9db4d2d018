// SPDX-License-Identifier: Apache-2.0
//
// The paper of Draper and Ghosh: its data files, and its traffic, which no process of a scenario
// makes.

#include "unit_papers.h"

#include "papers/draper_ghosh/program/draper_ghosh.h"

#include <stdlib.h>
#include <string.h>

// --- data files ---

static const char cases[] = "# remark\nA,a.yaml,,uniform,classes,2,5,10,,-5,5,8,1\n"
                            "B,b.yaml,x.y=1 z.w=2,spherical,routes,,,,,-20,0,,0\n";

static void data_are_read(void **state)
{
    (void)state;
    struct plan plan;
    struct anl_error error;
    write_file("cases.csv", cases);
    write_file("differs.csv", "A,0.6,-9,-5\n");
    write_file("gains.csv", "B,A,saturation,-3,6\nA,B,0.7,-25,-5\n");
    if (plan_read(directory, &plan, &error)) fail_msg("%s: %s", error.file, error.text);
    assert_int_equal(plan.num_cases, 2);
    assert_near(plan.cases[0].goals[2], 10, 0);
    assert_true(isnan(plan.cases[0].goals[3]) && isnan(plan.cases[1].goals[0]));
    assert_true(plan.cases[0].is_short && plan.cases[0].traffic == UNIFORM &&
                plan.cases[0].form == CLASSES);
    assert_true(!plan.cases[1].is_short && plan.cases[1].traffic == SPHERICAL &&
                plan.cases[1].form == ROUTES);
    assert_string_equal(plan.cases[1].settings, "x.y=1 z.w=2");
    assert_near(plan.cases[1].least, -20, 0);
    assert_int_equal(plan.num_gains, 2);
    assert_true(plan.gains[0].of == 1 && plan.gains[0].over == 0);
    assert_near(plan.gains[0].part, 0, 0);
    assert_near(plan.gains[1].part, 0.7, 0);
    assert_int_equal(plan.num_differs, 1);
    assert_near(plan.differs[0].least, -9, 0);
    plan_free(&plan);
    write_file("differs.csv", "# No goal is missed.\n");
    assert_int_equal(plan_read(directory, &plan, &error), ANL_OK);
    assert_int_equal(plan.num_differs, 0);
    plan_free(&plan);
}

static void bad_data_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *cases, *differs, *gains, *file;
        uint64_t line;
    } bad[] = {
        {"A,a.yaml,,uniform,classes,2,5,10,,-5,5,8\n", "A,0.6,-9,-5\n", "", "cases.csv", 1},
        {"A,a.yaml,,cubic,classes,2,5,10,,-5,5,8,1\n", "A,0.6,-9,-5\n", "", "cases.csv", 1},
        {"\nA,a.yaml,,uniform,classes,x,5,10,,-5,5,8,1\n", "A,0.6,-9,-5\n", "", "cases.csv", 2},
        {"A,a.yaml,,uniform,classes,2,5,10,,5,5,8,1\n", "A,0.6,-9,-5\n", "", "cases.csv", 1},
        {cases, "A,0.6,-9,-5\nC,0.6,-9,-5\n", "", "differs.csv", 2},
        {cases, "A,0.6,-9\n", "", "differs.csv", 1},
        {cases, "", "A,B,saturation,-3,6\nA,C,saturation,-3,6\n", "gains.csv", 2},
        {cases, "", "A,B,0.95,-3,6\n", "gains.csv", 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct plan plan;
        struct anl_error error;
        write_file("cases.csv", bad[i].cases);
        write_file("differs.csv", bad[i].differs);
        write_file("gains.csv", bad[i].gains);
        assert_int_equal(plan_read(directory, &plan, &error), ANL_ERR_FORMAT);
        assert_true(strstr(error.file, bad[i].file) && error.line == bad[i].line);
        plan_free(&plan);
    }
}

// --- traffic ---

static struct anl_scenario hypercube(void)
{
    return (struct anl_scenario){
        .network = {.topology = ANL_HYPERCUBE, .k = 2, .n = 4, .num_vcs = 1, .routing = ANL_E_CUBE},
        .traffic = {.lengths = {16}, .num_lengths = 1},
        .run = {.seed = 7, .cycles = 100000}};
}

// The counts of equal stretches of a Poisson process have their mean as their variance.
static void arrivals_are_poisson(void **state)
{
    (void)state;
    enum { STRETCHES = 1000, CYCLES = 100 };
    const double worms = 0.05, mean = worms * CYCLES;
    struct anl_scenario scenario = hypercube();
    static double counts[16][STRETCHES];
    double sum = 0, squares = 0, twice = 0;
    memset(counts, 0, sizeof counts);
    assert_int_equal(traffic_make(&scenario, worms, NULL), ANL_OK);
    assert_int_equal(scenario.traffic.process, ANL_REPLAY);
    for (size_t i = 0; i < scenario.num_messages; i++) {
        const struct anl_message *message = &scenario.messages[i];
        assert_true(!i || message->cycle >= message[-1].cycle);
        assert_true(message->destination != message->source && message->destination < 16);
        counts[message->source][message->cycle / CYCLES]++;
        twice += i && message->cycle == message[-1].cycle && message->source == message[-1].source;
    }
    for (int s = 0; s < 16; s++)
        for (int i = 0; i < STRETCHES; i++) {
            sum += counts[s][i];
            squares += counts[s][i] * counts[s][i];
        }
    const double all = 16.0 * STRETCHES, seen = sum / all;
    assert_near(seen, mean, 5 * sqrt(mean / all));
    assert_near(squares / all - seen * seen, mean, 0.05 * mean);
    assert_true(twice > 0);  // several in one cycle, which bernoulli never has
    free(scenario.messages);
}

static void distances_are_those_asked_for(void **state)
{
    (void)state;
    static const double spread[] = {0, 0.1, 0.2, 0.3, 0.4};
    struct anl_scenario scenario = hypercube();
    double seen[16] = {0}, all;
    assert_int_equal(traffic_make(&scenario, 0.05, spread), ANL_OK);
    all = (double)scenario.num_messages;
    for (size_t i = 0; i < scenario.num_messages; i++)
        seen[scenario.messages[i].source ^ scenario.messages[i].destination]++;
    static const double ways[] = {1, 4, 6, 4, 1};
    for (uint32_t flips = 0; flips < 16; flips++) {
        const int distance = __builtin_popcount(flips);
        const double part = spread[distance] / ways[distance];
        assert_near(seen[flips] / all, part, 5 * sqrt(part / all));
    }
    free(scenario.messages);
}

// With a terminal for each dimension a message begins at that of the lowest dimension in which it
// moves, and ends at that of the highest; nodes send as they do with one terminal.
static void ports_are_those_of_the_dimensions(void **state)
{
    (void)state;
    struct anl_scenario with, without = hypercube();
    struct anl_error error;
    without.network.n = 6;
    if (anl_scenario_load("papers/draper_ghosh/data/hypercube_ports.yaml", &with, &error))
        fail_msg("%s", error.text);
    with.run = without.run = (struct anl_run_config){.seed = 3, .cycles = 2000};
    assert_int_equal(traffic_make(&with, 0.05, NULL), ANL_OK);
    assert_int_equal(traffic_make(&without, 0.05, NULL), ANL_OK);
    assert_int_equal(with.num_messages, without.num_messages);
    for (size_t i = 0; i < with.num_messages; i++) {
        const struct anl_message *message = &with.messages[i];
        const uint32_t moved = message->source / 6 ^ message->destination / 6;
        assert_int_equal(message->cycle, without.messages[i].cycle);
        assert_int_equal(message->source / 6, without.messages[i].source);
        assert_int_equal(message->source % 6, __builtin_ctz(moved));
        assert_int_equal(message->destination % 6, 31 - __builtin_clz(moved));
    }
    anl_scenario_free(&with);
    free(without.messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_are_read),
        cmocka_unit_test(bad_data_are_refused_with_their_place),
        cmocka_unit_test(arrivals_are_poisson),
        cmocka_unit_test(distances_are_those_asked_for),
        cmocka_unit_test(ports_are_those_of_the_dimensions),
    };
    return cmocka_run_group_tests_name("draper_ghosh", tests, make_directory, remove_directory);
}
