// SPDX-License-Identifier: Apache-2.0
//
// The layout of a supernode: which cell is what, and the static port map. The trail of the left
// side and two buffers are laid down step by step; the right side is the left one turned by 180
// degrees, which turns cell c into cells - 1 - c, and port p into p ^ 1.

#include "common/common.h"
#include "snakes.h"

#include <annelid/bufferless.h>
#include <stdlib.h>
#include <string.h>

// A walk that is being laid down, as cells in the order in which a flit visits them.
struct walk {
    uint32_t *cells;
    uint32_t count;
};

static uint32_t cell_at(const struct layout *layout, uint32_t x, uint32_t y)
{
    return y * layout->side + x;
}

static uint32_t turned(const struct layout *layout, uint32_t cell)
{
    return layout->cells - 1 - cell;
}

static void visit(const struct layout *layout, struct walk *walk, uint32_t x, uint32_t y)
{
    walk->cells[walk->count++] = cell_at(layout, x, y);
}

// --- parameters ---

// Returns the root of an even square, or 0.
static uint32_t even_root(uint32_t square)
{
    for (uint32_t root = 2; root * root <= square; root += 2)
        if (root * root == square) return root;
    return 0;
}

static enum anl_status set_parameters(uint32_t f, uint32_t k, uint32_t spurs, struct layout *layout,
                                      struct anl_error *error)
{
    enum { MOST_F = 252, MOST_K = 100 };
    const uint32_t w = k <= MOST_K ? even_root(k) : 0, g = f <= MOST_F ? even_root(f + 4) : 0;
    if (w == 0 || g < 4)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "f = %u, k = %u: expected f + 4 the square of an even number from 4 to 16, "
                        "and k that of one from 2 to 10",
                        f, k);
    const uint32_t s = w * g, train = f * k / 2;
    *layout = (struct layout){
        .f = f, .k = k, .w = w, .g = g, .s = s, .m = s / 2, .side = s + 1, .slots = f / 2};
    layout->cells = layout->side * layout->side;
    layout->train = train;
    layout->num_spurs = spurs;
    layout->period = train + s + 2 * layout->num_spurs;
    layout->half = layout->period - s + 2;
    return ANL_OK;
}

static void set_places(struct layout *layout)
{
    const uint32_t m = layout->m;
    layout->centre = cell_at(layout, m, m);
    for (uint32_t corner = 0; corner < CORNERS; corner++)
        layout->entries[corner] =
            cell_at(layout, corner % 2 ? m + 1 : m - 1, corner < BOTTOM_LEFT ? m - 1 : m + 1);
    layout->top = layout->centre - layout->side;
    layout->bottom = layout->centre + layout->side;
    layout->west = layout->centre - 1;
    layout->east = layout->centre + 1;
    layout->starts[SIDE_LEFT] = cell_at(layout, m, layout->s - 1);
    layout->starts[SIDE_RIGHT] = cell_at(layout, m, 1);
}

// --- trails and buffers ---

// Returns the port of a cell behind which its neighbour lies.
static uint32_t port_to(const struct layout *layout, uint32_t from, uint32_t to)
{
    uint32_t port = 0;
    while (port < ANL_NORTH &&
           !(layout_inside(layout, from, port) && layout_next(layout, from, port) == to))
        port++;
    return port;
}

// Enters a turn of the left half in the map, and the same turn in the right half.
static void set_way(struct layout *layout, uint32_t cell, uint32_t in, uint32_t out)
{
    const uint32_t other = turned(layout, cell);
    layout->map[cell * ANL_BUFFERLESS_LINKS + in] = (uint8_t)out;
    layout->map[other * ANL_BUFFERLESS_LINKS + (in ^ 1)] = (uint8_t)(out ^ 1);
}

// Enters a closed walk in the map.
static void set_walk(struct layout *layout, const struct walk *walk)
{
    for (uint32_t i = 0; i < walk->count; i++) {
        const uint32_t before = walk->cells[(i + walk->count - 1) % walk->count];
        const uint32_t here = walk->cells[i], behind = walk->cells[(i + 1) % walk->count];
        set_way(layout, here, port_to(layout, here, before), port_to(layout, here, behind));
    }
}

// The quadrant at the top left: a zig-zag through rows 0 and 1 to the west, then rows as a serpent,
// those beside the buffer shorter.
static void walk_quadrant(const struct layout *layout, struct walk *walk)
{
    const uint32_t m = layout->m, w = layout->w;
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t j = 0; j < 2; j++)
            visit(layout, walk, m - 1 - i, (i + j + 1) % 2);
    for (uint32_t y = 2; y < m; y++) {
        const uint32_t width = y < m - w ? m : m - w;
        for (uint32_t i = 0; i < width; i++)
            visit(layout, walk, y % 2 ? width - 1 - i : i, y);
    }
}

