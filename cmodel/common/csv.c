// SPDX-License-Identifier: Apache-2.0

#include "common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void remove_mark(char *text)
{
    size_t bytes = strlen(text);
    const char *rest = anl_skip_mark(text, &bytes);
    memmove(text, rest, bytes);
    text[bytes] = '\0';
}

enum anl_status csv_text(const char *path, char **text, struct anl_error *error)
{
    FILE *file = anl_input_open(path);
    size_t room = 0;
    *text = NULL;
    if (!file) return anl_fail(error, ANL_ERR_IO, path, 0, "cannot read: %s", strerror(errno));
    errno = 0;
    const ssize_t bytes = getdelim(text, &room, '\0', file);
    const bool failed = ferror(file), cut = bytes > 0 && (*text)[bytes - 1] == '\0';
    const int reason = errno;
    fclose(file);
    if (failed) return anl_fail(error, ANL_ERR_IO, path, 0, "cannot read: %s", strerror(reason));
    if (cut)
        return anl_fail(error, ANL_ERR_FORMAT, path, 0, "there is a zero byte in it, not a text");
    if (bytes >= 0) {
        remove_mark(*text);
        return ANL_OK;
    }
    free(*text);
    *text = strdup("");
    return *text ? ANL_OK
                 : anl_fail(error, ANL_ERR_MEMORY, path, 0, "%s", anl_status_text(ANL_ERR_MEMORY));
}

enum anl_status csv_lines(const char *path, char **text, struct anl_error *error)
{
    const enum anl_status status = csv_text(path, text, error);
    if (!status) anl_unify_line_ends(*text, strlen(*text));
    return status;
}

static enum anl_status damaged(const struct csv *csv, struct anl_error *error, const char *what)
{
    return anl_fail(error, ANL_ERR_FORMAT, csv->file, csv->line, "%s", what);
}

// Removes the quotes of the field at csv->at. csv->at is then behind the field.
static enum anl_status read_quoted(struct csv *csv, struct anl_error *error)
{
    char *to = csv->at, *from = csv->at + 1;
    for (; *from && (*from != '"' || from[1] == '"'); from++) {
        if (*from == '"') from++;
        if (*from == '\n') csv->line++;
        *to++ = *from;
    }
    if (!*from) return damaged(csv, error, "a field in quotes has no end");
    *to = '\0';
    csv->at = from + 1;
    csv->at += strspn(csv->at, " \t");
    if (!*csv->at || strchr(",\r\n", *csv->at)) return ANL_OK;
    return damaged(csv, error, "text behind a field in quotes");
}

static enum anl_status read_plain(struct csv *csv, struct anl_error *error)
{
    csv->at += strcspn(csv->at, ",\r\n\"");
    return *csv->at == '"' ? damaged(csv, error, "a quote within a field without quotes") : ANL_OK;
}

// Goes on behind the end of a line, LF, CR LF or CR, unless the text is over.
static void end_line(struct csv *csv)
{
    if (!*csv->at) return;
    csv->at += csv->at[0] == '\r' && csv->at[1] == '\n' ? 2 : 1;
    csv->line++;
}

// Terminates the field that ends at csv->at. Returns true if the record goes on.
static bool end_field(struct csv *csv)
{
    const char end = *csv->at;
    if (end == ',') *csv->at++ = '\0';
    if (end == ',') return true;
    char *const behind = csv->at;
    end_line(csv);
    *behind = '\0';
    return false;
}

static const char blanks[] = " \t";

// Skips lines without a record.
static void skip_remarks(struct csv *csv)
{
    for (;;) {
        char *first = csv->at + strspn(csv->at, blanks);
        if (*first && !strchr("#\r\n", *first)) return;
        csv->at = first + strcspn(first, "\r\n");
        if (!*csv->at) return;
        end_line(csv);
    }
}

// Cuts blanks off the end of a field that is terminated.
static void cut_blanks(char *field, const char *end)
{
    size_t length = (size_t)(end - field);
    while (length && strchr(blanks, field[length - 1]))
        field[--length] = '\0';
}

static enum anl_status read_field(struct csv *csv, bool *more, struct anl_error *error)
{
    csv->at += strspn(csv->at, blanks);
    char *field = csv->fields[csv->num_fields++] = csv->at;
    const bool quoted = *field == '"';
    const enum anl_status status = quoted ? read_quoted(csv, error) : read_plain(csv, error);
    if (status) return status;
    const char *end = csv->at;
    *more = end_field(csv);
    if (!quoted) cut_blanks(field, end);
    return ANL_OK;
}

bool csv_next(struct csv *csv, enum anl_status *status, struct anl_error *error)
{
    *status = ANL_OK;
    csv->num_fields = 0;
    skip_remarks(csv);
    csv->record_line = csv->line;
    if (!*csv->at) return false;
    for (bool more = true; more;) {
        if (csv->num_fields == CSV_MAX_FIELDS)
            *status = damaged(csv, error, "more than 32 fields");
        else
            *status = read_field(csv, &more, error);
        if (*status) return false;
    }
    return true;
}

// Returns whether a field must be in quotes to be read as it is.
static bool needs_quotes(const char *text)
{
    const size_t length = strlen(text);
    return strpbrk(text, ",\"\r\n") ||
           (length && (*text == '#' || strchr(blanks, *text) || strchr(blanks, text[length - 1])));
}

void csv_write(FILE *stream, const char *text)
{
    if (!needs_quotes(text)) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++)
        fprintf(stream, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', stream);
}

void csv_remark(FILE *stream, const char *text)
{
    for (;;) {
        const size_t length = strcspn(text, "\r\n");
        fprintf(stream, "# %.*s\r\n", (int)length, text);
        text += length + strspn(text + length, "\r\n");
        if (!*text) return;
    }
}

char *csv_remarks_of(const char *text)
{
    char *remarks = calloc(strlen(text) + 1, 1), *to = remarks;
    for (; remarks && *text == '#'; text += strspn(text, "\r\n")) {
        text += text[1] == ' ' ? 2 : 1;
        const size_t length = strcspn(text, "\r\n");
        memcpy(to, text, length);
        to += length;
        *to++ = '\n';
        text += length;
    }
    return remarks;
}
