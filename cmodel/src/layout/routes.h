// SPDX-License-Identifier: Apache-2.0
//
// From a table of coordinates to ways of links: which side of a switch a link leaves by, and which
// track between the rows or columns it takes if other switches are in its straight way. Knows
// links and coordinates, no topology.

#ifndef ANNELID_LAYOUT_ROUTES_H
#define ANNELID_LAYOUT_ROUTES_H

#include <annelid/layout.h>

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
