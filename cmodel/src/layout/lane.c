// SPDX-License-Identifier: Apache-2.0
//
// A lane runs beside the middle line of its link, on the right, close to the other lanes; before
// its slots the lanes fan out.

#include "layout.h"

#include <assert.h>
#include <math.h>

// --- sizes ---

// Sizes of lanes in a picture that is seen as a whole, in points.
static const double band = 28, longest_slot = 12, shortest_slot = 3, longest_lane = 40;
static const double between_pair = 6;

static double clamp(double value, double low, double high) { return fmax(low, fmin(high, value)); }

struct layout_lanes layout_size_lanes(const struct anl_config *config, struct anl_layout *layout)
{
    const double vcs = config->num_vcs;
    layout->lane_pitch = clamp(band / vcs, 6, 12);
    layout->wire_pitch = fmin(layout->lane_pitch, 3);
    layout->slot_length = clamp(longest_lane / config->depth, shortest_slot, longest_slot);
    layout->fan = LAYOUT_FAN;
    layout->terminal_width = LAYOUT_TERMINAL_WIDTH;
    layout->terminal_height = LAYOUT_TERMINAL_HEIGHT;
    layout->lane_offset = (layout->lane_pitch * vcs + between_pair) / 2;
    layout->wire_offset = layout->wire_pitch * vcs / 2 + 1.5;
    const double length = layout->slot_length * config->depth;
    return (struct layout_lanes){
        .length = length,
        .pair = 4 * layout->lane_offset + 4,
        .stub = length + LAYOUT_FAN + 6 + layout->wire_offset,
    };
}

uint32_t layout_ejection_slots(const struct anl_config *config)
{
    return config->reply_queue ? config->depth : 1;
}

// --- paths ---

void layout_add_corner(struct anl_path *path, struct anl_point corner)
{
    path->corners[path->count++] = corner;
}

struct anl_path layout_backwards(const struct anl_path *path)
{
    struct anl_path back = *path;
    for (uint32_t i = 0; i < path->count; i++)
        back.corners[i] = path->corners[path->count - 1 - i];
    return back;
}

// --- shapes ---

static struct anl_point direction(struct anl_point from, struct anl_point to)
{
    const double length = hypot(to.x - from.x, to.y - from.y);
    assert(length > 0);
    return (struct anl_point){(to.x - from.x) / length, (to.y - from.y) / length};
}

// Returns the point that is `ahead` further on and `right` to the right.
static struct anl_point beside(struct anl_point from, struct anl_point d, double ahead,
                               double right)
{
    return (struct anl_point){from.x + ahead * d.x - right * d.y,
                              from.y + ahead * d.y + right * d.x};
}

// Returns corner i of the middle line, moved so that both adjacent stretches lie `right` beside it.
static struct anl_point corner_beside(const struct anl_path *path, uint32_t i, double right)
{
    const struct anl_point *c = path->corners;
    if (i == 0) return beside(c[0], direction(c[0], c[1]), 0, right);
    const struct anl_point in = direction(c[i - 1], c[i]), out = direction(c[i], c[i + 1]);
    const double turn = in.x * out.y - in.y * out.x, straight = in.x * out.x + in.y * out.y;
    const double back = -right * turn / (1 + straight);
    return beside(c[i], in, back, right);
}

struct anl_lane_shape anl_layout_lane(const struct anl_layout *layout, uint32_t link, uint32_t vc)
{
    const struct anl_path *path = &layout->paths[link];
    assert(path->count >= 2 && vc < layout->num_vcs);
    const double vcs = layout->num_vcs, lane = vc - (vcs - 1) / 2;
    const double wire = (path->paired ? layout->wire_offset : 0) + lane * layout->wire_pitch;
    const double right = (path->paired ? layout->lane_offset : 0) + lane * layout->lane_pitch;
    const struct anl_point last = path->corners[path->count - 1];
    const struct anl_point d = direction(path->corners[path->count - 2], last);
    const double slots = path->slots * layout->slot_length;

    struct anl_lane_shape shape = {0};
    for (uint32_t i = 0; i + 1 < path->count; i++)
        shape.wire[shape.count++] = corner_beside(path, i, wire);
    shape.wire[shape.count++] = beside(last, d, -path->inset - slots - layout->fan, wire);
    shape.wire[shape.count++] = beside(last, d, -path->inset - slots, right);
    shape.front = beside(last, d, -path->inset - layout->slot_length / 2, right);
    shape.step = (struct anl_point){-d.x * layout->slot_length, -d.y * layout->slot_length};
    shape.end = beside(last, d, 0, path->inset > 5 ? wire : right);
    return shape;
}
