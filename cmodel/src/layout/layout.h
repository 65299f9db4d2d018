// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: layout.c (which layout a topology has), cube.c and tree.c (one
// layout each), routes.c (ways of links between switches whose places are known), lane.c (sizes and
// shapes of lanes). A layout for another topology is another file and a line in layout.c.

#ifndef ANL_LAYOUT_ROOM_H
#define ANL_LAYOUT_ROOM_H

#include <annelid/layout.h>

// --- cube.c, tree.c: room for all of layout is there; ANL_ERR_MEMORY ---

// Even dimensions to the right, odd ones downwards.
enum anl_status layout_cube(const struct anl_config *config, struct anl_layout *layout);

// A fat-tree: leaves below, root above.
enum anl_status layout_tree(const struct anl_config *config, struct anl_layout *layout);

// --- lane.c ---

#define LAYOUT_MARGIN 16.0       // around the picture
#define LAYOUT_FAN 9.0           // where wires spread to lanes
#define LAYOUT_TERMINAL_GAP 5.0  // between a terminal and its links
#define LAYOUT_TERMINAL_WIDTH 34.0
#define LAYOUT_TERMINAL_HEIGHT 24.0

struct layout_lanes {
    double length;  // of a lane
    double pair;    // width of two opposite links and what is between them and the next
    double stub;    // of a link, straight before it turns: room for its lanes
};

// Sets what in layout is of lanes.
struct layout_lanes layout_size_lanes(const struct anl_config *config, struct anl_layout *layout);

void layout_add_corner(struct anl_path *path, struct anl_point corner);
struct anl_path layout_backwards(const struct anl_path *path);

// --- routes.c ---
//
// From a table of coordinates to ways of links: which side of a switch a link leaves by, and which
// track between the rows or columns it takes if other switches are in its straight way. Knows
// links and coordinates, no topology.

enum side { SIDE_RIGHT, SIDE_DOWN, SIDE_LEFT, SIDE_UP, NUM_SIDES };

enum way {
    WAY_STRAIGHT,  // between sides that face each other
    WAY_LOOP,      // out of the far side of the one, into the far side of the other
    WAY_BRACKET,   // out of the upper (left) side of both
};

// A pair of opposite links, or one link without an opposite one, that goes from node[0].
struct route {
    uint32_t link, opposite;  // opposite: UINT32_MAX if there is none
    uint32_t node[2];
    enum way way;
    bool vertical;   // its nodes are one above the other
    uint32_t track;  // between rows or columns, 0 the nearest to the nodes
    enum side side[2];
    double slot[2];  // place on the side, 0 in the middle, in widths of a pair
};

struct routes {
    struct route *route;
    size_t count;
    uint32_t tracks[2];  // how many are needed above a row, left of a column
    double most_slot;    // greatest distance of a slot from the middle
    bool paired;         // some route is a pair
};

// at: coordinates of the switches, in any unit.
enum anl_status routes_find(const struct anl_config *config, const struct anl_point *at,
                            struct routes *routes);
void routes_free(struct routes *routes);

#endif
