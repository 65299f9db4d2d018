// SPDX-License-Identifier: Apache-2.0

#include "common.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *gather_room(void *list, size_t count, size_t *size, size_t element_bytes)
{
    if (count < *size) return list;
    size_t wanted = *size ? 2 * *size : 64;
    while (wanted <= count)
        wanted *= 2;
    void *larger = realloc(list, wanted * element_bytes);
    if (larger) *size = wanted;
    return larger;
}

void text_append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

void table_add(struct table *table, const char *format, ...)
{
    void *cells = NULL;
    if (!table->cut)
        cells = gather_room(table->cells, table->count, &table->size, sizeof *table->cells);
    table->cut = !cells;
    if (!cells) return;
    table->cells = cells;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(table->cells[table->count++], TABLE_CELL_BYTES, format, arguments);
    va_end(arguments);
}

void table_row(struct table *table, const char *format, ...)
{
    char cells[TABLE_MAX_COLUMNS * TABLE_CELL_BYTES], *rest = cells;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cells, sizeof cells, format, arguments);
    va_end(arguments);
    while (rest)
        table_add(table, "%s", strsep(&rest, "\t"));
}

// Returns how many characters of UTF-8 a text has; all are taken to be equally wide.
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void measure(const struct table *table, size_t columns, int *widths)
{
    for (size_t i = 0; i < table->count; i++) {
        const int width = width_of(table->cells[i]);
        if (width > widths[i % columns]) widths[i % columns] = width;
    }
}

void table_print(struct table *table, int indent)
{
    enum { BETWEEN = 2 };
    const size_t columns = strlen(table->align);
    int widths[TABLE_MAX_COLUMNS] = {0};
    assert(columns <= TABLE_MAX_COLUMNS);
    table->count -= table->count % columns;
    measure(table, columns, widths);

    int blanks = 0;  // to be printed before the next cell that is not empty
    for (size_t i = 0; i < table->count; i++) {
        const size_t column = i % columns;
        const char *cell = table->cells[i];
        const int spare = widths[column] - width_of(cell);
        const bool right = table->align[column] == 'r';
        blanks += column == 0 ? indent : BETWEEN;
        if (*cell) {
            printf("%*s%s", blanks + (right ? spare : 0), "", cell);
            blanks = right ? 0 : spare;
        } else {
            blanks += spare;
        }
        if (column + 1 < columns) continue;
        putchar('\n');
        blanks = 0;
    }
    if (table->cut) printf("%*s… (no memory for the rest)\n", indent, "");
    free(table->cells);
    *table = (struct table){.align = table->align};
}
