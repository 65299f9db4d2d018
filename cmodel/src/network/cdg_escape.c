// SPDX-License-Identifier: Apache-2.0
//
// The extended channel-dependency graph of the escape lanes: docs/cdg.md, "Escape lanes". For each
// destination the places where its heads may stand are visited in the order in which all that lies
// before them is known: asked[place] is the set of the escape lanes for which a head at a place may
// ask, there or after adaptive lanes.

#include "network.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };
#define MOST_WORDS (SIZE_MAX >> 37)  // of the graph: 2^27 words are a gigabyte

struct step {
    uint32_t place;
    uint32_t rest;  // mask of the ports that are still to be followed
};

struct visit {
    const struct anl_config *config;
    uint32_t first;  // lane of the class
    struct anl_cdg *cdg;
    struct cdg_places places;
    uint32_t escapes, destination;
    uint32_t *met;             // [places] the last destination whose heads come there; UINT32_MAX
    struct anl_route *routes;  // [places] for this destination
    uint64_t *asked;           // [places * words]
    struct step *path;         // [places]
    size_t length;
    struct anl_stranded *stranded;
};

static uint32_t lowest(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }

// --- sets of escape lanes ---

static size_t index_of(const struct anl_cdg *cdg, uint32_t lane)
{
    return (size_t)(lane / cdg->num_vcs) * cdg->num_escapes + lane % cdg->num_vcs -
           cdg->first_escape;
}

static void add_all(const struct anl_cdg *cdg, uint64_t *set, const uint64_t *more)
{
    for (size_t i = 0; i < cdg->words; i++)
        set[i] |= more[i];
}

static uint64_t *row_of(const struct anl_cdg *cdg, uint32_t lane)
{
    return &cdg->rows[index_of(cdg, lane) * cdg->words];
}

size_t cdg_escape_after(const struct anl_cdg *cdg, uint32_t lane, uint32_t *lanes)
{
    const uint32_t first = cdg->first_escape, vc = lane % cdg->num_vcs;
    if (vc < first || vc >= first + cdg->num_escapes ||
        lane / cdg->num_vcs >= cdg->shape.switches * cdg->shape.ports)
        return 0;
    const uint64_t *row = row_of(cdg, lane);
    size_t count = 0;
    for (size_t i = 0; i < cdg->words; i++)
        for (uint64_t rest = row[i]; rest; rest &= rest - 1) {
            const uint32_t at = (uint32_t)(i * WORD) + (uint32_t)__builtin_ctzll(rest);
            lanes[count++] = at / cdg->num_escapes * cdg->num_vcs + first + at % cdg->num_escapes;
        }
    return count;
}

uint64_t cdg_escape_dependencies(const struct anl_cdg *cdg)
{
    const size_t lanes = (size_t)cdg->shape.switches * cdg->shape.ports * cdg->num_escapes;
    uint64_t count = 0;
    for (size_t i = 0; i < lanes * cdg->words; i++)
        count += (uint64_t)__builtin_popcountll(cdg->rows[i]);
    return count;
}

// --- the heads for one terminal ---

static uint32_t place_behind(const struct visit *visit, uint32_t place, uint32_t port)
{
    const uint32_t switch_ = cdg_switch_of(&visit->places, place);
    return visit->places.of_link[switch_ * visit->cdg->shape.ports + port];
}

static void arrive(struct visit *visit, uint32_t place)
{
    if (place == UINT32_MAX || visit->met[place] == visit->destination) return;
    visit->met[place] = visit->destination;
    struct anl_input_lane at = cdg_lane_at(&visit->places, place);
    at.vc = visit->first;
    visit->routes[place] = anl_route_at(visit->config, at, visit->destination);
    visit->path[visit->length++] = (struct step){place, visit->routes[place].ports};
}

