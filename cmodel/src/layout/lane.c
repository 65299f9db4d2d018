// SPDX-License-Identifier: Apache-2.0
//
// A lane runs beside the middle line of its link, on the right, close to the other lanes; before
// its slots it fans out.

#include <annelid/layout.h>

#include <assert.h>
#include <math.h>

static struct anl_point direction(struct anl_point from, struct anl_point to)
{
    const double length = hypot(to.x - from.x, to.y - from.y);
    assert(length > 0);
    return (struct anl_point){(to.x - from.x) / length, (to.y - from.y) / length};
}

// The point that is `ahead` further and `right` to the right.
static struct anl_point beside(struct anl_point from, struct anl_point d, double ahead,
                               double right)
{
    return (struct anl_point){from.x + ahead * d.x - right * d.y,
                              from.y + ahead * d.y + right * d.x};
}

// Corner i of the middle line, moved so that both stretches there lie `right` beside it.
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
