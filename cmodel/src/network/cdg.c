// SPDX-License-Identifier: Apache-2.0
//
// Channel-dependency graphs: filled by a caller, or made from the wiring and the routes of a
// network.

#include "network.h"

#include <stdlib.h>
#include <string.h>

// --- any graph ---

static uint32_t lowest(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }

static bool find_answers(const struct anl_config *config, struct anl_cdg *cdg)
{
    if (cdg->answers) return true;
    cdg->answers = malloc(cdg->shape.links * sizeof *cdg->answers);
    if (!cdg->answers) return false;
    memset(cdg->answers, 0xff, cdg->shape.links * sizeof *cdg->answers);
    for (uint32_t t = 0; t < cdg->shape.terminals; t++)
        cdg->answers[anl_ejection_link(config, t)] = anl_injection_link(config, t);
    return true;
}

enum anl_status anl_cdg_wait(const struct anl_config *config, struct anl_cdg *cdg, uint32_t class_,
                             uint32_t for_class)
{
    if (!find_answers(config, cdg)) return ANL_ERR_MEMORY;
    for (uint32_t vcs = anl_class_vcs(config, class_); vcs; vcs &= vcs - 1)
        cdg->waits[lowest(vcs)] |= (uint8_t)anl_class_vcs(config, for_class);
    return ANL_OK;
}

static enum anl_status create(const struct anl_config *config, struct anl_cdg **cdg)
{
    struct anl_cdg *made = calloc(1, sizeof *made);
    *cdg = NULL;
    if (!made) return ANL_ERR_MEMORY;
    made->shape = anl_shape_of(config);
    made->num_vcs = config->num_vcs;
    made->lanes = made->shape.links * config->num_vcs;
    made->end = malloc(made->shape.links * sizeof *made->end);
    if (!made->end) {
        anl_cdg_destroy(made);
        return ANL_ERR_MEMORY;
    }
    memset(made->end, 0xff, made->shape.links * sizeof *made->end);
    // Requests wait for replies (docs/cdg.md, "Terminals that refuse").
    if (config->reply_queue && anl_cdg_wait(config, made, 0, anl_num_classes(config) - 1)) {
        anl_cdg_destroy(made);
        return ANL_ERR_MEMORY;
    }
    *cdg = made;
    return ANL_OK;
}

enum anl_status anl_cdg_create(const struct anl_config *config, struct anl_cdg **cdg)
{
    const enum anl_status status = create(config, cdg);
    if (status) return status;
    (*cdg)->after = calloc((size_t)(*cdg)->lanes * (*cdg)->shape.ports, sizeof *(*cdg)->after);
    if ((*cdg)->after) return ANL_OK;
    anl_cdg_destroy(*cdg);
    *cdg = NULL;
    return ANL_ERR_MEMORY;
}

void anl_cdg_destroy(struct anl_cdg *cdg)
{
    if (!cdg) return;
    free(cdg->end);
    free(cdg->answers);
    free(cdg->after);
    free(cdg->rows);
    free(cdg);
}

void anl_cdg_set_end(struct anl_cdg *cdg, uint32_t link, uint32_t switch_)
{
    cdg->end[link] = switch_;
}

void anl_cdg_add(struct anl_cdg *cdg, uint32_t lane, uint32_t port, uint32_t vcs)
{
    cdg->after[(size_t)lane * cdg->shape.ports + port] |= (uint8_t)vcs;
}

uint32_t anl_cdg_lanes(const struct anl_cdg *cdg) { return cdg->lanes; }

uint64_t anl_cdg_dependencies(const struct anl_cdg *cdg)
{
    uint64_t count = 0;
    if (cdg->rows) return cdg_escape_dependencies(cdg);
    for (size_t i = 0; i < (size_t)cdg->lanes * cdg->shape.ports; i++)
        count += (uint64_t)__builtin_popcount(cdg->after[i]);
    for (uint32_t vc = 0; vc < cdg->num_vcs; vc++)
        count += (uint64_t)cdg->shape.terminals * (uint64_t)__builtin_popcount(cdg->waits[vc]);
    return count;
}

size_t anl_cdg_most_after(const struct anl_cdg *cdg)
{
    if (cdg->rows) return (size_t)cdg->shape.switches * cdg->shape.ports * cdg->num_escapes;
    return (size_t)cdg->shape.ports * cdg->num_vcs;
}

// Returns true if terminals may refuse what comes by this lane until something else has left.
static bool is_answered(const struct anl_cdg *cdg, uint32_t lane)
{
    return cdg->answers && cdg->answers[lane / cdg->num_vcs] != UINT32_MAX &&
           cdg->waits[lane % cdg->num_vcs];
}

static size_t answers_after(const struct anl_cdg *cdg, uint32_t lane, uint32_t *lanes)
{
    const uint32_t first = cdg->answers[lane / cdg->num_vcs] * cdg->num_vcs;
    size_t count = 0;
    for (uint32_t vcs = cdg->waits[lane % cdg->num_vcs]; vcs; vcs &= vcs - 1)
        lanes[count++] = first + (uint32_t)__builtin_ctz(vcs);
    return count;
}

