// SPDX-License-Identifier: Apache-2.0
//
// Everything that is drawn follows from the layout, or from flits of the machine; no figure has a
// position of its own but those of labels.

#include "figures.h"

#include "common/common.h"
#include "superstep.h"

#include <annelid/bufferless.h>
#include <inttypes.h>

enum { CELL = 46, EDGE = 24, HEADER = 58, PANEL = 390, ASIDE = 7 };

const char *figure_name(enum figure figure)
{
    static const char *const names[FIGURES] = {"cells", "trails", "buffers", "way"};
    return names[figure];
}

struct point {
    double x, y;
};

// Returns the centre of a cell in a square of cells with this side.
static struct point centre_of(uint32_t side, uint32_t cell)
{
    return (struct point){EDGE + (cell % side + 0.5) * CELL, HEADER + (cell / side + 0.5) * CELL};
}

// --- the frame ---

static void begin(FILE *out, uint32_t columns, uint32_t rows, const char *title, const char *words)
{
    const uint32_t width = columns * CELL + 2 * EDGE + PANEL, height = rows * CELL + HEADER + EDGE;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRIu32 "\" height=\"%" PRIu32
            "\" viewBox=\"0 0 %" PRIu32 " %" PRIu32
            "\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" fill=\"#1f2933\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
            "<text x=\"%d\" y=\"26\" font-size=\"17\" font-weight=\"700\">%s</text>\n"
            "<text x=\"%d\" y=\"45\" font-size=\"12\" fill=\"#5b6673\">%s</text>\n",
            width, height, width, height, EDGE, title, EDGE, words);
}

static const char *const tints[] = {
    [CELL_STORAGE] = "#eaf1f8", [CELL_LANE] = "#f4f0e4", [CELL_BUFFER] = "#e6f4ea"};

static void put_cell(FILE *out, struct point at, const char *tint, const char *label)
{
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"5\" fill=\"%s\" "
            "stroke=\"#c3ccd6\"/>",
            at.x - CELL / 2.0 + 3, at.y - CELL / 2.0 + 3, CELL - 6, CELL - 6, tint);
    if (*label)
        fprintf(out,
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"14\" text-anchor=\"middle\">%s</text>",
                at.x, at.y + 5, label);
    fputc('\n', out);
}

static const char *label_of(const struct layout *layout, uint32_t cell)
{
    for (uint32_t corner = 0; corner < CORNERS; corner++)
        if (layout->entries[corner] == cell) return "e";
    return cell == layout->centre                         ? "C"
           : cell == layout->top                          ? "T"
           : cell == layout->bottom                       ? "B"
           : cell == layout->west || cell == layout->east ? "a"
                                                          : "";
}

static void put_cells(FILE *out, const struct layout *layout, uint32_t side)
{
    for (uint32_t node = 0; node < side * layout->side; node++) {
        const uint32_t x = node % side % layout->side, y = node / side % layout->side;
        const uint32_t cell = y * layout->side + x;
        put_cell(out, centre_of(side, node), tints[layout->kinds[cell]], label_of(layout, cell));
    }
}

// The panel to the right: rows of a sign and words.
static void put_row(FILE *out, uint32_t side, uint32_t row, const char *sign, const char *words)
{
    const uint32_t x = side * CELL + 2 * EDGE + 8, y = HEADER + 24 + 27 * row;
    fprintf(out,
            "<g transform=\"translate(%" PRIu32 " %" PRIu32
            ")\">%s<text x=\"34\" y=\"5\" font-size=\"12\">%s</text></g>\n",
            x, y, sign, words);
}

#define BOX(tint, label)                                                                           \
    "<rect x=\"0\" y=\"-11\" width=\"22\" height=\"22\" rx=\"4\" fill=\"" tint                     \
    "\" stroke=\"#c3ccd6\"/><text x=\"11\" y=\"5\" font-size=\"12\" text-anchor=\"middle\">" label \
    "</text>"
#define LINE(colour) "<path d=\"M0 0H24\" stroke=\"" colour "\" stroke-width=\"3\" fill=\"none\"/>"

// --- ways, each a little to the right of the middle, so that opposite ones stand apart ---

