// SPDX-License-Identifier: Apache-2.0

#include "layout.h"

#include <math.h>
#include <stdlib.h>

static const double near_nothing = 1e-6;

struct finding {
    struct anl_shape shape;
    const struct anl_point *at;
    uint8_t *taken;  // [switch][side] number of links that leave by this side
    struct routes *routes;
};

static bool same(double a, double b) { return fabs(a - b) < near_nothing; }

// --- which links there are ---

static void add_route(const struct anl_config *config, struct routes *routes, uint32_t from,
                      uint32_t port)
{
    const uint32_t ports = anl_shape_of(config).ports;
    const struct anl_end end = anl_link_end(config, from, port);
    if (!end.exists || end.is_terminal) return;
    const struct anl_end back = anl_link_end(config, end.node, end.port);
    const bool itself = end.node == from && end.port == port;
    const bool paired =
        back.exists && !back.is_terminal && back.node == from && back.port == port && !itself;
    if (paired && (end.node < from || (end.node == from && end.port < port))) return;
    routes->paired |= paired;
    routes->route[routes->count++] = (struct route){
        .link = from * ports + port,
        .opposite = paired ? end.node * ports + end.port : UINT32_MAX,
        .node = {from, end.node},
    };
}

enum anl_status routes_list(const struct anl_config *config, struct routes *routes)
{
    const struct anl_shape shape = anl_shape_of(config);
    *routes = (struct routes){
        .route = calloc((size_t)shape.switches * shape.ports, sizeof *routes->route)};
    if (!routes->route) return ANL_ERR_MEMORY;
    for (uint32_t s = 0; s < shape.switches; s++)
        for (uint32_t p = 0; p < shape.ports; p++)
            add_route(config, routes, s, p);
    return ANL_OK;
}

static double span(const struct finding *finding, const struct route *route)
{
    const struct anl_point a = finding->at[route->node[0]], b = finding->at[route->node[1]];
    return hypot(b.x - a.x, b.y - a.y);
}

// --- which way they take ---

static enum side side_towards(struct anl_point from, struct anl_point to)
{
    if (fabs(to.y - from.y) > fabs(to.x - from.x)) return to.y > from.y ? SIDE_DOWN : SIDE_UP;
    return to.x > from.x ? SIDE_RIGHT : SIDE_LEFT;
}

static enum side opposite_of(enum side side) { return (enum side)((side + 2) % NUM_SIDES); }

// Returns true if a switch lies on the straight line between the two nodes.
static bool obstructed(const struct finding *finding, const struct route *route)
{
    const struct anl_point a = finding->at[route->node[0]], b = finding->at[route->node[1]];
    const double length = hypot(b.x - a.x, b.y - a.y);
    for (uint32_t s = 0; s < finding->shape.switches; s++) {
        const struct anl_point c = finding->at[s];
        if (s == route->node[0] || s == route->node[1]) continue;
        const double along = ((c.x - a.x) * (b.x - a.x) + (c.y - a.y) * (b.y - a.y)) / length;
        const double across = ((c.x - a.x) * (b.y - a.y) - (c.y - a.y) * (b.x - a.x)) / length;
        if (along > 0 && along < length && fabs(across) < 0.3) return true;
    }
    return false;
}

static uint8_t *taken(const struct finding *finding, uint32_t node, enum side side)
{
    return &finding->taken[node * NUM_SIDES + side];
}

static bool both_free(const struct finding *finding, const struct route *route, enum side side)
{
    return !*taken(finding, route->node[0], side) &&
           !*taken(finding, route->node[1], opposite_of(side));
}

static void choose_way(const struct finding *finding, struct route *route)
{
    const struct anl_point a = finding->at[route->node[0]], b = finding->at[route->node[1]];
    const enum side facing = side_towards(a, b), far = opposite_of(facing);
    const bool aligned = same(a.x, b.x) || same(a.y, b.y);
    route->vertical = facing == SIDE_DOWN || facing == SIDE_UP;
    route->side[0] = facing;
    route->side[1] = far;
    route->way = WAY_STRAIGHT;
    if (aligned && (!both_free(finding, route, facing) || obstructed(finding, route))) {
        route->way = both_free(finding, route, far) ? WAY_LOOP : WAY_BRACKET;
        const enum side bracket = route->vertical ? SIDE_LEFT : SIDE_UP;
        route->side[0] = route->way == WAY_LOOP ? far : bracket;
        route->side[1] = route->way == WAY_LOOP ? facing : bracket;
    }
    for (int e = 0; e < 2; e++)
        ++*taken(finding, route->node[e], route->side[e]);
}

// --- which track ---

// Writes the extent of a route along its row or column; a loop goes round its nodes.
static void extent(const struct finding *finding, const struct route *route, double *low,
                   double *high)
{
    const struct anl_point a = finding->at[route->node[0]], b = finding->at[route->node[1]];
    *low = route->vertical ? fmin(a.y, b.y) : fmin(a.x, b.x);
    *high = route->vertical ? fmax(a.y, b.y) : fmax(a.x, b.x);
    if (route->way == WAY_LOOP) *low -= 0.4, *high += 0.4;
}

