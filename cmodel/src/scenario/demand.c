// SPDX-License-Identifier: Apache-2.0
//
// Reads CSV files of rates: a traffic matrix (source,destination,rate), or the rate of each
// terminal (terminal,rate).

#include "scenario.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct rate_reader {
    struct scenario_reading *reading;
    const char *name;
    uint64_t line;
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

static enum anl_status add(struct rate_reader *reader, struct anl_demand_entry entry)
{
    if (reader->count == reader->room) {
        const size_t room = reader->room ? 2 * reader->room : 256;
        struct anl_demand_entry *grown = realloc(reader->entries, room * sizeof *grown);
        if (!grown) return scenario_no_memory(reader->reading);
        reader->entries = grown;
        reader->room = room;
    }
    reader->entries[reader->count++] = entry;
    return ANL_OK;
}

// Cuts the next field off a line. Returns false if there is none.
static bool next_field(struct scenario_scalar *line, struct scenario_scalar *field)
{
    if (!line->text) return false;
    const char *comma = memchr(line->text, ',', line->bytes);
    const size_t bytes = comma ? (size_t)(comma - line->text) : line->bytes;
    *field = (struct scenario_scalar){line->text, bytes, true};
    line->text = comma ? comma + 1 : NULL;
    line->bytes -= comma ? bytes + 1 : bytes;
    return true;
}

static enum anl_status read_terminal(const struct rate_reader *reader, struct scenario_scalar field,
                                     const char *what, uint32_t *terminal)
{
    uint64_t value;
    char shown[SCENARIO_SHOWN_BYTES];
    if (!scenario_integer(field, &value) || value >= reader->terminals)
        REFUSE(reader, "%s: found %s, expected a terminal 0..%" PRIu32, what,
               scenario_show(field, shown), reader->terminals - 1);
    *terminal = (uint32_t)value;
    return ANL_OK;
}

static enum anl_status read_row(struct rate_reader *reader, struct scenario_scalar line)
{
    struct scenario_scalar fields[3];
    struct anl_demand_entry entry = {0};
    const unsigned wanted = reader->matrix ? 3 : 2;
    char shown[SCENARIO_SHOWN_BYTES];
    unsigned count = 0;
    while (count < wanted && next_field(&line, &fields[count]))
        count++;
    if (count < wanted || line.text)
        REFUSE(reader, "expected %u fields: %s", wanted, head_of(reader->matrix));
    enum anl_status status =
        read_terminal(reader, fields[0], reader->matrix ? "source" : "terminal", &entry.source);
    if (!status && reader->matrix)
        status = read_terminal(reader, fields[1], "destination", &entry.destination);
    if (status) return status;
    if (!scenario_real(fields[count - 1], &entry.rate) || entry.rate > 1)
        REFUSE(reader,
               "rate: found %s, expected a decimal number 0..1 (flits per cycle), such as 0.25",
               scenario_show(fields[count - 1], shown));
    return entry.rate > 0 || !reader->matrix ? add(reader, entry) : ANL_OK;
}

static enum anl_status read_rows(struct rate_reader *reader, const char *text, size_t bytes)
{
    const char *const end = text + bytes;
    bool headed = false;
    enum anl_status status = ANL_OK;
    for (; !status && text < end; reader->line++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const size_t whole = (size_t)((newline ? newline : end) - text);
        const size_t length = whole && text[whole - 1] == '\r' ? whole - 1 : whole;
        const struct scenario_scalar line = {text, length, true};
        text += whole + (newline != NULL);
        if (!length || *line.text == '#') continue;
        const char *head = head_of(reader->matrix);
        if (headed)
            status = read_row(reader, line);
        else if (length != strlen(head) || memcmp(line.text, head, length) != 0)
            REFUSE(reader, "expected the first line %s", head);
        headed = true;
    }
    if (!status && !headed) REFUSE(reader, "expected the first line %s", head_of(reader->matrix));
    return status;
}

// Refuses two rows about the same, and terminals that would create more than a flit in a cycle.
static enum anl_status check(const struct rate_reader *reader, const struct anl_demand *demand)
{
    for (size_t i = 1; i < reader->count; i++) {
        const struct anl_demand_entry *a = &reader->entries[i - 1], *b = &reader->entries[i];
        if (a->source == b->source && a->destination == b->destination)
            return anl_fail(reader->reading->error, ANL_ERR_FORMAT, reader->name, 0,
                            "found two rates for terminal %" PRIu32 "%s%.0" PRIu32, a->source,
                            reader->matrix ? " and a destination, " : "",
                            reader->matrix ? a->destination : 0);
    }
    for (uint32_t t = 0; t < demand->terminals; t++)
        if (demand->rates[t] > 1)
            return anl_fail(reader->reading->error, ANL_ERR_FORMAT, reader->name, 0,
                            "terminal %" PRIu32 " creates %.6g flits per cycle, expected at most 1",
                            t, demand->rates[t]);
    if (demand->mean > 0) return ANL_OK;
    return anl_fail(reader->reading->error, ANL_ERR_FORMAT, reader->name, 0,
                    "found no rate above 0");
}

static enum anl_status read_demand(struct scenario_reading *reading, const char *text, size_t bytes,
                                   const char *name, bool matrix)
{
    struct anl_scenario *scenario = reading->scenario;
    struct rate_reader reader = {.reading = reading,
                                 .name = name,
                                 .line = 1,
                                 .matrix = matrix,
                                 .terminals = anl_shape_of(&scenario->network).terminals};
    enum anl_status status = read_rows(&reader, text, bytes);
    if (!status && anl_demand_create(reader.terminals, reader.entries, reader.count, matrix,
                                     &scenario->demand))
        status = scenario_no_memory(reading);
    if (!status) status = check(&reader, scenario->demand);
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
