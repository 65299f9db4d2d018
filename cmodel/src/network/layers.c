// SPDX-License-Identifier: Apache-2.0
//
// Layers of routing layered (docs/networks.md, "Routing tables"): each pair of switches goes to the
// lowest layer in which its routes close no cycle of links.
//
// Each layer keeps its links in an order in which a link comes before those that depend on it. A
// new dependency against this order moves the links between its two ends, or closes a cycle
// (Marchetti-Spaccamela, Nanni and Rohnert, "Maintaining a topological order under edge
// insertions", 1996).

#include "network.h"

#include <stdlib.h>

enum { MOST_LAYERS = 255 };

// A dependency: heads in the link go on by this port of the switch at its end.
struct step {
    uint32_t link, port;
};

struct layer {
    uint32_t *memory;    // all arrays
    uint32_t *after;     // [links] mask of the ports by which heads in the link go on
    uint32_t *closes;    // [links] mask of ports by which they would close a cycle, as far as known
    uint32_t *position;  // [links] of each link in the order
    uint32_t *at;        // [links] the link at each position
};

struct assignment {
    struct anl_graph *graph;
    uint32_t links;      // switches * ports
    uint32_t round;      // number of the last search
    uint32_t *memory;    // all arrays of numbers
    uint32_t *begin;     // [switches + 1] where the terminals of each switch begin in sorted
    uint32_t *sorted;    // [terminals] by their switches
    uint32_t *marked;    // [links] the last search that came by
    uint32_t *list;      // [links] links that a search has found
    uint32_t *added;     // [room] of the steps below, those that are new in the layer
    struct step *steps;  // [room] the dependencies of a pair of switches
    uint32_t num_steps;
    struct layer layers[MOST_LAYERS];
    uint32_t num_layers;
};

// --- the order of a layer ---

// Marks a link and those that come after it, in any number of steps, up to the position of another
// link. Returns false if that one is among them.
static bool search(struct assignment *all, const struct layer *layer, uint32_t link, uint32_t last)
{
    const struct anl_graph *graph = all->graph;
    uint32_t count = 0;
    all->marked[link] = ++all->round;
    all->list[count++] = link;
    for (uint32_t next = 0; next < count; next++) {
        const uint32_t end = graph->ends[all->list[next]] / graph->ports * graph->ports;
        for (uint32_t rest = layer->after[all->list[next]]; rest; rest &= rest - 1) {
            const uint32_t after = end + (uint32_t)__builtin_ctz(rest);
            if (after == last) return false;
            if (all->marked[after] == all->round || layer->position[after] > layer->position[last])
                continue;
            all->marked[after] = all->round;
            all->list[count++] = after;
        }
    }
    return true;
}

static void place(struct layer *layer, uint32_t link, uint32_t position)
{
    layer->at[position] = link;
    layer->position[link] = position;
}

// Moves the marked links behind the others, from one position to another one.
static void move_behind(struct assignment *all, struct layer *layer, uint32_t first, uint32_t last)
{
    uint32_t count = 0, to = first;
    for (uint32_t from = first; from <= last; from++) {
        const uint32_t link = layer->at[from];
        if (all->marked[link] == all->round)
            all->list[count++] = link;
        else
            place(layer, link, to++);
    }
    for (uint32_t i = 0; i < count; i++)
        place(layer, all->list[i], to++);
}

// Puts a link before another one in the order. Returns false if this closes a cycle.
static bool put_before(struct assignment *all, struct layer *layer, uint32_t from, uint32_t to)
{
    const uint32_t first = layer->position[to], last = layer->position[from];
    if (last < first) return true;
    if (from == to || !search(all, layer, to, from)) return false;
    move_behind(all, layer, first, last);
    return true;
}

// --- pairs of switches ---

static uint32_t link_after(const struct assignment *all, struct step step)
{
    return all->graph->ends[step.link] / all->graph->ports * all->graph->ports + step.port;
}

// Returns true if one of the dependencies of the pair is known to close a cycle in a layer.
static bool surely_closes(const struct assignment *all, const struct layer *layer)
{
    for (uint32_t i = 0; i < all->num_steps; i++)
        if (layer->closes[all->steps[i].link] >> all->steps[i].port & 1) return true;
    return false;
}

// Takes the dependencies added[] of the pair out of a layer again. Remembers the one that closed a
// cycle if it does so without them.
static void take_back(struct assignment *all, struct layer *layer, uint32_t added, struct step last)
{
    for (uint32_t i = 0; i < added; i++)
        layer->after[all->steps[all->added[i]].link] &= ~(1u << all->steps[all->added[i]].port);
    if (added == 0 || !put_before(all, layer, last.link, link_after(all, last)))
        layer->closes[last.link] |= 1u << last.port;
}

// Adds the dependencies of the pair to a layer. Returns false if they close a cycle; then nothing
// but the order has changed.
static bool fits(struct assignment *all, struct layer *layer)
{
    uint32_t added = 0;
    if (surely_closes(all, layer)) return false;
    for (uint32_t i = 0; i < all->num_steps; i++) {
        const struct step step = all->steps[i];
        if (layer->after[step.link] >> step.port & 1) continue;
        if (!put_before(all, layer, step.link, link_after(all, step))) {
            take_back(all, layer, added, step);
            return false;
        }
        layer->after[step.link] |= 1u << step.port;
        all->added[added++] = i;
    }
    return true;
}

