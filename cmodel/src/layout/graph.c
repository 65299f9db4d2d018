// SPDX-License-Identifier: Apache-2.0
//
// Graphs: switches in rows (rows.c), and to the right of each switch its terminals. A link to the
// next row leaves its switch straight, crosses over, and arrives straight. A link within a row is a
// bracket below it, on a track of its own. A switch is as wide and as high as its links need.

#include "layout.h"

#include <math.h>
#include <stdlib.h>

static const double least_side = 44, letter = 7, between_switches = 24, between_terminals = 6;
static const double least_crossing = 40, flattest = 0.1, highest_crossing = 600;

// An end of a link at the upper or lower side of a switch.
struct gate {
    uint32_t node, below;  // below: 1 at the lower side
    double key;            // order along the side
    double *slot;          // x of the end, in points
};

struct drawing {
    const struct anl_config *config;
    struct anl_layout *layout;
    struct routes *routes;
    struct layout_rows rows;
    struct layout_lanes lanes;
    uint32_t (*ends)[2];     // [switches] links at the upper and at the lower side
    uint32_t *terminals;     // [switches] how many it has
    uint32_t *placed;        // [switches] how many of them have their place
    struct gate *gates;      // [2 * routes]
    uint32_t *tracks;        // [rows] that its brackets need
    double *width, *height;  // [rows] of all, and of its switches
    double reach;            // from a switch to its terminals
    double pitch;            // from a terminal of a switch to the next
    double track;            // height of a track
};

static bool is_bracket(const struct drawing *drawing, const struct route *route)
{
    return drawing->rows.row[route->node[0]] == drawing->rows.row[route->node[1]];
}

// Returns 1 if an end of a route is at the lower side of its switch, else 0.
static uint32_t is_below(const struct drawing *drawing, const struct route *route, int e)
{
    return drawing->rows.row[route->node[e]] <= drawing->rows.row[route->node[!e]];
}

// --- sizes ---

static void count_ends(struct drawing *drawing)
{
    const struct anl_shape shape = drawing->layout->shape;
    for (size_t i = 0; i < drawing->routes->count; i++)
        for (int e = 0; e < 2; e++) {
            const struct route *route = &drawing->routes->route[i];
            drawing->ends[route->node[e]][is_below(drawing, route, e)]++;
        }
    for (uint32_t t = 0; t < shape.terminals; t++)
        drawing->terminals[anl_ejection_link(drawing->config, t) / shape.ports]++;
}

static double name_width(const struct drawing *drawing, uint32_t s)
{
    char name[64];
    return letter * (double)anl_switch_name(drawing->config, s, name, sizeof name);
}

static void size_switches(struct drawing *drawing)
{
    struct anl_point *sizes = drawing->layout->sizes;
    for (uint32_t s = 0; s < drawing->layout->shape.switches; s++) {
        const double links = fmax(drawing->ends[s][0], drawing->ends[s][1]);
        double *row = &drawing->height[drawing->rows.row[s]];
        sizes[s].x = fmax(fmax(least_side, name_width(drawing, s)), links * drawing->lanes.pair);
        *row = fmax(*row, fmax(least_side, drawing->terminals[s] * drawing->pitch));
    }
    for (uint32_t s = 0; s < drawing->layout->shape.switches; s++)
        sizes[s].y = drawing->height[drawing->rows.row[s]];
}

// --- places ---

// Returns the width of a switch with its terminals and the space before the next one.
static double cell(const struct drawing *drawing, uint32_t s)
{
    const double aside = drawing->reach + LAYOUT_TERMINAL_GAP + drawing->layout->terminal_width;
    return drawing->layout->sizes[s].x + (drawing->terminals[s] ? aside : 0) + between_switches;
}

// Places the switches from left to right, each row in the middle.
static void place_across(struct drawing *drawing)
{
    struct anl_layout *layout = drawing->layout;
    double widest = 0;
    for (uint32_t i = 0; i < layout->shape.switches; i++) {
        const uint32_t s = drawing->rows.order[i].node;
        double *end = &drawing->width[drawing->rows.row[s]];
        layout->switches[s].x = *end + layout->sizes[s].x / 2;
        *end += cell(drawing, s);
        widest = fmax(widest, *end);
    }
    layout->width = 2 * LAYOUT_MARGIN + widest;
    for (uint32_t s = 0; s < layout->shape.switches; s++)
        layout->switches[s].x += (layout->width - drawing->width[drawing->rows.row[s]]) / 2;
}

