// SPDX-License-Identifier: Apache-2.0
//
// What the layouts of all topologies share: sizes of lanes, pieces of paths.

#ifndef ANNELID_LAYOUT_PARTS_H
#define ANNELID_LAYOUT_PARTS_H

#include <annelid/layout.h>

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

// A fat-tree, whole: leaves below, root above. Room for all of layout is there.
void layout_tree(const struct anl_config *config, struct anl_layout *layout);

#endif
