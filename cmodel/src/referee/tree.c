// SPDX-License-Identifier: Apache-2.0
//
// The referee's reading of "The butterfly fat-tree" in docs/networks.md.

#include "referee.h"

#include <inttypes.h>
#include <stdio.h>

enum { DOWN_PORTS = 4, UP = 4, PORTS = 6 };

static uint32_t four_to_the(uint32_t level) { return 1u << 2 * level; }

// Returns m_l, the number of switches in a level.
static uint32_t size_of_level(const struct referee_shape *shape, uint32_t level)
{
    return shape->terminals >> (level + 1);
}

static void init(struct referee_shape *shape)
{
    shape->terminals = four_to_the(shape->config.n);
    shape->switches = 0;
    for (uint32_t level = 1; level <= shape->config.n; level++)
        shape->switches += size_of_level(shape, level);
    shape->ports = PORTS;
    shape->width = 2;
}

static uint32_t number(const struct referee_shape *shape, uint32_t level, uint32_t address)
{
    for (uint32_t below = 1; below < level; below++)
        address += size_of_level(shape, below);
    return address;
}

// Writes level and address of a switch to place.
static void place(const struct referee_shape *shape, uint32_t switch_, uint32_t *place)
{
    uint32_t level = 1;
    for (; switch_ >= size_of_level(shape, level); level++)
        switch_ -= size_of_level(shape, level);
    place[0] = level;
    place[1] = switch_;
}

// Returns how many switches are the root of one subtree: subtree j at level l has the switches (l,
// 2^(l-1) j) to (l, 2^(l-1) (j + 1) - 1).
static uint32_t roots(uint32_t level) { return 1u << (level - 1); }

// Returns a parent of switch (level, a). Both parents are among the roots of the subtree around its
// own: the one at the child's position among the roots of two sibling subtrees, and the one half
// way round from there.
static uint32_t parent(const struct referee_shape *shape, uint32_t level, uint32_t a, uint32_t up)
{
    const uint32_t around = roots(level + 1), subtree = a / (4 * roots(level));
    return number(shape, level + 1, subtree * around + (a + up * roots(level)) % around);
}

// Returns a child of switch (level, a): in the c-th of the four subtrees below, the root at the
// position that the parent has in its half of the roots.
static uint32_t child(const struct referee_shape *shape, uint32_t level, uint32_t a, uint32_t c)
{
    const uint32_t half = roots(level - 1), subtree = a / roots(level);
    return number(shape, level - 1, (4 * subtree + c) * half + a % half);
}

static uint32_t link_end(const struct referee_shape *shape, uint32_t link)
{
    const uint32_t injection = shape->switches * PORTS;
    if (link >= injection) return (link - injection) / DOWN_PORTS;
    const uint32_t *place = &shape->coordinates[(size_t)(link / PORTS) * 2];
    const uint32_t level = place[0], address = place[1], port = link % PORTS;

    if (port < DOWN_PORTS && level == 1) return shape->switches + 4 * address + port;
    if (port < DOWN_PORTS) return child(shape, level, address, port);
    if (level == shape->config.n) return REFEREE_NO_LINK;
    return parent(shape, level, address, port - UP);
}

static bool is_chained(const struct referee_shape *shape, uint32_t link)
{
    return link >= shape->switches * PORTS || link % PORTS >= UP;
}

static struct referee_route route(const struct referee_shape *shape,
                                  const struct referee_head *head)
{
    const uint32_t *place = &shape->coordinates[(size_t)head->switch_ * 2];
    const uint32_t level = place[0], subtree = place[1] / roots(level);
    const uint32_t destination = head->worm->destination;
    const uint8_t all = (uint8_t)referee_all_lanes(shape);
    struct referee_route route = {{0}};

    if (destination / four_to_the(level) == subtree)
        route.lanes[destination / four_to_the(level - 1) % 4] = all;
    else if (shape->config.routing == ANL_UP_DOWN_FIXED)
        route.lanes[UP + (head->worm->path >> (level - 1) & 1)] = all;
    else if (shape->config.routing == ANL_DESTINATION_TAG)
        route.lanes[UP + destination / roots(level) % 2] = all;
    else
        route.lanes[UP] = route.lanes[UP + 1] = all;
    return route;
}

static uint32_t num_paths(const struct referee_shape *shape)
{
    return shape->config.routing == ANL_UP_DOWN_FIXED ? roots(shape->config.n) : 1;
}

static void port_name(const struct referee_shape *shape, uint32_t port, char *name, size_t size)
{
    (void)shape;
    snprintf(name, size, "%c%" PRIu32, port < DOWN_PORTS ? 'd' : 'u', port % DOWN_PORTS);
}

const struct referee_family referee_trees = {
    .init = init,
    .place = place,
    .link_end = link_end,
    .is_chained = is_chained,
    .route = route,
    .num_paths = num_paths,
    .port_name = port_name,
};