static bool collide(const struct finding *finding, const struct route *r, const struct route *q)
{
    const struct anl_point a = finding->at[r->node[0]], b = finding->at[q->node[0]];
    double r_low, r_high, q_low, q_high;
    if (q->way == WAY_STRAIGHT || q->vertical != r->vertical || q->track != r->track) return false;
    if (!(r->vertical ? same(a.x, b.x) : same(a.y, b.y))) return false;
    extent(finding, r, &r_low, &r_high);
    extent(finding, q, &q_low, &q_high);
    return r_low <= q_high + near_nothing && q_low <= r_high + near_nothing;
}

// Chooses the lowest track that is free over the whole extent.
static void choose_track(const struct finding *finding, size_t index)
{
    struct routes *routes = finding->routes;
    struct route *route = &routes->route[index];
    for (bool free_track = false; !free_track; route->track += !free_track) {
        free_track = true;
        for (size_t i = 0; i < index && free_track; i++)
            free_track = !collide(finding, route, &routes->route[i]);
    }
    uint32_t *tracks = &routes->tracks[route->vertical];
    if (*tracks < route->track + 1) *tracks = route->track + 1;
}

// --- which position on the side ---

struct end_of_route {
    double *slot;
    double key;  // order along the side
    bool middle;
};

static int by_key(const void *a, const void *b)
{
    const double x = ((const struct end_of_route *)a)->key;
    const double y = ((const struct end_of_route *)b)->key;
    return (x > y) - (x < y);
}

// Describes an end of a route. Ends that go far to the left are on the left; a straight route must
// meet its other end, so it is in the middle.
static struct end_of_route end_of(const struct finding *finding, struct route *route, int e)
{
    const struct anl_point here = finding->at[route->node[e]];
    const struct anl_point there = finding->at[route->node[!e]];
    const bool along_x = route->side[e] == SIDE_UP || route->side[e] == SIDE_DOWN;
    const double away = along_x ? there.x - here.x : there.y - here.y;
    const bool bracket = route->way == WAY_BRACKET;
    return (struct end_of_route){
        .slot = &route->slot[e],
        .key = bracket && !same(away, 0) ? 1 / away : away,
        .middle = !bracket && same(away, 0),
    };
}

static void place_ends(struct end_of_route *ends, size_t count)
{
    qsort(ends, count, sizeof *ends, by_key);
    size_t middle = count;
    for (size_t i = 0; i < count; i++)
        if (ends[i].middle) middle = i;
    const double centre = middle < count ? floor((double)count / 2) : ((double)count - 1) / 2;
    size_t position = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == middle) continue;
        if (middle < count && (double)position == centre) position++;
        *ends[i].slot = (double)position++ - centre;
    }
    if (middle < count) *ends[middle].slot = 0;
}

static void place_side(const struct finding *finding, uint32_t node, enum side side,
                       struct end_of_route *ends)
{
    size_t count = 0;
    if (*taken(finding, node, side) < 2) return;
    for (size_t i = 0; i < finding->routes->count; i++)
        for (int e = 0; e < 2; e++) {
            struct route *route = &finding->routes->route[i];
            if (route->node[e] == node && route->side[e] == side)
                ends[count++] = end_of(finding, route, e);
        }
    place_ends(ends, count);
    for (size_t i = 0; i < count; i++)
        finding->routes->most_slot = fmax(finding->routes->most_slot, fabs(*ends[i].slot));
}

// --- all of it ---

static void sort_by_span(const struct finding *finding)
{
    struct route *route = finding->routes->route;
    for (size_t i = 1; i < finding->routes->count; i++) {
        const struct route moved = route[i];
        const double length = span(finding, &moved);
        size_t j = i;
        for (; j > 0 && span(finding, &route[j - 1]) > length + near_nothing; j--)
            route[j] = route[j - 1];
        route[j] = moved;
    }
}

static void find(struct finding *finding, struct end_of_route *ends)
{
    struct routes *routes = finding->routes;
    sort_by_span(finding);
    for (size_t i = 0; i < routes->count; i++)
        choose_way(finding, &routes->route[i]);
    for (size_t i = 0; i < routes->count; i++)
        if (routes->route[i].way != WAY_STRAIGHT) choose_track(finding, i);
    for (uint32_t s = 0; s < finding->shape.switches; s++)
        for (enum side side = 0; side < NUM_SIDES; side++)
            place_side(finding, s, side, ends);
}

enum anl_status routes_find(const struct anl_config *config, const struct anl_point *at,
                            struct routes *routes)
{
    const struct anl_shape shape = anl_shape_of(config);
    const size_t most = (size_t)shape.switches * shape.ports;
    const enum anl_status status = routes_list(config, routes);
    if (status) return status;
    struct finding finding = {shape, at, calloc(shape.switches, NUM_SIDES), routes};
    struct end_of_route *ends = calloc(2 * most, sizeof *ends);
    const bool enough = finding.taken && ends;
    if (enough) find(&finding, ends);
    free(finding.taken);
    free(ends);
    if (!enough) routes_free(routes);
    return enough ? ANL_OK : ANL_ERR_MEMORY;
}

void routes_free(struct routes *routes)
{
    free(routes->route);
    *routes = (struct routes){0};
}
