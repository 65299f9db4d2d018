// SPDX-License-Identifier: Apache-2.0

#include "sweep.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_HIGHS = 64,  // more than a load has digits
    CONFIRM_TIMES = 4
};

// Bounds of the saturation load of a variant with a seed.
struct bounds {
    uint64_t low, high;  // high is above load 1 while no upper bound is known
    bool unreached, stalled;
};

struct search {
    struct sweep_runs *runs;
    double tolerance;
    struct bounds *bounds;  // [variants * seeds]
};

static bool is_found(const struct search *search, struct bounds bounds)
{
    const double length = (double)(bounds.high - bounds.low);
    return bounds.high - bounds.low <= 1 || length <= search->tolerance * (double)bounds.high;
}

// Returns the fraction of a bisection that is done.
static double progress_of(const struct search *search, struct bounds bounds)
{
    if (is_found(search, bounds)) return 1;
    const double high = fmin((double)bounds.high, 2 * (double)SWEEP_LOAD_1);
    const double left = log2((high - (double)bounds.low) / (search->tolerance * high));
    return 1 - left / (1 + log2(1 / search->tolerance));
}

// Returns the load to try next. Loads are doubled or halved until there are two bounds; then the
// interval between them is halved.
static uint64_t next_load(struct bounds bounds)
{
    if (bounds.low == 0 && bounds.high > SWEEP_LOAD_1) return SWEEP_LOAD_1 / 16;
    if (bounds.low == 0) return bounds.high / 2;
    if (bounds.high > SWEEP_LOAD_1)
        return bounds.low < SWEEP_LOAD_1 / 2 ? 2 * bounds.low : SWEEP_LOAD_1;
    return bounds.low + (bounds.high - bounds.low) / 2;
}

// The search of one task, and the loads that seemed to be beyond saturation, each below the one
// before.
struct descent {
    struct bounds bounds;
    uint64_t highs[MOST_HIGHS];
    size_t count;
};

static void go_below(struct descent *descent, uint64_t load)
{
    assert(descent->count < MOST_HIGHS);
    descent->highs[descent->count++] = load;
    descent->bounds.high = load;
}

// Is called when the last of these loads was a false alarm: the search goes on between it and the
// one before.
static void go_back_above(struct descent *descent)
{
    descent->bounds.low = descent->highs[--descent->count];
    descent->bounds.high = descent->count ? descent->highs[descent->count - 1] : UINT64_MAX;
}

static enum anl_status is_beyond(const struct search *search, size_t task, uint64_t load,
                                 unsigned times, struct bounds *bounds, bool *beyond,
                                 struct anl_error *error)
{
    const struct sweep_list *seeds = search->runs->seeds;
    enum sweep_state state = SWEEP_STEADY;
    const enum anl_status status =
        sweep_runs_state(search->runs, task / seeds->count, load,
                         seeds->values[task % seeds->count], times, &state, error);
    bounds->stalled |= state == SWEEP_STALLED;
    *beyond = state == SWEEP_SATURATED || state == SWEEP_STALLED;
    return status;
}

// Tries one load. A backlog also grows by chance, so a longer run must confirm the upper bound in
// the end: otherwise one false alarm would spoil the whole search.
static enum anl_status take_step(const struct search *search, size_t task, struct descent *descent,
                                 bool *done, struct anl_error *error)
{
    struct bounds *bounds = &descent->bounds;
    const bool confirm = is_found(search, *bounds);
    const uint64_t load = confirm ? bounds->high : next_load(*bounds);
    bool beyond;
    const enum anl_status status =
        is_beyond(search, task, load, confirm ? CONFIRM_TIMES : 1, bounds, &beyond, error);
    if (status) return status;
    *done = confirm && beyond;
    if (confirm && !beyond)
        go_back_above(descent);
    else if (beyond && !confirm)
        go_below(descent, load);
    else if (!beyond)
        bounds->low = load;
    bounds->unreached = bounds->low == SWEEP_LOAD_1;
    *done |= bounds->unreached;
    return ANL_OK;
}

static enum anl_status bisect(void *user, size_t task, struct pool_worker *worker,
                              struct anl_error *error)
{
    const struct search *search = user;
    struct descent descent = {.bounds = {.high = UINT64_MAX}};
    enum anl_status status = ANL_OK;
    for (bool done = false; !status && !done;) {
        status = take_step(search, task, &descent, &done, error);
        pool_progress(worker, progress_of(search, descent.bounds));
    }
    search->bounds[task] = descent.bounds;
    return status;
}

// --- means ---

bool sweep_saturation_is_wide(const struct sweep_saturation *saturation)
{
    return saturation->half_width > 0.05 * saturation->load;
}

