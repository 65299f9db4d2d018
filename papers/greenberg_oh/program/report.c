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
    static const char *const quantities[] = {"time", "load factor", "congestion"};
    const bool time = cell->quantity == QUANTITY_TIME;
    const int digits = time ? 1 : 2;
    table_row(table, "%s\t%u\t%g\t%.*f\t%.*f\t%+.1f %%\t%+.2f\t%zu\t%.*f\t%+.2f\t%s",
              time ? cell->series->name : quantities[cell->quantity], terminals(cell->n),
              cell->paper, digits, j->ours.mean, digits + 1, j->ours.error, j->deviation, j->z,
              j->all.count, digits, j->all.mean, j->z_all, verdict_name(j->verdict));
}

static void print_table(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "lrrrrrrrrrl"};
    puts("Table 1: time in flit-steps, means of 30 runs; then of all our runs (SE: standard error "
         "of ours)");
    table_row(&table, "\tN\tpaper\tours\tSE\tdev\tz\truns\tours\tz\t");
    for (size_t i = 0; i < results->plan->num_cells; i++) {
        const struct cell *cell = &results->plan->cells[i];
        const struct cell_verdict verdict = check_cell(results, cell);
        tally->count[verdict.verdict]++;
        if (verdict.verdict != VERDICT_NONE) print_cell(&table, cell, &verdict);
    }
    table_print(&table, 2);
}

// --- means of other series ---

static bool is_in_table(const struct plan *plan, const struct series *series)
{
    for (size_t i = 0; i < plan->num_cells; i++)
        if (plan->cells[i].series == series) return true;
    return false;
}

static void print_means(const struct results *results)
{
    struct table table = {.align = "lrrrrr"};
    puts("\nOther series, mean times of all runs, flit-steps");
    table_row(&table, "N\t16\t64\t256\t1024\t4096");
    for (size_t i = 0; i < results->plan->num_series; i++) {
        const struct series *series = &results->plan->series[i];
        if (is_in_table(results->plan, series)) continue;
        if (series->kind != SERIES_RUN && series->kind != SERIES_UNIV) continue;
        table_add(&table, "%s", series->name);
        for (uint32_t n = 2; n <= 6; n++) {
            const double time = results_mean(results, series, n, MEASURE_TIME);
            table_add(&table, isnan(time) ? "" : "%.1f", time);
        }
    }
    table_print(&table, 2);
}

