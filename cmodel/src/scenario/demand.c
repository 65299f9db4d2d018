// SPDX-License-Identifier: Apache-2.0
//
// Reads CSV files of rates: a traffic matrix (source,destination,rate), or the rate of each
// terminal (terminal,rate).

#include "scenario.h"

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rate_reader {
    struct scenario_reading *reading;
    const char *name;
    uint64_t line;  // that errors are about
    bool matrix;
    uint32_t terminals;
    struct anl_demand_entry *entries;
    size_t count, room;
};

#define REFUSE(reader, ...)                                                                        \
    return anl_fail((reader)->reading->error, ANL_ERR_FORMAT, (reader)->name, (reader)->line,      \
                    __VA_ARGS__)

static const char *head_of(bool matrix)
{
    return matrix ? "source,destination,rate" : "terminal,rate";
}

static enum anl_status no_memory(const struct rate_reader *reader)
{
    return anl_fail(reader->reading->error, ANL_ERR_MEMORY, reader->name, 0,
                    "no memory for the rates");
}

static enum anl_status add(struct rate_reader *reader, struct anl_demand_entry entry)
{
    if (reader->count == reader->room) {
        const size_t room = reader->room ? 2 * reader->room : 256;
        struct anl_demand_entry *grown = realloc(reader->entries, room * sizeof *grown);
        if (!grown) return no_memory(reader);
        reader->entries = grown;
        reader->room = room;
    }
    reader->entries[reader->count++] = entry;
    return ANL_OK;
}

static enum anl_status read_terminal(const struct rate_reader *reader, struct scenario_scalar field,
                                     const char *what, uint32_t *terminal)
{
    uint64_t value;
    char shown[SCENARIO_SHOWN_BYTES];
    if (!scenario_integer(field, &value) || value >= reader->terminals)
        REFUSE(reader, "%s: found %s, expected a terminal 0..%" PRIu32 "%s", what,
               scenario_show(field, shown), reader->terminals - 1, scenario_terminal_hint(field));
    *terminal = (uint32_t)value;
    return ANL_OK;
}

// Reads a decimal number as strtod() does, but without a sign.
static bool read_rate(struct scenario_scalar field, double *rate)
{
    static const char letters[] = "0123456789.eE+-";
    char *end;
    if (!field.bytes || *field.text == '+' || *field.text == '-') return false;
    if (strspn(field.text, letters) < field.bytes) return false;
    *rate = strtod(field.text, &end);
    return end == field.text + field.bytes && *rate <= 1;
}

static enum anl_status read_row(struct rate_reader *reader, const struct scenario_csv *csv)
{
    struct anl_demand_entry entry = {.line = csv->line};
    const unsigned wanted = reader->matrix ? 3 : 2;
    char shown[SCENARIO_SHOWN_BYTES];
    reader->line = csv->line;
    enum anl_status status = scenario_csv_expect(csv, wanted, head_of(reader->matrix));
    if (!status)
        status = read_terminal(reader, csv->fields[0], reader->matrix ? "source" : "terminal",
                               &entry.source);
    if (!status && reader->matrix)
        status = read_terminal(reader, csv->fields[1], "destination", &entry.destination);
    if (status) return status;
    if (!read_rate(csv->fields[wanted - 1], &entry.rate))
        REFUSE(reader,
               "rate: found %s, expected a decimal number 0..1 (flits per cycle), such as 0.25",
               scenario_show(csv->fields[wanted - 1], shown));
    return add(reader, entry);
}

static enum anl_status read_rows(struct rate_reader *reader, const char *text, size_t bytes)
{
    const char *head = head_of(reader->matrix);
    struct scenario_csv csv = {
        .at = text, .end = text + bytes, .name = reader->name, .error = reader->reading->error};
    enum anl_status status = ANL_OK;
    if (!scenario_csv_next(&csv) || !scenario_csv_is(&csv, head))
        return scenario_csv_refuse_head(&csv, head);
    while (!status && scenario_csv_next(&csv))
        status = read_row(reader, &csv);
    reader->line = csv.line;
    if (!status && !reader->count)
        REFUSE(reader, "found no row behind the first line, expected rows of %s", head);
    return status;
}

// Refuses two rows about the same. The entries are in order.
static enum anl_status check_rows(struct rate_reader *reader)
{
    char to[32] = "";
    for (size_t i = 1; i < reader->count; i++) {
        const struct anl_demand_entry *a = &reader->entries[i - 1], *b = &reader->entries[i];
        if (a->source != b->source || a->destination != b->destination) continue;
        if (reader->matrix) snprintf(to, sizeof to, " to %" PRIu32, b->destination);
        reader->line = b->line;
        REFUSE(reader,
               "found a second rate of terminal %" PRIu32 "%s, the first one is in line "
               "%" PRIu64,
               b->source, to, a->line);
    }
    return ANL_OK;
}

// Returns the last line about a source.
static uint64_t last_line(const struct rate_reader *reader, uint32_t source)
{
    uint64_t line = 0;
    for (size_t i = 0; i < reader->count; i++)
        if (reader->entries[i].source == source && reader->entries[i].line > line)
            line = reader->entries[i].line;
    return line;
}

// Refuses terminals that would create more than a flit in a cycle, and files without a load. Sums
// of decimal numbers are not exact.
static enum anl_status check_rates(struct rate_reader *reader, const struct anl_demand *demand)
{
    for (uint32_t t = 0; t < demand->terminals; t++) {
        if (demand->rates[t] <= 1 + 1e-9) continue;
        reader->line = last_line(reader, t);
        REFUSE(reader, "terminal %" PRIu32 " creates %.6g flits per cycle, expected at most 1", t,
               demand->rates[t]);
    }
    reader->line = 0;
    if (demand->mean < 1e-9)
        REFUSE(reader, "the mean rate of the terminals is %.3g, expected at least 10^-9",
               demand->mean);
    return ANL_OK;
}

static enum anl_status read_demand(struct scenario_reading *reading, const char *text, size_t bytes,
                                   const char *name, bool matrix)
{
    struct anl_scenario *scenario = reading->scenario;
    struct rate_reader reader = {.reading = reading,
                                 .name = name,
                                 .matrix = matrix,
                                 .terminals = anl_shape_of(&scenario->network).terminals};
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return no_memory(&reader);
    const locale_t before = uselocale(plain);  // a caller's may have a comma for the point
    enum anl_status status = read_rows(&reader, text, bytes);
    uselocale(before);
    freelocale(plain);
    if (!status && anl_demand_create(reader.terminals, reader.entries, reader.count, matrix,
                                     &scenario->demand))
        status = no_memory(&reader);
    if (!status) status = check_rows(&reader);
    if (!status) status = check_rates(&reader, scenario->demand);
    scenario->traffic.demand = scenario->demand;
    free(reader.entries);
    return status;
}

enum anl_status scenario_read_matrix(struct scenario_reading *reading, const char *text,
                                     size_t bytes, const char *name)
{
    return read_demand(reading, text, bytes, name, true);
}

enum anl_status scenario_read_rates(struct scenario_reading *reading, const char *text,
                                    size_t bytes, const char *name)
{
    return read_demand(reading, text, bytes, name, false);
}
