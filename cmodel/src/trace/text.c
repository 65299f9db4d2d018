// SPDX-License-Identifier: Apache-2.0
//
// The text form: lines of fields that are separated by exactly one space, and decimal numbers
// without sign or leading zeros. A line that does not end in a newline was cut off and is refused.

#include "trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_LINE = ANL_MAX_SCENARIO_BYTES + 3,
    MAX_FIELDS = 6,
    QUOTED_BYTES = 40,
};

struct slice {
    const uint8_t *bytes;
    size_t length;
};

// Bytes of a file, escaped so that a message can quote them.
struct quote {
    char text[4 * QUOTED_BYTES + sizeof "…"];
};

static struct quote quote(struct slice slice)
{
    struct quote quoted;
    char *at = quoted.text;
    for (size_t i = 0; i < slice.length && i < QUOTED_BYTES; i++) {
        uint8_t byte = slice.bytes[i];
        if (byte >= ' ' && byte <= '~')
            *at++ = (char)byte;
        else
            at += snprintf(at, 5, "\\x%02x", byte);
    }
    memcpy(at, slice.length > QUOTED_BYTES ? "…" : "", slice.length > QUOTED_BYTES ? 4 : 1);
    return quoted;
}

static bool is_word(struct slice slice, const char *word)
{
    return slice.length == strlen(word) && memcmp(slice.bytes, word, slice.length) == 0;
}

static bool begins_with(struct slice slice, const char *word)
{
    size_t length = strlen(word);
    return slice.length >= length && memcmp(slice.bytes, word, length) == 0;
}

// --- lines ---

// Reads the next line without its newline; it is valid until the next read. at_end is the message
// if the input is at its end.
static enum anl_status read_line(struct anl_trace_reader *reader, const char *at_end,
                                 struct slice *line)
{
    size_t length = anl_input_line(&reader->input, LONGEST_LINE);
    size_t there = reader->input.end - reader->input.begin;
    reader->line++;
    *line = (struct slice){0};
    if (length == 0 && there == 0) return anl_reader_fail_short(reader, at_end);
    if (length == 0 && there >= LONGEST_LINE)
        return anl_reader_fail(reader, "line of more than %d bytes", LONGEST_LINE - 1);
    if (length == 0)
        return anl_reader_fail_short(reader,
                                     "line without newline; expected more, the file is truncated");
    *line = (struct slice){reader->input.bytes + reader->input.begin, length - 1};
    anl_input_skip(&reader->input, length);
    return ANL_OK;
}

// Reads lines until one is not a comment.
static enum anl_status read_content(struct anl_trace_reader *reader, const char *at_end,
                                    struct slice *line)
{
    enum anl_status status;
    do
        status = read_line(reader, at_end, line);
    while (status == ANL_OK && begins_with(*line, "#"));
    return status;
}

static int next_byte(struct anl_trace_reader *reader)
{
    bool there = anl_input_need(&reader->input, 1) > 0;
    return there ? reader->input.bytes[reader->input.begin] : EOF;
}

// --- fields ---

enum field_kind { NUMBER, MARKS, DIGEST };

struct field {
    const char *name;
    enum field_kind kind;
    uint64_t least, most;
};

struct layout {
    const char *word;
    unsigned count;
    struct field fields[MAX_FIELDS];
};

static const struct layout seed_layout = {"seed", 1, {{"seed", NUMBER, 0, UINT64_MAX}}};

static const struct layout worm_layout = {"worm",
                                          5,
                                          {{"id", NUMBER, 0, UINT32_MAX},
                                           {"source", NUMBER, 0, UINT32_MAX},
                                           {"destination", NUMBER, 0, UINT32_MAX},
                                           {"length", NUMBER, 1, ANL_MAX_WORM_LENGTH},
                                           {"created", NUMBER, 0, UINT64_MAX}}};

