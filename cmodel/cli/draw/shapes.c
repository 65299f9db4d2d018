// SPDX-License-Identifier: Apache-2.0
//
// The geometry of all that a picture shows, written as pieces of SVG. A still picture (scene.c)
// puts worms together from these pieces; a page contains all of them, and its script
// (viewer_draw.js) puts worms together in the same way. So neither of the two computes a position.

#include "draw.h"

#include <inttypes.h>
#include <math.h>

#define DIAGONAL 0.70710678118654752

// The ways in which lanes lead to their nodes: to the right, then clockwise.
static const struct anl_point ways[DRAW_WAYS] = {
    {1, 0},  {DIAGONAL, DIAGONAL},   {0, 1},  {-DIAGONAL, DIAGONAL},
    {-1, 0}, {-DIAGONAL, -DIAGONAL}, {0, -1}, {DIAGONAL, -DIAGONAL},
};

static struct anl_point add(struct anl_point a, struct anl_point b, double times)
{
    return (struct anl_point){a.x + times * b.x, a.y + times * b.y};
}

// Returns the point that is `ahead` further on and `right` to the right.
static struct anl_point beside(struct anl_point from, struct anl_point way, double ahead,
                               double right)
{
    return add(add(from, way, ahead), (struct anl_point){-way.y, way.x}, right);
}

// --- pieces that are the same for all lanes of a way ---

static void put_move(FILE *out, char command, struct anl_point way, double ahead, double right)
{
    const struct anl_point by = beside((struct anl_point){0, 0}, way, ahead, right);
    fprintf(out, "%c%.4g %.4g", command, by.x, by.y);
}

// Draws a rectangle around the present point, which remains where it is.
static void put_box(FILE *out, struct anl_point way, double length, double width)
{
    put_move(out, 'm', way, -length / 2, -width / 2);
    put_move(out, 'l', way, length, 0);
    put_move(out, 'l', way, 0, width);
    put_move(out, 'l', way, -length, 0);
    fputc('Z', out);
    put_move(out, 'm', way, length / 2, width / 2);
}

// Draws an arrow head around the present point, which remains where it is.
static void put_head(FILE *out, struct anl_point way, double size)
{
    put_move(out, 'm', way, size, 0);
    put_move(out, 'l', way, -2 * size, size);
    put_move(out, 'l', way, 0, -2 * size);
    fputc('Z', out);
    put_move(out, 'm', way, -size, 0);
}

static void put_translation(FILE *out, double x, double y)
{
    fprintf(out, "translate(%.4g %.4g)", x + 0.0, y + 0.0);
}

void draw_piece(FILE *out, const struct anl_layout *layout, uint32_t way, enum draw_piece piece)
{
    const struct anl_point to = ways[way];
    const double length = layout->slot_length, width = layout->lane_pitch;
    if (piece == DRAW_FLIT) put_box(out, to, 0.86 * length, width - 2);
    if (piece == DRAW_HEAD) put_head(out, to, fmin(width, length) / 2 - 1);
    if (piece == DRAW_BACK) put_move(out, 'm', to, -length, 0);
    if (piece == DRAW_AHEAD) put_move(out, 'l', to, length, 0);
    if (piece == DRAW_TAG_DIGIT) put_translation(out, -to.y * 3.5, 0);
    if (piece == DRAW_TAG_BACK) put_translation(out, -to.x * 40, -to.y * 17);
    if (piece == DRAW_SIGN_SIZE) fprintf(out, "scale(%.2f)", fmax(0.7, fmin(1.1, width / 9)));
}

// --- pieces of one buffer ---

bool draw_is_source(const struct anl_layout *layout, uint32_t buffer)
{
    return buffer >= layout->shape.links * layout->num_vcs;
}

static uint32_t terminal_of(const struct anl_layout *layout, uint32_t source)
{
    return (source - layout->shape.links * layout->num_vcs) % layout->shape.terminals;
}

// Returns the path of a buffer; of a source queue, that of the link into which it leads.
static uint32_t link_of(const struct anl_layout *layout, uint32_t buffer)
{
    if (!draw_is_source(layout, buffer)) return buffer / layout->num_vcs;
    return layout->shape.switches * layout->shape.ports + terminal_of(layout, buffer);
}

