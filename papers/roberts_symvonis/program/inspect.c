// SPDX-License-Identifier: Apache-2.0
//
// The layout read a second time: where things must be follows from coordinates, and what trains and
// worms do from walks over the map.

#include "common/common.h"
#include "snakes.h"

#include <annelid/bufferless.h>
#include <stdarg.h>
#include <stdlib.h>

struct inspection {
    const struct layout *layout;
    uint8_t *trails;  // [cells] mask of the output ports that a train uses
    uint8_t *seen;    // [cells] of the walk that is being made
    uint8_t *walked;  // [cells] mask of the input ports by which trails and buffers enter
    struct anl_error *error;
    enum anl_status status;  // the first one
};

__attribute__((format(printf, 3, 4))) static void hold(struct inspection *inspection, bool good,
                                                       const char *format, ...)
{
    if (good || inspection->status) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(inspection->error->text, sizeof inspection->error->text, format, arguments);
    va_end(arguments);
    inspection->status = ANL_ERR_FORMAT;
}

static int distance(uint32_t coordinate, uint32_t middle) { return (int)coordinate - (int)middle; }

static int column(const struct layout *layout, uint32_t cell)
{
    return distance(cell % layout->side, layout->m);
}

static int row(const struct layout *layout, uint32_t cell)
{
    return distance(cell / layout->side, layout->m);
}

// --- numbers and places ---

static void inspect_numbers(struct inspection *inspection)
{
    const struct layout *it = inspection->layout;
    hold(inspection, it->k == it->w * it->w && it->f + 4 == it->g * it->g, "w or g is wrong");
    hold(inspection, it->s * it->s == (it->f + 4) * it->k && it->s == 2 * it->m, "s or m is wrong");
    hold(inspection, it->side == it->s + 1 && it->cells == it->side * it->side, "cells are wrong");
    hold(inspection, 2 * it->slots == it->f && it->train == it->slots * it->k, "train is wrong");
    hold(inspection, it->period == it->f * it->k / 2 + it->s + it->k + 6, "the period is wrong");
    hold(inspection, it->half == it->period - it->s + 2, "half of the joined cycle is wrong");
    hold(inspection, 2 * it->num_spurs == it->k + 6, "the number of spurs is wrong");
}

static void hold_place(struct inspection *inspection, const char *name, uint32_t cell, int x, int y)
{
    const struct layout *layout = inspection->layout;
    hold(inspection, column(layout, cell) == x && row(layout, cell) == y,
         "the %s is at (%d,%d) of the centre, not at (%d,%d)", name, column(layout, cell),
         row(layout, cell), x, y);
}

static void inspect_places(struct inspection *inspection)
{
    const struct layout *it = inspection->layout;
    const int last = (int)it->m - 1;
    hold_place(inspection, "centre", it->centre, 0, 0);
    hold_place(inspection, "top command processor", it->top, 0, -1);
    hold_place(inspection, "bottom command processor", it->bottom, 0, 1);
    hold_place(inspection, "west arm", it->west, -1, 0);
    hold_place(inspection, "east arm", it->east, 1, 0);
    hold_place(inspection, "top left entry", it->entries[TOP_LEFT], -1, -1);
    hold_place(inspection, "top right entry", it->entries[TOP_RIGHT], 1, -1);
    hold_place(inspection, "bottom left entry", it->entries[BOTTOM_LEFT], -1, 1);
    hold_place(inspection, "bottom right entry", it->entries[BOTTOM_RIGHT], 1, 1);
    hold_place(inspection, "start of the left trail", it->starts[SIDE_LEFT], 0, last);
    hold_place(inspection, "start of the right trail", it->starts[SIDE_RIGHT], 0, -last);
}

static enum cell_kind kind_at(const struct layout *layout, int x, int y)
{
    const int w = (int)layout->w, last = (int)layout->m;
    if (x == 0 || (y == 0 && abs(x) < last)) return CELL_LANE;
    return abs(x) <= w && abs(y) <= w ? CELL_BUFFER : CELL_STORAGE;
}

// The cells in which a worm may leave the map: where lanes, trails and buffers meet, and where it
// turns into a buffer to be consumed there.
static bool must_choose(const struct layout *layout, int x, int y)
{
    const int last = (int)layout->m, w = (int)layout->w;
    const bool inner = abs(x) <= 1 && abs(y) <= 1;
    const bool lane = (x == 0 && abs(y) == last - 1) || (y == 0 && abs(x) == last);
    const bool branch = abs(y) == 1 && (abs(x) == w || abs(x) == w + 1);
    return inner || lane || branch;
}