static const struct layout flit_layout = {"flit",
                                          6,
                                          {{"cycle", NUMBER, 0, UINT64_MAX},
                                           {"link", NUMBER, 0, UINT32_MAX},
                                           {"lane", NUMBER, 0, UINT8_MAX},
                                           {"kind", MARKS, 0, 0},
                                           {"worm", NUMBER, 0, UINT32_MAX},
                                           {"index", NUMBER, 0, UINT16_MAX}}};

static const struct layout end_layout = {"end",
                                         3,
                                         {{"cycles", NUMBER, 0, UINT64_MAX},
                                          {"flits", NUMBER, 0, UINT64_MAX},
                                          {"digest", DIGEST, 0, 0}}};

static bool parse_number(struct slice text, uint64_t most, uint64_t *value)
{
    if (text.length == 0 || (text.length > 1 && text.bytes[0] == '0')) return false;
    *value = 0;
    for (size_t i = 0; i < text.length; i++) {
        unsigned digit = (unsigned)text.bytes[i] - '0';
        if (digit > 9 || *value > (most - digit) / 10) return false;
        *value = *value * 10 + digit;
    }
    return *value <= most;
}

static bool parse_marks(struct slice text, uint64_t *value)
{
    static const char letters[] = "BHTS";
    const char *letter = text.length == 1 ? memchr(letters, text.bytes[0], strlen(letters)) : NULL;
    if (letter) *value = (uint64_t)(letter - letters);
    return letter;
}

static bool parse_digest(struct slice text, uint64_t *value)
{
    if (text.length != 16) return false;
    *value = 0;
    for (size_t i = 0; i < text.length; i++) {
        uint8_t c = text.bytes[i];
        bool letter = c >= 'a' && c <= 'f';
        if (!letter && (c < '0' || c > '9')) return false;
        *value = *value << 4 | (uint64_t)(letter ? c - 'a' + 10 : c - '0');
    }
    return true;
}

static enum anl_status parse_field(struct anl_trace_reader *reader, const struct field *field,
                                   struct slice text, uint64_t *value)
{
    const char *name = field->name;
    struct quote found = quote(text);
    switch (field->kind) {
    case NUMBER:
        if (parse_number(text, field->most, value) && *value >= field->least) return ANL_OK;
        return anl_reader_fail(reader, "%s \"%s\"; expected a number %" PRIu64 "..%" PRIu64, name,
                               found.text, field->least, field->most);
    case MARKS:
        if (parse_marks(text, value)) return ANL_OK;
        return anl_reader_fail(reader, "%s \"%s\"; expected H, B, T or S", name, found.text);
    case DIGEST:
        if (parse_digest(text, value)) return ANL_OK;
        return anl_reader_fail(reader, "%s \"%s\"; expected 16 digits 0..9 a..f", name, found.text);
    }
    return ANL_ERR_FORMAT;
}

// Takes the text up to the next separator from rest; rest->bytes is NULL if nothing is left.
static struct slice next_part(struct slice *rest, char separator)
{
    struct slice field = *rest;
    const uint8_t *space = rest->length ? memchr(rest->bytes, separator, rest->length) : NULL;
    if (!space) {
        *rest = (struct slice){0};
        return field;
    }
    field.length = (size_t)(space - rest->bytes);
    *rest = (struct slice){space + 1, rest->length - field.length - 1};
    return field;
}

static struct slice next_field(struct slice *rest) { return next_part(rest, ' '); }

// Reads the fields of a line; *rest is what follows the first word, and then what follows the
// fields.
static enum anl_status parse_fields(struct anl_trace_reader *reader, const struct layout *layout,
                                    struct slice *rest, uint64_t *values)
{
    for (unsigned i = 0; i < layout->count; i++) {
        if (!rest->bytes)
            return anl_reader_fail(reader, "%s with %u fields; expected %u, %s is missing",
                                   layout->word, i, layout->count, layout->fields[i].name);
        struct slice text = next_field(rest);
        enum anl_status status = parse_field(reader, &layout->fields[i], text, &values[i]);
        if (status != ANL_OK) return status;
    }
    return ANL_OK;
}

