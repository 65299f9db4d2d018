// SPDX-License-Identifier: Apache-2.0

#include "greenberg_oh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct tally {
    size_t count[VERDICT_NONE + 1];  // [verdicts]
};

static uint32_t terminals(uint32_t n) { return 1u << 2 * n; }

// --- Table 1 ---

static void print_cell(struct table *table, const struct cell *cell, const struct cell_verdict *j)
{
    const int digits = cell->quantity == QUANTITY_TIME ? 1 : 2;
    table_add(table, "%s", cell->quantity == QUANTITY_TIME ? cell->series->name : "load factor");
    table_add(table, "%u", terminals(cell->n));
    table_add(table, "%g", cell->paper);
    table_add(table, "%.*f", digits, j->ours.mean);
    table_add(table, "%.*f", digits + 1, j->ours.error);
    table_add(table, "%+.1f %%", j->deviation);
    table_add(table, "%+.2f", j->z);
    table_add(table, "%zu", j->all.count);
    table_add(table, "%.*f", digits, j->all.mean);
    table_add(table, "%+.2f", j->z_all);
    table_add(table, "%s", verdict_name(j->verdict));
}

static void print_table(const struct plan *plan, const struct results *results, struct tally *tally)
{
    static const char *const heads[] = {"",  "N",    "paper", "ours", "SE", "dev",
                                        "z", "runs", "ours",  "z",    ""};
    struct table table = {.align = "lrrrrrrrrrl"};
    puts("Table 1: time in flit-steps, means of 30 runs; then of all our runs (SE: standard error "
         "of ours)");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_add(&table, "%s", heads[i]);
    for (size_t i = 0; i < plan->num_cells; i++) {
        const struct cell_verdict verdict = check_cell(results, &plan->cells[i]);
        tally->count[verdict.verdict]++;
        if (verdict.verdict != VERDICT_NONE) print_cell(&table, &plan->cells[i], &verdict);
    }
    table_print(&table, 2);
}

// --- means of other series ---

static void print_means(const struct plan *plan, const struct results *results, const char *title,
                        bool (*wanted)(const struct plan *plan, const struct series *series))
{
    struct table table = {.align = "lrrrrr"};
    printf("\n%s\n", title);
    table_add(&table, "N");
    for (uint32_t n = 2; n <= 6; n++)
        table_add(&table, "%u", terminals(n));
    for (size_t i = 0; i < plan->num_series; i++) {
        const struct series *series = &plan->series[i];
        if (!wanted(plan, series)) continue;
        table_add(&table, "%s", series->name);
        for (uint32_t n = 2; n <= 6; n++) {
            const struct sample time = results_sample(results, series, n, MEASURE_TIME, true);
            if (time.count)
                table_add(&table, "%.1f", time.mean);
            else
                table_add(&table, "%s", "");
        }
    }
    table_print(&table, 2);
}

static bool is_in_table(const struct plan *plan, const struct series *series)
{
    for (size_t i = 0; i < plan->num_cells; i++)
        if (plan->cells[i].series == series) return true;
    return false;
}

static bool is_other(const struct plan *plan, const struct series *series)
{
    return !is_in_table(plan, series) &&
           (series->kind == SERIES_RUN || series->kind == SERIES_UNIV);
}

static void print_figures(const struct plan *plan, const struct results *results)
{
    struct table table = {.align = "llrrrrr"};
    puts("\nFigures 2 to 5: random instances, mean time and deviation of one run, flit-steps");
    table_add(&table, "%s", "");
    table_add(&table, "N");
    for (uint32_t n = 2; n <= 6; n++)
        table_add(&table, "%u", terminals(n));
    uint32_t last = 0;
    for (size_t i = 0; i < plan->num_lines; i++) {
        const struct line *line = &plan->lines[i];
        if (line->figure == last)
            table_add(&table, "%s", "");
        else
            table_add(&table, "%u", line->figure);
        last = line->figure;
        table_add(&table, "%s", line->label);
        for (uint32_t n = 2; n <= 6; n++) {
            const struct sample time =
                results_sample(results, line->series, n, MEASURE_TIME, false);
            if (time.count)
                table_add(&table, "%.0f ±%.0f", time.mean, time.deviation);
            else
                table_add(&table, "%s", "");
        }
    }
    table_print(&table, 2);
}