// Notes what a head may ask for at a place, and what one may that takes an escape lane there; all
// places behind it are known.
static void settle(struct visit *visit, uint32_t place)
{
    const struct anl_cdg *cdg = visit->cdg;
    const struct anl_route *route = &visit->routes[place];
    const uint32_t first_link = cdg_switch_of(&visit->places, place) * cdg->shape.ports;
    uint64_t *asked = &visit->asked[place * cdg->words];
    bool gets_on = false;
    memset(asked, 0, cdg->words * sizeof *asked);
    for (uint32_t rest = route->ports; rest; rest &= rest - 1) {
        const uint32_t port = lowest(rest), next = place_behind(visit, place, port);
        const uint32_t escapes = route->vcs[port] & visit->escapes;
        gets_on |= next == UINT32_MAX || escapes;
        if (next == UINT32_MAX) continue;  // there, no lane is an escape lane
        const uint64_t *behind = &visit->asked[next * cdg->words];
        if (route->vcs[port] & ~visit->escapes) add_all(cdg, asked, behind);
        for (uint32_t vcs = escapes; vcs; vcs &= vcs - 1) {
            const uint32_t lane = (first_link + port) * cdg->num_vcs + lowest(vcs);
            asked[index_of(cdg, lane) / WORD] |= UINT64_C(1) << index_of(cdg, lane) % WORD;
            add_all(cdg, row_of(cdg, lane), behind);
        }
    }
    if (!gets_on && !visit->stranded->found)
        *visit->stranded =
            (struct anl_stranded){true, cdg_lane_at(&visit->places, place), visit->destination};
}

static void follow(struct visit *visit, uint32_t terminal)
{
    const struct anl_shape shape = visit->cdg->shape;
    arrive(visit, visit->places.of_link[shape.switches * shape.ports + terminal]);
    while (visit->length > 0) {
        struct step *last = &visit->path[visit->length - 1];
        if (!last->rest) {
            settle(visit, last->place);
            visit->length--;
            continue;
        }
        const uint32_t port = lowest(last->rest);
        last->rest &= last->rest - 1;
        arrive(visit, place_behind(visit, last->place, port));
    }
}

static void follow_all(struct visit *visit)
{
    memset(visit->met, 0xff, visit->places.count * sizeof *visit->met);
    for (uint32_t t = 0; t < visit->cdg->shape.terminals; t++) {
        visit->destination = t;
        for (uint32_t source = 0; source < visit->cdg->shape.terminals; source++)
            follow(visit, source);
    }
}

// --- the graph ---

static enum anl_status make_rows(struct anl_cdg *cdg, uint32_t escapes)
{
    const size_t lanes =
        (size_t)cdg->shape.switches * cdg->shape.ports * (size_t)__builtin_popcount(escapes);
    cdg->num_escapes = (uint32_t)__builtin_popcount(escapes);
    cdg->first_escape = lowest(escapes);
    cdg->words = (lanes + WORD - 1) / WORD;
    if (lanes * cdg->words > MOST_WORDS) return ANL_ERR_ARGUMENT;
    cdg->rows = calloc(lanes * cdg->words, sizeof *cdg->rows);
    return cdg->rows ? ANL_OK : ANL_ERR_MEMORY;
}

static enum anl_status fill(struct visit *visit)
{
    const size_t places = visit->places.count;
    visit->met = malloc(places * sizeof *visit->met);
    visit->routes = malloc(places * sizeof *visit->routes);
    visit->asked = malloc(places * visit->cdg->words * sizeof *visit->asked);
    visit->path = malloc(places * sizeof *visit->path);
    const bool good = visit->met && visit->routes && visit->asked && visit->path;
    if (good) follow_all(visit);
    free(visit->met);
    free(visit->routes);
    free(visit->asked);
    free(visit->path);
    return good ? ANL_OK : ANL_ERR_MEMORY;
}

enum anl_status anl_cdg_of_escapes(const struct anl_config *config, uint32_t class_,
                                   struct anl_cdg **cdg, struct anl_stranded *stranded)
{
    const struct anl_shape shape = anl_shape_of(config);
    struct visit visit = {.config = config,
                          .first = class_ * anl_class_lanes(config),
                          .escapes = anl_escape_lanes(config) & anl_class_vcs(config, class_),
                          .stranded = stranded};
    *cdg = NULL;
    *stranded = (struct anl_stranded){0};
    if (!visit.escapes || (uint64_t)shape.switches * shape.terminals > ANL_CDG_ROUTES)
        return ANL_ERR_ARGUMENT;
    enum anl_status status = cdg_create_lanes(config, &visit.cdg);
    if (!status) status = make_rows(visit.cdg, visit.escapes);
    if (!status) status = cdg_find_places(config, &visit.places);
    if (!status) status = fill(&visit);
    free(visit.places.of_link);
    if (status) {
        anl_cdg_destroy(visit.cdg);
        return status;
    }
    *cdg = visit.cdg;
    return ANL_OK;
}