static enum anl_status parse_nothing(struct anl_trace_reader *reader, const struct layout *layout,
                                     struct slice rest)
{
    if (!rest.bytes) return ANL_OK;
    return anl_reader_fail(reader, "\"%s\" after the last field of %s; expected nothing",
                           quote(rest).text, layout->word);
}

// Reads the route of a worm, "2.0.1".
static enum anl_status parse_route(struct anl_trace_reader *reader, struct slice text,
                                   struct anl_worm *worm)
{
    uint8_t ports[ANL_TRACE_MOST_PORTS];
    size_t count = 0;
    for (struct slice rest = text; rest.bytes && count < sizeof ports; count++) {
        uint64_t port;
        if (!parse_number(next_part(&rest, '.'), ANL_MAX_PORTS - 1, &port))
            return anl_reader_fail(reader,
                                   "route \"%s\"; expected 1..%d ports 0..%d, such as 2.0.1",
                                   quote(text).text, ANL_TRACE_MOST_PORTS, ANL_MAX_PORTS - 1);
        ports[count] = (uint8_t)port;
        if (!rest.bytes) return anl_reader_keep_route(reader, ports, count + 1, worm);
    }
    return anl_reader_fail(reader, "route of more than %d ports", ANL_TRACE_MOST_PORTS);
}

static bool parse_role(struct slice text, uint8_t *role)
{
    for (*role = ANL_PLAIN; *role <= ANL_REPLY; ++*role)
        if (is_word(text, anl_role_name(*role))) return true;
    return false;
}

// Reads the class and the role of a worm, "1:reply".
static enum anl_status parse_class(struct anl_trace_reader *reader, struct slice text,
                                   struct anl_worm *worm)
{
    struct slice rest = text;
    uint64_t class_;
    if (!parse_number(next_part(&rest, ':'), ANL_MAX_VCS - 1, &class_) ||
        !parse_role(rest, &worm->role) || (class_ == 0 && worm->role == ANL_PLAIN))
        return anl_reader_fail(reader,
                               "class \"%s\"; expected a class 0..%d and a role, plain, request or "
                               "reply, such as 1:reply, but not 0:plain",
                               quote(text).text, ANL_MAX_VCS - 1);
    worm->class_ = (uint8_t)class_;
    return ANL_OK;
}

static bool parse_one_after(struct slice text, struct anl_after *after)
{
    uint64_t worm, cycles;
    if (!parse_number(next_part(&text, '+'), UINT32_MAX, &worm) ||
        !parse_number(text, UINT32_MAX, &cycles) || cycles == 0)
        return false;
    *after = (struct anl_after){(uint32_t)worm, (uint32_t)cycles};
    return true;
}

// Reads what a worm has waited for, "after:0:1+20,2+1".
static enum anl_status parse_after(struct anl_trace_reader *reader, struct slice text,
                                   struct anl_worm *worm)
{
    struct anl_after after[ANL_MAX_AFTER];
    struct slice rest = text;
    uint64_t earliest;
    uint32_t count = 0;
    next_part(&rest, ':');
    bool good = parse_number(next_part(&rest, ':'), UINT64_MAX, &earliest) && rest.bytes;
    while (good && rest.bytes) {
        good = count < ANL_MAX_AFTER && parse_one_after(next_part(&rest, ','), &after[count]);
        count += good;
    }
    if (good) return anl_reader_keep_after(reader, earliest, after, count, worm);
    return anl_reader_fail(reader,
                           "\"%s\"; expected after, the earliest cycle, and 1..%d worms with "
                           "cycles, such as after:0:1+20,2+1",
                           quote(text).text, ANL_MAX_AFTER);
}

