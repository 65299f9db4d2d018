// SPDX-License-Identifier: Apache-2.0

#include "roberts_symvonis.h"
#include "snakes.h"

#include <annelid/schedule.h>
#include <math.h>

const struct result *results_find(const struct results *results, uint32_t n, uint32_t k, bool all)
{
    for (size_t i = 0; i < results->count; i++) {
        const struct study *study = results->of[i].study;
        const bool same = study->n == n && study->k == k && (study->permutations == 0) == all;
        if (results->of[i].done && same) return &results->of[i];
    }
    return NULL;
}

// --- cells ---

enum verdict check_mean(const struct results *results, const struct cell *cell, double *distance)
{
    const struct result *result = results_find(results, cell->n, cell->k, false);
    if (!result) return VERDICT_NONE;
    *distance =
        sample_distance(&result->orders[cell->order].sample, cell->mean, cell->unit, cell->count);
    return fabs(*distance) <= cell->tolerance ? VERDICT_PASS : VERDICT_FAIL;
}

enum verdict check_all(const struct results *results, const struct cell *cell)
{
    const struct result *result = results_find(results, cell->n, cell->k, true);
    if (!result) return VERDICT_NONE;
    const struct outcome *ours = &result->orders[cell->order];
    const bool same_mean = fabs(ours->sample.mean - cell->mean) <= 0.51 * cell->unit;
    return same_mean && ours->makespan == cell->largest ? VERDICT_PASS : VERDICT_FAIL;
}

// --- claims ---

// The functions below fill in a value; they return false if runs that they need were not made.

// The bound of a claim for one mesh, as the paper has it.
static double bound_of(const struct claim *claim, uint32_t n, uint32_t k)
{
    const double starts = (2.0 * n - 2) * (2.0 * k - 1) + 1;
    switch (claim->kind) {
    case CLAIM_BOUND:
        return starts + (2.0 * n - 2 + k - 1);
    case CLAIM_START:
        return starts;
    case CLAIM_PACKETS:
        return 4.0 * n - 4;
    case CLAIM_LEXICAL:
        return 3.0 * n - 3;
    default:
        return anl_schedule_bound_h_descending(n, k);
    }
}

static bool is_of_all_orders(const struct claim *claim)
{
    return claim->kind == CLAIM_BOUND || claim->kind == CLAIM_START || claim->kind == CLAIM_PACKETS;
}

static bool find_largest(const struct results *results, const struct claim *claim, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->count; i++) {
        const struct study *study = results->of[i].study;
        if (claim->k && study->k != claim->k) continue;
        some = true;
        for (int order = 0; order < (int)ANL_ORDERS; order++) {
            const struct outcome *outcome = &results->of[i].orders[order];
            const double ours = claim->kind == CLAIM_START ? outcome->start : outcome->makespan;
            if (is_of_all_orders(claim) || order == (int)claim->order)
                *value = fmax(*value, ours / bound_of(claim, study->n, study->k));
        }
    }
    return some;
}

static bool find_cost(const struct results *results, const struct claim *claim, double *value)
{
    const bool least = claim->kind == CLAIM_COST_LEAST;
    bool some = false;
    for (size_t i = 0; i < results->count; i++) {
        const struct study *study = results->of[i].study;
        const double cost =
            results->of[i].orders[claim->order].sample.mean / ((double)study->k * study->n);
        if (study->k < 4 || study->n < 8) continue;
        *value = !some ? cost : least ? fmin(*value, cost) : fmax(*value, cost);
        some = true;
    }
    return some;
}

static bool find_power(const struct results *results, const struct claim *claim, double *value)
{
    enum { MOST_POINTS = 32 };
    struct power_point points[MOST_POINTS];
    size_t count = 0;
    for (size_t i = 0; i < results->count && count < MOST_POINTS; i++) {
        const struct study *study = results->of[i].study;
        if (study->k == claim->k && study->n >= 8)
            points[count++] =
                (struct power_point){study->n, 1, results->of[i].orders[claim->order].sample.mean};
    }
    if (count < 3) return false;
    *value = fit_logarithms(points, count).power;
    return true;
}

static bool find_gain(const struct results *results, const struct claim *claim, double *value)
{
    const struct result *result = results_find(results, 16, claim->k, false);
    if (!result) return false;
    *value = 100 * (1 - result->orders[claim->order].sample.mean /
                            result->orders[ANL_ORDER_ROW_MAJOR].sample.mean);
    return true;
}

static bool find_over(const struct results *results, double *value)
{
    for (size_t i = 0; i < results->count; i++)
        *value = fmax(*value, results->of[i].over);
    return results->count > 0;
}

static bool find_broken(const struct results *results, double *value)
{
    for (size_t i = 0; i < results->count; i++)
        *value += (double)(results->of[i].broken + results->of[i].below);
    return results->count > 0;
}

