// SPDX-License-Identifier: Apache-2.0

#include "plan.h"
#include "common/common.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 6, MAX_RUNS = 100000, PATH_BYTES = 4096 };

// The rows of a file, one after the other: the first error stays.
struct row {
    const struct plan *plan;
    const char *directory;
    struct csv csv;
    struct anl_error *error;
    enum anl_status status;
};

static void refuse(struct row *row, const char *found, const char *expected)
{
    if (!row->status)
        row->status = anl_fail(row->error, ANL_ERR_FORMAT, row->csv.file, row->csv.record_line,
                               "'%s', expected %s", found, expected);
}

static const char *text(const struct row *row, size_t column) { return row->csv.fields[column]; }

static double number(struct row *row, size_t column, double least, double most)
{
    char *end, expected[80];
    const double value = strtod(text(row, column), &end);
    if (*text(row, column) && !*end && value >= least && value <= most) return value;
    snprintf(expected, sizeof expected, "a number from %g to %g", least, most);
    refuse(row, text(row, column), expected);
    return least;
}

static uint32_t whole(struct row *row, size_t column, double least, double most)
{
    const double value = number(row, column, least, most);
    if (value != floor(value)) refuse(row, text(row, column), "an integer");
    return (uint32_t)value;
}

static int choice(struct row *row, size_t column, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(text(row, column), names[i]) == 0) return i;
    refuse(row, text(row, column), "one of those that the file's head names");
    return 0;
}

static const struct series *series_at(struct row *row, size_t column)
{
    const struct series *series = plan_find(row->plan, text(row, column));
    if (!series) refuse(row, text(row, column), "a series of series.csv");
    return series;
}

// N = 4^n as n; 0 may stand for all.
static uint32_t exponent(struct row *row, size_t column, bool all)
{
    const double terminals = number(row, column, 0, 4096);
    for (uint32_t n = 2; n <= MAX_N; n++)
        if (terminals == (double)(1u << 2 * n)) return n;
    if (!all || terminals != 0) refuse(row, text(row, column), "N = 16, 64, … 4096");
    return 0;
}

// Refuses a figure that the plan never makes: it would never be judged.
static void must_be_run(struct row *row, const struct series *series, uint32_t n)
{
    if (row->status || !series || !n || (n >= series->least && n <= series->most)) return;
    row->status = anl_fail(row->error, ANL_ERR_FORMAT, row->csv.file, row->csv.record_line,
                           "series '%s' is not run at N = %u", series->name, 1u << 2 * n);
}

// --- rows ---

static void read_series(struct row *row, void *element)
{
    struct series *series = element;
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

static void read_cell(struct row *row, void *element)
{
    struct cell *cell = element;
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

static void read_line(struct row *row, void *element)
{
    struct line *line = element;
    *line = (struct line){
        .figure = whole(row, 0, 1, 99), .series = series_at(row, 1), .label = text(row, 2)};
}

static void read_claim(struct row *row, void *element)
{
    struct claim *claim = element;
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

struct file {
    const char *name;
    size_t columns, bytes;  // of a row, of what it becomes
    void (*read)(struct row *row, void *element);
};

static size_t count_lines(const char *text)
{
    size_t lines = 1;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void read_row(struct row *row, const struct file *file, void *element)
{
    if (row->csv.num_fields == file->columns)
        file->read(row, element);
    else
        row->status = anl_fail(row->error, ANL_ERR_FORMAT, row->csv.file, row->csv.record_line,
                               "%zu cells, expected %zu", row->csv.num_fields, file->columns);
}

// The rows of a file as a list; *text is the file's, into which the names in the list point. After
// an error the status says so.
static void *read_file(struct row *row, const struct file *file, char **text, size_t *count)
{
    char path[PATH_BYTES];
    if (row->status) return NULL;
    snprintf(path, sizeof path, "%s/%s", row->directory, file->name);
    row->status = csv_text(path, text, row->error);
    if (row->status) return NULL;
    row->csv = (struct csv){.file = path, .at = *text, .line = 1, .remarks = true};
    char *list = calloc(count_lines(*text), file->bytes);
    if (!list) row->status = anl_fail(row->error, ANL_ERR_MEMORY, path, 0, "no memory");
    while (!row->status && csv_next(&row->csv, &row->status, row->error))
        read_row(row, file, list + file->bytes * (*count)++);
    if (!row->status && !*count)
        row->status =
            anl_fail(row->error, ANL_ERR_FORMAT, path, 0, "no row, expected at least one");
    return list;
}

enum anl_status plan_read(const char *directory, struct plan *plan, struct anl_error *error)
{
    static const struct file series = {"series.csv", 9, sizeof *plan->series, read_series};
    static const struct file cells = {"table1.csv", 7, sizeof *plan->cells, read_cell};
    static const struct file lines = {"figures.csv", 3, sizeof *plan->lines, read_line};
    static const struct file claims = {"claims.csv", 9, sizeof *plan->claims, read_claim};
    struct row row = {.plan = plan, .directory = directory, .error = error};
    *plan = (struct plan){0};
    plan->series = read_file(&row, &series, &plan->texts[0], &plan->num_series);
    plan->cells = read_file(&row, &cells, &plan->texts[1], &plan->num_cells);
    plan->lines = read_file(&row, &lines, &plan->texts[2], &plan->num_lines);
    plan->claims = read_file(&row, &claims, &plan->texts[3], &plan->num_claims);
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