// Reads the path of a worm, "path:5".
static enum anl_status parse_path(struct anl_trace_reader *reader, struct slice text,
                                  struct anl_worm *worm)
{
    struct slice rest = text;
    uint64_t path;
    next_part(&rest, ':');
    if (!parse_number(rest, UINT32_MAX, &path))
        return anl_reader_fail(reader, "\"%s\"; expected path and its number, such as path:5",
                               quote(text).text);
    worm->path = (uint32_t)path;
    worm->has_path = true;
    return ANL_OK;
}

// Reads class and role, a path, or a route of its own.
static enum anl_status parse_one_more(struct anl_trace_reader *reader, struct slice text,
                                      bool first, struct anl_worm *worm)
{
    if (begins_with(text, "path:")) return parse_path(reader, text, worm);
    const bool classed = first && memchr(text.bytes, ':', text.length);
    return (classed ? parse_class : parse_route)(reader, text, worm);
}

// Reads what a worm has behind the fields that all have: class and role, a path or a route of its
// own, and what it has waited for, of which the next field is the first one that is there.
static enum anl_status parse_more(struct anl_trace_reader *reader, struct slice *rest,
                                  struct anl_worm *worm)
{
    for (bool first = true;; first = false) {
        const struct slice text = next_field(rest);
        if (begins_with(text, "after:")) return parse_after(reader, text, worm);
        const enum anl_status status = parse_one_more(reader, text, first, worm);
        if (status || !rest->bytes) return status;
        if ((worm->route || worm->has_path) && !begins_with(*rest, "after:"))
            return parse_nothing(reader, &worm_layout, *rest);
    }
}

// --- head ---

static enum anl_status read_first_line(struct anl_trace_reader *reader)
{
    struct slice line;
    enum anl_status status = read_line(reader, "empty; expected a trace", &line);
    if (status != ANL_OK || is_word(line, ANL_TRACE_FIRST_LINE)) return status;
    return anl_reader_fail(reader, "first line \"%s\"; expected \"" ANL_TRACE_FIRST_LINE "\"",
                           quote(line).text);
}

static enum anl_status read_seed(struct anl_trace_reader *reader)
{
    struct slice line;
    enum anl_status status = read_content(reader, "file ends here; expected \"seed\"", &line);
    if (status != ANL_OK) return status;
    struct slice rest = line;
    if (!is_word(next_field(&rest), "seed"))
        return anl_reader_fail(reader, "\"%s\"; expected \"seed\"", quote(line).text);
    status = parse_fields(reader, &seed_layout, &rest, &reader->seed);
    return status ? status : parse_nothing(reader, &seed_layout, rest);
}

// Appends a line that begins with '|' to the scenario. *max_bytes is the size of its memory.
static enum anl_status add_scenario_line(struct anl_trace_reader *reader, struct slice line,
                                         size_t *max_bytes)
{
    if (!begins_with(line, "| "))
        return anl_reader_fail(reader, "\"%s\"; expected a space after the bar", quote(line).text);
    if (memchr(line.bytes, '\0', line.length))
        return anl_reader_fail(reader, "byte 0 in the scenario; expected text");
    size_t length = line.length - 2;
    if (length + 1 > ANL_MAX_SCENARIO_BYTES - reader->scenario_bytes)
        return anl_reader_fail(reader, "scenario is longer than %d bytes, the most allowed",
                               ANL_MAX_SCENARIO_BYTES);
    size_t needed = reader->scenario_bytes + length + 2;
    if (needed > *max_bytes) {
        char *larger = realloc(reader->scenario, 2 * needed);
        if (!larger) return anl_reader_fail_system(reader, ANL_ERR_MEMORY, 0);
        reader->scenario = larger;
        *max_bytes = 2 * needed;
    }
    memcpy(reader->scenario + reader->scenario_bytes, line.bytes + 2, length);
    memcpy(reader->scenario + reader->scenario_bytes + length, "\n", 2);
    reader->scenario_bytes += length + 1;
    return ANL_OK;
}