size_t anl_cdg_after(const struct anl_cdg *cdg, uint32_t lane, uint32_t *lanes)
{
    const uint32_t ports = cdg->shape.ports, end = cdg->end[lane / cdg->num_vcs];
    size_t count = 0;
    if (cdg->rows) return cdg_escape_after(cdg, lane, lanes);
    if (is_answered(cdg, lane)) return answers_after(cdg, lane, lanes);
    for (uint32_t port = 0; end != UINT32_MAX && port < ports; port++)
        for (uint32_t vcs = cdg->after[(size_t)lane * ports + port]; vcs; vcs &= vcs - 1)
            lanes[count++] = (end * ports + port) * cdg->num_vcs + (uint32_t)__builtin_ctz(vcs);
    return count;
}

// --- the graph of a network ---

static void find_ends(struct anl_cdg *cdg, const struct anl_config *config)
{
    for (uint32_t link = 0; link < cdg->shape.links; link++) {
        const struct anl_end end = anl_end_of(config, link);
        if (end.exists && !end.is_terminal) anl_cdg_set_end(cdg, link, end.node);
    }
}

enum anl_status cdg_create_lanes(const struct anl_config *config, struct anl_cdg **cdg)
{
    const enum anl_status status = create(config, cdg);
    if (!status) find_ends(*cdg, config);
    return status;
}

enum anl_status cdg_find_places(const struct anl_config *config, struct cdg_places *places)
{
    const struct anl_shape shape = anl_shape_of(config);
    places->ports = anl_reads_input(config) ? shape.ports : 1;
    places->count = shape.switches * places->ports;
    places->of_link = malloc(shape.links * sizeof *places->of_link);
    for (uint32_t link = 0; places->of_link && link < shape.links; link++) {
        const struct anl_end end = anl_end_of(config, link);
        const uint32_t place = end.node * places->ports + end.port % places->ports;
        places->of_link[link] = end.exists && !end.is_terminal ? place : UINT32_MAX;
    }
    return places->of_link ? ANL_OK : ANL_ERR_MEMORY;
}

// The heads for one terminal in the lanes of one group.
struct heads {
    struct cdg_places places;
    uint32_t destination;
    uint32_t vcs;              // the lanes of the group
    uint32_t round;            // number of this destination and group
    struct anl_route *routes;  // [places] the route to the destination
    uint32_t *met;             // [places] the last round whose heads come to the place; UINT32_MAX
    uint32_t *queue;           // [count] the places to which heads come in this round
    size_t count;
};

// Makes the lanes vcs of a link depend on the lanes of the route at its end.
static void go_on(struct anl_cdg *cdg, const struct anl_route *route, uint32_t link, uint32_t vcs)
{
    for (; vcs; vcs &= vcs - 1)
        for (uint32_t rest = route->ports; rest; rest &= rest - 1)
            anl_cdg_add(cdg, link * cdg->num_vcs + lowest(vcs), lowest(rest),
                        route->vcs[lowest(rest)]);
}

// Lets heads that are in the lanes vcs of a link go on.
static void follow(struct anl_cdg *cdg, struct heads *heads, uint32_t link, uint32_t vcs)
{
    const uint32_t place = heads->places.of_link[link];
    if (place == UINT32_MAX) return;
    go_on(cdg, &heads->routes[place], link, vcs);
    if (heads->met[place] == heads->round) return;
    heads->met[place] = heads->round;
    heads->queue[heads->count++] = place;
}

// Adds the dependencies of heads for one terminal, which begin in the injection links of all
// terminals whose worms go in the group.
static void find_dependencies(struct anl_cdg *cdg, const struct anl_config *config,
                              struct heads *heads)
{
    const struct anl_shape shape = cdg->shape;
    const uint32_t injections = shape.switches * shape.ports;
    heads->count = 0;
    for (uint32_t t = 0; t < shape.terminals; t++)
        if (anl_injection_vcs(config, t, heads->destination) & heads->vcs)
            follow(cdg, heads, injections + t, heads->vcs);
    for (size_t i = 0; i < heads->count; i++) {
        const uint32_t first_link = cdg_switch_of(&heads->places, heads->queue[i]) * shape.ports;
        const struct anl_route *route = &heads->routes[heads->queue[i]];
        for (uint32_t rest = route->ports; rest; rest &= rest - 1)
            follow(cdg, heads, first_link + lowest(rest), route->vcs[lowest(rest)]);
    }
}

static void follow_group(struct anl_cdg *cdg, const struct anl_config *config, struct heads *heads)
{
    for (uint32_t place = 0; place < heads->places.count; place++) {
        struct anl_input_lane at = cdg_lane_at(&heads->places, place);
        at.vc = lowest(heads->vcs);
        heads->routes[place] = anl_route_at(config, at, heads->destination);
    }
    find_dependencies(cdg, config, heads);
    heads->round++;
}

