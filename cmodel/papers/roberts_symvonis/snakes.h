// SPDX-License-Identifier: Apache-2.0
//
// Storage snakes, section 3 of the paper: the layout of a supernode. A cell is a node of the
// bufferless mesh; its number is y * side + x, where x goes to the east and y to the south. Ports
// are those of annelid/bufferless.h.

#ifndef ANL_SNAKES_H
#define ANL_SNAKES_H

#include <annelid/annelid.h>

#include <stdio.h>

// --- layout.c ---

enum cell_kind { CELL_STORAGE, CELL_LANE, CELL_BUFFER };
enum side { SIDE_LEFT, SIDE_RIGHT, SIDES };
enum corner { TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT, CORNERS };
enum { MOST_SPURS = 64 };

// The trail turns off from a cell to its neighbour at the port and comes back at once.
struct spur {
    uint32_t cell, port;
};

struct layout {
    uint32_t f, k;                             // worms that a supernode stores, flits of a worm
    uint32_t w, g;                             // k = w w, f + 4 = g g
    uint32_t s;                                // w g: the last row and column
    uint32_t m;                                // s / 2: the lanes
    uint32_t side;                             // s + 1
    uint32_t cells;                            // side side
    uint32_t slots;                            // f / 2: of a train
    uint32_t train;                            // f k / 2: flits of a train
    uint32_t period;                           // steps of a cycle of a train
    uint32_t half;                             // steps in which a joined cycle passes one side
    uint32_t centre, top, bottom, west, east;  // centre, command processors, arms
    uint32_t entries[CORNERS];                 // of the buffers
    uint32_t starts[SIDES];  // where each trail enters the vertical lane: below, above
    uint32_t num_spurs;      // of each side
    struct spur spurs[SIDES][MOST_SPURS];
    uint8_t *kinds;  // [cells] enum cell_kind
    uint8_t *map;    // [cells * ANL_BUFFERLESS_LINKS] output by input port, or ANL_NO_WAY
    bool *chooses;   // [cells] has heads that leave the map during a superstep or a consumption
};

// Makes the layout for f and k: k is the square of an even number, f + 4 of an even one that is at
// least 4. On success the caller frees it with layout_free(). ANL_ERR_ARGUMENT, ANL_ERR_MEMORY.
enum anl_status layout_create(uint32_t f, uint32_t k, struct layout *layout,
                              struct anl_error *error);
void layout_free(struct layout *layout);  // may be empty

// Returns the number of the cell behind an output port; the cell must have that neighbour.
static inline uint32_t layout_next(const struct layout *layout, uint32_t cell, uint32_t port)
{
    const uint32_t steps[] = {1, UINT32_MAX, layout->side, UINT32_MAX - layout->side + 1};
    return cell + steps[port];
}

// Returns whether the neighbour behind a port is a cell of the same supernode.
static inline bool layout_inside(const struct layout *layout, uint32_t cell, uint32_t port)
{
    const uint32_t x = cell % layout->side, y = cell / layout->side;
    return port == ANL_EAST    ? x < layout->s
           : port == ANL_WEST  ? x > 0
           : port == ANL_SOUTH ? y < layout->s
                               : y > 0;
}

// Returns the entry of the output port of an input port in the map.
static inline uint8_t layout_way(const struct layout *layout, uint32_t cell, uint32_t port)
{
    return layout->map[(size_t)cell * ANL_BUFFERLESS_LINKS + port];
}

// Draws the kinds of cells, and the ways of the trails and buffers, as two squares of letters.
void layout_draw(const struct layout *layout, FILE *out);

// --- inspect.c ---

// Checks a layout by walks over its map, without any code of layout.c but what is in this header.
// ANL_ERR_FORMAT: *error says in words which rule is broken and where. ANL_ERR_MEMORY.
enum anl_status layout_inspect(const struct layout *layout, struct anl_error *error);

#endif