// Returns the mean over the seeds. values is room for one value a seed.
static struct sweep_saturation mean_of(const struct bounds *bounds, size_t count, double *values)
{
    struct sweep_saturation result = {.seeds = (uint32_t)count};
    double lengths = 0;
    for (size_t i = 0; i < count; i++) {
        const double low = sweep_load_number(bounds[i].low);
        const double high = bounds[i].unreached ? low : sweep_load_number(bounds[i].high);
        values[i] = (low + high) / 2;
        lengths += high - low;
        result.unreached += bounds[i].unreached;
        result.stalled += bounds[i].stalled;
    }
    const struct sweep_mean mean = sweep_mean_of(values, count);
    result.load = mean.mean;
    result.half_width = result.unreached ? NAN : mean.half_width + lengths / (double)count / 2;
    return result;
}

enum anl_status sweep_saturation_find(struct sweep_runs *runs, double tolerance, unsigned workers,
                                      struct sweep_saturation *saturation, struct anl_error *error)
{
    const size_t seeds = runs->seeds->count, tasks = runs->variants->count * seeds;
    struct search search = {.runs = runs, .tolerance = tolerance};
    const struct pool_work work = {.what = "searching",
                                   .unit = "saturation loads",
                                   .tasks = tasks,
                                   .workers = workers,
                                   .run = bisect,
                                   .user = &search};
    search.bounds = calloc(tasks, sizeof *search.bounds);
    double *values = calloc(seeds, sizeof *values);
    enum anl_status status =
        search.bounds && values ? pool_run(&work, error) : cli_fail(ANL_ERR_MEMORY, error);
    for (size_t i = 0; !status && i < runs->variants->count; i++)
        saturation[i] = mean_of(&search.bounds[i * seeds], seeds, values);
    free(search.bounds);
    free(values);
    return status;
}

// --- the file ---
//
// The file names the CSV file beside it by its hash, so that saturation loads are never shown with
// the rows of another sweep.

enum column {
    SATURATION,
    HALF_WIDTH,
    SEEDS,
    UNREACHED,
    STALLED,
    TOLERANCE,
    CYCLES,
    ROWS_XXH3,
    PROGRAM,
    COMMAND,
    NUM_COLUMNS
};
static const char *const names[NUM_COLUMNS] = {"saturation", "half_width", "seeds",  "unreached",
                                               "stalled",    "tolerance",  "cycles", "rows_xxh3",
                                               "program",    "command"};

char *sweep_saturation_path(const char *csv)
{
    const size_t length = strlen(csv);
    const bool ends = length > 4 && strcmp(csv + length - 4, ".csv") == 0;
    char *path = NULL;
    const int stem = (int)(ends ? length - 4 : length);
    return asprintf(&path, "%.*s.saturation.csv", stem, csv) < 0 ? NULL : path;
}

// --- writing ---

static void write_header(FILE *file, const struct sweep_variants *variants)
{
    for (size_t i = 0; i < variants->num_keys; i++) {
        csv_write(file, variants->keys[i].name);
        fputc(',', file);
    }
    for (size_t i = 0; i < NUM_COLUMNS; i++)
        fprintf(file, "%s%s", i ? "," : "", names[i]);
    fputs("\r\n", file);
}

static void write_row(FILE *file, const struct sweep_variants *variants, size_t number,
                      const struct sweep_search *search)
{
    const struct sweep_variant *variant = &variants->list[number];
    const struct sweep_saturation *found = &search->found[number];
    for (size_t i = 0; i < variants->num_keys; i++) {
        csv_write(file, variant->values[i]);
        fputc(',', file);
    }
    fprintf(file, "%.9g,", found->load);
    if (!isnan(found->half_width)) fprintf(file, "%.9g", found->half_width);
    fprintf(file, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%.9g,%" PRIu64 ",", found->seeds,
            found->unreached, found->stalled, search->tolerance, variant->scenario.run.cycles);
    if (search->rows) fprintf(file, "%016" PRIx64, search->rows->hash);
    fputc(',', file);
    csv_write(file, search->program);
    fputc(',', file);
    csv_write(file, search->command);
    fputs("\r\n", file);
}

enum anl_status sweep_saturation_write(const char *path, const char *input,
                                       const struct sweep_variants *variants,
                                       const struct sweep_search *search, struct anl_error *error)
{
    struct anl_output output;
    const enum anl_status status = anl_output_open(path, input, &output, error);
    if (status) return status;
    write_header(output.file, variants);
    for (size_t i = 0; i < variants->count; i++)
        write_row(output.file, variants, i, search);
    return anl_output_finish(&output, error);
}

// --- reading ---

struct reading {
    struct csv csv;
    const struct sweep_points *rows;
    struct sweep_saturation_record *record;
    struct anl_error *error;
};

static enum anl_status no_memory(const struct reading *reading)
{
    return anl_fail(reading->error, ANL_ERR_MEMORY, reading->csv.file, 0, "%s",
                    anl_status_text(ANL_ERR_MEMORY));
}

