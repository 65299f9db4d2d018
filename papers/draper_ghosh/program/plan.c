// SPDX-License-Identifier: Apache-2.0

#include "draper_ghosh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double goal_parts[GOALS] = {0.4, 0.6, 0.7, 0.8};

static double goal(struct paper_row *row, size_t column)
{
    return *paper_text(row, column) ? paper_number(row, column, 0.1, 100) : NAN;
}

static void read_case(struct paper_row *row, void *element)
{
    static const char *const traffics[] = {"uniform", "spherical", "pattern", NULL};
    static const char *const forms[] = {"classes", "routes", "scenario", NULL};
    struct study *study = element;
    *study = (struct study){.name = paper_text(row, 0),
                            .scenario = paper_text(row, 1),
                            .settings = paper_text(row, 2),
                            .traffic = (enum traffic)paper_choice(row, 3, traffics),
                            .form = (enum form)paper_choice(row, 4, forms)};
    for (size_t i = 0; i < GOALS; i++)
        study->goals[i] = goal(row, 5 + i);
    study->least = paper_number(row, 9, -100, 0);
    study->most = paper_number(row, 10, 0, 100);
    study->equal = goal(row, 11);
    study->is_short = paper_whole(row, 12, 0, 1) == 1;
}

static void read_known(struct paper_row *row, void *element)
{
    struct known *known = element;
    const struct plan *plan = row->user;
    bool found = false;
    *known = (struct known){paper_text(row, 0), paper_text(row, 1),
                            paper_number(row, 2, -1000, 1000), paper_number(row, 3, -1000, 1000)};
    for (size_t i = 0; i < plan->num_cases; i++)
        found |= strcmp(plan->cases[i].name, known->name) == 0;
    if (!found) paper_refuse(row, 0, "a case of cases.csv");
}

// Returns the index of the case that a column names.
static size_t case_of(struct paper_row *row, size_t column)
{
    const struct plan *plan = row->user;
    for (size_t i = 0; i < plan->num_cases; i++)
        if (strcmp(plan->cases[i].name, paper_text(row, column)) == 0) return i;
    paper_refuse(row, column, "a case of cases.csv");
    return 0;
}

static void read_gain(struct paper_row *row, void *element)
{
    struct gain *gain = element;
    const char *what = paper_text(row, 2);
    *gain = (struct gain){.of = case_of(row, 0),
                          .over = case_of(row, 1),
                          .what = what,
                          .least = paper_number(row, 3, -100, 1000),
                          .most = paper_number(row, 4, -100, 1000)};
    if (strcmp(what, "saturation") != 0) gain->part = paper_number(row, 2, 0.1, 0.9);
}

enum anl_status plan_read(const char *directory, struct plan *plan, struct anl_error *error)
{
    static const struct paper_file file = {"cases.csv", 13, sizeof(struct study), read_case, false};
    static const struct paper_file differs = {"differs.csv", 4, sizeof(struct known), read_known,
                                              true};
    static const struct paper_file gains = {"gains.csv", 5, sizeof(struct gain), read_gain, true};
    struct paper_row row = {.directory = directory, .user = plan, .error = error};
    *plan = (struct plan){.directory = directory};
    plan->cases = paper_read(&row, &file, &plan->text, &plan->num_cases);
    plan->differs = paper_read(&row, &differs, &plan->differs_text, &plan->num_differs);
    plan->gains = paper_read(&row, &gains, &plan->gains_text, &plan->num_gains);
    return row.status;
}

void plan_free(struct plan *plan)
{
    free(plan->cases);
    free(plan->text);
    free(plan->differs);
    free(plan->gains);
    free(plan->gains_text);
    free(plan->differs_text);
}