static struct point step_of(uint32_t port)
{
    static const struct point steps[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    return steps[port];
}

static struct point ahead_of(struct point from, uint32_t port)
{
    const struct point way = step_of(port);
    return (struct point){from.x + CELL * way.x, from.y + CELL * way.y};
}

static struct point beside(struct point from, uint32_t port, double ahead)
{
    const struct point way = step_of(port);
    return (struct point){from.x + ahead * way.x - ASIDE * way.y,
                          from.y + ahead * way.y + ASIDE * way.x};
}

// Draws the corner of a way through a cell, in whose direction before and behind it these ports
// lead.
static void put_corner(FILE *out, struct point at, uint32_t came, uint32_t leaves, bool first)
{
    const struct point a = beside(at, came, 0), b = beside(at, leaves, 0);
    const char *const command = first ? "M" : "L";
    if (came == leaves)
        fprintf(out, "%s%.1f %.1f", command, a.x, a.y);
    else if (came == (leaves ^ 1))
        fprintf(out, "%s%.1f %.1fL%.1f %.1f", command, a.x, a.y, b.x, b.y);
    else
        fprintf(out, "%s%.1f %.1f", command, a.x + b.x - at.x, a.y + b.y - at.y);
}

static void put_arrow(FILE *out, struct point from, uint32_t port, const char *colour)
{
    const struct point tip = beside(from, port, CELL / 2.0 + 6), way = step_of(port);
    fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\" fill=\"%s\"/>", tip.x, tip.y,
            tip.x - 9 * way.x - 5 * way.y, tip.y - 9 * way.y + 5 * way.x,
            tip.x - 9 * way.x + 5 * way.y, tip.y - 9 * way.y - 5 * way.x, colour);
}

// Draws the closed way of the map that enters a cell by a port, with an arrow at each n-th step.
static void put_walk(FILE *out, const struct layout *layout, uint32_t first, uint32_t enter,
                     const char *colour, uint32_t n)
{
    for (int arrows = 0; arrows < 2; arrows++) {
        uint32_t cell = first, in = enter, steps = 0;
        if (!arrows)
            fprintf(out,
                    "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2.4\" "
                    "stroke-linejoin=\"round\" d=\"",
                    colour);
        do {
            const uint32_t port = layout_way(layout, cell, in);
            const struct point at = centre_of(layout->side, cell);
            if (!arrows) put_corner(out, at, in ^ 1, port, steps == 0);
            if (arrows && steps % n == 0) put_arrow(out, at, port, colour);
            cell = layout_next(layout, cell, port);
            in = port ^ 1;
            steps++;
        } while (cell != first || in != enter);
        fputs(arrows ? "\n" : "Z\"/>", out);
    }
}

// Returns a port by which a way of the map enters a cell.
static uint32_t entered_by(const struct layout *layout, uint32_t cell)
{
    uint32_t port = 0;
    while (layout_way(layout, cell, port) == ANL_NO_WAY || layout_way(layout, cell, port) == port)
        port++;
    return port;
}

// --- the figures ---

static void draw_cells(FILE *out, const struct layout *layout)
{
    begin(out, layout->side, layout->side, "A supernode, f = 12 and k = 4",
          "81 cells, each a node of the mesh without buffers; it stores 12 worms of 4 flits");
    put_cells(out, layout, layout->side);
    put_row(out, layout->side, 0, BOX("#eaf1f8", ""), "storage: left and right trail");
    put_row(out, layout->side, 1, BOX("#f4f0e4", ""), "lanes to the neighbours");
    put_row(out, layout->side, 2, BOX("#e6f4ea", ""), "four buffers of w × w = 2 × 2 cells");
    put_row(out, layout->side, 3, BOX("#e6f4ea", "e"), "entry of a buffer");
    put_row(out, layout->side, 4, BOX("#f4f0e4", "T"), "command processor above the centre");
    put_row(out, layout->side, 5, BOX("#f4f0e4", "B"), "command processor below the centre");
    put_row(out, layout->side, 6, BOX("#f4f0e4", "C"), "centre");
    put_row(out, layout->side, 7, BOX("#f4f0e4", "a"), "arm, beside the centre");
}

