// SPDX-License-Identifier: Apache-2.0
//
// Reads the rows of a CSV file one by one, sorts them, and groups them into points and curves.

#include "sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct reading {
    struct sweep_points *points;
    struct csv csv;
    bool has_digest;
    size_t *curve_of;  // [runs]
    size_t room_runs, room_curve_of, room_curves;
    struct anl_error *error;
};

static enum anl_status no_memory(struct reading *reading)
{
    return anl_fail(reading->error, ANL_ERR_MEMORY, reading->csv.file, 0, "%s",
                    anl_status_text(ANL_ERR_MEMORY));
}

// --- header ---

static enum anl_status read_header(struct reading *reading)
{
    struct sweep_points *points = reading->points;
    struct csv *csv = &reading->csv;
    enum anl_status status;
    if (!csv_next(csv, &status, reading->error))
        return status ? status
                      : anl_fail(reading->error, ANL_ERR_FORMAT, csv->file, 1,
                                 "the file is empty, expected the header of a sweep");
    while (points->num_keys < csv->num_fields && strchr(csv->fields[points->num_keys], '.')) {
        if (points->num_keys == SWEEP_MAX_KEYS)
            return anl_fail(reading->error, ANL_ERR_FORMAT, csv->file, 1,
                            "more than %d varied keys", SWEEP_MAX_KEYS);
        char *key = strdup(csv->fields[points->num_keys]);
        if (!key) return no_memory(reading);
        points->keys[points->num_keys++] = key;
    }
    return sweep_columns_check(csv, points->num_keys, &reading->has_digest, reading->error);
}

// --- rows ---

static bool is_curve(const struct reading *reading, const struct sweep_curve *curve)
{
    for (size_t i = 0; i < reading->points->num_keys; i++)
        if (strcmp(curve->values[i], reading->csv.fields[i]) != 0) return false;
    return true;
}

static enum anl_status find_curve(struct reading *reading, size_t *at)
{
    struct sweep_points *points = reading->points;
    for (*at = 0; *at < points->num_curves; ++*at)
        if (is_curve(reading, &points->curves[*at])) return ANL_OK;
    struct sweep_curve *curves =
        gather_room(points->curves, points->num_curves, &reading->room_curves, sizeof *curves);
    if (!curves) return no_memory(reading);
    points->curves = curves;
    struct sweep_curve *curve = &curves[points->num_curves++];
    *curve = (struct sweep_curve){0};
    for (size_t i = 0; i < points->num_keys; i++) {
        curve->values[i] = strdup(reading->csv.fields[i]);
        if (!curve->values[i]) return no_memory(reading);
    }
    return ANL_OK;
}

static enum anl_status read_row(struct reading *reading)
{
    struct sweep_points *points = reading->points;
    const size_t count = points->num_runs;
    struct sweep_run *runs = gather_room(points->runs, count, &reading->room_runs, sizeof *runs);
    if (runs) points->runs = runs;
    size_t *curve_of =
        gather_room(reading->curve_of, count, &reading->room_curve_of, sizeof *curve_of);
    if (curve_of) reading->curve_of = curve_of;
    if (!runs || !curve_of) return no_memory(reading);

    enum anl_status status = sweep_columns_read(&reading->csv, points->num_keys,
                                                reading->has_digest, &runs[count], reading->error);
    if (!status) status = find_curve(reading, &curve_of[count]);
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

struct ordered {
    struct sweep_run run;
    size_t curve;
};

// Compares loads; two runs without a load are equal.
static int by_load(double a, double b)
{
    if (isnan(a) || isnan(b)) return isnan(b) - isnan(a);
    return (a > b) - (a < b);
}

static int in_order(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    if (x->curve != y->curve) return x->curve < y->curve ? -1 : 1;
    const int loads = by_load(x->run.load, y->run.load);
    if (loads) return loads;
    if (x->run.seed != y->run.seed) return x->run.seed < y->run.seed ? -1 : 1;
    return (x->run.line > y->run.line) - (x->run.line < y->run.line);
}

static bool is_same_point(const struct ordered *a, const struct ordered *b)
{
    return a->curve == b->curve && by_load(a->run.load, b->run.load) == 0;
}

static enum anl_status sort_runs(struct reading *reading)
{
    struct sweep_points *points = reading->points;
    struct ordered *ordered = calloc(points->num_runs, sizeof *ordered);
    if (!ordered) return no_memory(reading);
    for (size_t i = 0; i < points->num_runs; i++)
        ordered[i] = (struct ordered){points->runs[i], reading->curve_of[i]};
    qsort(ordered, points->num_runs, sizeof *ordered, in_order);

    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < points->num_runs; i++) {
        const struct ordered *before = i ? &ordered[i - 1] : NULL, *now = &ordered[i];
        points->runs[i] = now->run;
        reading->curve_of[i] = now->curve;
        if (!status && before && is_same_point(before, now) && before->run.seed == now->run.seed)
            status = anl_fail(reading->error, ANL_ERR_FORMAT, reading->csv.file, now->run.line,
                              "the run of line %" PRIu64 " again", before->run.line);
    }
    free(ordered);
    return status;
}

