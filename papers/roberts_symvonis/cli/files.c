// SPDX-License-Identifier: Apache-2.0

#include "starts.h"

#include <annelid/schedule.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void starts_free(struct starts *starts)
{
    anl_permutation_free(&starts->permutation);
    free(starts->order);
    free(starts->starts);
}

// --- rows of numbers ---

enum { MOST_COLUMNS = 3 };

// A file that is read. status and error keep the first error.
struct table_file {
    struct csv csv;
    char *text;
    const char *form;                 // of a row, for messages
    const char *names[MOST_COLUMNS];  // of the columns, as the first row may have them
    size_t columns;                   // that are read
    size_t most_columns;              // that a row may have
    uint32_t least[MOST_COLUMNS], most[MOST_COLUMNS];
    uint32_t values[MOST_COLUMNS];  // of the row that was read last
    enum anl_status status;
    struct anl_error *error;
};

static void refuse(struct table_file *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Gives the file an error in the row that was read last.
static void refuse(struct table_file *file, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    file->status =
        anl_fail(file->error, ANL_ERR_FORMAT, file->csv.file, file->csv.record_line, "%s", text);
}

static uint32_t number(struct table_file *file, size_t column)
{
    const char *text = file->csv.fields[column];
    const uint32_t least = file->least[column], most = file->most[column];
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && !*end && !errno && value >= least && value <= most)
        return (uint32_t)value;
    refuse(file, "%s '%s', expected a number from %" PRIu32 " to %" PRIu32, file->names[column],
           text, least, most);
    return 0;
}

// Returns true if the row names the columns, and refuses one that names others.
static bool is_head(struct table_file *file)
{
    if (strcmp(file->csv.fields[0], file->names[0]) != 0) return false;
    if (file->csv.num_fields < file->columns)
        refuse(file, "%zu name%s of columns, expected %s", file->csv.num_fields,
               plural(file->csv.num_fields), file->form);
    for (size_t i = 0; !file->status && i < file->columns; i++)
        if (strcmp(file->csv.fields[i], file->names[i]) != 0)
            refuse(file, "column '%s', expected %s", file->csv.fields[i], file->form);
    return true;
}

// Reads the next row. Returns false at the end, and after an error.
static bool next_row(struct table_file *file)
{
    do {
        if (file->status || !csv_next(&file->csv, &file->status, file->error)) return false;
    } while (is_head(file));  // after an error the next turn ends
    if (file->csv.num_fields < file->columns || file->csv.num_fields > file->most_columns)
        refuse(file, "%zu cell%s, expected %s%s", file->csv.num_fields,
               plural(file->csv.num_fields), file->form,
               anl_separator_hint(file->csv.fields[0], strlen(file->csv.fields[0])));
    for (size_t column = 0; !file->status && column < file->columns; column++)
        file->values[column] = number(file, column);
    return !file->status;
}

static void open_table(const char *path, struct table_file *file, struct anl_error *error)
{
    file->error = error;
    file->status = csv_text(path, &file->text, error);
    file->csv = (struct csv){.file = path, .at = file->text, .line = 1};
}

// --- worms ---

// Takes the worm of a row. source_of[n * n] has the sources of the destinations so far.
static void take_worm(struct table_file *file, struct starts *starts, uint32_t *source_of)
{
    const uint32_t source = file->values[0], destination = file->values[1];
    if (starts->permutation.destinations[source] != ANL_NO_NODE)
        refuse(file, "source %" PRIu32 " again, expected each source once", source);
    else if (source_of[destination] != ANL_NO_NODE)
        refuse(file,
               "destination %" PRIu32 " again (source %" PRIu32
               " has it), expected each destination once",
               destination, source_of[destination]);
    starts->permutation.destinations[source] = destination;
    starts->starts[source] = file->values[2];
    source_of[destination] = source;
}

static enum anl_status read_worms(const char *path, struct table_file *file, struct starts *starts,
                                  struct anl_error *error)
{
    const uint32_t n = starts->permutation.n;
    uint32_t *source_of = malloc((size_t)n * n * sizeof *source_of);
    starts->starts = calloc((size_t)n * n, sizeof *starts->starts);
    open_table(path, file, error);
    if (!source_of || !starts->starts) file->status = cli_fail(ANL_ERR_MEMORY, error);
    if (source_of) memset(source_of, 0xff, (size_t)n * n * sizeof *source_of);  // ANL_NO_NODE
    while (!file->status && next_row(file))
        take_worm(file, starts, source_of);
    if (!file->status && anl_permutation_worms(&starts->permutation) == 0)
        file->status =
            anl_fail(error, ANL_ERR_FORMAT, path, 0, "no row, expected at least one worm");
    free(source_of);
    free(file->text);
    return file->status;
}

