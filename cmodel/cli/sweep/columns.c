// SPDX-License-Identifier: Apache-2.0

#include "sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *sweep_state_name(enum sweep_state state)
{
    static const char *const names[] = {"steady", "unsteady", "saturated", "stalled"};
    return names[state];
}

bool sweep_state_read(const char *name, enum sweep_state *state)
{
    for (int i = 0; i < SWEEP_NUM_STATES; i++) {
        *state = (enum sweep_state)i;
        if (strcmp(name, sweep_state_name(*state)) == 0) return true;
    }
    return false;
}

// How the value of a column is written. A real number may be missing; it is then NAN.
enum kind { LOAD, REAL, INTEGER, STATE, END, DIGEST };

struct column {
    const char *name;
    enum kind kind;
    size_t offset;  // in struct sweep_run
};

static const struct column columns[] = {
    {"load", LOAD, offsetof(struct sweep_run, load)},
    {"seed", INTEGER, offsetof(struct sweep_run, seed)},
    {"state", STATE, offsetof(struct sweep_run, state)},
    {"end", END, offsetof(struct sweep_run, end)},
    {"cycles", INTEGER, offsetof(struct sweep_run, cycles)},
    {"warmup", INTEGER, offsetof(struct sweep_run, warmup)},
    {"worms", INTEGER, offsetof(struct sweep_run, worms)},
    {"offered", REAL, offsetof(struct sweep_run, offered)},
    {"accepted", REAL, offsetof(struct sweep_run, accepted)},
    {"latency", REAL, offsetof(struct sweep_run, latency)},
    {"latency_min", REAL, offsetof(struct sweep_run, latency_min)},
    {"latency_p50", REAL, offsetof(struct sweep_run, latency_p50)},
    {"latency_p95", REAL, offsetof(struct sweep_run, latency_p95)},
    {"latency_p99", REAL, offsetof(struct sweep_run, latency_p99)},
    {"latency_max", REAL, offsetof(struct sweep_run, latency_max)},
    {"links", REAL, offsetof(struct sweep_run, links)},
    {"digest", DIGEST, offsetof(struct sweep_run, digest)},
};
enum { NUM_COLUMNS = sizeof columns / sizeof *columns, NUM_WITHOUT_DIGEST = NUM_COLUMNS - 1 };

static size_t columns_of(bool digest) { return digest ? NUM_COLUMNS : NUM_WITHOUT_DIGEST; }

// --- writing ---

void sweep_columns_write_header(FILE *stream, bool digest)
{
    for (size_t i = 0; i < columns_of(digest); i++)
        fprintf(stream, "%s%s", i ? "," : "", columns[i].name);
}

static void write_real(FILE *stream, double value)
{
    // A whole number is printed with all its digits.
    if (isnan(value)) return;
    fprintf(stream, value == floor(value) ? "%.0f" : "%.9g", value);
}

static void write_column(FILE *stream, const struct column *column, const struct sweep_run *run)
{
    const void *field = (const char *)run + column->offset;
    switch (column->kind) {
    case LOAD:
    case REAL:
        write_real(stream, *(const double *)field);
        break;
    case INTEGER:
        fprintf(stream, "%" PRIu64, *(const uint64_t *)field);
        break;
    case STATE:
        fputs(sweep_state_name(run->state), stream);
        break;
    case END:
        fputs(run->end, stream);
        break;
    case DIGEST:
        fprintf(stream, "%016" PRIx64, run->digest);
        break;
    }
}

void sweep_columns_write(FILE *stream, const struct sweep_run *run)
{
    for (size_t i = 0; i < columns_of(run->has_digest); i++) {
        if (i) fputc(',', stream);
        write_column(stream, &columns[i], run);
    }
}

// --- reading ---

enum anl_status sweep_columns_check(const struct csv *csv, size_t num_keys, bool *has_digest,
                                    struct anl_error *error)
{
    *has_digest = csv->num_fields == num_keys + NUM_COLUMNS;
    const size_t count = columns_of(*has_digest);
    for (size_t i = 0; i < count; i++) {
        const char *found = num_keys + i < csv->num_fields ? csv->fields[num_keys + i] : "nothing";
        if (strcmp(found, columns[i].name) != 0)
            return anl_fail(error, ANL_ERR_FORMAT, csv->file, csv->record_line,
                            "column %zu is '%s', expected '%s': not the header of a sweep",
                            num_keys + i + 1, found, columns[i].name);
    }
    if (csv->num_fields == num_keys + count) return ANL_OK;
    return anl_fail(error, ANL_ERR_FORMAT, csv->file, csv->record_line,
                    "'%s' behind the last column of a sweep", csv->fields[num_keys + count]);
}

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
    char *end;
    if (!*text || strspn(text, base == 16 ? "0123456789abcdef" : "0123456789") != strlen(text))
        return false;
    errno = 0;
    *value = strtoull(text, &end, base);
    return !errno;
}

static bool read_end(const char *text, char *end)
{
    static const char *const ends[] = {"complete", "max_cycles", "stalled"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(text, ends[i]) == 0) {
            strcpy(end, text);
            return true;
        }
    return false;
}

static bool read_column(const struct column *column, const char *text, struct sweep_run *run)
{
    void *field = (char *)run + column->offset;
    switch (column->kind) {
    case LOAD:
        return read_real(text, field) && !(*(const double *)field > 1);
    case REAL:
        return read_real(text, field);
    case INTEGER:
        return read_integer(text, 10, field);
    case STATE:
        return sweep_state_read(text, &run->state);
    case END:
        return read_end(text, run->end);
    case DIGEST:
        return strlen(text) == 16 && read_integer(text, 16, field);
    }
    return false;
}

static const char *wanted(const struct column *column)
{
    switch (column->kind) {
    case LOAD:
        return "a number from 0 to 1, or nothing";
    case REAL:
        return "a number, 0 or more, or nothing";
    case INTEGER:
        return "a whole number";
    case STATE:
        return "steady, unsteady, saturated or stalled";
    case END:
        return "complete, max_cycles or stalled";
    case DIGEST:
        return "16 hexadecimal digits";
    }
    return "";
}

enum anl_status sweep_columns_read(const struct csv *csv, size_t num_keys, bool has_digest,
                                   struct sweep_run *run, struct anl_error *error)
{
    const size_t count = columns_of(has_digest);
    *run = (struct sweep_run){.has_digest = has_digest, .line = csv->record_line};
    if (csv->num_fields != num_keys + count)
        return anl_fail(error, ANL_ERR_FORMAT, csv->file, csv->record_line,
                        "%zu fields, expected %zu as in the header", csv->num_fields,
                        num_keys + count);
    for (size_t i = 0; i < count; i++)
        if (!read_column(&columns[i], csv->fields[num_keys + i], run))
            return anl_fail(error, ANL_ERR_FORMAT, csv->file, csv->record_line,
                            "%s is '%s', expected %s", columns[i].name, csv->fields[num_keys + i],
                            wanted(&columns[i]));
    return ANL_OK;
}