static bool open_layer(struct assignment *all)
{
    struct layer *layer = &all->layers[all->num_layers];
    layer->memory = calloc((size_t)4 * all->links, sizeof *layer->memory);
    if (!layer->memory) return false;
    layer->after = layer->memory;
    layer->closes = layer->after + all->links;
    layer->position = layer->closes + all->links;
    layer->at = layer->position + all->links;
    for (uint32_t link = 0; link < all->links; link++)
        layer->position[link] = layer->at[link] = link;
    all->num_layers++;
    return true;
}

// Returns the output port by which heads for a terminal leave a switch.
static uint32_t port_to(const struct anl_graph *graph, uint32_t s, uint32_t terminal)
{
    return graph->routes[graph_entry(graph, s, 0, terminal)].port;
}

// Lists the dependencies of the routes from a switch to the terminals of another one.
static void list_steps(struct assignment *all, uint32_t from, uint32_t to)
{
    const struct anl_graph *graph = all->graph;
    all->num_steps = 0;
    for (uint32_t i = all->begin[to]; i < all->begin[to + 1]; i++) {
        uint32_t link = from * graph->ports + port_to(graph, from, all->sorted[i]);
        for (uint32_t s = graph->ends[link] / graph->ports; s != to;) {
            const uint32_t port = port_to(graph, s, all->sorted[i]);
            all->steps[all->num_steps++] = (struct step){link, port};
            link = s * graph->ports + port;
            s = graph->ends[link] / graph->ports;
        }
    }
}

// Sets *layer to the layer of a pair of switches.
static enum anl_status assign_pair(struct assignment *all, uint32_t from, uint32_t to,
                                   uint8_t *layer, struct anl_error *error)
{
    uint32_t i = 0;
    list_steps(all, from, to);
    for (;; i++) {
        if (i == MOST_LAYERS)
            return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                            "routing layered needs more than %d layers on this graph", MOST_LAYERS);
        if (i == all->num_layers && !open_layer(all))
            return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for layers");
        if (fits(all, &all->layers[i])) break;
    }
    *layer = (uint8_t)i;
    return ANL_OK;
}

static enum anl_status assign_from(struct assignment *all, uint32_t from, struct anl_error *error)
{
    const struct anl_graph *graph = all->graph;
    enum anl_status status = ANL_OK;
    for (uint32_t to = 0; !status && to < graph->switches; to++) {
        uint8_t layer = 0;
        if (all->begin[to] == all->begin[to + 1]) continue;
        if (to != from) status = assign_pair(all, from, to, &layer, error);
        for (uint32_t i = all->begin[to]; i < all->begin[to + 1]; i++)
            graph->layers[(size_t)from * graph->terminals + all->sorted[i]] = layer;
    }
    return status;
}

// --- all ---

static void sort_terminals(struct assignment *all)
{
    const struct anl_graph *graph = all->graph;
    uint32_t sum = 0;
    for (uint32_t t = 0; t < graph->terminals; t++)
        all->begin[graph->homes[t] / graph->ports]++;
    for (uint32_t s = 0; s <= graph->switches; s++)
        all->begin[s] = sum += all->begin[s];
    for (uint32_t t = graph->terminals; t-- > 0;)
        all->sorted[--all->begin[graph->homes[t] / graph->ports]] = t;
}

static bool create(struct assignment *all, struct anl_graph *graph)
{
    const size_t links = (size_t)graph->switches * graph->ports;
    *all = (struct assignment){.graph = graph, .links = (uint32_t)links};
    all->memory = calloc(graph->switches + 1 + graph->terminals + 3 * links, sizeof *all->memory);
    all->steps = malloc(links * sizeof *all->steps);
    if (!all->memory || !all->steps) return false;
    all->begin = all->memory;
    all->sorted = all->begin + graph->switches + 1;
    all->marked = all->sorted + graph->terminals;
    all->list = all->marked + links;
    all->added = all->list + links;
    sort_terminals(all);
    return true;
}

static void destroy(struct assignment *all)
{
    for (uint32_t i = 0; i < all->num_layers; i++)
        free(all->layers[i].memory);
    free(all->memory);
    free(all->steps);
}

static enum anl_status assign(struct anl_graph *graph, struct anl_error *error)
{
    struct assignment all;
    enum anl_status status = ANL_OK;
    if (!create(&all, graph))
        status = anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for layers");
    for (uint32_t from = 0; !status && from < graph->switches; from++)
        if (all.begin[from] < all.begin[from + 1]) status = assign_from(&all, from, error);
    graph->num_layers = all.num_layers ? all.num_layers : 1;
    destroy(&all);
    return status;
}

enum anl_status graph_assign_layers(struct anl_graph *graph, uint32_t num_vcs,
                                    struct anl_error *error)
{
    graph->layers = calloc(graph->switches, graph->terminals);
    if (!graph->layers) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for layers");
    const enum anl_status status = assign(graph, error);
    if (!status && graph->num_layers > num_vcs)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "routing layered expects at least %u lanes for a worm on this graph, one "
                        "for each layer, found %u",
                        graph->num_layers, num_vcs);
    return status;
}

uint32_t graph_layer_vcs(const struct anl_graph *graph, uint32_t num_vcs, uint32_t layer)
{
    const uint32_t each = num_vcs / graph->num_layers, all = (1u << num_vcs) - 1;
    const uint32_t from = all & ~((1u << layer * each) - 1);
    return layer + 1 == graph->num_layers ? from : from & ((1u << (layer + 1) * each) - 1);
}

uint32_t graph_layer_of(const struct anl_graph *graph, uint32_t num_vcs, uint32_t vc)
{
    const uint32_t layer = vc / (num_vcs / graph->num_layers);
    return layer < graph->num_layers ? layer : graph->num_layers - 1;
}