// --- points ---

// Returns the mean, over the runs of a point, of the field at this offset in struct sweep_run. room
// is for one value a run.
static struct sweep_mean mean_of(const struct sweep_run *runs, size_t count, size_t offset,
                                 double *room)
{
    for (size_t i = 0; i < count; i++)
        memcpy(&room[i], (const char *)&runs[i] + offset, sizeof *room);
    return sweep_mean_of(room, count);
}

static void gather_point(const struct sweep_points *points, struct sweep_point *point, double *room)
{
    const struct sweep_run *runs = &points->runs[point->first_run];
    const size_t count = point->num_runs;
    point->load = runs->load;
    for (size_t i = 0; i < count; i++)
        point->in_state[runs[i].state]++;
    point->steady = point->in_state[SWEEP_STEADY] == count;
    point->offered = mean_of(runs, count, offsetof(struct sweep_run, offered), room);
    point->accepted = mean_of(runs, count, offsetof(struct sweep_run, accepted), room);
    point->latency = mean_of(runs, count, offsetof(struct sweep_run, latency), room);
    point->latency_p50 = mean_of(runs, count, offsetof(struct sweep_run, latency_p50), room);
    point->latency_p95 = mean_of(runs, count, offsetof(struct sweep_run, latency_p95), room);
    point->latency_p99 = mean_of(runs, count, offsetof(struct sweep_run, latency_p99), room);
    point->links = mean_of(runs, count, offsetof(struct sweep_run, links), room);
}

// Finds the points and curves of the sorted runs.
static void mark_points(struct reading *reading)
{
    struct sweep_points *points = reading->points;
    for (size_t i = 0; i < points->num_runs; i++) {
        const bool first_of_curve = i == 0 || reading->curve_of[i] != reading->curve_of[i - 1];
        struct sweep_curve *curve = &points->curves[reading->curve_of[i]];
        if (first_of_curve) curve->first_point = points->num_points;
        if (first_of_curve || by_load(points->runs[i].load, points->runs[i - 1].load) != 0) {
            points->points[points->num_points++] = (struct sweep_point){.first_run = i};
            curve->num_points++;
        }
        points->points[points->num_points - 1].num_runs++;
    }
}

static enum anl_status gather_points(struct reading *reading)
{
    struct sweep_points *points = reading->points;
    double *room = calloc(points->num_runs, sizeof *room);
    points->points = calloc(points->num_runs, sizeof *points->points);
    if (room && points->points) {
        mark_points(reading);
        for (size_t i = 0; i < points->num_points; i++)
            gather_point(points, &points->points[i], room);
    }
    free(room);
    return room && points->points ? ANL_OK : no_memory(reading);
}

// --- the whole ---

enum anl_status sweep_points_read(const char *path, struct sweep_points *points,
                                  struct anl_error *error)
{
    char *text;
    *points = (struct sweep_points){0};
    enum anl_status status = csv_text(path, &text, error);
    if (!status) points->hash = XXH3_64bits(text, strlen(text));
    struct reading reading = {
        .points = points, .csv = {.file = path, .at = text, .line = 1}, .error = error};
    if (!status) status = read_rows(&reading);
    if (!status) status = sort_runs(&reading);
    if (!status) status = gather_points(&reading);
    free(text);
    free(reading.curve_of);
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
    *points = (struct sweep_points){0};
}

void sweep_curve_name(const struct sweep_points *points, const struct sweep_curve *curve,
                      char *name, size_t bytes)
{
    size_t used = 0;
    if (bytes) name[0] = '\0';
    for (size_t i = 0; i < points->num_keys && used < bytes; i++)
        used += (size_t)snprintf(name + used, bytes - used, "%s%s %s", i ? ", " : "",
                                 points->keys[i], curve->values[i]);
}
