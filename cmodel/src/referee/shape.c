// SPDX-License-Identifier: Apache-2.0
//
// The referee's reading of docs/networks.md: where links end, where heads may go, and names.

#include "referee.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// Topologies that are not here are cubes.
static const struct referee_family *const families[] = {
    [ANL_FAT_TREE] = &referee_trees,
    [ANL_GRAPH] = &referee_graphs,
    [ANL_BUTTERFLY] = &referee_butterflies,
};

static const struct referee_family *family_of(const struct anl_config *config)
{
    const size_t number = (size_t)config->topology;
    const bool listed = number < sizeof families / sizeof *families && families[number];
    return listed ? families[number] : &referee_cubes;
}

static uint32_t *coordinates_of(const struct referee_shape *shape, uint32_t s)
{
    return &shape->coordinates[(size_t)s * shape->width];
}

static bool place_switches(struct referee_shape *shape)
{
    shape->coordinates = malloc((size_t)shape->switches * shape->width * sizeof(uint32_t));
    if (!shape->coordinates) return false;
    for (uint32_t s = 0; s < shape->switches; s++)
        shape->family->place(shape, s, coordinates_of(shape, s));
    return true;
}

// Returns whether the classes of messages have routings or tables of their own.
static bool classes_differ(const struct referee_shape *shape)
{
    const struct anl_config *config = &shape->config;
    return shape->classes > 1 &&
           (config->num_class_routings > 0 || (config->graph && config->graph->next));
}

// Each class is a network of its own with the same wiring: docs/switch.md, "Message classes".
static enum anl_status init_classes(struct referee_shape *shape)
{
    struct anl_config one = shape->config;
    enum anl_status status = ANL_OK;
    one.classes = 1;
    one.num_vcs = shape->lanes;
    one.num_class_routings = 0;
    shape->of_class = calloc(shape->classes, sizeof *shape->of_class);
    if (!shape->of_class) return ANL_ERR_MEMORY;
    for (uint32_t c = 0; !status && c < shape->classes; c++) {
        if (shape->config.num_class_routings > 0)
            one.routing = (enum anl_routing)shape->config.class_routing[c];
        status = referee_shape_init(&shape->of_class[c], &one);
        if (one.graph->next) one.graph = one.graph->next;
    }
    return status;
}

enum anl_status referee_shape_init(struct referee_shape *shape, const struct anl_config *config)
{
    *shape = (struct referee_shape){.config = *config, .family = family_of(config)};
    shape->classes = config->classes ? config->classes : 1;
    shape->lanes = config->num_vcs / shape->classes;
    shape->family->init(shape);
    shape->links = shape->switches * shape->ports + shape->terminals;

    if (!shape->family->fill && !place_switches(shape)) return ANL_ERR_MEMORY;
    if (classes_differ(shape)) return init_classes(shape);
    return shape->family->fill ? shape->family->fill(shape) : ANL_OK;
}

const struct referee_shape *referee_class_shape(const struct referee_shape *shape, uint32_t class_)
{
    return shape->of_class ? &shape->of_class[class_] : shape;
}

void referee_shape_free(struct referee_shape *shape)
{
    for (uint32_t c = 0; shape->of_class && c < shape->classes; c++)
        referee_shape_free(&shape->of_class[c]);
    free(shape->of_class);
    free(shape->coordinates);
    free(shape->entries);
    free(shape->layers);
}

// --- links ---

uint32_t referee_link_end(const struct referee_shape *shape, uint32_t link)
{
    return shape->family->link_end(shape, link);
}

uint32_t referee_link_input(const struct referee_shape *shape, uint32_t link)
{
    return shape->family->link_input ? shape->family->link_input(shape, link) : 0;
}

bool referee_link_is_chained(const struct referee_shape *shape, uint32_t link)
{
    if (shape->config.credits != ANL_BYPASS) return false;
    if (shape->config.link == ANL_WIDE) return true;
    return shape->family->is_chained && shape->family->is_chained(shape, link);
}