static void print_figures(const struct results *results)
{
    struct table table = {.align = "llrrrrr"};
    uint32_t last = 0;
    puts("\nFigures 2 to 5: random instances, mean time and deviation of one run, flit-steps");
    table_row(&table, "\tN\t16\t64\t256\t1024\t4096");
    for (size_t i = 0; i < results->plan->num_lines; i++) {
        const struct line *line = &results->plan->lines[i];
        table_add(&table, line->figure == last ? "" : "%u", line->figure);
        table_add(&table, "%s", line->label);
        last = line->figure;
        for (uint32_t n = 2; n <= 6; n++) {
            const struct sample time =
                results_sample(results, line->series, n, MEASURE_TIME, false);
            table_add(&table, time.count ? "%.0f ±%.0f" : "", time.mean, time.deviation);
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
    case CLAIM_GROWTH:
    case CLAIM_CROSSING:
    case CLAIM_LOG_SQUARE:
        table_add(table, "%.3f", j->value);
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

static void print_claim(const struct results *results, const struct claim *claim,
                        struct table *table, struct tally *tally, const char **last)
{
    const struct claim_verdict verdict = check_claim(results, claim);
    char what[128];
    tally->count[verdict.verdict]++;
    if (verdict.verdict == VERDICT_NONE) return;
    describe(what, sizeof what, claim);
    if (strcmp(*last, claim->sentence) != 0) {
        table_print(table, 4);
        printf("  %s\n", claim->sentence);
        *last = claim->sentence;
    }
    table_add(table, "%s", what);
    table_add(table, claim->n ? "N = %u" : "", terminals(claim->n));
    print_value(table, claim, &verdict);
    table_row(table, "%g\t%g\t%s", claim->range.least, claim->range.most,
              verdict_name(verdict.verdict));
}

static void print_claims(const struct results *results, struct tally *tally)
{
    struct table table = {.align = "llrrrl"};
    const char *last = "";
    puts("\nSentences of the paper: who over whom by how much, and the range that it takes");
    for (size_t i = 0; i < results->plan->num_claims; i++)
        print_claim(results, &results->plan->claims[i], &table, tally, &last);
    table_print(&table, 4);
}

// Prints the values from which the fit is made.
static void print_fit(const struct results *results)
{
    const struct series *worm = plan_find(results->plan, "worm");
    struct table table = {.align = "rrrrrr"};
    puts("\nThe fit k c L log4^p N: means of series worm; mean c: over the links that are crossed");
    table_row(&table, "N\ttime\tc\ttime / c L\tload\tmean c");
    for (uint32_t n = worm ? worm->least : 1; worm && n <= worm->most; n++) {
        const double time = results_sample(results, worm, n, MEASURE_TIME, false).mean;
        const double c = results_sample(results, worm, n, MEASURE_CONGESTION, false).mean;
        if (isnan(time)) continue;
        table_row(&table, "%u\t%.1f\t%.2f\t%.3f\t%.2f\t%.3f", terminals(n), time, c,
                  time / (c * results_length(results, worm, n)),
                  results_sample(results, worm, n, MEASURE_LOAD, false).mean,
                  results_sample(results, worm, n, MEASURE_MEAN_CONGESTION, false).mean);
    }
    table_print(&table, 2);
}

// --- theorems ---

static void print_phases(const struct results *results)
{
    struct table table = {.align = "lrrrrrrr"};
    puts("\nTheorem 2, delayed-greedy: means; worms that missed their phase, in all");
    table_row(&table, "\tN\tR\tk T1 L\ttime\tbound\tmissed\truns");
    for (size_t i = 0; i < results->plan->num_series; i++) {
        const struct series *s = &results->plan->series[i];
        for (uint32_t n = s->least; n <= s->most && s->kind == SERIES_PHASES; n++) {
            const struct sample missed = results_sample(results, s, n, MEASURE_MISSED, true);
            const double phases = results_mean(results, s, n, MEASURE_PHASES);
            const double cycles = results_mean(results, s, n, MEASURE_PHASE_CYCLES);
            if (!missed.count) continue;
            table_row(&table, "%s\t%u\t%.1f\t%.1f\t%.0f\t%.0f\t%.0f\t%zu", s->name, terminals(n),
                      phases, cycles, results_mean(results, s, n, MEASURE_TIME), phases * cycles,
                      missed.mean * (double)missed.count, missed.count);
        }
    }
    table_print(&table, 2);
}

static void print_competition(const struct results *results)
{
    struct table table = {.align = "lrrrrrrr"};
    puts("\nTheorems 5 and 6: what a network of the same area moves, sent on the fat-tree");
    table_row(&table, "\tA = N\tworms\tc\tc / lg A\tload\tslowdown ±\t/ lg³ A");
    for (size_t i = 0; i < results->plan->num_series; i++) {
        const struct series *s = &results->plan->series[i];
        const bool mesh = s->kind >= SERIES_WINDOW;
        for (uint32_t n = s->least; n <= s->most && mesh; n++) {
            const struct sample slowdown = results_sample(results, s, n, MEASURE_SLOWDOWN, true);
            const double c = results_mean(results, s, n, MEASURE_CONGESTION);
            if (!slowdown.count) continue;
            table_row(&table, "%s\t%u\t%.0f\t%.1f\t%.2f\t%.1f\t%.2f ±%.2f\t%.4f", s->name,
                      terminals(n), results_mean(results, s, n, MEASURE_WORMS), c, c / (2 * n),
                      results_mean(results, s, n, MEASURE_LOAD), slowdown.mean, slowdown.error,
                      slowdown.mean / pow(2 * n, 3));
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

bool report_print(const struct results *results)
{
    struct tally cells = {0}, claims = {0};
    print_table(results, &cells);
    print_figures(results);
    print_means(results);
    print_fit(results);
    print_phases(results);
    print_competition(results);
    print_claims(results, &claims);
    const bool kept = print_bounds(results);
    printf("\nSentences: %zu pass, %zu FAIL, %zu differ (papers/greenberg_oh/README.md says why), "
           "%zu not run\nCells of Table 1:\n",
           claims.count[VERDICT_PASS], claims.count[VERDICT_FAIL], claims.count[VERDICT_DIFFERS],
           claims.count[VERDICT_NONE]);
    printf("%zu passed, %zu failed\n", cells.count[VERDICT_PASS], cells.count[VERDICT_FAIL]);
    return kept && !claims.count[VERDICT_FAIL] && !cells.count[VERDICT_FAIL];
}
