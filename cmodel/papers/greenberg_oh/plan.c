// SPDX-License-Identifier: Apache-2.0

#include "plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 6, MAX_RUNS = 100000, PATH_BYTES = 4096 };

// One row being read: the first error stays.
struct row {
    const struct plan *plan;
    const struct csv *csv;
    size_t index;
    struct anl_error *error;
    enum anl_status status;
};

static const char *text(const struct row *row, size_t column)
{
    return csv_cell(row->csv, row->index, column);
}

static double number(struct row *row, size_t column, double least, double most)
{
    double value = least;
    if (!row->status)
        row->status = csv_number(row->csv, row->index, column, least, most, &value, row->error);
    return value;
}

static uint32_t whole(struct row *row, size_t column, double least, double most)
{
    const double value = number(row, column, least, most);
    if (!row->status && value != floor(value))
        row->status =
            anl_fail(row->error, ANL_ERR_FORMAT, row->csv->path, row->csv->lines[row->index],
                     "'%s', expected an integer", text(row, column));
    return (uint32_t)value;
}

static int choice(struct row *row, size_t column, const char *const *names)
{
    int value = 0;
    if (!row->status)
        row->status = csv_choice(row->csv, row->index, column, names, &value, row->error);
    return value;
}

static const struct series *series_at(struct row *row, size_t column)
{
    const struct series *series = plan_find(row->plan, text(row, column));
    if (!series && !row->status)
        row->status =
            anl_fail(row->error, ANL_ERR_FORMAT, row->csv->path, row->csv->lines[row->index],
                     "'%s' is not in series.csv", text(row, column));
    return series;
}

// N = 4^n as n; 0 may stand for all.
static uint32_t exponent(struct row *row, size_t column, bool all)
{
    const double terminals = number(row, column, 0, 4096);
    for (uint32_t n = 2; n <= MAX_N; n++)
        if (terminals == (double)(1u << 2 * n)) return n;
    if (!row->status && !(all && terminals == 0))
        row->status =
            anl_fail(row->error, ANL_ERR_FORMAT, row->csv->path, row->csv->lines[row->index],
                     "N = %g, expected 16, 64, … 4096", terminals);
    return 0;
}

// Refuses a figure that the plan never makes: it would never be judged.
static void must_be_run(struct row *row, const struct series *series, uint32_t n)
{
    if (row->status || !series || !n || (n >= series->least && n <= series->most)) return;
    row->status = anl_fail(row->error, ANL_ERR_FORMAT, row->csv->path, row->csv->lines[row->index],
                           "series '%s' is not run at N = %u", series->name, 1u << 2 * n);
}

// --- rows ---

static void read_series(struct row *row, struct series *series)
{
    static const char *const kinds[] = {"run", "phases", "univ", "window", "stream", NULL};
    *series = (struct series){
        .name = text(row, 0),
        .kind = (enum series_kind)choice(row, 1, kinds),
        .scenario = text(row, 2),
        .least = whole(row, 3, 2, MAX_N),
        .most = whole(row, 4, 2, MAX_N),
        .runs = whole(row, 5, 1, MAX_RUNS),
        .scale = number(row, 7, 1, 1e6),
        .settings = text(row, 8),
    };
    series->all = whole(row, 6, series->runs, MAX_RUNS);
}

static void read_cell(struct row *row, struct cell *cell)
{
    static const char *const quantities[] = {"time", "load", NULL};
    *cell = (struct cell){
        .group = text(row, 0),
        .quantity = (enum quantity)choice(row, 1, quantities),
        .series = series_at(row, 2),
        .n = exponent(row, 3, false),
        .paper = number(row, 4, 0, 1e9),
        .unit = number(row, 5, 1e-9, 1e9),
    };
    must_be_run(row, cell->series, cell->n);
    cell->shown = strcmp(text(row, 6), "shown") == 0;
    if (!cell->shown && strcmp(text(row, 6), "exact") != 0)
        cell->tolerance = number(row, 6, 0.1, 100);
}

