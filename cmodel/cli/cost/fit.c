// SPDX-License-Identifier: Apache-2.0
//
// The formula of docs/cost.md, fitted to the measured sets: factors that are not negative, with the
// least sum of squares of relative errors.

#include "columns.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 200 };
#define DAMPING 1e-10
#define LEAST_SLOPE 1e-9
#define NOTHING 1e-12

// The columns that a figure depends on, by what the cells are: distributed memory is of ECP5 alone,
// iCE40 has flip-flops or blocks in its place, and a choice takes no flip-flop.
static bool counts(enum cost_figure figure, enum cost_group group, size_t column)
{
    const bool ice40 = figure <= COST_ICE40_BRAM;
    const bool registers = figure == COST_ICE40_FF || figure == COST_ECP5_FF;
    if (group == COST_USERS || group == COST_MEMORIES)
        return !registers || (column != PORT_MEMORY && column != PORT_DATA);
    if (group == COST_TERMINALS)
        return figure != COST_ICE40_BRAM && column != (ice40 ? MEMORY_DEEP : MEMORY_BITS);
    if (figure == COST_ICE40_BRAM) return column == BLOCKS;
    if (column == BLOCKS) return ice40;
    if (registers && column == SELECT) return false;
    return column != (ice40 ? DEEP : LANE_BITS);
}

// What is fitted: rows of columns, divided by what was measured, so that each wants to be 1.
struct system {
    double squares[COST_COLUMNS][COST_COLUMNS], sums[COST_COLUMNS];
};

static void add_row(struct system *system, const double *all, const bool *used, double measured)
{
    double columns[COST_COLUMNS];
    for (size_t i = 0; i < COST_COLUMNS; i++)
        columns[i] = used[i] ? all[i] : 0;
    for (size_t i = 0; i < COST_COLUMNS; i++) {
        system->sums[i] += columns[i] / measured;
        for (size_t j = 0; j < COST_COLUMNS; j++)
            system->squares[i][j] += columns[i] * columns[j] / (measured * measured);
    }
}

// Solves the equations of the active factors by elimination; the others are 0. Columns that depend
// on others get no part of their own.
static void solve_active(const struct system *system, const bool *active, double *factors)
{
    double rows[COST_COLUMNS][COST_COLUMNS + 1];
    size_t of[COST_COLUMNS], size = 0;
    memset(factors, 0, COST_COLUMNS * sizeof *factors);
    for (size_t i = 0; i < COST_COLUMNS; i++)
        if (active[i]) of[size++] = i;
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < size; j++)
            rows[i][j] = system->squares[of[i]][of[j]] + (i == j ? DAMPING : 0);
        rows[i][size] = system->sums[of[i]];
    }
    for (size_t i = 0; i < size; i++)  // positive definite: each pivot is on the diagonal
        for (size_t r = 0; r < size; r++) {
            const double times = rows[r][i] / rows[i][i];
            for (size_t c = i; r != i && c <= size; c++)
                rows[r][c] -= times * rows[i][c];
        }
    for (size_t i = 0; i < size; i++)
        factors[of[i]] = rows[i][size] / rows[i][i];
}

// Returns the factor that would lessen the error most if it grew; COST_COLUMNS: none would.
static size_t steepest(const struct system *system, const bool *active, const double *factors)
{
    double most = LEAST_SLOPE;
    size_t best = COST_COLUMNS;
    for (size_t i = 0; i < COST_COLUMNS; i++) {
        double slope = system->sums[i];
        for (size_t j = 0; j < COST_COLUMNS; j++)
            slope -= system->squares[i][j] * factors[j];
        if (active[i] || slope <= most) continue;
        most = slope;
        best = i;
    }
    return best;
}

// Goes from factors that are not negative towards the best ones of the active set, as far as none
// becomes negative. Returns whether it came there; if not, one that became 0 is active no longer.
static bool go_towards(const double *best, bool *active, double *factors)
{
    double step = 1;
    for (size_t i = 0; i < COST_COLUMNS; i++)
        if (active[i] && best[i] <= 0 && factors[i] / (factors[i] - best[i]) < step)
            step = factors[i] / (factors[i] - best[i]);
    for (size_t i = 0; i < COST_COLUMNS; i++) {
        factors[i] += active[i] ? step * (best[i] - factors[i]) : 0;
        if (!active[i] || (step < 1 && best[i] <= 0 && factors[i] <= NOTHING)) {
            active[i] = false;
            factors[i] = 0;
        }
    }
    return step >= 1;
}