static enum anl_status refuse(const struct reading *reading, const char *what)
{
    return anl_fail(reading->error, ANL_ERR_FORMAT, reading->csv.file, reading->csv.record_line,
                    "%s: not what a sweep found", what);
}

static const char *field(const struct reading *reading, enum column column)
{
    return reading->csv.fields[reading->rows->num_keys + column];
}

// Reads the header, whose keys must be those of the rows.
static enum anl_status read_header(struct reading *reading)
{
    const struct sweep_points *rows = reading->rows;
    enum anl_status status;
    if (!csv_next(&reading->csv, &status, reading->error))
        return status ? status : refuse(reading, "the file is empty");
    reading->record->foreign = true;
    if (reading->csv.num_fields != rows->num_keys + NUM_COLUMNS) return ANL_OK;
    for (size_t i = 0; i < rows->num_keys; i++)
        if (strcmp(reading->csv.fields[i], rows->keys[i]) != 0) return ANL_OK;
    reading->record->foreign = false;
    for (size_t i = 0; i < NUM_COLUMNS; i++)
        if (strcmp(field(reading, (enum column)i), names[i]) != 0)
            return refuse(reading, "unknown columns");
    return ANL_OK;
}

static struct sweep_saturation *find(const struct reading *reading)
{
    const struct sweep_points *rows = reading->rows;
    for (size_t curve = 0; curve < rows->num_curves; curve++) {
        size_t alike = 0;
        while (alike < rows->num_keys &&
               strcmp(rows->curves[curve].values[alike], reading->csv.fields[alike]) == 0)
            alike++;
        if (alike == rows->num_keys) return &reading->record->found[curve];
    }
    return NULL;
}

static bool read_number(const char *text, double most, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return *text >= '0' && *text <= '9' && !*end && *number <= most;
}

static bool read_found(const struct reading *reading, struct sweep_saturation *found)
{
    double half = NAN, seeds, unreached, stalled;
    const char *width = field(reading, HALF_WIDTH);
    if (!read_number(field(reading, SATURATION), 1, &found->load) ||
        (*width && !read_number(width, 1e9, &half)) ||
        !read_number(field(reading, SEEDS), UINT32_MAX, &seeds) ||
        !read_number(field(reading, UNREACHED), seeds, &unreached) ||
        !read_number(field(reading, STALLED), seeds, &stalled))
        return false;
    found->half_width = half;
    found->seeds = (uint32_t)seeds;
    found->unreached = (uint32_t)unreached;
    found->stalled = (uint32_t)stalled;
    return true;
}

static enum anl_status read_row(struct reading *reading)
{
    struct sweep_saturation_record *record = reading->record;
    struct sweep_saturation unknown;
    char expected[17];
    if (reading->csv.num_fields != reading->rows->num_keys + NUM_COLUMNS)
        return refuse(reading, "a row of another length");
    snprintf(expected, sizeof expected, "%016" PRIx64, reading->rows->hash);
    record->foreign |= strcmp(field(reading, ROWS_XXH3), expected) != 0;
    struct sweep_saturation *found = find(reading);
    if (!read_found(reading, found ? found : &unknown)) return refuse(reading, "a number is wrong");
    if (record->command) return ANL_OK;
    record->program = strdup(field(reading, PROGRAM));
    record->command = strdup(field(reading, COMMAND));
    return record->program && record->command ? ANL_OK : no_memory(reading);
}

static enum anl_status read_all(struct reading *reading)
{
    struct sweep_saturation_record *record = reading->record;
    enum anl_status status = read_header(reading);
    record->found = calloc(reading->rows->num_curves + 1, sizeof *record->found);
    if (!status && !record->found) status = no_memory(reading);
    while (!status && !record->foreign && csv_next(&reading->csv, &status, reading->error))
        status = read_row(reading);
    return status;
}

enum anl_status sweep_saturation_read(const char *csv, const struct sweep_points *rows,
                                      struct sweep_saturation_record *record,
                                      struct anl_error *error)
{
    struct reading reading = {.rows = rows, .record = record, .error = error};
    char *path = sweep_saturation_path(csv), *text = NULL;
    *record = (struct sweep_saturation_record){0};
    reading.csv = (struct csv){.file = path ? path : csv, .line = 1};
    enum anl_status status = path ? ANL_OK : no_memory(&reading);
    if (!status && access(path, F_OK) == 0) {
        status = csv_text(path, &text, error);
        reading.csv.at = text;
        if (!status) status = read_all(&reading);
    }
    free(text);
    free(path);
    if (!status && !record->foreign) return ANL_OK;
    const bool foreign = !status;
    sweep_saturation_record_free(record);
    record->foreign = foreign;
    return status;
}

void sweep_saturation_record_free(struct sweep_saturation_record *record)
{
    free(record->found);
    free(record->program);
    free(record->command);
    *record = (struct sweep_saturation_record){0};
}
