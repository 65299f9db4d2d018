// SPDX-License-Identifier: Apache-2.0
//
// A run as a row of a CSV file. Reading a file reads its rows one by one, sorts them, and groups
// them into points and curves.

#include "sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const struct sweep_column columns[] = {
    {"load", SWEEP_LOAD, offsetof(struct sweep_run, load)},
    {"seed", SWEEP_INTEGER, offsetof(struct sweep_run, seed)},
    {"state", SWEEP_STATE, offsetof(struct sweep_run, state)},
    {"end", SWEEP_END, offsetof(struct sweep_run, end)},
    {"cycles", SWEEP_INTEGER, offsetof(struct sweep_run, cycles)},
    {"warmup", SWEEP_INTEGER, offsetof(struct sweep_run, warmup)},
    {"worms", SWEEP_INTEGER, offsetof(struct sweep_run, worms)},
    {"offered", SWEEP_REAL, offsetof(struct sweep_run, offered)},
    {"accepted", SWEEP_REAL, offsetof(struct sweep_run, accepted)},
    {"latency", SWEEP_REAL, offsetof(struct sweep_run, latency)},
    {"latency_min", SWEEP_REAL, offsetof(struct sweep_run, latency_min)},
    {"latency_p50", SWEEP_REAL, offsetof(struct sweep_run, latency_p50)},
    {"latency_p95", SWEEP_REAL, offsetof(struct sweep_run, latency_p95)},
    {"latency_p99", SWEEP_REAL, offsetof(struct sweep_run, latency_p99)},
    {"latency_max", SWEEP_REAL, offsetof(struct sweep_run, latency_max)},
    {"links", SWEEP_REAL, offsetof(struct sweep_run, links)},
    {"digest", SWEEP_HASH, offsetof(struct sweep_run, digest)},
};
enum { NUM_COLUMNS = sizeof columns / sizeof *columns, NUM_WITHOUT_DIGEST = NUM_COLUMNS - 1 };

static size_t columns_of(bool digest) { return digest ? NUM_COLUMNS : NUM_WITHOUT_DIGEST; }

void sweep_run_write_names(FILE *stream, bool digest)
{
    sweep_columns_write_names(stream, columns, columns_of(digest));
}

void sweep_run_write(FILE *stream, const struct sweep_run *run)
{
    sweep_columns_write(stream, columns, columns_of(run->has_digest), run);
}

struct reading {
    struct sweep_points *points;
    struct csv csv;
    bool has_digest;
    size_t room_runs, room_curves;
    struct anl_error *error;
};

// --- header ---

// Checks that the record is a header: the varied keys, then the columns of a run.
static enum anl_status check_header(struct reading *reading)
{
    const struct csv *csv = &reading->csv;
    const size_t num_keys = reading->points->num_keys;
    reading->has_digest = csv->num_fields == num_keys + NUM_COLUMNS;
    const size_t count = columns_of(reading->has_digest);
    for (size_t i = 0; i < count; i++) {
        const char *found = num_keys + i < csv->num_fields ? csv->fields[num_keys + i] : "nothing";
        if (strcmp(found, columns[i].name) != 0)
            return anl_fail(reading->error, ANL_ERR_FORMAT, csv->file, csv->record_line,
                            "column %zu is '%s', expected '%s': not the header of a sweep%s",
                            num_keys + i + 1, found, columns[i].name,
                            anl_separator_hint(found, strlen(found)));
    }
    if (csv->num_fields == num_keys + count) return ANL_OK;
    return anl_fail(reading->error, ANL_ERR_FORMAT, csv->file, csv->record_line,
                    "'%s' behind the last column of a sweep", csv->fields[num_keys + count]);
}

static enum anl_status read_header(struct reading *reading)
{
    struct sweep_points *points = reading->points;
    struct csv *csv = &reading->csv;
    enum anl_status status;
    if (!csv_next(csv, &status, reading->error))
        return status ? status
                      : anl_fail(reading->error, ANL_ERR_FORMAT, csv->file, 1,
                                 "found no line, expected the header of a sweep");
    while (points->num_keys < csv->num_fields && strchr(csv->fields[points->num_keys], '.')) {
        if (points->num_keys == SWEEP_MAX_KEYS)
            return anl_fail(reading->error, ANL_ERR_FORMAT, csv->file, 1,
                            "more than %d varied keys", SWEEP_MAX_KEYS);
        char *key = strdup(csv->fields[points->num_keys]);
        if (!key) return cli_fail(ANL_ERR_MEMORY, reading->error);
        points->keys[points->num_keys++] = key;
    }
    return check_header(reading);
}

// --- rows ---