// The trail of the left side, from where it enters the vertical lane.
static void walk_trail(const struct layout *layout, struct walk *walk)
{
    for (uint32_t y = layout->s - 1; y > 0; y--)
        visit(layout, walk, layout->m, y);
    const uint32_t first = walk->count;
    walk_quadrant(layout, walk);
    const uint32_t last = walk->count;
    visit(layout, walk, 0, layout->m);
    for (uint32_t i = last; i-- > first;) {
        const uint32_t cell = walk->cells[i];
        visit(layout, walk, cell % layout->side, layout->s - cell / layout->side);
    }
}

// The cycle of the buffer at the top left: its last row to the west, then columns as a serpent.
static void walk_buffer(const struct layout *layout, struct walk *walk)
{
    const uint32_t m = layout->m, w = layout->w;
    for (uint32_t x = m - 1; x >= m - w; x--)
        visit(layout, walk, x, m - 1);
    for (uint32_t i = 0; i < w; i++)
        for (uint32_t j = 0; j < w - 1; j++)
            visit(layout, walk, m - w + i, i % 2 ? m - w + j : m - 2 - j);
}

// Mirrors a walk of the upper half into the lower one.
static void mirror(const struct layout *layout, struct walk *walk)
{
    for (uint32_t i = 0; i < walk->count; i++) {
        const uint32_t cell = walk->cells[i];
        walk->cells[i] = cell_at(layout, cell % layout->side, layout->s - cell / layout->side);
    }
}

static void mark(struct layout *layout, const struct walk *walk, enum cell_kind kind)
{
    for (uint32_t i = 0; i < walk->count; i++) {
        layout->kinds[walk->cells[i]] = (uint8_t)kind;
        layout->kinds[turned(layout, walk->cells[i])] = (uint8_t)kind;
    }
}

static void set_buffers(struct layout *layout, struct walk *walk)
{
    walk->count = 0;
    walk_buffer(layout, walk);
    set_walk(layout, walk);
    mark(layout, walk, CELL_BUFFER);
    mirror(layout, walk);
    set_walk(layout, walk);
    mark(layout, walk, CELL_BUFFER);
}

static void set_lanes(struct layout *layout)
{
    const uint32_t m = layout->m;
    for (uint32_t i = 0; i <= layout->s; i++) {
        layout->kinds[cell_at(layout, m, i)] = CELL_LANE;
        if (i > 0 && i < layout->s) layout->kinds[cell_at(layout, i, m)] = CELL_LANE;
        if (i < m - 1) {
            set_way(layout, cell_at(layout, i, m), ANL_EAST, ANL_WEST);
            set_way(layout, cell_at(layout, i, m), ANL_WEST, ANL_EAST);
        }
    }
    set_way(layout, cell_at(layout, m, 0), ANL_NORTH, ANL_SOUTH);
    set_way(layout, cell_at(layout, m, 0), ANL_SOUTH, ANL_NORTH);
}

// --- spurs ---

static bool is_left_storage(const struct layout *layout, uint32_t cell)
{
    return layout->kinds[cell] == CELL_STORAGE && cell % layout->side < layout->m;
}

// Returns whether no flit ever crosses the link behind a port, in either direction.
static bool is_free(const struct layout *layout, uint32_t cell, uint32_t port)
{
    const uint32_t other = layout_next(layout, cell, port);
    return layout_way(layout, cell, port) == ANL_NO_WAY &&
           layout_way(layout, other, port ^ 1) == ANL_NO_WAY;
}

// Gives a cell of the trail a spur: in -> spur, and back from the spur -> out.
static void set_spur(struct layout *layout, uint32_t cell, uint32_t in, uint32_t port)
{
    const uint32_t out = layout_way(layout, cell, in);
    const uint32_t other = layout_next(layout, cell, port);
    set_way(layout, cell, in, port);
    set_way(layout, other, port ^ 1, port ^ 1);
    set_way(layout, cell, port, out);
}

// Adds a spur to a cell that the trail enters by port in, if there is a link for it.
static bool add_spur(struct layout *layout, uint32_t cell, uint32_t in, uint32_t count)
{
    const uint32_t out = layout_way(layout, cell, in);
    for (uint32_t port = 0; port < ANL_BUFFERLESS_LINKS; port++) {
        if (port == in || port == out || !layout_inside(layout, cell, port)) continue;
        if (!is_left_storage(layout, layout_next(layout, cell, port)) ||
            !is_free(layout, cell, port))
            continue;
        set_spur(layout, cell, in, port);
        layout->spurs[SIDE_LEFT][count] = (struct spur){cell, port};
        layout->spurs[SIDE_RIGHT][count] = (struct spur){turned(layout, cell), port ^ 1};
        return true;
    }
    return false;
}

