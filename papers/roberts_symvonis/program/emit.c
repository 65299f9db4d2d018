// SPDX-License-Identifier: Apache-2.0
//
// The tables of a layout for the RTL: for each cell the map, and the ways of worms that are born
// (papers/roberts_symvonis/supernodes.md, "Cells"). A way is an octal digit, that of port 0 is the
// last one of a cell; 7 is none.

#include "common/common.h"
#include "snakes.h"

#include <annelid/bufferless.h>
#include <stdlib.h>

enum { NONE = 7 };

static uint8_t digit(uint8_t way) { return way == ANL_NO_WAY ? NONE : way; }

// Enters the path of a worm that is born in a cell, up to the trail. Returns whether all its turns
// agree with those of other paths.
static bool enter_path(const struct layout *layout, const struct births *births, uint32_t cell,
                       uint8_t *tables)
{
    bool agree = true;
    uint32_t in = ANL_TERMINAL_PORT;
    for (uint32_t rest = births->path[cell] + 1; rest > 0; rest--) {
        uint8_t *entry = &tables[(size_t)cell * ANL_BUFFERLESS_PORTS + in];
        const uint8_t way = births->ways[cell];
        agree &= *entry == ANL_NO_WAY || *entry == way;
        *entry = way;
        if (rest > 1) cell = layout_next(layout, cell, way);
        in = way ^ 1u;
    }
    return agree;
}

// Fills what no path uses from the map.
static void enter_map(const struct layout *layout, uint8_t *tables)
{
    for (uint32_t cell = 0; cell < layout->cells; cell++)
        for (uint32_t port = 0; port < ANL_BUFFERLESS_LINKS; port++) {
            uint8_t *entry = &tables[(size_t)cell * ANL_BUFFERLESS_PORTS + port];
            if (*entry == ANL_NO_WAY) *entry = layout_way(layout, cell, port);
        }
}

enum anl_status births_tables(const struct layout *layout, uint8_t *tables, struct anl_error *error)
{
    struct births births[SIDES] = {0};
    bool agree = true;
    enum anl_status status = births_create(layout, SIDE_LEFT, &births[SIDE_LEFT], error);
    if (!status) status = births_create(layout, SIDE_RIGHT, &births[SIDE_RIGHT], error);
    for (size_t i = 0; i < (size_t)layout->cells * ANL_BUFFERLESS_PORTS; i++)
        tables[i] = ANL_NO_WAY;
    for (uint32_t cell = 0; cell < layout->cells && !status; cell++)
        agree &= enter_path(layout, &births[layout_side(layout, cell)], cell, tables);
    if (!status) enter_map(layout, tables);
    births_free(&births[SIDE_LEFT]);
    births_free(&births[SIDE_RIGHT]);
    if (!status && !agree)
        status = anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                          "f = %u, k = %u: paths of births need two ways of one port", layout->f,
                          layout->k);
    return status;
}

// Writes one table, the last cell first, a row of cells in a line.
static void emit_table(const struct layout *layout, const char *name, const uint8_t *ways,
                       uint32_t ports, FILE *out)
{
    fprintf(out, "  localparam logic [%u:0] %s = {\n", layout->cells * ports * 3 - 1, name);
    for (uint32_t cell = layout->cells; cell-- > 0;) {
        fprintf(out, "%s%u'o", cell % layout->side == layout->s ? "    " : " ", ports * 3);
        for (uint32_t port = ports; port-- > 0;)
            fprintf(out, "%o", digit(ways[cell * ports + port]));
        fputs(cell > 0 ? "," : "};", out);
        if (cell % layout->side == 0) fputc('\n', out);
    }
}

static void emit_numbers(const struct layout *layout, FILE *out)
{
    const struct {
        const char *name, *says;
        uint32_t value;
    } numbers[] = {{"F", "worms that a supernode stores", layout->f},
                   {"K", "flits of a worm", layout->k},
                   {"W", "side of a buffer", layout->w},
                   {"S", "the last row and column", layout->s},
                   {"M", "those of the lanes", layout->m},
                   {"Side", "S + 1", layout->side},
                   {"Cells", "Side * Side", layout->cells},
                   {"Slots", "of a train", layout->slots},
                   {"Train", "flits of a train", layout->train},
                   {"Period", "steps of a cycle of a train", layout->period},
                   {"Half", "steps of half of the joined cycle", layout->half}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(out, "  localparam int %-6s = %u;  // %s\n", numbers[i].name, numbers[i].value,
                numbers[i].says);
    fputs("  localparam int SlotW  = $clog2(Slots + 2);  // bits that hold -1 .. Slots\n\n", out);
}

enum anl_status layout_emit(const struct layout *layout, FILE *out, struct anl_error *error)
{
    uint8_t *births = malloc((size_t)layout->cells * ANL_BUFFERLESS_PORTS);
    enum anl_status status =
        births ? births_tables(layout, births, error) : cli_fail(ANL_ERR_MEMORY, error);
    if (!status) {
        fprintf(out,
                "// SPDX-License-Identifier: Apache-2.0\n//\n"
                "// The layout of a supernode for f = %u and k = %u, with the tables of its cells\n"
                "// (papers/roberts_symvonis/supernodes.md, \"Cells\"). Written by: make layout "
                "LAYOUT=%u.%u\n//\n"
                "// Cell y * (S + 1) + x has an octal digit for each input port: an output port, "
                "or 7 for "
                "none.\n"
                "// The digit of port 0 is the last one of a cell; the last cell comes first, and "
                "a line "
                "has a\n"
                "// row of cells.\n\n"
                "// A package names all numbers, also those that no code reads.\n"
                "// verilator lint_off UNUSEDPARAM\n\n"
                "package anl_layout_pkg;\n\n",
                layout->f, layout->k, layout->f, layout->k);
        emit_numbers(layout, out);
        emit_table(layout, "Map", layout->map, ANL_BUFFERLESS_LINKS, out);
        fputc('\n', out);
        emit_table(layout, "Births", births, ANL_BUFFERLESS_PORTS, out);
        fputs("\nendpackage\n", out);
    }
    free(births);
    return status;
}