static void read_line(struct row *row, struct line *line)
{
    *line = (struct line){
        .figure = whole(row, 0, 1, 99), .series = series_at(row, 1), .label = text(row, 2)};
}

static void read_claim(struct row *row, struct claim *claim)
{
    static const char *const kinds[] = {"gain",    "straight", "power", "slowdown", "crowding",
                                        "outside", "missed",   "twice", NULL};
    *claim = (struct claim){
        .kind = (enum claim_kind)choice(row, 0, kinds),
        .first = text(row, 1),
        .second = text(row, 2),
        .n = exponent(row, 3, true),
        .least = number(row, 4, -1e9, 1e9),
        .most = number(row, 5, -1e9, 1e9),
        .differs = *text(row, 6) != '\0',
        .sentence = text(row, 8),
    };
    if (claim->kind == CLAIM_GAIN) {
        must_be_run(row, series_at(row, 1), claim->n);
        must_be_run(row, series_at(row, 2), claim->n);
    }
    if (claim->kind == CLAIM_SLOWDOWN || claim->kind == CLAIM_CROWDING ||
        claim->kind == CLAIM_MISSED || claim->kind == CLAIM_TWICE)
        must_be_run(row, series_at(row, 1), claim->n);
    if (!claim->differs) return;
    claim->our_least = number(row, 6, -1e9, 1e9);
    claim->our_most = number(row, 7, -1e9, 1e9);
}

// --- files ---

static enum anl_status open_files(const char *directory, struct plan *plan, struct anl_error *error)
{
    static const struct {
        const char *name;
        size_t columns;
    } files[] = {{"series.csv", 9}, {"table1.csv", 7}, {"figures.csv", 3}, {"claims.csv", 9}};
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < sizeof files / sizeof *files && !status; i++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/%s", directory, files[i].name);
        status = csv_read(path, files[i].columns, &plan->files[i], error);
    }
    if (status) return status;
    plan->series = calloc(plan->files[0].rows + 1, sizeof *plan->series);
    plan->cells = calloc(plan->files[1].rows + 1, sizeof *plan->cells);
    plan->lines = calloc(plan->files[2].rows + 1, sizeof *plan->lines);
    plan->claims = calloc(plan->files[3].rows + 1, sizeof *plan->claims);
    if (plan->series && plan->cells && plan->lines && plan->claims) return ANL_OK;
    return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for the plan");
}

static enum anl_status read_rows(struct plan *plan, struct anl_error *error)
{
    struct row row = {.plan = plan, .error = error};
    for (size_t file = 0; file < 4; file++) {
        row.csv = &plan->files[file];
        for (row.index = 0; row.index < row.csv->rows && !row.status; row.index++)
            if (file == 0)
                read_series(&row, &plan->series[plan->num_series++]);
            else if (file == 1)
                read_cell(&row, &plan->cells[plan->num_cells++]);
            else if (file == 2)
                read_line(&row, &plan->lines[plan->num_lines++]);
            else
                read_claim(&row, &plan->claims[plan->num_claims++]);
    }
    return row.status;
}

enum anl_status plan_read(const char *directory, struct plan *plan, struct anl_error *error)
{
    *plan = (struct plan){0};
    enum anl_status status = open_files(directory, plan, error);
    if (!status) status = read_rows(plan, error);
    if (status) plan_free(plan);
    return status;
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < 4; i++)
        csv_free(&plan->files[i]);
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

// One setting as series.csv has it; X*n is multiplied out.
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

enum anl_status plan_scenario(const char *directory, const struct series *series, uint32_t n,
                              uint32_t run, struct anl_scenario *scenario, struct anl_error *error)
{
    const bool mesh = series->kind == SERIES_WINDOW || series->kind == SERIES_STREAM;
    char path[PATH_BYTES], texts[PLAN_MAX_SETTINGS][128];
    const char *settings[PLAN_MAX_SETTINGS];
    size_t count = 2;
    snprintf(path, sizeof path, "%s/%s", directory, series->scenario);
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