enum anl_status starts_read_permutation(const char *path, uint32_t n, struct starts *starts,
                                        struct anl_error *error)
{
    const uint32_t last = n * n - 1;
    struct table_file file = {.form = "source,destination",
                              .names = {"source", "destination"},
                              .columns = 2,
                              .most_columns = 3,
                              .most = {last, last}};
    const enum anl_status status = anl_permutation_begin(n, &starts->permutation, error);
    return status ? status : read_worms(path, &file, starts, error);
}

enum anl_status starts_read_schedule(const char *path, uint32_t n, uint32_t latest,
                                     struct starts *starts, struct anl_error *error)
{
    const uint32_t last = n * n - 1;
    struct table_file file = {.form = "source,destination,start",
                              .names = {"source", "destination", "start"},
                              .columns = 3,
                              .most_columns = 3,
                              .least = {0, 0, 1},
                              .most = {last, last, latest}};
    const enum anl_status status = anl_permutation_begin(n, &starts->permutation, error);
    return status ? status : read_worms(path, &file, starts, error);
}

// --- orders ---

static void take_place(struct table_file *file, struct starts *starts, bool *seen, uint32_t place)
{
    const uint32_t worm = file->values[0];
    if (starts->permutation.destinations[worm] == ANL_NO_NODE)
        refuse(file, "node %" PRIu32 " sends no worm, expected a source of the permutation", worm);
    else if (seen[worm])
        refuse(file, "source %" PRIu32 " again, expected each source once", worm);
    else
        starts->order[place] = worm;
    seen[worm] = true;
}

enum anl_status starts_read_order(const char *path, struct starts *starts, struct anl_error *error)
{
    const uint32_t nodes = starts->permutation.n * starts->permutation.n;
    struct table_file file = {.form = "source",
                              .names = {"source"},
                              .columns = 1,
                              .most_columns = 1,
                              .most = {nodes - 1}};
    uint32_t count = 0;
    bool *seen = calloc(nodes, sizeof *seen);
    open_table(path, &file, error);
    if (!seen) file.status = cli_fail(ANL_ERR_MEMORY, error);
    while (!file.status && next_row(&file))
        take_place(&file, starts, seen, count++);
    if (!file.status && count < starts->worms)
        file.status = anl_fail(error, ANL_ERR_FORMAT, path, 0,
                               "%" PRIu32 " sources, expected all %" PRIu32 " of the permutation",
                               count, starts->worms);
    free(seen);
    free(file.text);
    return file.status;
}

// --- output ---

enum anl_status starts_write(const char *path, const struct starts *starts, struct anl_error *error)
{
    struct anl_output output;
    const enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    fputs("source,destination,start\n", output.file);
    const uint32_t nodes = starts->permutation.n * starts->permutation.n;
    for (uint32_t node = 0; node < nodes; node++)
        if (starts->permutation.destinations[node] != ANL_NO_NODE)
            fprintf(output.file, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", node,
                    starts->permutation.destinations[node], starts->starts[node]);
    return anl_output_finish(&output, error);
}

// --- messages ---

struct message {
    uint32_t start, source;
};

static int by_start(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x->source < y->source ? -1 : 1;
}

// Returns the worms that use links, by their starts; NULL if memory runs out.
static struct message *sorted_messages(const struct starts *starts, size_t *count)
{
    const uint32_t nodes = starts->permutation.n * starts->permutation.n;
    struct message *messages = calloc(nodes, sizeof *messages);
    *count = 0;
    for (uint32_t node = 0; messages && node < nodes; node++) {
        const uint32_t to = starts->permutation.destinations[node];
        if (to != ANL_NO_NODE && to != node)
            messages[(*count)++] = (struct message){starts->starts[node], node};
    }
    if (messages) qsort(messages, *count, sizeof *messages, by_start);
    return messages;
}

enum anl_status starts_write_messages(const char *path, const struct starts *starts,
                                      struct anl_error *error)
{
    struct anl_output output;
    size_t count;
    enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    struct message *messages = sorted_messages(starts, &count);
    if (!messages) {
        anl_output_abandon(&output);
        return cli_fail(ANL_ERR_MEMORY, error);
    }
    fputs("# cycle source destination length\n", output.file);
    for (size_t i = 0; i < count; i++)
        fprintf(output.file, "%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", messages[i].start,
                messages[i].source, starts->permutation.destinations[messages[i].source],
                starts->k);
    free(messages);
    return anl_output_finish(&output, error);
}