static enum anl_status read_scenario(struct anl_trace_reader *reader)
{
    size_t max_bytes = 0;
    for (int byte = next_byte(reader); byte == '|' || byte == '#'; byte = next_byte(reader)) {
        struct slice line;
        enum anl_status status = read_line(reader, "", &line);
        if (status == ANL_OK && byte == '|') status = add_scenario_line(reader, line, &max_bytes);
        if (status != ANL_OK) return status;
    }
    return ANL_OK;
}

// Skips the byte order mark that some editors write at the beginning.
static void skip_mark(struct anl_trace_reader *reader)
{
    struct anl_input *input = &reader->input;
    const size_t there = anl_input_need(input, 3);  // bytes of the mark
    size_t left = there;
    anl_skip_mark((const char *)input->bytes + input->begin, &left);
    anl_input_skip(input, there - left);
}

enum anl_status anl_text_head(struct anl_trace_reader *reader)
{
    skip_mark(reader);
    enum anl_status status = read_first_line(reader);
    if (status == ANL_OK) status = read_seed(reader);
    if (status == ANL_OK) status = read_scenario(reader);
    return status;
}

// --- records ---

static const struct layout *layout_of(struct slice word, enum anl_record_kind *kind)
{
    if (is_word(word, "flit")) return *kind = ANL_RECORD_FLIT, &flit_layout;
    if (is_word(word, "worm")) return *kind = ANL_RECORD_WORM, &worm_layout;
    if (is_word(word, "end")) return *kind = ANL_RECORD_END, &end_layout;
    return NULL;
}

static void fill_record(const uint64_t *values, struct anl_record *record)
{
    switch (record->kind) {
    case ANL_RECORD_WORM:
        record->cycle = values[4];
        record->worm = (struct anl_worm){.id = (uint32_t)values[0],
                                         .source = (uint32_t)values[1],
                                         .destination = (uint32_t)values[2],
                                         .length = (uint16_t)values[3],
                                         .created = values[4]};
        break;
    case ANL_RECORD_FLIT:
        record->cycle = values[0];
        record->flit = (struct anl_flit){.link = (uint32_t)values[1],
                                         .vc = (uint8_t)values[2],
                                         .head = values[3] & 1,
                                         .tail = values[3] & 2,
                                         .worm = (uint32_t)values[4],
                                         .index = (uint16_t)values[5]};
        break;
    case ANL_RECORD_END:
        record->cycle = values[0];
        record->flits = values[1];
        record->digest = values[2];
        break;
    }
}

enum anl_status anl_text_next(struct anl_trace_reader *reader, struct anl_record *record)
{
    struct slice line;
    enum anl_status status =
        read_content(reader, "file ends here without an end record; it is truncated", &line);
    if (status != ANL_OK) return status;
    struct slice rest = line;
    const struct layout *layout = layout_of(next_field(&rest), &record->kind);
    if (!layout)
        return anl_reader_fail(reader, "\"%s\"; expected \"worm\", \"flit\" or \"end\"",
                               quote(line).text);
    uint64_t values[MAX_FIELDS] = {0};
    status = parse_fields(reader, layout, &rest, values);
    if (status != ANL_OK) return status;
    fill_record(values, record);
    if (layout == &worm_layout && rest.bytes) status = parse_more(reader, &rest, &record->worm);
    if (!status) status = parse_nothing(reader, layout, rest);
    if (status != ANL_OK) return status;
    return anl_check_record(reader, record);
}

enum anl_status anl_text_end(struct anl_trace_reader *reader)
{
    while (next_byte(reader) != EOF) {
        struct slice line;
        enum anl_status status = read_line(reader, "", &line);
        if (status != ANL_OK) return status;
        if (!begins_with(line, "#"))
            return anl_reader_fail(reader, "\"%s\" after the end record; expected nothing",
                                   quote(line).text);
    }
    struct anl_input *input = &reader->input;
    if (input->status != ANL_OK) return anl_reader_fail_system(reader, input->status, input->cause);
    return ANL_OK;
}
