// SPDX-License-Identifier: Apache-2.0

#include "greenberg_oh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 6, MAX_RUNS = 100000, PATH_BYTES = 4096 };

const char *const claim_kinds[] = {"gain",     "straight",   "power",  "slowdown",
                                   "crowding", "outside",    "missed", "growth",
                                   "crossing", "log-square", "twice",  NULL};

static const struct series *series_at(struct paper_row *row, size_t column)
{
    const struct series *series = plan_find(row->user, paper_text(row, column));
    if (!series) paper_refuse(row, column, "a series of series.csv");
    return series;
}

// Reads N = 4^n from a column and returns n. If `all`, N may be 0, which means all N.
static uint32_t exponent(struct paper_row *row, size_t column, bool all)
{
    const double terminals = paper_number(row, column, 0, 4096);
    for (uint32_t n = 2; n <= MAX_N; n++)
        if (terminals == (double)(1u << 2 * n)) return n;
    if (!all || terminals != 0) paper_refuse(row, column, "N = 16, 64, … 4096");
    return 0;
}

// Refuses a number of the paper whose runs the plan never makes: it would never be checked.
static void must_be_run(struct paper_row *row, const struct series *series, uint32_t n)
{
    if (row->status || !series || !n || (n >= series->least && n <= series->most)) return;
    row->status = anl_fail(row->error, ANL_ERR_FORMAT, row->csv.file, row->csv.record_line,
                           "series '%s' is not run at N = %u", series->name, 1u << 2 * n);
}

// --- rows ---

static void read_series(struct paper_row *row, void *element)
{
    struct series *series = element;
    static const char *const kinds[] = {"run", "phases", "univ", "window", "tree", "stream", NULL};
    *series = (struct series){
        .name = paper_text(row, 0),
        .kind = (enum series_kind)paper_choice(row, 1, kinds),
        .scenario = paper_text(row, 2),
        .least = paper_whole(row, 3, 2, MAX_N),
        .most = paper_whole(row, 4, 2, MAX_N),
        .runs = paper_whole(row, 5, 1, MAX_RUNS),
        .scale = paper_number(row, 7, 1, 1e6),
        .settings = paper_text(row, 8),
    };
    series->all = paper_whole(row, 6, series->runs, MAX_RUNS);
}

static void read_cell(struct paper_row *row, void *element)
{
    struct cell *cell = element;
    static const char *const quantities[] = {"time", "load", "congestion", NULL};
    *cell = (struct cell){
        .group = paper_text(row, 0),
        .quantity = (enum quantity)paper_choice(row, 1, quantities),
        .series = series_at(row, 2),
        .n = exponent(row, 3, false),
        .paper = paper_number(row, 4, 0, 1e9),
        .unit = paper_number(row, 5, 1e-9, 1e9),
    };
    must_be_run(row, cell->series, cell->n);
    cell->shown = strcmp(paper_text(row, 6), "shown") == 0;
    if (!cell->shown && strcmp(paper_text(row, 6), "exact") != 0)
        cell->tolerance = paper_number(row, 6, 0.1, 100);
}

static void read_line(struct paper_row *row, void *element)
{
    struct line *line = element;
    *line = (struct line){.figure = paper_whole(row, 0, 1, 99),
                          .series = series_at(row, 1),
                          .label = paper_text(row, 2)};
}

static void read_claim(struct paper_row *row, void *element)
{
    struct claim *claim = element;
    *claim = (struct claim){
        .kind = (enum claim_kind)paper_choice(row, 0, claim_kinds),
        .first = paper_text(row, 1),
        .second = paper_text(row, 2),
        .n = exponent(row, 3, true),
        .range.least = paper_number(row, 4, -1e9, 1e9),
        .range.most = paper_number(row, 5, -1e9, 1e9),
        .range.differs = *paper_text(row, 6) != '\0',
        .sentence = paper_text(row, 8),
    };
    if (claim->kind != CLAIM_STRAIGHT && claim->kind != CLAIM_POWER && claim->kind != CLAIM_OUTSIDE)
        must_be_run(row, series_at(row, 1), claim->n);
    if (claim->kind == CLAIM_GAIN) must_be_run(row, series_at(row, 2), claim->n);
    if (claim->kind == CLAIM_GROWTH)  // from N / 4 on
        must_be_run(row, series_at(row, 1), claim->n ? claim->n - 1 : 1);
    if (!claim->range.differs) return;
    claim->range.our_least = paper_number(row, 6, -1e9, 1e9);
    claim->range.our_most = paper_number(row, 7, -1e9, 1e9);
}