static void draw_trails(FILE *out, const struct layout *layout)
{
    static const char *const colours[SIDES] = {"#0072b2", "#d55e00"};
    begin(out, layout->side, layout->side, "The two trails",
          "closed ways of P = 42 steps; a worm of 4 flits circulates on each of their 6 slots");
    put_cells(out, layout, layout->side);
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t i = 0; i < layout->num_spurs; i++) {
            const struct spur *spur = &layout->spurs[side][i];
            const struct point at = centre_of(layout->side, spur->cell), way = step_of(spur->port);
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"15\" fill=\"#ffe08a\"/>",
                    at.x + way.x * CELL / 2, at.y + way.y * CELL / 2);
        }
    put_walk(out, layout, 0, entered_by(layout, 0), colours[SIDE_LEFT], 3);
    put_walk(out, layout, layout->cells - 1, entered_by(layout, layout->cells - 1),
             colours[SIDE_RIGHT], 3);
    put_row(out, layout->side, 0, LINE("#0072b2"), "left trail, up the vertical lane");
    put_row(out, layout->side, 1, LINE("#d55e00"), "right trail, down the vertical lane");
    put_row(out, layout->side, 2, "<circle cx=\"12\" r=\"11\" fill=\"#ffe08a\"/>",
            "spur: to a neighbour and back, two steps;");
    put_row(out, layout->side, 3, "", "(k + 6) / 2 = 5 of each trail");
}

static void draw_buffers(FILE *out, const struct layout *layout)
{
    begin(out, layout->side, layout->side, "Buffers and command processors",
          "a buffer is a cycle of k = 4 steps, which a worm fills as it waits");
    put_cells(out, layout, layout->side);
    for (uint32_t corner = 0; corner < CORNERS; corner++) {
        const uint32_t entry = layout->entries[corner];
        for (uint32_t port = 0; port < ANL_BUFFERLESS_LINKS; port++) {
            const uint32_t way = layout_way(layout, entry, port);
            if (way == ANL_NO_WAY || layout->kinds[layout_next(layout, entry, way)] != CELL_BUFFER)
                continue;
            put_walk(out, layout, entry, port, "#009e73", 1);
            break;
        }
    }
    for (uint32_t cell = 0; cell < layout->cells; cell++)
        if (layout->chooses[cell]) {
            const struct point at = centre_of(layout->side, cell);
            fprintf(out,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"none\" "
                    "stroke=\"#b00020\" stroke-width=\"2\"/>\n",
                    at.x - CELL / 2.0 + 1.5, at.y - CELL / 2.0 + 1.5, CELL - 3, CELL - 3);
        }
    put_row(out, layout->side, 0, LINE("#009e73"), "cycle of a buffer, through its entry e");
    put_row(out, layout->side, 1,
            "<rect x=\"1\" y=\"-11\" width=\"22\" height=\"22\" rx=\"4\" fill=\"none\" "
            "stroke=\"#b00020\" stroke-width=\"2\"/>",
            "choosing cell: a head may leave the map there");
    put_row(out, layout->side, 2, BOX("#f4f0e4", "T"), "sends worms to the upper buffers");
    put_row(out, layout->side, 3, BOX("#f4f0e4", "B"), "sends worms to the lower buffers");
    put_row(out, layout->side, 4, "", "Both see all worms that pass and decide the same.");
}

// A step of a head: the node that it leaves, and the port.
struct head_step {
    uint32_t worm, node, port;
};

// Runs on to the next step in which a head of the worm, or of any, moves. Returns false at the end.
// *at is where to look on in the flits of the present step.
static bool next_head(struct superstep *superstep, uint32_t worm, size_t *at,
                      struct head_step *found)
{
    for (;;) {
        size_t count;
        const struct anl_flit *flits = anl_bufferless_flits(superstep->snakes.machine, &count);
        for (; *at < count; ++*at) {
            const struct anl_flit *flit = &flits[*at];
            if (!flit->head || (worm != NO_WORM && flit->worm != worm)) continue;
            *found = (struct head_step){flit->worm, flit->link / ANL_BUFFERLESS_PORTS,
                                        flit->link % ANL_BUFFERLESS_PORTS};
            ++*at;
            return true;
        }
        *at = 0;
        if (!superstep_go_on(superstep)) return false;
    }
}

// Returns the worm that leaves the supernode at the top left to the east.
static uint32_t leaving_worm(struct superstep *superstep)
{
    const uint32_t cells = superstep->layout.side, side = superstep->snakes.n * cells;
    struct head_step step;
    size_t at = 0;
    while (next_head(superstep, NO_WORM, &at, &step))
        if (step.port == ANL_EAST && step.node % side == cells - 1 && step.node / side < cells)
            return step.worm;
    return NO_WORM;
}

