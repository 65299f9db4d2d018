// SPDX-License-Identifier: Apache-2.0
//
// Cubes: only the table of coordinates of the switches depends on the topology. Sizes, paths and
// lanes follow from it and from the space that lanes need.

#include "layout.h"

#include <math.h>
#include <stdlib.h>

static const double terminal_middle = 18, name_height = 14;
static const double diagonal = 0.70710678118654752;

// --- coordinates ---

// Even dimensions extend to the right, odd ones downwards. The step in a dimension spans all lower
// dimensions and a little more, so that a cube becomes a row of squares.
static struct anl_point coordinates(const struct anl_cube *cube, uint32_t node)
{
    double at[2] = {0, 0}, stride[2] = {1, 1};
    for (uint32_t d = 0; d < cube->dimensions; node /= cube->radix[d++]) {
        at[d % 2] += node % cube->radix[d] * stride[d % 2];
        stride[d % 2] = stride[d % 2] * cube->radix[d] + 0.25;
    }
    return (struct anl_point){at[0], at[1]};
}

// --- sizes ---

struct sizes {
    struct layout_lanes lanes;
    double clearance;  // from the corner of a switch to the lanes of its terminal
    double reach;      // from the corner of a switch to its terminal
    double corner;     // side of the square that the terminal needs below and right of its switch
    double track;      // width of a track
    double pitch[2];   // between coordinates, x and y
    double before[2];  // space left of (above) the first switch
    double after[2];   // space right of (below) the last switch
};

static void size_terminals(struct anl_layout *layout, struct sizes *sizes)
{
    sizes->clearance = 2 * layout->lane_offset - 1;
    sizes->reach = sizes->clearance + sizes->lanes.length + LAYOUT_FAN + LAYOUT_TERMINAL_GAP;
    sizes->corner = (sizes->reach + terminal_middle) * diagonal + layout->terminal_width / 2 + 3;
}

static void size_gaps(const struct routes *routes, const struct anl_layout *layout,
                      struct sizes *sizes)
{
    const double wires = 4 * layout->wire_offset + 6;
    const double lanes = sizes->lanes.length + LAYOUT_FAN + 12;
    for (int axis = 0; axis < 2; axis++) {
        const uint32_t tracks = routes->tracks[axis == 0];
        const uint32_t loops = routes->tracks[axis == 1];
        const double corridor = tracks * wires + (tracks ? lanes + 2 * layout->wire_offset : 0);
        const double ends = loops ? lanes + wires : 0;
        sizes->track = wires;
        sizes->before[axis] = fmax(corridor, ends);
        sizes->after[axis] = fmax(sizes->corner, ends);
        const double names = axis == 1 ? name_height : 0;
        const double gap = fmax(sizes->corner + names, lanes) + corridor;
        sizes->pitch[axis] = layout->switch_side + fmax(gap, loops ? 2 * ends : 0);
    }
}

// --- points ---

static void place_nodes(struct anl_layout *layout, const struct sizes *sizes)
{
    const double side = layout->switch_side;
    const double origin[2] = {LAYOUT_MARGIN + sizes->before[0] + side / 2,
                              LAYOUT_MARGIN + sizes->before[1] + side / 2};
    const double away = side / 2 + diagonal * (sizes->reach + terminal_middle);
    double right = 0, bottom = 0;
    for (uint32_t s = 0; s < layout->shape.switches; s++) {
        struct anl_point *at = &layout->switches[s];
        at->x = origin[0] + at->x * sizes->pitch[0];
        at->y = origin[1] + at->y * sizes->pitch[1];
        layout->terminals[s] = (struct anl_point){at->x + away, at->y + away};
        right = fmax(right, at->x);
        bottom = fmax(bottom, at->y);
    }
    layout->width = right + side / 2 + sizes->after[0] + LAYOUT_MARGIN;
    layout->height = bottom + side / 2 + sizes->after[1] + LAYOUT_MARGIN;
}

static struct anl_point outwards(enum side side)
{
    static const struct anl_point of[NUM_SIDES] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    return of[side];
}

// Returns where a route meets a switch.
static struct anl_point edge(const struct anl_layout *layout, const struct sizes *sizes,
                             const struct route *route, int e)
{
    const struct anl_point at = layout->switches[route->node[e]], out = outwards(route->side[e]);
    const double along = route->slot[e] * sizes->lanes.pair, half = layout->switch_side / 2;
    return (struct anl_point){at.x + out.x * half + fabs(out.y) * along,
                              at.y + out.y * half + fabs(out.x) * along};
}

