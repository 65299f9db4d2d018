// SPDX-License-Identifier: Apache-2.0

#include "papers/common/program/paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

// --- data ---

const char *paper_text(const struct paper_row *row, size_t column)
{
    return row->csv.fields[column];
}

void paper_refuse(struct paper_row *row, size_t column, const char *expected)
{
    if (!row->status)
        row->status = anl_fail(row->error, ANL_ERR_FORMAT, row->csv.file, row->csv.record_line,
                               "'%s', expected %s", paper_text(row, column), expected);
}

double paper_number(struct paper_row *row, size_t column, double least, double most)
{
    const char *text = paper_text(row, column);
    char *end, expected[80];
    const double value = strtod(text, &end);
    if (*text && !*end && value >= least && value <= most) return value;
    snprintf(expected, sizeof expected, "a number from %g to %g", least, most);
    paper_refuse(row, column, expected);
    return least;
}

uint32_t paper_whole(struct paper_row *row, size_t column, double least, double most)
{
    const double value = paper_number(row, column, least, most);
    if (value != floor(value)) paper_refuse(row, column, "an integer");
    return (uint32_t)value;
}

int paper_choice(struct paper_row *row, size_t column, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(paper_text(row, column), names[i]) == 0) return i;
    paper_refuse(row, column, "one of those that the file's head names");
    return 0;
}

static void read_row(struct paper_row *row, const struct paper_file *file, void *element)
{
    if (row->csv.num_fields == file->columns)
        file->read(row, element);
    else
        row->status = anl_fail(row->error, ANL_ERR_FORMAT, row->csv.file, row->csv.record_line,
                               "%zu cells, expected %zu", row->csv.num_fields, file->columns);
}

void *paper_read(struct paper_row *row, const struct paper_file *file, char **text, size_t *count)
{
    char path[PATH_BYTES];
    if (row->status) return NULL;
    snprintf(path, sizeof path, "%s/%s", row->directory, file->name);
    row->status = csv_text(path, text, row->error);
    if (row->status) return NULL;
    row->csv = (struct csv){.file = path, .at = *text, .line = 1};
    char *list = NULL;
    for (size_t room = 0; !row->status && csv_next(&row->csv, &row->status, row->error);) {
        char *larger = gather_room(list, *count, &room, file->element_bytes);
        if (larger) list = larger;
        if (larger)
            read_row(row, file, list + file->element_bytes * (*count)++);
        else
            row->status = cli_fail(ANL_ERR_MEMORY, row->error);
    }
    if (!row->status && !*count && !file->may_be_empty)
        row->status =
            anl_fail(row->error, ANL_ERR_FORMAT, path, 0, "no row, expected at least one");
    return list;
}

// --- results ---

enum anl_status paper_write(const char *directory, const char *name,
                            void (*write)(const void *user, FILE *out), const void *user,
                            struct anl_error *error)
{
    char path[PATH_BYTES];
    struct anl_output output;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    const enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    write(user, output.file);
    return anl_output_finish(&output, error);
}

// Ends the file with an empty line, as gnuplot does.
static void write_svg(const void *svg, FILE *out) { fprintf(out, "%s\n\n", (const char *)svg); }

enum anl_status paper_draw(const char *directory, const char *name,
                           void (*write)(const void *user, FILE *out), const void *user,
                           struct anl_error *error)
{
    char file[64], *svg;
    const struct gnuplot drawing = {
        .script = write, .user = user, .directory = directory, .path = name};
    snprintf(file, sizeof file, "%.40s.gnuplot", name);
    enum anl_status status = paper_write(directory, file, write, user, error);
    if (status) return status;
    snprintf(file, sizeof file, "%.40s.svg", name);
    if (gnuplot_check(file, error)) {
        fprintf(stderr, "%s is left out: %s\n", error->file, error->text);
        return ANL_OK;
    }
    status = gnuplot_draw(&drawing, &svg, error);
    if (!status) status = paper_write(directory, file, write_svg, svg, error);
    free(svg);
    return status;
}
