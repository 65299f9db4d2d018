// SPDX-License-Identifier: Apache-2.0
//
// The referee's reading of "The butterfly" in docs/networks.md. A place of a switch is its level
// and its column; positions of digits count from 1, the most significant one.

#include "referee.h"

static uint32_t passes(const struct referee_shape *shape)
{
    return shape->config.passes == 2 ? 2 : 1;
}

// Returns k to the power of the digits behind a position, of a number with so many digits in all.
static uint32_t weight(const struct referee_shape *shape, uint32_t digits, uint32_t position)
{
    uint32_t product = 1;
    for (; position < digits; position++)
        product *= shape->config.k;
    return product;
}

static uint32_t digit(const struct referee_shape *shape, uint32_t number, uint32_t digits,
                      uint32_t position)
{
    return number / weight(shape, digits, position) % shape->config.k;
}

// Returns how many links between switches are on each route.
static uint32_t depth(const struct referee_shape *shape)
{
    return passes(shape) * (shape->config.n - 1);
}

// Returns the position that the links behind a level decide.
static uint32_t decided(const struct referee_shape *shape, uint32_t level)
{
    return level % (shape->config.n - 1) + 1;
}

static uint32_t columns(const struct referee_shape *shape)
{
    return shape->terminals / shape->config.k;
}

static void init(struct referee_shape *shape)
{
    shape->terminals = weight(shape, shape->config.n, 0);
    shape->ports = shape->config.k;
    shape->switches = (depth(shape) + 1) * columns(shape);
    shape->width = 2;
}

static void place(const struct referee_shape *shape, uint32_t switch_, uint32_t *place)
{
    place[0] = switch_ / columns(shape);
    place[1] = switch_ % columns(shape);
}

static uint32_t link_end(const struct referee_shape *shape, uint32_t link)
{
    const uint32_t k = shape->config.k, digits = shape->config.n - 1;
    if (link >= shape->switches * k) return (link - shape->switches * k) / k;
    const uint32_t level = link / k / columns(shape), column = link / k % columns(shape);
    if (level == depth(shape)) return shape->switches + column * k + link % k;
    const uint32_t position = decided(shape, level), unit = weight(shape, digits, position);
    const uint32_t above = column / (unit * k) * k + link % k;  // the digits up to the position
    return (level + 1) * columns(shape) + above * unit + column % unit;
}

static uint32_t link_input(const struct referee_shape *shape, uint32_t link)
{
    const uint32_t k = shape->config.k, level = link / k / columns(shape);
    if (link >= shape->switches * k) return (link - shape->switches * k) % k;
    return digit(shape, link / k % columns(shape), shape->config.n - 1, decided(shape, level));
}

static bool is_chained(const struct referee_shape *shape, uint32_t link)
{
    const uint32_t end = link_end(shape, link);
    return end < shape->switches;
}

// In the first one of two passes a worm goes to its intermediate column; in the last pass to its
// destination, of which the column comes first and the port of the last switch at the end.
static struct referee_route route(const struct referee_shape *shape,
                                  const struct referee_head *head)
{
    const uint32_t n = shape->config.n, level = head->switch_ / columns(shape);
    const bool first = passes(shape) == 2 && level < n - 1;
    const uint32_t position = level == depth(shape) ? n : decided(shape, level);
    const uint32_t port = first ? digit(shape, head->worm->path, n - 1, position)
                                : digit(shape, head->worm->destination, n, position);
    struct referee_route route = {{0}};
    route.lanes[port] = (uint8_t)referee_all_lanes(shape);
    return route;
}

static uint32_t num_paths(const struct referee_shape *shape)
{
    return passes(shape) == 2 ? columns(shape) : 1;
}

const struct referee_family referee_butterflies = {
    .init = init,
    .place = place,
    .link_end = link_end,
    .link_input = link_input,
    .is_chained = is_chained,
    .route = route,
    .num_paths = num_paths,
};