uint32_t draw_slots(const struct anl_layout *layout, uint32_t buffer)
{
    const struct anl_path *path = &layout->paths[link_of(layout, buffer)];
    return path->count ? path->slots : 0;
}

static struct anl_lane_shape lane_of(const struct anl_layout *layout, uint32_t buffer)
{
    const uint32_t vcs = layout->num_vcs;
    const uint32_t vc = draw_is_source(layout, buffer) ? vcs / 2 : buffer % vcs;
    return anl_layout_lane(layout, link_of(layout, buffer), vc);
}

static uint32_t way_of(const struct anl_lane_shape *lane)
{
    uint32_t nearest = 0;
    double least = INFINITY;
    for (uint32_t way = 0; way < DRAW_WAYS; way++) {
        const double along = lane->step.x * ways[way].x + lane->step.y * ways[way].y;
        if (along < least) nearest = way;
        least = fmin(least, along);
    }
    return nearest;
}

uint32_t draw_way(const struct anl_layout *layout, uint32_t buffer)
{
    const struct anl_lane_shape lane = lane_of(layout, buffer);
    return draw_is_source(layout, buffer) ? 0 : way_of(&lane);
}

// Returns the point beside the front flit, on the side away from the opposite link; of a source
// queue, the point above its terminal.
static struct anl_point tag_of(const struct anl_layout *layout, uint32_t buffer,
                               struct anl_point front, struct anl_point way)
{
    const uint32_t vcs = layout->num_vcs;
    if (draw_is_source(layout, buffer)) {
        const struct anl_point at = layout->terminals[terminal_of(layout, buffer)];
        return (struct anl_point){at.x, at.y - layout->terminal_height / 2 - 9};
    }
    const double band = (vcs - buffer % vcs - 0.5) * layout->lane_pitch;
    return beside(front, way, 0, band + (way.x != 0 ? 10 : 7));
}

// Draws the line between the slots of a lane and its node.
static void put_end(FILE *out, const struct anl_lane_shape *lane)
{
    const struct anl_point slots = add(lane->front, lane->step, -0.5);
    fprintf(out, "M%.1f %.1fl%.4g %.4g", slots.x, slots.y, lane->end.x - slots.x,
            lane->end.y - slots.y);
}

static void put_point(FILE *out, struct anl_point at) { fprintf(out, "%.1f %.1f", at.x, at.y); }

static struct anl_point nearest_switch(const struct anl_layout *layout, struct anl_point at)
{
    uint32_t nearest = 0;
    double least = INFINITY;
    for (uint32_t s = 0; s < layout->shape.switches; s++) {
        const struct anl_point centre = layout->switches[s];
        const struct anl_point box = layout->sizes[s];
        const double away =
            fmax(fabs(centre.x - at.x) - box.x / 2, fabs(centre.y - at.y) - box.y / 2);
        if (away < least) nearest = s;
        least = fmin(least, away);
    }
    return layout->switches[nearest];
}

// Writes the control point of a curve through a switch at `at`, where a wire comes from `from`. It
// is the deeper in the switch the farther `at` is from the middle of the side, so that the curves
// of worms that turn back do not lie on each other.
static void put_control(FILE *out, const struct anl_layout *layout, struct anl_point at,
                        struct anl_point from)
{
    const double leg = hypot(at.x - from.x, at.y - from.y);
    const struct anl_point way = {(at.x - from.x) / leg, (at.y - from.y) / leg};
    const struct anl_point centre = nearest_switch(layout, at);
    const double aside = fabs((at.y - centre.y) * way.x - (at.x - centre.x) * way.y);
    const struct anl_point control = beside(at, way, 0.16 * layout->switch_side + 0.4 * aside, 0);
    fprintf(out, "%.0f %.0f ", control.x, control.y);
}