// Gives spurs to the first cells of the trail that have room for one.
static bool set_spurs(struct layout *layout, const struct walk *trail)
{
    uint32_t count = 0;
    for (uint32_t i = 1; i < trail->count && count < layout->num_spurs; i++) {
        const uint32_t cell = trail->cells[i];
        if (is_left_storage(layout, cell))
            count += add_spur(layout, cell, port_to(layout, cell, trail->cells[i - 1]), count);
    }
    return count == layout->num_spurs;
}

// --- all of it ---

// The 13 cells of a superstep, and those by which a worm turns from the storage into a buffer.
static void set_choosing(struct layout *layout)
{
    const uint32_t m = layout->m, outer = m - layout->w - 1;
    const uint32_t cells[] = {layout->centre,
                              layout->top,
                              layout->west,
                              layout->entries[TOP_LEFT],
                              layout->entries[BOTTOM_LEFT],
                              cell_at(layout, m, 1),
                              cell_at(layout, 0, m),
                              cell_at(layout, outer, m - 1),
                              cell_at(layout, outer, m + 1),
                              cell_at(layout, outer + 1, m - 1),
                              cell_at(layout, outer + 1, m + 1)};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        layout->chooses[cells[i]] = layout->chooses[turned(layout, cells[i])] = true;
}

static enum anl_status lay_down(struct layout *layout, struct walk *walk, struct anl_error *error)
{
    memset(layout->map, ANL_NO_WAY, (size_t)layout->cells * ANL_BUFFERLESS_LINKS);
    set_lanes(layout);
    set_buffers(layout, walk);
    walk->count = 0;
    walk_trail(layout, walk);
    set_walk(layout, walk);
    set_choosing(layout);
    if (set_spurs(layout, walk)) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                    "f = %u, k = %u: the storage has no room for %u spurs", layout->f, layout->k,
                    layout->num_spurs);
}

enum anl_status layout_create(uint32_t f, uint32_t k, struct layout *layout,
                              struct anl_error *error)
{
    return layout_create_spurs(f, k, (k + 6) / 2, layout, error);
}

enum anl_status layout_create_spurs(uint32_t f, uint32_t k, uint32_t spurs, struct layout *layout,
                                    struct anl_error *error)
{
    *layout = (struct layout){0};
    enum anl_status status = set_parameters(f, k, spurs, layout, error);
    if (status) return status;
    set_places(layout);
    struct walk walk = {calloc(layout->cells, sizeof *walk.cells), 0};
    layout->kinds = calloc(layout->cells, sizeof *layout->kinds);
    layout->map = calloc(layout->cells, ANL_BUFFERLESS_LINKS);
    layout->chooses = calloc(layout->cells, sizeof *layout->chooses);
    status = walk.cells && layout->kinds && layout->map && layout->chooses
                 ? lay_down(layout, &walk, error)
                 : cli_fail(ANL_ERR_MEMORY, error);
    free(walk.cells);
    if (status) layout_free(layout);
    return status;
}

void layout_free(struct layout *layout)
{
    free(layout->kinds);
    free(layout->map);
    free(layout->chooses);
    *layout = (struct layout){0};
}

// --- drawing ---

static char letter_of(const struct layout *layout, uint32_t cell)
{
    for (uint32_t corner = 0; corner < CORNERS; corner++)
        if (layout->entries[corner] == cell) return 'e';
    if (cell == layout->centre) return 'C';
    if (cell == layout->top) return 'T';
    if (cell == layout->bottom) return 'B';
    if (layout->kinds[cell] == CELL_BUFFER) return 'b';
    if (layout->kinds[cell] == CELL_STORAGE) return cell % layout->side < layout->m ? 'l' : 'r';
    return cell % layout->side == layout->m ? '|' : '-';
}

// Returns the letter of the way of the trail or buffer through a cell, or * if it has a spur.
static char way_of(const struct layout *layout, uint32_t cell)
{
    static const char arrows[] = "><v^";
    char letter = '.';
    for (uint32_t i = 0; i < layout->num_spurs; i++)
        for (uint32_t side = 0; side < SIDES; side++)
            if (layout->spurs[side][i].cell == cell) return '*';
    if (layout->kinds[cell] == CELL_LANE) return letter_of(layout, cell);
    for (uint32_t port = 0; port < ANL_BUFFERLESS_LINKS; port++) {
        const uint8_t way = layout_way(layout, cell, port);
        if (way != ANL_NO_WAY && way != port) letter = arrows[way];
    }
    return letter;
}

void layout_draw(const struct layout *layout, FILE *out)
{
    for (uint32_t y = 0; y < layout->side; y++) {
        for (uint32_t x = 0; x < layout->side; x++)
            fprintf(out, "%c ", letter_of(layout, cell_at(layout, x, y)));
        fputs("  ", out);
        for (uint32_t x = 0; x < layout->side; x++)
            fprintf(out, " %c", way_of(layout, cell_at(layout, x, y)));
        fputc('\n', out);
    }
}
