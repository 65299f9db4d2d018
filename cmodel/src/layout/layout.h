// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: layout.c (which layout a topology has), cube.c, tree.c,
// butterfly.c and graph.c (one layout each), rows.c (the rows of graph.c), routes.c (paths of links
// between switches whose positions are known), lane.c (sizes and shapes of lanes). A layout for
// another topology is another file and a line in layout.c.

#ifndef ANL_LAYOUT_ROOM_H
#define ANL_LAYOUT_ROOM_H

#include <annelid/layout.h>

// --- cube.c, tree.c, butterfly.c, graph.c ---
//
// Fill a layout whose arrays are allocated; sizes that they leave 0 become switch_side.
// ANL_ERR_MEMORY.

// Even dimensions extend to the right, odd ones downwards. A cube with several terminals a switch
// is drawn as a graph.
enum anl_status layout_cube(const struct anl_config *config, struct anl_layout *layout);

// The leaves of a fat-tree are at the bottom, its root at the top.
enum anl_status layout_tree(const struct anl_config *config, struct anl_layout *layout);

// The first level of a butterfly is at the top, its last one at the bottom.
enum anl_status layout_butterfly(const struct anl_config *config, struct anl_layout *layout);

// The root of up_down is at the top, and below it are rows of switches by their distance from it.
enum anl_status layout_graph(const struct anl_config *config, struct anl_layout *layout);

// --- lane.c ---

#define LAYOUT_MARGIN 16.0       // around the picture
#define LAYOUT_FAN 9.0           // where wires spread to lanes
#define LAYOUT_TERMINAL_GAP 5.0  // between a terminal and its links
#define LAYOUT_TERMINAL_WIDTH 34.0
#define LAYOUT_TERMINAL_HEIGHT 24.0

struct layout_lanes {
    double length;  // of a lane
    double pair;    // width of two opposite links with the space between and beside them
    double stub;    // straight part of a link that has room for its lanes
};

// Sets the fields of *layout that lanes have and returns their sizes.
struct layout_lanes layout_size_lanes(const struct anl_config *config, struct anl_layout *layout);

// Returns how many slots a lane of an ejection link is drawn with.
uint32_t layout_ejection_slots(const struct anl_config *config);

void layout_add_corner(struct anl_path *path, struct anl_point corner);
struct anl_path layout_backwards(const struct anl_path *path);

// --- routes.c ---
//
// Turns a table of coordinates into routes of links: the side of a switch by which a link leaves,
// and the track between rows or columns that it takes if other switches are in its straight way. It
// knows links and coordinates, but no topology.

enum side { SIDE_RIGHT, SIDE_DOWN, SIDE_LEFT, SIDE_UP, NUM_SIDES };

enum way {
    WAY_STRAIGHT,  // between sides that face each other
    WAY_LOOP,      // from the far side of one to the far side of the other
    WAY_BRACKET,   // from the upper (left) side of both
};

// A pair of opposite links, or one link without an opposite one; the link goes from node[0].
struct route {
    uint32_t link, opposite;  // opposite is UINT32_MAX if there is none
    uint32_t node[2];
    enum way way;
    bool vertical;   // one node is above the other
    uint32_t track;  // between rows or columns; 0 is the nearest to the nodes
    enum side side[2];
    double slot[2];  // position on the side, 0 in the middle, in widths of a pair; graph.c: its x
};

struct routes {
    struct route *route;
    size_t count;
    uint32_t tracks[2];  // tracks that are needed above a row, and left of a column
    double most_slot;    // greatest distance of a slot from the middle
    bool paired;         // some route is a pair
};

// Lists the links between switches as routes, without ways. ANL_ERR_MEMORY.
enum anl_status routes_list(const struct anl_config *config, struct routes *routes);

// Finds the routes; at[s] are the coordinates of switch s in any unit. ANL_ERR_MEMORY.
enum anl_status routes_find(const struct anl_config *config, const struct anl_point *at,
                            struct routes *routes);
void routes_free(struct routes *routes);

// --- rows.c ---

struct row_place {
    uint32_t node, row;
    double place;  // in the row, 0 at its left and 1 at its right end
};

struct layout_rows {
    uint32_t switches, count;  // count: of rows
    uint32_t *row;             // [switches] row of each switch
    struct row_place *order;   // [switches] by row, and from left to right
    double *place;             // [switches] place of each
    double *sum;               // [switches] used by rows.c
    uint32_t *links;           // [switches] used by rows.c
};

// Puts the switches in rows. ANL_ERR_MEMORY.
enum anl_status rows_find(const struct routes *routes, uint32_t switches, struct layout_rows *rows);
void rows_free(struct layout_rows *rows);

#endif
