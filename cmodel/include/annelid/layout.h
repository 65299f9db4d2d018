// SPDX-License-Identifier: Apache-2.0
//
// Where a network lies on paper: a place for every switch and terminal, a way for every link, and
// on it every lane with its slots. Whoever draws needs nothing else of a topology. Lengths are in
// points of the picture, x to the right, y downwards, 0 at the upper left corner of the box.

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

// The way of a link from the edge of one node to the edge of the next. The two links of a pair of
// neighbours share the middle line, which both walk on its right side.
struct anl_path {
    uint32_t count;  // of corners; 0: no such link
    struct anl_point corners[ANL_MAX_CORNERS];
    bool paired;     // beside the opposite link; else the middle line is its own
    double inset;    // from the front of its lanes to the last corner
    uint32_t slots;  // drawn of each lane: its depth, but 1 where a terminal takes flits at once
};

struct anl_layout {
    double width, height;
    double switch_side;  // of a square around its centre
    double terminal_width, terminal_height;
    double lane_pitch;   // across, between lanes where their slots are
    double wire_pitch;   // across, between lanes on their way there
    double slot_length;  // along a lane
    double lane_offset;  // of the middle of a link's lanes from the middle line of a pair
    double wire_offset;  // the same of its wires
    double fan;          // length in which wires spread to lanes
    uint32_t num_vcs;
    struct anl_shape shape;
    struct anl_point *switches;   // centres
    struct anl_point *terminals;  // centres
    struct anl_path *paths;       // by number of the link
};

// config must be valid. ANL_ERR_ARGUMENT: more than ANL_LAYOUT_MOST_SWITCHES switches;
// ANL_ERR_MEMORY. Then *layout is empty; else give it to anl_layout_free().
enum anl_status anl_layout_create(const struct anl_config *config, struct anl_layout *layout,
                                  struct anl_error *error);
void anl_layout_free(struct anl_layout *layout);

// One lane as it is drawn: a wire, then its slots.
struct anl_lane_shape {
    uint32_t count;                              // of the points of the wire
    struct anl_point wire[ANL_MAX_CORNERS + 1];  // the last one is where the slots begin
    struct anl_point front;                      // centre of the slot of the front flit
    struct anl_point step;                       // from there to the slot behind it
    struct anl_point end;                        // where the lane meets the node
};
// The path of link must exist, vc < num_vcs.
struct anl_lane_shape anl_layout_lane(const struct anl_layout *layout, uint32_t link, uint32_t vc);

#ifdef __cplusplus
}
#endif

#endif