static bool find_moving(const struct results *results, double *value)
{
    for (size_t i = 0; i < results->count; i++)
        *value = fmax(*value, results->of[i].moving);
    return results->count > 0;
}

// The longest schedules that were searched, over the bound of Theorem 1; or, for k = 1 and all
// orders, over 3 n - 3.
static bool find_climbed(const struct results *results, const struct claim *claim, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->num_climbs; i++) {
        const struct climb_result *result = &results->climbs[i];
        const bool lexical = claim->kind == CLAIM_CLIMBED_LEXICAL;
        if (lexical ? result->of->k != 1 : claim->k && result->of->k != claim->k) continue;
        const double bound = lexical ? 3.0 * result->of->n - 3
                                     : (double)anl_schedule_bound(result->of->n, result->of->k);
        *value = fmax(*value, result->makespan / bound);
        some = true;
    }
    return some;
}

enum verdict check_climb(const struct climb_result *result)
{
    const bool same = result->makespan == result->of->makespan;
    return result->done && same && result->broken == 0 ? VERDICT_PASS : VERDICT_FAIL;
}

enum verdict check_graph(const struct graph_result *result)
{
    const bool same = fabs(result->mean - result->of->mean) < 0.006;
    return result->done && same && result->broken == 0 ? VERDICT_PASS : VERDICT_FAIL;
}

// The longest schedule of given paths over its bound, or the largest start on a mesh over that of
// (h1, h2) problems.
static bool find_graphs(const struct results *results, enum claim_kind kind, double *value)
{
    for (size_t i = 0; i < results->num_graphs; i++)
        *value =
            fmax(*value, kind == CLAIM_GRAPHS ? results->graphs[i].part : results->graphs[i].start);
    return *value > 0;
}

static bool find_outside(const struct results *results, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->plan->num_cells; i++) {
        double distance;
        if (check_mean(results, &results->plan->cells[i], &distance) == VERDICT_NONE) continue;
        *value += fabs(distance) > 2;
        some = true;
    }
    return some;
}

// --- claims on snakes and packet algorithms ---

enum verdict check_layout(const struct layout_result *result)
{
    const struct layout_case *layout = result->layout;
    bool same = result->period == layout->period && result->superstep == layout->superstep;
    for (size_t i = 0; i < 3; i++)
        same &= result->rounds[i] == layout->rounds[i];
    return same && result->done ? VERDICT_PASS : VERDICT_FAIL;
}

enum verdict check_snakes(const struct snake_result *result)
{
    return result->done && !result->wrong ? VERDICT_PASS : VERDICT_FAIL;
}

enum verdict check_packets(const struct packet_result *result)
{
    const bool home = result->algorithms[ALGORITHM_SORTING].late == 0;
    return result->done && home ? VERDICT_PASS : VERDICT_FAIL;
}

enum verdict check_control(const struct results *results, uint32_t control)
{
    const bool found = results->controls[control].found != NULL;
    return found != control_is_right(control) ? VERDICT_PASS : VERDICT_FAIL;
}

// Returns how many layouts, runs of snakes or controls fail.
static bool find_failed(const struct results *results, enum claim_kind kind, double *value)
{
    for (size_t i = 0; i < results->num_layouts && kind == CLAIM_LAYOUTS; i++)
        *value += check_layout(&results->layouts[i]) == VERDICT_FAIL;
    for (size_t i = 0; i < results->num_snakes && kind == CLAIM_WRONG; i++)
        *value += check_snakes(&results->snakes[i]) == VERDICT_FAIL;
    for (uint32_t i = 0; i < results->num_controls && kind == CLAIM_MISSED; i++)
        *value += check_control(results, i) == VERDICT_FAIL;
    return (kind == CLAIM_LAYOUTS ? results->num_layouts
            : kind == CLAIM_WRONG ? results->num_snakes
                                  : results->num_controls) > 0;
}

// Fewer than three supernodes in a row have no one with four neighbours, and so none with f worms.
static bool find_occupancy(const struct results *results, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->num_snakes; i++) {
        const struct snake_result *result = &results->snakes[i];
        if (result->of->traffic != TRAFFIC_FULL || result->of->n < 3) continue;
        const double part = (double)result->queue / result->of->f;
        *value = some ? fmin(*value, part) : part;
        some = true;
    }
    return some;
}

// The most flits in a node in rounds of permutations and in full supernodes; or the most that a
// permutation would cost.
static bool find_most(const struct results *results, enum claim_kind kind, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->num_snakes; i++) {
        const struct snake_result *result = &results->snakes[i];
        const struct snake_case *of = result->of;
        const bool rounds = of->traffic == TRAFFIC_PERMUTATION;
        if (kind == CLAIM_TOGETHER ? !rounds && of->traffic != TRAFFIC_FULL
            : kind == CLAIM_EARLY  ? of->traffic != TRAFFIC_EARLY
                                   : !rounds)
            continue;
        const double ours = kind == CLAIM_TOGETHER
                                ? result->together
                                : measure_charge(of->f, of->k, of->n, result->total);
        *value = fmax(*value, ours);
        some = true;
    }
    return some;
}