// --- files ---

enum anl_status plan_read(const char *directory, struct plan *plan, struct anl_error *error)
{
    static const struct paper_file series = {"series.csv", 9, sizeof *plan->series, read_series,
                                             false};
    static const struct paper_file cells = {"table1.csv", 7, sizeof *plan->cells, read_cell, false};
    static const struct paper_file lines = {"figures.csv", 3, sizeof *plan->lines, read_line,
                                            false};
    static const struct paper_file claims = {"claims.csv", 9, sizeof *plan->claims, read_claim,
                                             false};
    struct paper_row row = {.user = plan, .directory = directory, .error = error};
    *plan = (struct plan){.directory = directory};
    plan->series = paper_read(&row, &series, &plan->texts[0], &plan->num_series);
    plan->cells = paper_read(&row, &cells, &plan->texts[1], &plan->num_cells);
    plan->lines = paper_read(&row, &lines, &plan->texts[2], &plan->num_lines);
    plan->claims = paper_read(&row, &claims, &plan->texts[3], &plan->num_claims);
    if (row.status) plan_free(plan);
    return row.status;
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < 4; i++)
        free(plan->texts[i]);
    free(plan->series);
    free(plan->cells);
    free(plan->lines);
    free(plan->claims);
    *plan = (struct plan){0};
}

const struct series *plan_find(const struct plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->num_series; i++)
        if (strcmp(plan->series[i].name, name) == 0) return &plan->series[i];
    return NULL;
}

uint32_t plan_runs(const struct series *series, uint32_t n)
{
    return n <= 5 ? series->all : series->runs;
}

// --- scenarios ---

// Writes a setting of series.csv; X*n is multiplied out.
static void write_setting(const char *word, size_t length, uint32_t n, char *out, size_t size)
{
    char plain[128];
    snprintf(plain, sizeof plain, "%.*s", (int)length, word);
    char *value = strchr(plain, '='), *times = strstr(plain, "*n");
    if (value && times && !times[2])
        snprintf(out, size, "%.*s=%lu", (int)(value - plain), plain,
                 strtoul(value + 1, NULL, 10) * n);
    else
        snprintf(out, size, "%s", plain);
}

enum anl_status plan_scenario(const struct plan *plan, const struct series *series, uint32_t n,
                              uint32_t run, struct anl_scenario *scenario, struct anl_error *error)
{
    const bool mesh = series->kind >= SERIES_WINDOW;
    char path[PATH_BYTES], texts[PLAN_MAX_SETTINGS][128];
    const char *settings[PLAN_MAX_SETTINGS];
    size_t count = 2;
    snprintf(path, sizeof path, "%s/%s", plan->directory, series->scenario);
    snprintf(texts[0], sizeof texts[0], "run.seed=%u", run + 1);
    snprintf(texts[1], sizeof texts[1], mesh ? "network.k=%u" : "network.n=%u", mesh ? 1u << n : n);
    for (const char *word = series->settings; *word && count < PLAN_MAX_SETTINGS; count++) {
        const size_t length = strcspn(word, " ");
        write_setting(word, length, n, texts[count], sizeof texts[count]);
        word += length + strspn(word + length, " ");
    }
    for (size_t i = 0; i < count; i++)
        settings[i] = texts[i];
    return anl_scenario_load_with(path, settings, count, scenario, error);
}