// --- the verdict ---

// Finds out whether the escape lanes of a class keep it from deadlock.
static enum anl_status check_escapes(const struct anl_config *config, uint32_t class_,
                                     struct anl_safety *safety, bool *is_safe)
{
    const struct anl_config one = anl_config_of_class(config, class_);
    anl_cdg_destroy(safety->escapes);
    safety->class_ = class_;
    enum anl_status status =
        anl_cdg_of_escapes(config, class_, &safety->escapes, &safety->stranded);
    if (!status) status = anl_cdg_is_acyclic(safety->escapes, &safety->escapes_are_acyclic);
    *is_safe =
        safety->escapes_are_acyclic && !safety->stranded.found && anl_escapes_are_asked(&one);
    return status;
}

// Makes the graph of a network with the dependencies of one class alone. Whoever waits for a reply
// to leave is in another class.
static enum anl_status graph_of_class(const struct anl_config *config, uint32_t class_,
                                      struct anl_cdg **cdg)
{
    struct anl_config without = *config;
    without.reply_queue = 0;
    const enum anl_status status = anl_cdg_of(&without, cdg);
    for (uint32_t lane = 0; !status && lane < (*cdg)->lanes; lane++)
        if (anl_class_of(config, lane % config->num_vcs) != class_)
            memset(&(*cdg)->after[(size_t)lane * (*cdg)->shape.ports], 0, (*cdg)->shape.ports);
    return status;
}

// Finds out whether a class with a routing of its own is safe by itself.
static enum anl_status check_class(const struct anl_config *config, uint32_t class_,
                                   struct anl_safety *safety, bool *is_safe)
{
    const struct anl_config one = anl_config_of_class(config, class_);
    struct anl_cdg *graph;
    *is_safe = anl_is_acyclic_by_rule(&one);
    if (*is_safe) return ANL_OK;
    enum anl_status status = graph_of_class(config, class_, &graph);
    if (!status) status = anl_cdg_is_acyclic(graph, is_safe);
    const bool escapes = anl_escape_lanes(&one) != 0;
    if (!status && !*is_safe && escapes) status = check_escapes(config, class_, safety, is_safe);
    if (status || *is_safe || escapes) {
        anl_cdg_destroy(graph);
        return status;
    }
    anl_safety_free(safety);
    safety->graph = graph;
    safety->class_ = class_;
    return ANL_OK;
}

static enum anl_status check_classes(const struct anl_config *config, struct anl_safety *safety)
{
    enum anl_status status = ANL_OK;
    safety->is_safe = true;
    for (uint32_t c = 0; !status && safety->is_safe && c < anl_num_classes(config); c++)
        status = check_class(config, c, safety, &safety->is_safe);
    return status;
}

enum anl_status anl_safety_of(const struct anl_config *config, struct anl_safety *safety)
{
    *safety = (struct anl_safety){0};
    enum anl_status status = anl_cdg_of(config, &safety->graph);
    if (!status) status = anl_cdg_is_acyclic(safety->graph, &safety->is_acyclic);
    safety->replies_wait = config->reply_queue && anl_num_classes(config) == 1;
    if (!status && anl_classes_differ(config))
        status = safety->is_acyclic ? ANL_OK : check_classes(config, safety);
    else if (!status && anl_escape_lanes(config))
        status = check_escapes(config, 0, safety, &safety->is_safe);
    safety->is_safe = safety->is_acyclic || (safety->is_safe && !safety->replies_wait);
    if (status) anl_safety_free(safety);
    return status;
}

void anl_safety_free(struct anl_safety *safety)
{
    anl_cdg_destroy(safety->graph);
    anl_cdg_destroy(safety->escapes);
    safety->graph = safety->escapes = NULL;
}