static enum cell_kind kind_of(const struct superstep *superstep, uint32_t node)
{
    const uint32_t cells = superstep->layout.side, side = superstep->snakes.n * cells;
    return (enum cell_kind)
        superstep->layout.kinds[node / side % cells * cells + node % side % cells];
}

// Draws a step from the corner with the step before to that with the next one.
static void put_step(FILE *out, const struct superstep *superstep, uint32_t before,
                     const struct head_step *step, uint32_t next)
{
    static const char *const colours[] = {
        [CELL_STORAGE] = "#0072b2", [CELL_LANE] = "#b00020", [CELL_BUFFER] = "#009e73"};
    const struct point from = centre_of(superstep->snakes.n * superstep->layout.side, step->node);
    const char *colour = colours[kind_of(superstep, step->node)];
    fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2.4\" d=\"", colour);
    put_corner(out, from, before, step->port, true);
    put_corner(out, ahead_of(from, step->port), step->port, next, false);
    fputs("\"/>", out);
    put_arrow(out, from, step->port, colour);
    fputc('\n', out);
}

// Draws the way of a head in the last two cycles of the superstep.
static void draw_head(FILE *out, struct superstep *superstep, uint32_t worm)
{
    const uint64_t begin = superstep->last - 2 * superstep->layout.period;
    struct head_step step, next;
    size_t at = 0;
    bool more = next_head(superstep, worm, &at, &step);
    while (more && anl_bufferless_steps(superstep->snakes.machine) <= begin)
        more = next_head(superstep, worm, &at, &step);
    for (uint32_t before = step.port; more; step = next) {
        more = next_head(superstep, worm, &at, &next);
        put_step(out, superstep, before, &step, more ? next.port : step.port);
        before = step.port;
    }
}

// The way of a worm from the supernode at the top left to the one on its right.
static enum anl_status draw_way(FILE *out, struct anl_error *error)
{
    struct superstep superstep;
    enum anl_status status = superstep_create(&superstep, error);
    if (status) return status;
    const uint32_t worm = leaving_worm(&superstep);
    superstep_free(&superstep);
    status = superstep_create(&superstep, error);
    if (status) return status;
    const uint32_t side = superstep.snakes.n * superstep.layout.side;
    begin(out, side, superstep.layout.side, "From one supernode to the next",
          "the head of a worm in the third and fourth cycle of a superstep");
    put_cells(out, &superstep.layout, side);
    draw_head(out, &superstep, worm);
    put_row(out, side, 0, LINE("#0072b2"), "on a trail");
    put_row(out, side, 1, LINE("#009e73"), "in a buffer, round and round, until its time");
    put_row(out, side, 2, LINE("#b00020"), "through lanes, command processors and arms");
    superstep_free(&superstep);
    return ANL_OK;
}

enum anl_status figure_write(enum figure figure, FILE *out, struct anl_error *error)
{
    static void (*const draw[])(FILE *, const struct layout *) = {[FIGURE_CELLS] = draw_cells,
                                                                  [FIGURE_TRAILS] = draw_trails,
                                                                  [FIGURE_BUFFERS] = draw_buffers};
    struct layout layout = {0};
    enum anl_status status;
    if (figure == FIGURE_WAY) {
        status = draw_way(out, error);
    } else {
        status = layout_create(12, 4, &layout, error);
        if (!status) draw[figure](out, &layout);
    }
    layout_free(&layout);
    if (!status) fputs("</svg>\n", out);
    return status;
}

static enum anl_status write_file(const char *directory, enum figure figure,
                                  struct anl_error *error)
{
    char path[4096];
    struct anl_output output;
    snprintf(path, sizeof path, "%s/supernode-%s.svg", directory, figure_name(figure));
    enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    status = figure_write(figure, output.file, error);
    if (!status) status = anl_output_finish(&output, error);
    anl_output_abandon(&output);
    return status;
}

enum anl_status figures_write(const char *directory, struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    char path[4096];
    for (enum figure figure = 0; figure < FIGURES && !status; figure++)
        status = write_file(directory, figure, error);
    snprintf(path, sizeof path, "%s/superstep.anlt", directory);
    return status ? status : superstep_trace(path, error);
}