// Finds the best factors that are not negative: of those that would grow, one after the other
// becomes active (Lawson and Hanson). Each column becomes 1 at most first.
static void solve(struct system *system, double *factors)
{
    bool active[COST_COLUMNS] = {false};
    double scales[COST_COLUMNS], best[COST_COLUMNS];
    for (size_t i = 0; i < COST_COLUMNS; i++)
        scales[i] = system->squares[i][i] > 0 ? sqrt(system->squares[i][i]) : 1;
    for (size_t i = 0; i < COST_COLUMNS; i++) {
        system->sums[i] /= scales[i];
        for (size_t j = 0; j < COST_COLUMNS; j++)
            system->squares[i][j] /= scales[i] * scales[j];
    }
    memset(factors, 0, COST_COLUMNS * sizeof *factors);
    for (size_t left = STEPS; left > 0; left--) {
        const size_t next = steepest(system, active, factors);
        if (next == COST_COLUMNS) break;
        active[next] = true;
        do
            solve_active(system, active, best);
        while (!go_towards(best, active, factors));
    }
    for (size_t i = 0; i < COST_COLUMNS; i++)
        factors[i] /= scales[i];
}

static void fit(struct cost_model *model, enum cost_group group, enum cost_figure figure)
{
    static const enum cost_kind kinds[COST_GROUPS] = {COST_SWITCH, COST_TERMINAL, COST_USER,
                                                      COST_MEMORY};
    struct system system = {0};
    bool used[COST_COLUMNS];
    for (size_t i = 0; i < COST_COLUMNS; i++)
        used[i] = counts(figure, group, i);
    for (size_t i = 0; i < cost_num_sets; i++) {
        const double measured = cost_sets[i].figures[figure];
        if (cost_sets[i].kind != kinds[group] || measured <= 0) continue;
        add_row(&system, model->sets[i].shape.columns[group], used, measured);
    }
    solve(&system, model->factors[group][figure]);
}

static bool read_set(const struct cost_set *set, struct cost_model_set *read,
                     struct anl_error *error)
{
    if (anl_scenario_parse(set->scenario, strlen(set->scenario), set->name, NULL, &read->scenario,
                           error))
        return false;
    const bool one = set->kind != COST_NETWORK && set->kind != COST_DESIGN;
    if (cost_shape_of(&read->scenario.network, &set->ports, one, &read->shape)) return true;
    anl_fail(error, ANL_ERR_MEMORY, set->name, 0, "out of memory");
    return false;
}

struct cost_model *cost_fit(struct anl_error *error)
{
    struct cost_model *model = calloc(1, sizeof *model);
    if (model) model->sets = calloc(cost_num_sets, sizeof *model->sets);
    bool good = model && model->sets;
    if (!good) anl_fail(error, ANL_ERR_MEMORY, "", 0, "out of memory");
    for (size_t i = 0; good && i < cost_num_sets; i++)
        good = read_set(&cost_sets[i], &model->sets[i], error);
    if (!good) {
        cost_free(model);
        return NULL;
    }
    for (enum cost_group group = 0; group < COST_GROUPS; group++)
        for (enum cost_figure figure = 0; figure < COST_ICE40_MHZ; figure++)
            fit(model, group, figure);
    return model;
}

void cost_free(struct cost_model *model)
{
    for (size_t i = 0; model && model->sets && i < cost_num_sets; i++)
        anl_scenario_free(&model->sets[i].scenario);
    if (model) free(model->sets);
    free(model);
}

static double product(const struct cost_model *model, const struct cost_shape *shape,
                      enum cost_group group, enum cost_figure figure)
{
    double sum = 0;
    for (size_t i = 0; i < COST_COLUMNS; i++)
        sum += model->factors[group][figure][i] * shape->columns[group][i];
    return sum;
}

struct cost_estimate cost_of(const struct cost_model *model, const struct cost_shape *shape,
                             enum cost_figure figure)
{
    const bool registers = figure == COST_ICE40_FF || figure == COST_ECP5_FF;
    return (struct cost_estimate){.network = product(model, shape, COST_SWITCHES, figure) +
                                             (registers ? shape->link_ffs : 0),
                                  .terminals = product(model, shape, COST_TERMINALS, figure),
                                  .ports = product(model, shape, COST_USERS, figure) +
                                           product(model, shape, COST_MEMORIES, figure)};
}