// The steps of rounds that are chosen off-line over k^1.5 n, the least or the most; or over the
// makespan of the off-line algorithm of the paper for the same permutations, the least.
static bool find_coloured(const struct results *results, enum claim_kind kind, double *value)
{
    bool some = false;
    for (size_t i = 0; i < results->num_snakes; i++) {
        const struct snake_result *result = &results->snakes[i];
        const struct snake_case *of = result->of;
        if (of->traffic != TRAFFIC_COLOURED) continue;
        const double side = of->n * (sqrt((of->f + 4.0) * of->k) + 1);
        const double over = kind == CLAIM_ONE_BEND ? result->one_bend : pow(of->k, 1.5) * side;
        const double ours = (double)result->total / over;
        *value = !some                         ? ours
                 : kind == CLAIM_COLOURED_MOST ? fmax(*value, ours)
                                               : fmin(*value, ours);
        some = true;
    }
    return some;
}

static bool find_packets(const struct results *results, enum claim_kind kind, double *value)
{
    for (size_t i = 0; i < results->num_packets; i++) {
        const struct packet_result *result = &results->packets[i];
        const bool steps = kind == CLAIM_SORTING_STEPS;
        *value = fmax(*value, steps ? (double)result->algorithms[ALGORITHM_SORTING].supersteps /
                                          result->of->n
                                    : result->algorithms[ALGORITHM_SORTING].queue);
    }
    return results->num_packets > 0;
}

// The longest queue of greedy over N in the largest mesh.
static bool find_greedy(const struct results *results, double *value)
{
    uint32_t n = 0;
    for (size_t i = 0; i < results->num_packets; i++) {
        const struct packet_result *result = &results->packets[i];
        if (result->of->n <= n) continue;
        n = result->of->n;
        *value = (double)result->algorithms[ALGORITHM_GREEDY].queue / n;
    }
    return n > 0;
}

// What Theorem 2 bounds, the most over all layouts and sizes.
static bool find_theorem(const struct results *results, double *value)
{
    enum { MOST_SUPERNODES = 1024 };
    for (size_t i = 0; i < results->plan->num_layouts; i++) {
        const struct layout_case *layout = &results->plan->layouts[i];
        for (uint32_t n = 2; n <= MOST_SUPERNODES; n++)
            *value = fmax(*value, measure_charge_sorting(layout->f, layout->k, n));
    }
    return results->plan->num_layouts > 0;
}

static bool find_value(const struct results *results, const struct claim *claim, double *value)
{
    switch (claim->kind) {
    case CLAIM_BOUND:
    case CLAIM_START:
    case CLAIM_PACKETS:
    case CLAIM_LEXICAL:
    case CLAIM_DESCENDING:
        return find_largest(results, claim, value);
    case CLAIM_COST_LEAST:
    case CLAIM_COST_MOST:
        return find_cost(results, claim, value);
    case CLAIM_POWER:
        return find_power(results, claim, value);
    case CLAIM_GAIN:
        return find_gain(results, claim, value);
    case CLAIM_OVER:
        return find_over(results, value);
    case CLAIM_BROKEN:
        return find_broken(results, value);
    case CLAIM_OUTSIDE:
        return find_outside(results, value);
    case CLAIM_LAYOUTS:
    case CLAIM_WRONG:
    case CLAIM_MISSED:
        return find_failed(results, claim->kind, value);
    case CLAIM_OCCUPANCY:
        return find_occupancy(results, value);
    case CLAIM_TOGETHER:
    case CLAIM_CHARGED:
    case CLAIM_EARLY:
        return find_most(results, claim->kind, value);
    case CLAIM_CLIMBED:
    case CLAIM_CLIMBED_LEXICAL:
        return find_climbed(results, claim, value);
    case CLAIM_GRAPHS:
    case CLAIM_RELATION:
        return find_graphs(results, claim->kind, value);
    case CLAIM_MOVING:
        return find_moving(results, value);
    case CLAIM_COLOURED_LEAST:
    case CLAIM_COLOURED_MOST:
    case CLAIM_ONE_BEND:
        return find_coloured(results, claim->kind, value);
    case CLAIM_SORTING_STEPS:
    case CLAIM_SORTING_QUEUE:
        return find_packets(results, claim->kind, value);
    case CLAIM_GREEDY_QUEUE:
        return find_greedy(results, value);
    case CLAIM_THEOREM:
        return find_theorem(results, value);
    }
    return false;
}

enum verdict check_claim(const struct results *results, const struct claim *claim, double *value)
{
    *value = 0;
    return find_value(results, claim, value) ? verdict_of(&claim->range, *value) : VERDICT_NONE;
}
