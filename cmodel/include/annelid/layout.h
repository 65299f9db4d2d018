// SPDX-License-Identifier: Apache-2.0
//
// Where a network lies on paper: a position for every switch and terminal, a path for every link,
// and on it every lane with its slots. A program that draws needs to know nothing else of a
// topology. Lengths are in points of the picture; x goes to the right, y downwards, and 0 is the
// upper left corner.

#ifndef ANNELID_LAYOUT_H
#define ANNELID_LAYOUT_H

#include <annelid/network.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ANL_LAYOUT_MOST_SWITCHES = 1024, ANL_MAX_CORNERS = 6 };

struct anl_point {
    double x, y;
};

// The path of a link from the edge of one node to the edge of the next. Two opposite links share
// the middle line, and each lies on its right side.
struct anl_path {
    uint32_t count;  // number of corners; 0: no such link
    struct anl_point corners[ANL_MAX_CORNERS];
    bool paired;     // there is an opposite link; otherwise the lanes lie on the middle line
    double inset;    // distance from the front of the lanes to the last corner
    uint32_t slots;  // drawn for each lane: its depth, or 1 where a terminal takes flits at once
    bool bare;       // its slots are not drawn: no flit ever stands there
};

struct anl_layout {
    double width, height;
    double switch_side;  // of the square around its centre; in a graph, of the least one
    double terminal_width, terminal_height;
    double lane_pitch;   // across the link, between lanes where their slots are
    double wire_pitch;   // across the link, between lanes before their slots
    double slot_length;  // along the lane
    double lane_offset;  // from the middle line of a pair to the middle of a link's lanes
    double wire_offset;  // from the middle line of a pair to the middle of a link's wires
    double fan;          // length on which wires spread to lanes
    uint32_t num_vcs;
    struct anl_shape shape;
    struct anl_point *switches;   // centres
    struct anl_point *sizes;      // width and height of each switch
    struct anl_point *terminals;  // centres
    struct anl_point *sinks;      // centres of where ejection links end; NULL: at the terminals
    struct anl_path *paths;       // by number of link
};

// Checks whether a network can be drawn, in no time. ANL_ERR_ARGUMENT: it has more than
// ANL_LAYOUT_MOST_SWITCHES switches.
enum anl_status anl_layout_check(const struct anl_config *config, struct anl_error *error);

// Makes the layout of a valid config. On success the caller frees *layout with anl_layout_free().
// ANL_ERR_ARGUMENT (more than ANL_LAYOUT_MOST_SWITCHES switches) or ANL_ERR_MEMORY: *layout is
// empty.
enum anl_status anl_layout_create(const struct anl_config *config, struct anl_layout *layout,
                                  struct anl_error *error);
// Frees what the layout owns and empties it; it may be empty.
void anl_layout_free(struct anl_layout *layout);

// One lane as it is drawn: a wire, followed by its slots.
struct anl_lane_shape {
    uint32_t count;                              // number of points of the wire
    struct anl_point wire[ANL_MAX_CORNERS + 1];  // the slots begin at the last one
    struct anl_point front;                      // centre of the slot of the front flit
    struct anl_point step;                       // from there to the slot behind
    struct anl_point end;                        // where the lane meets the node
};
// Returns the shape of a lane; the link must exist, and vc < num_vcs.
struct anl_lane_shape anl_layout_lane(const struct anl_layout *layout, uint32_t link, uint32_t vc);

#ifdef __cplusplus
}
#endif

#endif
