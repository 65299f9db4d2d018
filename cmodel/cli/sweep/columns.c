// SPDX-License-Identifier: Apache-2.0

#include "sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The names of enumerations, in their order, and what is said if a cell has another form.
static const char *const names[][SWEEP_NUM_STATES + 1] = {
    [SWEEP_STATE] = {"steady", "unsteady", "saturated", "stalled"},
    [SWEEP_END] = {"complete", "max_cycles", "stalled"},
};
static const char *const wanted[] = {
    [SWEEP_LOAD] = "a number from 0 to 1, or nothing",
    [SWEEP_REAL] = "a number, 0 or more, or nothing",
    [SWEEP_INTEGER] = "a whole number",
    [SWEEP_STATE] = "steady, unsteady, saturated or stalled",
    [SWEEP_END] = "complete, max_cycles or stalled",
    [SWEEP_HASH] = "16 hexadecimal digits",
    [SWEEP_TEXT] = "a text",
};

const char *sweep_state_name(enum sweep_state state) { return names[SWEEP_STATE][state]; }
const char *sweep_end_name(enum anl_run_end end) { return names[SWEEP_END][end]; }

const char *sweep_column_wanted(const struct sweep_column *column) { return wanted[column->kind]; }

// --- writing ---

void sweep_columns_write_names(FILE *stream, const struct sweep_column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s%s", i ? "," : "", columns[i].name);
}

static void write_cell(FILE *stream, const struct sweep_column *column, const void *field)
{
    switch (column->kind) {
    case SWEEP_LOAD:
    case SWEEP_REAL: {
        // A whole number is printed with all its digits.
        const double value = *(const double *)field;
        if (!isnan(value)) fprintf(stream, value == floor(value) ? "%.0f" : "%.9g", value);
        break;
    }
    case SWEEP_INTEGER:
        fprintf(stream, "%" PRIu64, *(const uint64_t *)field);
        break;
    case SWEEP_STATE:
    case SWEEP_END:
        fputs(names[column->kind][*(const unsigned *)field], stream);
        break;
    case SWEEP_HASH:
        fprintf(stream, "%016" PRIx64, *(const uint64_t *)field);
        break;
    case SWEEP_TEXT:
        csv_write(stream, *(const char *const *)field);
        break;
    }
}

void sweep_columns_write(FILE *stream, const struct sweep_column *columns, size_t count,
                         const void *record)
{
    for (size_t i = 0; i < count; i++) {
        if (i) fputc(',', stream);
        write_cell(stream, &columns[i], (const char *)record + columns[i].offset);
    }
}

// --- reading ---

static bool read_real(const char *text, double *value)
{
    char *end;
    *value = NAN;
    if (!*text) return true;
    if (text[0] < '0' || text[0] > '9' || strchr(text, 'x') || strchr(text, 'X')) return false;
    *value = strtod(text, &end);
    return !*end && isfinite(*value);
}

static bool read_integer(const char *text, int base, uint64_t *value)
{
    if (!*text || text[strspn(text, base == 16 ? "0123456789abcdef" : "0123456789")]) return false;
    errno = 0;
    *value = strtoull(text, NULL, base);
    return !errno;
}

static bool read_name(const char *text, enum sweep_kind kind, unsigned *value)
{
    for (*value = 0; names[kind][*value]; ++*value)
        if (strcmp(text, names[kind][*value]) == 0) return true;
    return false;
}

static bool read_cell(const struct sweep_column *column, const char *text, void *field)
{
    switch (column->kind) {
    case SWEEP_LOAD:
        return read_real(text, field) && !(*(const double *)field > 1);
    case SWEEP_REAL:
        return read_real(text, field);
    case SWEEP_INTEGER:
        return read_integer(text, 10, field);
    case SWEEP_STATE:
    case SWEEP_END:
        return read_name(text, column->kind, field);
    case SWEEP_HASH:
        return strlen(text) == 16 && read_integer(text, 16, field);
    case SWEEP_TEXT:
        *(const char **)field = text;
        return true;
    }
    return false;
}

size_t sweep_columns_read(char *const *cells, const struct sweep_column *columns, size_t count,
                          void *record)
{
    size_t i = 0;
    while (i < count && read_cell(&columns[i], cells[i], (char *)record + columns[i].offset))
        i++;
    return i;
}