uint8_t referee_link_cycles(const struct referee_shape *shape, uint32_t link)
{
    const bool injection = link >= shape->switches * shape->ports;
    const bool between = !injection && referee_link_end(shape, link) < shape->switches;
    const uint32_t cycles = shape->config.link_cycles;
    return (uint8_t)(between && cycles ? cycles : 1);
}

uint8_t referee_passage_cycles(const struct referee_shape *shape, uint32_t link)
{
    const uint32_t stages = shape->config.stages ? shape->config.stages : 1;
    return (uint8_t)(referee_link_cycles(shape, link) + stages - 1);
}

// --- lanes and routes ---

uint32_t referee_all_lanes(const struct referee_shape *shape) { return (1u << shape->lanes) - 1; }

uint32_t referee_adaptive_lanes(const struct referee_shape *shape)
{
    return (1u << (shape->lanes - shape->escapes)) - 1;
}

// Returns the lane of a link that is lane 0 of the worm's class.
static uint32_t first_lane(const struct referee_shape *shape, const struct referee_worm *worm)
{
    return worm->class_ * shape->lanes;
}

uint32_t referee_class_lanes(const struct referee_shape *shape, const struct referee_worm *worm)
{
    return referee_all_lanes(shape) << first_lane(shape, worm);
}

uint32_t referee_injection_lanes(const struct referee_shape *shape, const struct referee_worm *worm)
{
    return referee_layer_lanes(referee_class_shape(shape, worm->class_), worm)
           << first_lane(shape, worm);
}

struct referee_route referee_route(const struct referee_shape *shape,
                                   const struct referee_head *head)
{
    const uint32_t first = first_lane(shape, head->worm);
    const struct referee_shape *one = referee_class_shape(shape, head->worm->class_);
    struct referee_route route = one->family->route(one, head);
    for (uint32_t port = 0; port < shape->ports; port++)
        route.lanes[port] = (uint8_t)(route.lanes[port] << first);
    return route;
}

uint32_t referee_num_paths(const struct referee_shape *shape)
{
    return shape->family->num_paths ? shape->family->num_paths(shape) : 1;
}

bool referee_way_exists(const struct referee_shape *shape, const struct anl_worm *worm)
{
    if (worm->has_path && worm->path >= referee_num_paths(shape)) return false;
    if (!worm->route) return true;
    return shape->config.routing == ANL_SOURCE && referee_graph_has_route(shape, worm);
}

// --- names ---

void referee_switch_name(const struct referee_shape *shape, uint32_t switch_, char *name)
{
    if (shape->family->switch_name) {
        shape->family->switch_name(shape, switch_, name);
        return;
    }
    const uint32_t *coordinates = coordinates_of(shape, switch_);
    int used = snprintf(name, REFEREE_NAME_BYTES, "%" PRIu32, switch_);
    for (uint32_t d = 0; d < shape->width; d++)
        used += snprintf(name + used, (size_t)(REFEREE_NAME_BYTES - used), "%c%" PRIu32,
                         d == 0 ? '(' : ',', coordinates[d]);
    snprintf(name + used, (size_t)(REFEREE_NAME_BYTES - used), ")");
}

static void port_name(const struct referee_shape *shape, uint32_t port, char *name, size_t size)
{
    if (shape->family->port_name)
        shape->family->port_name(shape, port, name, size);
    else
        snprintf(name, size, "%" PRIu32, port);
}

void referee_link_name(const struct referee_shape *shape, uint32_t link, char *name)
{
    const uint32_t injection = shape->switches * shape->ports;
    char node[REFEREE_NAME_BYTES], port[16];

    if (link >= shape->links) {
        snprintf(name, REFEREE_NAME_BYTES, "link %" PRIu32, link);
    } else if (link >= injection) {
        snprintf(name, REFEREE_NAME_BYTES, "T%" PRIu32 ".inject", link - injection);
    } else {
        referee_switch_name(shape, link / shape->ports, node);
        port_name(shape, link % shape->ports, port, sizeof port);
        snprintf(name, REFEREE_NAME_BYTES, "%.70s.%s", node, port);
    }
}