static void follow_all(struct anl_cdg *cdg, const struct anl_config *config, struct heads *heads)
{
    memset(heads->met, 0xff, heads->places.count * sizeof *heads->met);
    for (heads->destination = 0; heads->destination < cdg->shape.terminals; heads->destination++)
        for (uint32_t left = (1u << cdg->num_vcs) - 1; left; left &= ~heads->vcs) {
            heads->vcs = anl_group_vcs(config, lowest(left));
            follow_group(cdg, config, heads);
        }
}

// Follows a worm with a path from its source to its destination, in all lanes of a class. Returns
// false if it does not come there: in each of its two phases it meets a switch once, and it always
// has a lane.
static bool follow_worm(const struct anl_config *config, struct anl_cdg *cdg, uint32_t class_,
                        uint32_t source, uint32_t path, uint32_t destination)
{
    uint32_t link = cdg->shape.switches * cdg->shape.ports + source;
    uint32_t vcs = anl_class_vcs(config, class_), hops = 0;
    for (struct anl_end end; end = anl_end_of(config, link), !end.is_terminal; hops++) {
        if (!vcs || hops > 2 * cdg->shape.switches) return false;
        const struct anl_input_lane at = {end.node, end.port, lowest(vcs)};
        const struct anl_route route = anl_route_on_path(config, at, destination, path);
        const struct anl_way way = anl_first_way(route);
        go_on(cdg, &route, link, vcs);
        link = end.node * cdg->shape.ports + way.port;
        vcs = way.vcs;
    }
    return true;
}

// Follows all worms with routing valiant that turn into the second phase at a switch. Whatever a
// worm does in the first phase shows if it ends there; whatever it does in the second one, if it
// begins there, or next to it, by which of the links it has come.
static bool follow_phases(const struct anl_config *config, struct anl_cdg *cdg, uint32_t class_,
                          uint32_t path)
{
    for (uint32_t t = 0; t < cdg->shape.terminals; t++) {
        if (!follow_worm(config, cdg, class_, t, path, path) ||
            !follow_worm(config, cdg, class_, path, path, t))
            return false;
        for (uint32_t port = 0; port < cdg->shape.ports; port++) {
            const struct anl_end from = anl_link_end(config, path, port);
            if (from.exists && !from.is_terminal &&
                !follow_worm(config, cdg, class_, from.node, path, t))
                return false;
        }
    }
    return true;
}

static enum anl_status follow_valiant(const struct anl_config *config, struct anl_cdg *cdg)
{
    for (uint32_t c = 0; c < anl_num_classes(config); c++)
        for (uint32_t path = 0; path < cdg->shape.switches; path++)
            if (!follow_phases(config, cdg, c, path)) return ANL_ERR_STALLED;
    return ANL_OK;
}

// With source routes it is known which turns the routes make.
static enum anl_status find_turns(const struct anl_config *config, struct anl_cdg **cdg)
{
    const enum anl_status status = anl_cdg_create(config, cdg);
    if (status) return status;
    find_ends(*cdg, config);
    for (uint32_t link = 0; link < (*cdg)->shape.links; link++) {
        const struct anl_end end = anl_end_of(config, link);
        if (!end.exists || end.is_terminal) continue;
        const uint32_t turns = config->graph->turns[end.node * (*cdg)->shape.ports + end.port];
        for (uint32_t vc = 0; vc < config->num_vcs; vc++)
            for (uint32_t rest = turns; rest; rest &= rest - 1)
                anl_cdg_add(*cdg, link * config->num_vcs + vc, lowest(rest),
                            anl_group_vcs(config, vc));
    }
    return ANL_OK;
}

static enum anl_status fill(const struct anl_config *config, struct anl_cdg *cdg)
{
    struct heads heads = {0};
    const enum anl_status status = cdg_find_places(config, &heads.places);
    if (status) return status;
    heads.routes = malloc(heads.places.count * sizeof *heads.routes);
    heads.met = malloc(heads.places.count * sizeof *heads.met);
    heads.queue = malloc(heads.places.count * sizeof *heads.queue);
    const bool good = heads.routes && heads.met && heads.queue;
    if (good) follow_all(cdg, config, &heads);
    free(heads.places.of_link);
    free(heads.routes);
    free(heads.met);
    free(heads.queue);
    return good ? ANL_OK : ANL_ERR_MEMORY;
}

enum anl_status anl_cdg_of(const struct anl_config *config, struct anl_cdg **cdg)
{
    const struct anl_shape shape = anl_shape_of(config);
    *cdg = NULL;
    if (config->routing == ANL_SOURCE) return find_turns(config, cdg);
    if ((uint64_t)shape.switches * shape.terminals > ANL_CDG_ROUTES) return ANL_ERR_ARGUMENT;
    enum anl_status status = anl_cdg_create(config, cdg);
    if (status) return status;
    find_ends(*cdg, config);
    if (config->routing == ANL_VALIANT)
        status = follow_valiant(config, *cdg);
    else
        status = fill(config, *cdg);
    if (!status) return ANL_OK;
    anl_cdg_destroy(*cdg);
    *cdg = NULL;
    return status;
}