static struct anl_point moved(struct anl_point point, enum side side, double by)
{
    const struct anl_point out = outwards(side);
    return (struct anl_point){point.x + out.x * by, point.y + out.y * by};
}

static struct anl_path walk(const struct anl_layout *layout, const struct sizes *sizes,
                            const struct route *route)
{
    const struct anl_point a = edge(layout, sizes, route, 0), b = edge(layout, sizes, route, 1);
    const double lanes = sizes->lanes.stub;
    const struct anl_point at = layout->switches[route->node[0]];
    const double across = (route->vertical ? at.x : at.y) - layout->switch_side / 2 - lanes - 6 -
                          2 * layout->wire_offset - (route->track + 0.5) * sizes->track;
    const bool bent =
        route->way != WAY_STRAIGHT || (fabs(a.x - b.x) > 0.5 && fabs(a.y - b.y) > 0.5);
    const double out = route->way == WAY_BRACKET ? 0 : lanes;
    const struct anl_point c = moved(a, route->side[0], out), d = moved(b, route->side[1], out);
    struct anl_path path = {.inset = 3};
    layout_add_corner(&path, a);
    if (bent && route->way != WAY_BRACKET) layout_add_corner(&path, c);
    if (route->way != WAY_STRAIGHT) {
        layout_add_corner(&path, route->vertical ? (struct anl_point){across, c.y}
                                                 : (struct anl_point){c.x, across});
        layout_add_corner(&path, route->vertical ? (struct anl_point){across, d.y}
                                                 : (struct anl_point){d.x, across});
    }
    if (bent && route->way != WAY_BRACKET) layout_add_corner(&path, d);
    layout_add_corner(&path, b);
    return path;
}

static void lay_routes(struct anl_layout *layout, const struct sizes *sizes,
                       const struct routes *routes, uint32_t depth)
{
    for (size_t i = 0; i < routes->count; i++) {
        const struct route *route = &routes->route[i];
        struct anl_path path = walk(layout, sizes, route);
        path.slots = depth;
        path.paired = route->opposite != UINT32_MAX;
        layout->paths[route->link] = path;
        if (path.paired) layout->paths[route->opposite] = layout_backwards(&path);
    }
}

// Lays the links of terminals diagonally from the corners of their switches.
static void lay_terminals(const struct anl_config *config, struct anl_layout *layout,
                          const struct sizes *sizes)
{
    const uint32_t ports = layout->shape.ports, first = layout->shape.switches * ports;
    const double half = layout->switch_side / 2;
    for (uint32_t t = 0; t < layout->shape.terminals; t++) {
        const struct anl_point at = layout->switches[t];
        const struct anl_point corner = {at.x + half - 2, at.y + half - 2};
        const struct anl_point gate = {at.x + half + sizes->reach * diagonal,
                                       at.y + half + sizes->reach * diagonal};
        struct anl_path in = {.count = 2, .corners = {gate, corner}, .paired = true};
        struct anl_path out = {.count = 2, .corners = {corner, gate}, .paired = true};
        in.inset = sizes->clearance;
        in.slots = config->depth;
        in.bare = anl_has(config, ANL_TRAIT_STARTS);  // what a source sends stands in no register
        out.inset = 3;
        out.slots = layout_ejection_slots(config);
        layout->paths[first + t] = in;
        layout->paths[t * ports + ports - 1] = out;
    }
}

// --- all of it ---

static void lay_cube(const struct anl_config *config, struct anl_layout *layout,
                     const struct routes *routes)
{
    struct sizes sizes = {0};
    sizes.lanes = layout_size_lanes(config, layout);
    layout->switch_side = fmax(44, sizes.lanes.pair * (2 * routes->most_slot + 1));
    size_terminals(layout, &sizes);
    size_gaps(routes, layout, &sizes);
    place_nodes(layout, &sizes);
    lay_routes(layout, &sizes, routes, config->depth);
    lay_terminals(config, layout, &sizes);
}

enum anl_status layout_cube(const struct anl_config *config, struct anl_layout *layout)
{
    const struct anl_cube cube = anl_coordinates_of(config);
    if (cube.concentration > 1) return layout_graph(config, layout);
    for (uint32_t s = 0; s < layout->shape.switches; s++)
        layout->switches[s] = coordinates(&cube, s);
    struct routes routes = {0};
    const enum anl_status status = routes_find(config, layout->switches, &routes);
    if (!status) lay_cube(config, layout, &routes);
    routes_free(&routes);
    return status;
}
