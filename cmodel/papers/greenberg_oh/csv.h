// SPDX-License-Identifier: Apache-2.0
//
// Tables of the data files: rows of cells divided by commas, # begins a remark, empty lines are
// skipped; lines may end in CR LF. The last cell of a row is the rest of its line, commas too.

#ifndef GREENBERG_OH_CSV_H
#define GREENBERG_OH_CSV_H

#include <annelid/base.h>
#include <stdbool.h>
#include <stddef.h>

struct csv {
    char path[4096];
    char *text;  // the cells are parts of it
    size_t rows, columns;
    char **cells;
    uint64_t *lines;  // of the rows
};

// There must be a row, and every row must have as many cells. ANL_ERR_IO, ANL_ERR_FORMAT,
// ANL_ERR_MEMORY; *csv is then empty, else give it to csv_free().
enum anl_status csv_read(const char *path, size_t columns, struct csv *csv,
                         struct anl_error *error);
void csv_free(struct csv *csv);

const char *csv_cell(const struct csv *csv, size_t row, size_t column);
// A number from least to most, or ANL_ERR_FORMAT with the place.
enum anl_status csv_number(const struct csv *csv, size_t row, size_t column, double least,
                           double most, double *value, struct anl_error *error);
// The position in names, an array that ends with NULL, of what the cell says.
enum anl_status csv_choice(const struct csv *csv, size_t row, size_t column,
                           const char *const *names, int *choice, struct anl_error *error);

#endif