void draw_part(FILE *out, const struct anl_layout *layout, uint32_t buffer, enum draw_part part)
{
    const struct anl_lane_shape lane = lane_of(layout, buffer);
    const struct anl_point way = ways[way_of(&lane)];
    const bool source = draw_is_source(layout, buffer);
    const double reach = fmin(layout->switch_side, 70);
    const struct anl_point front = source ? lane.wire[0] : lane.front;
    const struct anl_point sign = source ? front : beside(lane.end, way, 3, 0);
    if (part == DRAW_FRONT) put_point(out, front);
    if (part == DRAW_SIGN) put_point(out, sign);
    if (part == DRAW_BEND) put_point(out, beside(sign, way, 0.4 * reach, 0.15 * reach));
    if (part == DRAW_TAG) put_point(out, tag_of(layout, buffer, front, way));
    if (source) return;
    if (part == DRAW_WIRE) draw_wire(out, &lane);
    if (part == DRAW_ENTER) put_control(out, layout, lane.wire[0], lane.wire[1]);
    if (part != DRAW_LEAVE) return;
    put_end(out, &lane);
    fputc('C', out);
    put_control(out, layout, lane.end, add(lane.end, lane.step, 1));
}

// --- what does not change from cycle to cycle ---

static void put_empty_wire(FILE *out, const struct anl_layout *layout, uint32_t lane)
{
    const struct anl_lane_shape shape = lane_of(layout, lane);
    fputc('M', out);
    draw_wire(out, &shape);
    if (layout->paths[lane / layout->num_vcs].bare)
        fprintf(out, "L%.1f %.1f", shape.end.x, shape.end.y);
    else
        put_end(out, &shape);
}

// Draws the frame around the slots of a lane, and the lines between them in turn to and fro.
static void put_empty_slots(FILE *out, const struct anl_layout *layout, uint32_t lane)
{
    const uint32_t slots = draw_slots(layout, lane);
    const struct anl_point way = ways[draw_way(layout, lane)];
    const double length = layout->slot_length, width = layout->lane_pitch - 1;
    if (layout->paths[lane / layout->num_vcs].bare) return;
    fputc('M', out);
    draw_part(out, layout, lane, DRAW_FRONT);
    put_move(out, 'm', way, length / 2, -width / 2);
    put_move(out, 'l', way, -length * slots, 0);
    put_move(out, 'l', way, 0, width);
    put_move(out, 'l', way, length * slots, 0);
    fputc('Z', out);
    for (uint32_t i = 1; i < slots; i++) {
        put_move(out, 'm', way, -length, 0);
        put_move(out, 'l', way, 0, i % 2 ? width : -width);
    }
}

static void for_lanes(FILE *out, const struct anl_layout *layout, const char *class,
                      void (*put)(FILE *out, const struct anl_layout *layout, uint32_t lane))
{
    fprintf(out, "<path class=\"%s\" d=\"", class);
    for (uint32_t lane = 0; !draw_is_source(layout, lane); lane++)
        if (draw_slots(layout, lane)) put(out, layout, lane);
    fputs("\"/>\n", out);
}

// Draws the boxes of tags, by number of digits.
static void put_tags(FILE *out)
{
    fputs("<defs>", out);
    for (int digits = 1; digits <= 10; digits++)
        fprintf(out,
                "<rect id=\"tag-%d\" class=\"tag-box\" x=\"%.1f\" y=\"-7\" width=\"%d\" "
                "height=\"14\" rx=\"7\"/>",
                digits, -4 - 3.5 * digits, 8 + 7 * digits);
    fputs("</defs>\n", out);
}

void draw_network(FILE *out, const struct anl_config *config, const struct anl_layout *layout)
{
    draw_style(out);
    fputs(signs_svg, out);
    fprintf(out, "<style>.held { stroke-width: %.2f; }</style>\n", layout->wire_pitch * 0.85);
    put_tags(out);
    for_lanes(out, layout, "wire", put_empty_wire);
    draw_nodes(out, config, layout);
    for_lanes(out, layout, "slot", put_empty_slots);
}

void draw_queue(FILE *out, const struct anl_layout *layout, uint32_t terminal, const char *worms)
{
    const struct anl_point at = layout->terminals[terminal];
    fprintf(out, "<text class=\"queue\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", at.x, at.y + 8.5,
            worms);
}
