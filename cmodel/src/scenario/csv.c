// SPDX-License-Identifier: Apache-2.0
//
// The lines of CSV files that a scenario names: traffic matrices, rates, routing tables. Their
// fields hold no commas, so a field in quotes is one without them.

#include "scenario.h"

#include <annelid/base.h>
#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static struct scenario_scalar without_blanks(const char *text, size_t bytes)
{
    while (bytes && is_blank(*text)) {
        text++;
        bytes--;
    }
    while (bytes && is_blank(text[bytes - 1]))
        bytes--;
    return (struct scenario_scalar){text, bytes, true};
}

// Quotes around a field are not of it.
static struct scenario_scalar field_of(const char *text, size_t bytes)
{
    const struct scenario_scalar field = without_blanks(text, bytes);
    const size_t last = field.bytes - 1;
    const bool quoted = field.bytes > 1 && field.text[0] == '"' && field.text[last] == '"';
    return quoted ? (struct scenario_scalar){field.text + 1, field.bytes - 2, true} : field;
}

static void split(struct scenario_csv *csv)
{
    const char *at = csv->row.text, *const end = at + csv->row.bytes;
    csv->count = 0;
    for (;;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const size_t bytes = (size_t)((comma ? comma : end) - at);
        if (csv->count < SCENARIO_CSV_FIELDS) csv->fields[csv->count] = field_of(at, bytes);
        csv->count++;
        if (!comma) return;
        at = comma + 1;
    }
}

bool scenario_csv_next(struct scenario_csv *csv)
{
    while (csv->at < csv->end) {
        const char *newline = memchr(csv->at, '\n', (size_t)(csv->end - csv->at));
        const char *next = newline ? newline + 1 : csv->end;
        csv->line++;
        csv->row = without_blanks(csv->at, (size_t)((newline ? newline : csv->end) - csv->at));
        csv->at = next;
        if (!csv->row.bytes || *csv->row.text == '#') continue;
        split(csv);
        return true;
    }
    return false;
}

bool scenario_csv_is(const struct scenario_csv *csv, const char *head)
{
    for (unsigned i = 0; i < csv->count; i++) {
        const size_t bytes = strcspn(head, ",");
        if (i == SCENARIO_CSV_FIELDS || csv->fields[i].bytes != bytes ||
            memcmp(csv->fields[i].text, head, bytes) != 0)
            return false;
        head += bytes;
        if (!*head) return i + 1 == csv->count;
        head++;
    }
    return false;
}

enum anl_status scenario_csv_refuse_head(const struct scenario_csv *csv, const char *heads)
{
    char shown[SCENARIO_SHOWN_BYTES];
    if (!csv->count)
        return anl_fail(csv->error, ANL_ERR_FORMAT, csv->name, csv->line ? csv->line : 1,
                        "found no line, expected the first line %s", heads);
    return anl_fail(csv->error, ANL_ERR_FORMAT, csv->name, csv->line,
                    "found %s, expected the first line %s%s", scenario_quote(csv->row, shown),
                    heads, anl_separator_hint(csv->row.text, csv->row.bytes));
}

static bool is_number(const struct scenario_scalar *field)
{
    for (size_t i = 0; i < field->bytes; i++)
        if (field->text[i] < '0' || field->text[i] > '9') return false;
    return field->bytes > 0;
}

// A decimal comma makes two fields of a number.
static const char *hint(const struct scenario_csv *csv, unsigned fields)
{
    if (csv->count <= fields) return anl_separator_hint(csv->row.text, csv->row.bytes);
    const bool cut = csv->count == fields + 1 && fields && csv->count <= SCENARIO_CSV_FIELDS &&
                     is_number(&csv->fields[fields - 1]) && is_number(&csv->fields[fields]);
    return cut ? "; decimal numbers have a point, not a comma" : "";
}

enum anl_status scenario_csv_expect(const struct scenario_csv *csv, unsigned fields,
                                    const char *head)
{
    if (csv->count == fields) return ANL_OK;
    return anl_fail(csv->error, ANL_ERR_FORMAT, csv->name, csv->line,
                    "found %u field%s, expected %u: %s%s", csv->count, csv->count == 1 ? "" : "s",
                    fields, head, hint(csv, fields));
}
