// SPDX-License-Identifier: Apache-2.0
//
// The rows beside it are known by the hash of their file, so that what an earlier sweep found is
// not taken for that of a later one.

#include "saturation_file.h"
#include "common/common.h"

#include <annelid/base.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// The keys must be those of the rows.
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
