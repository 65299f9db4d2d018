// SPDX-License-Identifier: Apache-2.0
//
// Tables for people: columns as wide as their widest cell, two blanks between them, no blanks at
// the end of a line.

#ifndef ANNELID_TABLE_H
#define ANNELID_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum { TABLE_MAX_COLUMNS = 12, TABLE_CELL_BYTES = 160 };

struct table {
    const char *align;  // a letter per column: l left, r right
    char (*cells)[TABLE_CELL_BYTES];
    size_t count, size;
    bool cut;
};

// Adds a cell, printf-like, cut at TABLE_CELL_BYTES - 1; cells fill the rows from left to right.
// Without memory the table is cut after the last whole row, and says so.
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints the rows, each after indent blanks, and empties the table.
void table_print(struct table *table, int indent);

#endif