static void inspect_kinds(struct inspection *inspection)
{
    const struct layout *layout = inspection->layout;
    for (uint32_t cell = 0; cell < layout->cells; cell++) {
        const int x = column(layout, cell), y = row(layout, cell);
        hold(inspection, layout->kinds[cell] == kind_at(layout, x, y),
             "cell %u at (%d,%d) of the centre is of the wrong kind", cell, x, y);
        hold(inspection, layout->chooses[cell] == must_choose(layout, x, y),
             "cell %u at (%d,%d) of the centre must%s be a choosing one", cell, x, y,
             must_choose(layout, x, y) ? "" : " not");
    }
}

// --- the map of each cell ---

// Returns the cell in which a flit is that left a cell by a port, or cells if it left the
// supernode.
static uint32_t behind(const struct layout *layout, uint32_t cell, uint32_t port)
{
    static const int steps[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const int side = (int)layout->side;
    const int x = (int)cell % side + steps[port][0], y = (int)cell / side + steps[port][1];
    if (x < 0 || y < 0 || x >= side || y >= side) return layout->cells;
    return (uint32_t)(y * side + x);
}

static void inspect_cell(struct inspection *inspection, uint32_t cell)
{
    const struct layout *layout = inspection->layout;
    uint32_t used = 0, outputs = 0;
    for (uint32_t port = 0; port < ANL_BUFFERLESS_LINKS; port++) {
        const uint8_t way = layout_way(layout, cell, port);
        if (way == ANL_NO_WAY) continue;
        hold(inspection, way < ANL_BUFFERLESS_LINKS, "cell %u: port %u has way %u", cell, port,
             way);
        if (inspection->status) return;
        const uint32_t next = behind(layout, cell, way);
        hold(inspection, !(outputs >> way & 1), "cell %u: two inputs have way %u", cell, way);
        hold(inspection,
             next < layout->cells || column(layout, cell) == 0 || row(layout, cell) == 0,
             "cell %u: way %u leaves the supernode, and not in the line of a lane", cell, way);
        hold(inspection,
             next == layout->cells || layout->chooses[next] ||
                 layout_way(layout, next, way ^ 1) != ANL_NO_WAY,
             "cell %u: way %u leads to cell %u, which has no way on", cell, way, next);
        used |= 1u << port;
        outputs |= 1u << way;
    }
    hold(inspection,
         __builtin_popcount(used) == __builtin_popcount(outputs) && (used || layout->chooses[cell]),
         "cell %u: the map does not permute its ports", cell);
}

// --- walks ---

// A flit that walks: it is in a cell that it has entered by a port.
struct walker {
    uint32_t cell, in;
};

// Returns the output port of a walker; joined: both trains are on the joined cycle.
static uint8_t way_of(const struct layout *layout, const struct walker *walker, bool joined)
{
    if (joined && walker->cell == layout->starts[SIDE_LEFT] && walker->in == ANL_WEST)
        return ANL_EAST;
    if (joined && walker->cell == layout->starts[SIDE_RIGHT] && walker->in == ANL_EAST)
        return ANL_WEST;
    return layout_way(layout, walker->cell, walker->in);
}

// Walks on by one link. Returns false if there is none.
static bool walk_on(const struct layout *layout, struct walker *walker, bool joined)
{
    const uint8_t way = way_of(layout, walker, joined);
    if (way == ANL_NO_WAY) return false;
    walker->cell = behind(layout, walker->cell, way);
    walker->in = way ^ 1;
    return walker->cell < layout->cells;
}

// Returns the number of steps in which a walker is back where it was, 0 if it never is; counts the
// visits of each cell in seen.
static uint32_t round_trip(struct inspection *inspection, const struct walker *from, bool joined)
{
    const struct layout *layout = inspection->layout;
    struct walker walker = *from;
    for (uint32_t cell = 0; cell < layout->cells; cell++)
        inspection->seen[cell] = 0;
    for (uint32_t step = 1; step <= ANL_BUFFERLESS_LINKS * layout->cells; step++) {
        inspection->seen[walker.cell]++;
        if (!joined) inspection->walked[walker.cell] |= (uint8_t)(1u << walker.in);
        if (!walk_on(layout, &walker, joined)) return 0;
        if (walker.cell == from->cell && walker.in == from->in) return step;
    }
    return 0;
}

// --- trails ---

static struct walker trail_start(const struct layout *layout, enum side side)
{
    return (struct walker){layout->starts[side], side == SIDE_LEFT ? ANL_WEST : ANL_EAST};
}

static void inspect_lane(struct inspection *inspection, enum side side)
{
    const struct layout *layout = inspection->layout;
    struct walker walker = trail_start(layout, side);
    for (int y = (int)layout->m - 1; y > -(int)layout->m; y--) {
        hold(inspection,
             column(layout, walker.cell) == 0 &&
                 row(layout, walker.cell) == (side == SIDE_LEFT ? y : -y),
             "trail %d leaves the vertical lane in cell %u", side, walker.cell);
        if (!walk_on(layout, &walker, false)) return;
    }
}

// Counts the spurs on a trail, and notes the links that it uses.
static void inspect_links(struct inspection *inspection, enum side side)
{
    const struct layout *layout = inspection->layout;
    struct walker walker = trail_start(layout, side);
    uint32_t spurs = 0;
    for (uint32_t step = 0; step < layout->period; step++) {
        const uint8_t way = layout_way(layout, walker.cell, walker.in);
        const uint8_t mask = (uint8_t)(1u << way);
        spurs += way == walker.in;
        hold(inspection, !(inspection->trails[walker.cell] & mask),
             "the trails share way %u of cell %u", way, walker.cell);
        inspection->trails[walker.cell] |= mask;
        walk_on(layout, &walker, false);
    }
    hold(inspection, spurs == layout->num_spurs, "trail %d has %u spurs, not %u", side, spurs,
         layout->num_spurs);
}

// A spur goes from a storage cell to another one of its side, and comes back in the next step.
static void inspect_spurs(struct inspection *inspection, enum side side)
{
    const struct layout *layout = inspection->layout;
    for (uint32_t i = 0; i < layout->num_spurs; i++) {
        const struct spur *spur = &layout->spurs[side][i];
        const uint32_t other = behind(layout, spur->cell, spur->port);
        hold(inspection,
             other < layout->cells && layout->kinds[other] == CELL_STORAGE &&
                 layout->kinds[spur->cell] == CELL_STORAGE &&
                 (column(layout, other) < 0) == (side == SIDE_LEFT) &&
                 layout_way(layout, other, spur->port ^ 1) == (spur->port ^ 1) &&
                 layout_way(layout, spur->cell, spur->port) != ANL_NO_WAY,
             "spur %u of trail %d is no way of two steps", i, side);
        for (uint32_t before = 0; before < i; before++)
            hold(inspection, layout->spurs[side][before].cell != spur->cell,
                 "cell %u has two spurs", spur->cell);
    }
}

// Each storage cell of the side is visited once, and once more for each spur from or to it.
static uint32_t visits(const struct layout *layout, enum side side, uint32_t cell)
{
    const int x = column(layout, cell), y = row(layout, cell);
    const int outer = side == SIDE_LEFT ? -(int)layout->m : (int)layout->m;
    if (x == 0) return abs(y) < (int)layout->m;
    if (y == 0) return x == outer;
    if (kind_at(layout, x, y) == CELL_BUFFER || (x < 0) != (side == SIDE_LEFT)) return 0;
    uint32_t count = 1;
    for (uint32_t i = 0; i < layout->num_spurs; i++) {
        const struct spur *spur = &layout->spurs[side][i];
        count += spur->cell == cell;
        count += behind(layout, spur->cell, spur->port) == cell;
    }
    return count;
}

static void inspect_trail(struct inspection *inspection, enum side side)
{
    const struct layout *layout = inspection->layout;
    const struct walker start = trail_start(layout, side);
    const uint32_t steps = round_trip(inspection, &start, false);
    hold(inspection, steps == layout->period, "trail %d has %u steps, not %u", side, steps,
         layout->period);
    if (inspection->status) return;
    for (uint32_t cell = 0; cell < layout->cells; cell++)
        hold(inspection, inspection->seen[cell] == visits(layout, side, cell),
             "trail %d visits cell %u %u times, not %u times", side, cell, inspection->seen[cell],
             visits(layout, side, cell));
    inspect_lane(inspection, side);
    inspect_links(inspection, side);
    inspect_spurs(inspection, side);
}

static void inspect_joined(struct inspection *inspection)
{
    const struct walker start = trail_start(inspection->layout, SIDE_LEFT);
    const uint32_t steps = round_trip(inspection, &start, true);
    hold(inspection, steps == 2 * inspection->layout->half, "the joined cycle has %u steps, not %u",
         steps, 2 * inspection->layout->half);
}

// --- buffers ---

// The cycle of a buffer leaves its entry away from the vertical lane, and visits each of its cells.
static void inspect_buffer(struct inspection *inspection, enum corner corner)
{
    const struct layout *layout = inspection->layout;
    const uint32_t entry = layout->entries[corner];
    const int x = column(layout, entry), y = row(layout, entry);
    struct walker start = {entry, y < 0 ? ANL_NORTH : ANL_SOUTH};
    hold(inspection, layout_way(layout, entry, start.in) == (x < 0 ? ANL_WEST : ANL_EAST),
         "buffer %d does not begin along the horizontal lane", corner);
    const uint32_t steps = round_trip(inspection, &start, false);
    hold(inspection, steps == layout->k, "buffer %d has %u steps, not %u", corner, steps,
         layout->k);
    for (uint32_t cell = 0; cell < layout->cells; cell++) {
        const int dx = column(layout, cell), dy = row(layout, cell);
        const bool own = kind_at(layout, dx, dy) == CELL_BUFFER && dx * x > 0 && dy * y > 0;
        hold(inspection, inspection->seen[cell] == own, "buffer %d visits cell %u %u times", corner,
             cell, inspection->seen[cell]);
    }
}

// --- lanes ---

// Worms of other supernodes pass lanes straight on, but where cells choose for them.
static bool is_straight(const struct layout *layout, uint32_t cell, uint32_t in)
{
    const int x = abs(column(layout, cell)), y = abs(row(layout, cell));
    if (in == ANL_EAST || in == ANL_WEST) return y == 0 && x > 1;
    return x == 0 && y == (int)layout->m;
}

// What no trail or buffer uses is straight, and there is nothing else in the map.
static void inspect_straight(struct inspection *inspection, uint32_t cell)
{
    const struct layout *layout = inspection->layout;
    for (uint32_t in = 0; in < ANL_BUFFERLESS_LINKS; in++) {
        if (inspection->walked[cell] >> in & 1) continue;
        const uint32_t expected = is_straight(layout, cell, in) ? in ^ 1 : ANL_NO_WAY;
        hold(inspection, layout_way(layout, cell, in) == expected,
             "cell %u: port %u has way %u, not %u", cell, in, layout_way(layout, cell, in),
             expected);
    }
}

// --- all of it ---

static void inspect(struct inspection *inspection)
{
    inspect_numbers(inspection);
    if (inspection->status) return;
    inspect_places(inspection);
    inspect_kinds(inspection);
    for (uint32_t cell = 0; cell < inspection->layout->cells && !inspection->status; cell++)
        inspect_cell(inspection, cell);
    for (int side = 0; side < (int)SIDES && !inspection->status; side++)
        inspect_trail(inspection, (enum side)side);
    if (!inspection->status) inspect_joined(inspection);
    for (int corner = 0; corner < (int)CORNERS && !inspection->status; corner++)
        inspect_buffer(inspection, (enum corner)corner);
    for (uint32_t cell = 0; cell < inspection->layout->cells && !inspection->status; cell++)
        inspect_straight(inspection, cell);
}

enum anl_status layout_inspect(const struct layout *layout, struct anl_error *error)
{
    struct inspection inspection = {.layout = layout,
                                    .trails = calloc(layout->cells, 1),
                                    .seen = calloc(layout->cells, 1),
                                    .walked = calloc(layout->cells, 1),
                                    .error = error,
                                    .status = ANL_OK};
    *error = (struct anl_error){0};
    if (inspection.trails && inspection.seen && inspection.walked)
        inspect(&inspection);
    else
        inspection.status = cli_fail(ANL_ERR_MEMORY, error);
    free(inspection.trails);
    free(inspection.seen);
    free(inspection.walked);
    return inspection.status;
}