static bool has_values(const struct sweep_points *points, const struct sweep_curve *curve,
                       char *const *values)
{
    for (size_t i = 0; i < points->num_keys; i++)
        if (strcmp(curve->values[i], values[i]) != 0) return false;
    return true;
}

size_t sweep_points_curve(const struct sweep_points *points, char *const *values)
{
    size_t at = 0;
    while (at < points->num_curves && !has_values(points, &points->curves[at], values))
        at++;
    return at;
}

static enum anl_status find_curve(struct reading *reading, size_t *at)
{
    struct sweep_points *points = reading->points;
    *at = sweep_points_curve(points, reading->csv.fields);
    if (*at < points->num_curves) return ANL_OK;
    struct sweep_curve *curves =
        gather_room(points->curves, points->num_curves, &reading->room_curves, sizeof *curves);
    if (!curves) return cli_fail(ANL_ERR_MEMORY, reading->error);
    points->curves = curves;
    struct sweep_curve *curve = &curves[points->num_curves++];
    *curve = (struct sweep_curve){0};
    for (size_t i = 0; i < points->num_keys; i++) {
        curve->values[i] = strdup(reading->csv.fields[i]);
        if (!curve->values[i]) return cli_fail(ANL_ERR_MEMORY, reading->error);
    }
    return ANL_OK;
}

static enum anl_status read_run(const struct reading *reading, struct sweep_run *run)
{
    const struct csv *csv = &reading->csv;
    const size_t num_keys = reading->points->num_keys, count = columns_of(reading->has_digest);
    *run = (struct sweep_run){.has_digest = reading->has_digest, .line = csv->record_line};
    if (csv->num_fields != num_keys + count)
        return anl_fail(
            reading->error, ANL_ERR_FORMAT, csv->file, csv->record_line,
            "%zu field%s, expected %zu as in the header%s", csv->num_fields,
            plural(csv->num_fields), num_keys + count,
            csv->num_fields == 1 ? anl_separator_hint(csv->fields[0], strlen(csv->fields[0])) : "");
    const size_t bad = sweep_columns_read(csv->fields + num_keys, columns, count, run);
    if (bad == count) return ANL_OK;
    return anl_fail(reading->error, ANL_ERR_FORMAT, csv->file, csv->record_line,
                    "%s is '%s', expected %s", columns[bad].name, csv->fields[num_keys + bad],
                    sweep_column_wanted(&columns[bad]));
}

static enum anl_status read_row(struct reading *reading)
{
    struct sweep_points *points = reading->points;
    struct sweep_run *runs =
        gather_room(points->runs, points->num_runs, &reading->room_runs, sizeof *runs);
    if (!runs) return cli_fail(ANL_ERR_MEMORY, reading->error);
    points->runs = runs;
    struct sweep_run *run = &runs[points->num_runs];
    enum anl_status status = read_run(reading, run);
    if (!status) status = find_curve(reading, &run->curve);
    if (!status) points->num_runs++;
    return status;
}

static enum anl_status read_rows(struct reading *reading)
{
    enum anl_status status = read_header(reading);
    while (!status && csv_next(&reading->csv, &status, reading->error))
        status = read_row(reading);
    if (!status && !reading->points->num_runs)
        status = anl_fail(reading->error, ANL_ERR_FORMAT, reading->csv.file, 0,
                          "there are no runs in this file");
    return status;
}

// --- order ---

// Compares curves, then loads; two runs of a curve without a load are equal.
static int by_point(const struct sweep_run *a, const struct sweep_run *b)
{
    if (a->curve != b->curve) return a->curve < b->curve ? -1 : 1;
    if (isnan(a->load) || isnan(b->load)) return isnan(b->load) - isnan(a->load);
    return (a->load > b->load) - (a->load < b->load);
}