// --- claims ---

static void describe(char *text, size_t size, const struct claim *claim)
{
    if (claim->kind == CLAIM_GAIN)
        snprintf(text, size, "%s over %s", claim->second, claim->first);
    else
        snprintf(text, size, "%s", claim->first);
}

static void print_value(struct table *table, const struct claim *claim,
                        const struct claim_verdict *j)
{
    switch (claim->kind) {
    case CLAIM_GAIN:
        table_add(table, "%.1f ±%.1f %%", j->value, j->error);
        break;
    case CLAIM_STRAIGHT:
        table_add(table, "R² %.5f", j->value);
        break;
    case CLAIM_POWER:
        table_add(table, "p %.2f [%.2f, %.2f], k %.2f", j->value, j->low, j->high, j->factor);
        break;
    case CLAIM_SLOWDOWN:
    case CLAIM_CROWDING:
        table_add(table, "%.2f [%.2f, %.2f]", j->value, j->low, j->high);
        break;
    case CLAIM_OUTSIDE:
    case CLAIM_MISSED:
    case CLAIM_TWICE:
        table_add(table, "%.0f", j->value);
        break;
    }
}

static void print_claims(const struct plan *plan, const struct results *results,
                         struct tally *tally)
{
    struct table table = {.align = "llrrrl"};
    const char *last = "";
    puts("\nSentences of the paper: who over whom by how much, and the range that it takes");
    for (size_t i = 0; i < plan->num_claims; i++) {
        const struct claim *claim = &plan->claims[i];
        const struct claim_verdict verdict = check_claim(plan, results, claim);
        char what[128];
        tally->count[verdict.verdict]++;
        if (verdict.verdict == VERDICT_NONE) continue;
        describe(what, sizeof what, claim);
        if (strcmp(last, claim->sentence) != 0) {
            table_print(&table, 4);
            printf("  %s\n", claim->sentence);
            last = claim->sentence;
        }
        table_add(&table, "%s", what);
        if (claim->n)
            table_add(&table, "N = %u", terminals(claim->n));
        else
            table_add(&table, "%s", "");
        print_value(&table, claim, &verdict);
        table_add(&table, "%g", claim->range.least);
        table_add(&table, "%g", claim->range.most);
        table_add(&table, "%s", verdict_name(verdict.verdict));
    }
    table_print(&table, 4);
}

// Prints the values from which the fit is made.
static void print_fit(const struct plan *plan, const struct results *results)
{
    static const char *const heads[] = {"N", "time", "c", "time / c L", "load", "mean c"};
    const struct series *worm = plan_find(plan, "worm");
    struct table table = {.align = "rrrrrr"};
    puts("\nThe fit k c L log4^p N: means of series worm; mean c: over the links that are crossed");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_add(&table, "%s", heads[i]);
    for (uint32_t n = worm ? worm->least : 1; worm && n <= worm->most; n++) {
        const struct sample time = results_sample(results, worm, n, MEASURE_TIME, false);
        const double c = results_sample(results, worm, n, MEASURE_CONGESTION, false).mean;
        if (!time.count) continue;
        table_add(&table, "%u", terminals(n));
        table_add(&table, "%.1f", time.mean);
        table_add(&table, "%.2f", c);
        table_add(&table, "%.3f", time.mean / (c * results_length(results, worm, n)));
        table_add(&table, "%.2f", results_sample(results, worm, n, MEASURE_LOAD, false).mean);
        table_add(&table, "%.3f",
                  results_sample(results, worm, n, MEASURE_MEAN_CONGESTION, false).mean);
    }
    table_print(&table, 2);
}

// --- theorems ---