static int by_side(const void *a, const void *b)
{
    const struct gate *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    if (x->below != y->below) return x->below < y->below ? -1 : 1;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

// Gives the ends of links their places along the sides of switches: what leads to the left is on
// the left. Of parallel brackets, the one that is the left one at its left end is the right one at
// the other, so that they lie in each other.
static void place_gates(struct drawing *drawing)
{
    const struct anl_layout *layout = drawing->layout;
    const size_t count = 2 * drawing->routes->count;
    for (size_t i = 0; i < count; i++) {
        struct route *route = &drawing->routes->route[i / 2];
        const uint32_t here = route->node[i % 2], there = route->node[1 - i % 2];
        const bool flips =
            is_bracket(drawing, route) && layout->switches[there].x < layout->switches[here].x;
        const double nearly = (double)(i / 2) * (flips ? -1e-6 : 1e-6);
        drawing->gates[i] = (struct gate){.node = here,
                                          .below = is_below(drawing, route, (int)(i % 2)),
                                          .key = layout->switches[there].x + nearly,
                                          .slot = &route->slot[i % 2]};
    }
    qsort(drawing->gates, count, sizeof *drawing->gates, by_side);
    for (size_t i = 0, first = 0; i < count; i++) {
        const struct gate *gate = &drawing->gates[i];
        if (gate->node != drawing->gates[first].node || gate->below != drawing->gates[first].below)
            first = i;
        const uint32_t links = drawing->ends[gate->node][gate->below];
        *gate->slot = layout->switches[gate->node].x +
                      ((double)(i - first) - (links - 1.0) / 2) * drawing->lanes.pair;
    }
}

// --- brackets ---

static double low_end(const struct route *route) { return fmin(route->slot[0], route->slot[1]); }
static double high_end(const struct route *route) { return fmax(route->slot[0], route->slot[1]); }

static int by_low_end(const void *a, const void *b)
{
    const double x = low_end(a), y = low_end(b);
    return (x > y) - (x < y);
}

// Chooses for each bracket, from left to right, the upmost track that is free; ends[] has a place
// for each track.
static void choose_tracks(struct drawing *drawing, uint32_t row, double *ends)
{
    uint32_t *tracks = &drawing->tracks[row];
    for (size_t i = 0; i < drawing->routes->count; i++) {
        struct route *route = &drawing->routes->route[i];
        if (!is_bracket(drawing, route) || drawing->rows.row[route->node[0]] != row) continue;
        while (route->track < *tracks && ends[route->track] >= low_end(route))
            route->track++;
        if (route->track == *tracks) ++*tracks;
        ends[route->track] = high_end(route);
    }
}

static bool lay_brackets(struct drawing *drawing)
{
    struct routes *routes = drawing->routes;
    double *ends = malloc((routes->count + 1) * sizeof *ends);
    if (!ends) return false;
    qsort(routes->route, routes->count, sizeof *routes->route, by_low_end);
    for (uint32_t row = 0; row < drawing->rows.count; row++)
        choose_tracks(drawing, row, ends);
    free(ends);
    return true;
}

// --- heights ---

// Returns how far below the switches of a row its links to the next one begin to cross over.
static double depth_of(const struct drawing *drawing, uint32_t row)
{
    return drawing->lanes.stub + drawing->tracks[row] * drawing->track;
}

static void place_down(struct drawing *drawing)
{
    struct anl_layout *layout = drawing->layout;
    const double crossing = fmax(least_crossing, fmin(flattest * layout->width, highest_crossing));
    double y = LAYOUT_MARGIN;
    for (uint32_t i = 0, row = 0; row < drawing->rows.count; row++) {
        for (; i < layout->shape.switches && drawing->rows.order[i].row == row; i++)
            layout->switches[drawing->rows.order[i].node].y = y + drawing->height[row] / 2;
        y += drawing->height[row];
        const bool last = row + 1 == drawing->rows.count;
        if (!last || drawing->tracks[row]) y += depth_of(drawing, row);
        if (!last) y += crossing + drawing->lanes.stub;
    }
    layout->height = y + LAYOUT_MARGIN;
}

// --- paths ---

static struct anl_point gate_at(const struct drawing *drawing, const struct route *route, int e)
{
    const struct anl_layout *layout = drawing->layout;
    const double half = layout->sizes[route->node[e]].y / 2;
    return (struct anl_point){route->slot[e], layout->switches[route->node[e]].y +
                                                  (is_below(drawing, route, e) ? half : -half)};
}

// Returns where the straight part of a route at an end is over.
static struct anl_point turn_at(const struct drawing *drawing, const struct route *route, int e)
{
    struct anl_point at = gate_at(drawing, route, e);
    const uint32_t row = drawing->rows.row[route->node[e]];
    if (is_bracket(drawing, route))
        at.y += drawing->lanes.stub + (route->track + 0.5) * drawing->track;
    else
        at.y += is_below(drawing, route, e) ? depth_of(drawing, row) : -drawing->lanes.stub;
    return at;
}

static void lay_route(struct drawing *drawing, const struct route *route)
{
    struct anl_layout *layout = drawing->layout;
    struct anl_path path = {
        .inset = 3, .slots = drawing->config->depth, .paired = route->opposite != UINT32_MAX};
    layout_add_corner(&path, gate_at(drawing, route, 0));
    layout_add_corner(&path, turn_at(drawing, route, 0));
    layout_add_corner(&path, turn_at(drawing, route, 1));
    layout_add_corner(&path, gate_at(drawing, route, 1));
    layout->paths[route->link] = path;
    if (path.paired) layout->paths[route->opposite] = layout_backwards(&path);
}

// Places the terminals of each switch one below the other in the order of their numbers.
static void lay_terminals(struct drawing *drawing)
{
    struct anl_layout *layout = drawing->layout;
    const struct anl_shape shape = layout->shape;
    for (uint32_t t = 0; t < shape.terminals; t++) {
        const uint32_t link = anl_ejection_link(drawing->config, t), s = link / shape.ports;
        const double place = drawing->placed[s]++ - (drawing->terminals[s] - 1.0) / 2;
        const struct anl_point edge = {layout->switches[s].x + layout->sizes[s].x / 2,
                                       layout->switches[s].y + place * drawing->pitch};
        const double away = drawing->reach + LAYOUT_TERMINAL_GAP + layout->terminal_width / 2;
        struct anl_path out = {
            .inset = 3, .paired = true, .slots = layout_ejection_slots(drawing->config)};
        layout_add_corner(&out, edge);
        layout_add_corner(&out, (struct anl_point){edge.x + drawing->reach, edge.y});
        struct anl_path in = layout_backwards(&out);
        in.slots = drawing->config->depth;
        layout->terminals[t] = (struct anl_point){edge.x + away, edge.y};
        layout->paths[link] = out;
        layout->paths[shape.switches * shape.ports + t] = in;
    }
}

// --- all of it ---

static bool lay(struct drawing *drawing)
{
    struct anl_layout *layout = drawing->layout;
    drawing->lanes = layout_size_lanes(drawing->config, layout);
    drawing->reach = drawing->lanes.length + LAYOUT_FAN + 12;
    drawing->pitch = fmax(layout->terminal_height + between_terminals, drawing->lanes.pair);
    drawing->track = 4 * layout->wire_offset + 6;
    layout->switch_side = least_side;
    count_ends(drawing);
    size_switches(drawing);
    place_across(drawing);
    place_gates(drawing);
    if (!lay_brackets(drawing)) return false;
    place_down(drawing);
    for (size_t i = 0; i < drawing->routes->count; i++)
        lay_route(drawing, &drawing->routes->route[i]);
    lay_terminals(drawing);
    return true;
}

static bool drawing_create(struct drawing *drawing)
{
    const uint32_t switches = drawing->layout->shape.switches, rows = drawing->rows.count;
    drawing->ends = calloc(switches, sizeof *drawing->ends);
    drawing->terminals = calloc(switches, sizeof *drawing->terminals);
    drawing->placed = calloc(switches, sizeof *drawing->placed);
    drawing->gates = calloc(2 * drawing->routes->count + 1, sizeof *drawing->gates);
    drawing->tracks = calloc(rows, sizeof *drawing->tracks);
    drawing->width = calloc(rows, sizeof *drawing->width);
    drawing->height = calloc(rows, sizeof *drawing->height);
    return drawing->ends && drawing->terminals && drawing->placed && drawing->gates &&
           drawing->tracks && drawing->width && drawing->height;
}

static void drawing_free(struct drawing *drawing)
{
    free(drawing->ends);
    free(drawing->terminals);
    free(drawing->placed);
    free(drawing->gates);
    free(drawing->tracks);
    free(drawing->width);
    free(drawing->height);
}

enum anl_status layout_graph(const struct anl_config *config, struct anl_layout *layout)
{
    struct routes routes;
    struct drawing drawing = {.config = config, .layout = layout, .routes = &routes};
    enum anl_status status = routes_list(config, &routes);
    if (!status) status = rows_find(&routes, layout->shape.switches, &drawing.rows);
    if (!status && !(drawing_create(&drawing) && lay(&drawing))) status = ANL_ERR_MEMORY;
    drawing_free(&drawing);
    rows_free(&drawing.rows);
    routes_free(&routes);
    return status;
}