static int in_order(const void *a, const void *b)
{
    const struct sweep_run *x = a, *y = b;
    const int points = by_point(x, y);
    if (points) return points;
    if (x->seed != y->seed) return x->seed < y->seed ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static enum anl_status sort_runs(struct reading *reading)
{
    const struct sweep_points *points = reading->points;
    qsort(points->runs, points->num_runs, sizeof *points->runs, in_order);
    for (size_t i = 1; i < points->num_runs; i++) {
        const struct sweep_run *before = &points->runs[i - 1], *run = &points->runs[i];
        if (by_point(before, run) == 0 && before->seed == run->seed)
            return anl_fail(reading->error, ANL_ERR_FORMAT, reading->csv.file, run->line,
                            "the run of line %" PRIu64 " again", before->line);
    }
    return ANL_OK;
}

// --- points ---

// What is averaged over the runs of a point.
static const struct {
    size_t of_run, of_point;
} means[] = {
    {offsetof(struct sweep_run, offered), offsetof(struct sweep_point, offered)},
    {offsetof(struct sweep_run, accepted), offsetof(struct sweep_point, accepted)},
    {offsetof(struct sweep_run, latency), offsetof(struct sweep_point, latency)},
    {offsetof(struct sweep_run, latency_p50), offsetof(struct sweep_point, latency_p50)},
    {offsetof(struct sweep_run, latency_p95), offsetof(struct sweep_point, latency_p95)},
    {offsetof(struct sweep_run, latency_p99), offsetof(struct sweep_point, latency_p99)},
    {offsetof(struct sweep_run, links), offsetof(struct sweep_point, links)},
};

// Fills in a point, of which the runs are known. room is for one value a run.
static void gather_point(struct sweep_point *point, double *room)
{
    const struct sweep_run *runs = point->runs;
    point->load = runs->load;
    for (size_t i = 0; i < point->num_runs; i++)
        point->in_state[runs[i].state]++;
    point->steady = point->in_state[SWEEP_STEADY] == point->num_runs;
    for (size_t m = 0; m < sizeof means / sizeof *means; m++) {
        size_t known = 0;
        for (size_t i = 0; i < point->num_runs; i++) {
            const double value = *(const double *)((const char *)&runs[i] + means[m].of_run);
            if (!isnan(value)) room[known++] = value;
        }
        *(struct sample *)((char *)point + means[m].of_point) = sample_of(room, known);
    }
}

// Finds the points and curves of the sorted runs.
static void mark_points(struct sweep_points *points)
{
    for (size_t i = 0; i < points->num_runs; i++) {
        const struct sweep_run *run = &points->runs[i];
        struct sweep_curve *curve = &points->curves[run->curve];
        if (i == 0 || by_point(run - 1, run) != 0) {
            struct sweep_point *point = &points->points[points->num_points++];
            point->runs = run;
            if (!curve->num_points++) curve->points = point;
        }
        points->points[points->num_points - 1].num_runs++;
    }
}

static enum anl_status gather_points(struct reading *reading)
{
    struct sweep_points *points = reading->points;
    double *room = calloc(points->num_runs, sizeof *room);
    points->points = calloc(points->num_runs, sizeof *points->points);
    const bool whole = room && points->points;
    if (whole) mark_points(points);
    for (size_t i = 0; i < points->num_points; i++)
        gather_point(&points->points[i], room);
    free(room);
    return whole ? ANL_OK : cli_fail(ANL_ERR_MEMORY, reading->error);
}

// --- the whole ---

enum anl_status sweep_points_read(const char *path, struct sweep_points *points,
                                  struct anl_error *error)
{
    char *text;
    *points = (struct sweep_points){0};
    enum anl_status status = csv_text(path, &text, error);
    if (!status) points->hash = XXH3_64bits(text, strlen(text));
    if (!status) points->remarks = csv_remarks_of(text);
    if (!status && !points->remarks) status = cli_fail(ANL_ERR_MEMORY, error);
    struct reading reading = {
        .points = points, .csv = {.file = path, .at = text, .line = 1}, .error = error};
    if (!status) status = read_rows(&reading);
    if (!status) status = sort_runs(&reading);
    if (!status) status = gather_points(&reading);
    free(text);
    if (status) sweep_points_free(points);
    return status;
}

void sweep_points_free(struct sweep_points *points)
{
    for (size_t i = 0; i < points->num_keys; i++)
        free(points->keys[i]);
    for (size_t i = 0; i < points->num_curves; i++)
        for (size_t key = 0; key < points->num_keys; key++)
            free(points->curves[i].values[key]);
    free(points->runs);
    free(points->points);
    free(points->curves);
    free(points->remarks);
    *points = (struct sweep_points){0};
}

struct sweep_value sweep_value_shown(const char *value)
{
    enum { MOST = 40, END = 20 };
    struct sweep_value shown;
    const size_t length = strlen(value);
    const char *end = length > END ? value + length - END : value;
    while ((*end & 0xC0) == 0x80)  // in the middle of a letter
        end++;
    if (length <= MOST)
        snprintf(shown.text, sizeof shown.text, "%s", value);
    else
        snprintf(shown.text, sizeof shown.text, "…%s#%016" PRIx64, end,
                 (uint64_t)XXH3_64bits(value, length));
    return shown;
}

void sweep_curve_name(const struct sweep_points *points, const struct sweep_curve *curve,
                      char *name, size_t bytes)
{
    *name = '\0';
    for (size_t i = 0; i < points->num_keys; i++)
        text_append(name, bytes, "%s%s %s", i ? ", " : "", points->keys[i],
                    sweep_value_shown(curve->values[i]).text);
}