static void print_phases(const struct plan *plan, const struct results *results)
{
    struct table table = {.align = "lrrrrrrr"};
    static const char *const heads[] = {"", "N", "R", "k T1 L", "time", "bound", "missed", "runs"};
    puts("\nTheorem 2, delayed-greedy: means; worms that missed their phase, in all");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_add(&table, "%s", heads[i]);
    for (size_t i = 0; i < plan->num_series; i++) {
        const struct series *s = &plan->series[i];
        for (uint32_t n = s->least; n <= s->most && s->kind == SERIES_PHASES; n++) {
            const struct sample time = results_sample(results, s, n, MEASURE_TIME, true);
            const struct sample missed = results_sample(results, s, n, MEASURE_MISSED, true);
            const double phases = results_sample(results, s, n, MEASURE_PHASES, true).mean;
            const double cycles = results_sample(results, s, n, MEASURE_PHASE_CYCLES, true).mean;
            if (!time.count) continue;
            table_add(&table, "%s", s->name);
            table_add(&table, "%u", terminals(n));
            table_add(&table, "%.1f", phases);
            table_add(&table, "%.1f", cycles);
            table_add(&table, "%.0f", time.mean);
            table_add(&table, "%.0f", phases * cycles);
            table_add(&table, "%.0f", missed.mean * (double)missed.count);
            table_add(&table, "%zu", missed.count);
        }
    }
    table_print(&table, 2);
}

static void print_competition(const struct plan *plan, const struct results *results)
{
    struct table table = {.align = "lrrrrrrr"};
    static const char *const heads[] = {"",         "A = N", "worms",      "c",
                                        "c / lg A", "load",  "slowdown ±", "/ lg³ A"};
    puts("\nTheorems 5 and 6: what a mesh of the same area moves, sent on the fat-tree");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_add(&table, "%s", heads[i]);
    for (size_t i = 0; i < plan->num_series; i++) {
        const struct series *s = &plan->series[i];
        const bool mesh = s->kind == SERIES_WINDOW || s->kind == SERIES_STREAM;
        for (uint32_t n = s->least; n <= s->most && mesh; n++) {
            const struct sample slowdown = results_sample(results, s, n, MEASURE_SLOWDOWN, true);
            const double c = results_sample(results, s, n, MEASURE_CONGESTION, true).mean;
            if (!slowdown.count) continue;
            table_add(&table, "%s", s->name);
            table_add(&table, "%u", terminals(n));
            table_add(&table, "%.0f", results_sample(results, s, n, MEASURE_WORMS, true).mean);
            table_add(&table, "%.1f", c);
            table_add(&table, "%.2f", c / (2 * n));
            table_add(&table, "%.1f", results_sample(results, s, n, MEASURE_LOAD, true).mean);
            table_add(&table, "%.2f ±%.2f", slowdown.mean, slowdown.error);
            table_add(&table, "%.4f", slowdown.mean / pow(2 * n, 3));
        }
    }
    table_print(&table, 2);
}

static bool print_bounds(const struct results *results)
{
    const struct bounds_count count = results_count_bounds(results);
    printf("\nBounds: %zu of %zu runs took fewer cycles than max(c L, d + L - 1), with the paths "
           "they took (least: %.3f times that);\n        %zu of %zu more than Theorem 2 allows "
           "the delayed-greedy algorithm (most: %.3f times that)\n",
           count.below, count.held_lower, count.least_lower, count.above, count.held_upper,
           count.most_upper);
    return count.below == 0 && count.above == 0;
}

bool report_print(const struct plan *plan, const struct results *results)
{
    struct tally cells = {0}, claims = {0};
    print_table(plan, results, &cells);
    print_figures(plan, results);
    print_means(plan, results, "Other series, mean times of all runs, flit-steps", is_other);
    print_fit(plan, results);
    print_phases(plan, results);
    print_competition(plan, results);
    print_claims(plan, results, &claims);
    const bool kept = print_bounds(results);
    printf("\nSentences: %zu pass, %zu FAIL, %zu differ (docs/papers/greenberg-oh.md says why), "
           "%zu not run\nCells of Table 1:\n",
           claims.count[VERDICT_PASS], claims.count[VERDICT_FAIL], claims.count[VERDICT_DIFFERS],
           claims.count[VERDICT_NONE]);
    printf("%zu passed, %zu failed\n", cells.count[VERDICT_PASS], cells.count[VERDICT_FAIL]);
    return kept && !claims.count[VERDICT_FAIL] && !cells.count[VERDICT_FAIL];
}
