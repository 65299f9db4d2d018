// SPDX-License-Identifier: Apache-2.0

#include "csv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 20 };

static enum anl_status read_text(struct csv *csv, struct anl_error *error)
{
    FILE *file = fopen(csv->path, "r");
    if (!file) return anl_fail(error, ANL_ERR_IO, csv->path, 0, "%s", strerror(errno));
    csv->text = malloc(MAX_BYTES + 1);
    const size_t bytes = csv->text ? fread(csv->text, 1, MAX_BYTES, file) : 0;
    const bool whole = !ferror(file) && bytes < MAX_BYTES;
    fclose(file);
    if (!csv->text) return anl_fail(error, ANL_ERR_MEMORY, csv->path, 0, "no memory");
    if (!whole) return anl_fail(error, ANL_ERR_IO, csv->path, 0, "cannot read it, or over 1 MiB");
    csv->text[bytes] = '\0';
    return ANL_OK;
}

static size_t count_lines(const char *text)
{
    size_t lines = 1;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static enum anl_status split(struct csv *csv, char *line, uint64_t number, struct anl_error *error)
{
    char **cells = csv->cells + csv->rows * csv->columns;
    for (size_t column = 0; column < csv->columns; column++) {
        if (!line)
            return anl_fail(error, ANL_ERR_FORMAT, csv->path, number, "%zu cells, expected %zu",
                            column, csv->columns);
        cells[column] = line;
        line = column + 1 < csv->columns ? strchr(line, ',') : NULL;
        if (line) *line++ = '\0';
    }
    csv->lines[csv->rows++] = number;
    return ANL_OK;
}

static enum anl_status split_all(struct csv *csv, struct anl_error *error)
{
    const size_t lines = count_lines(csv->text);
    csv->cells = calloc(lines * csv->columns, sizeof *csv->cells);
    csv->lines = calloc(lines, sizeof *csv->lines);
    if (!csv->cells || !csv->lines)
        return anl_fail(error, ANL_ERR_MEMORY, csv->path, 0, "no memory");

    uint64_t number = 1;
    char *next;
    for (char *line = csv->text; line; line = next, number++) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        line[strcspn(line, "\r")] = '\0';
        if (*line == '\0' || *line == '#') continue;
        const enum anl_status status = split(csv, line, number, error);
        if (status) return status;
    }
    if (csv->rows) return ANL_OK;
    return anl_fail(error, ANL_ERR_FORMAT, csv->path, 0, "no row, expected at least one");
}

enum anl_status csv_read(const char *path, size_t columns, struct csv *csv, struct anl_error *error)
{
    *csv = (struct csv){.columns = columns};
    snprintf(csv->path, sizeof csv->path, "%s", path);
    enum anl_status status = read_text(csv, error);
    if (!status) status = split_all(csv, error);
    if (status) csv_free(csv);
    return status;
}

void csv_free(struct csv *csv)
{
    free(csv->text);
    free(csv->cells);
    free(csv->lines);
    *csv = (struct csv){0};
}

const char *csv_cell(const struct csv *csv, size_t row, size_t column)
{
    return csv->cells[row * csv->columns + column];
}

enum anl_status csv_number(const struct csv *csv, size_t row, size_t column, double least,
                           double most, double *value, struct anl_error *error)
{
    const char *text = csv_cell(csv, row, column);
    char *end;
    *value = strtod(text, &end);
    if (*text && !*end && *value >= least && *value <= most) return ANL_OK;
    return anl_fail(error, ANL_ERR_FORMAT, csv->path, csv->lines[row],
                    "'%s', expected a number from %g to %g", text, least, most);
}

enum anl_status csv_choice(const struct csv *csv, size_t row, size_t column,
                           const char *const *names, int *choice, struct anl_error *error)
{
    const char *text = csv_cell(csv, row, column);
    for (*choice = 0; names[*choice]; ++*choice)
        if (strcmp(text, names[*choice]) == 0) return ANL_OK;
    return anl_fail(error, ANL_ERR_FORMAT, csv->path, csv->lines[row],
                    "'%s', expected one of those that the file's head names", text);
}
