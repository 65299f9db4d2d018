// SPDX-License-Identifier: Apache-2.0

#include "greenberg_oh.h"

#include <annelid/engine.h>
#include <annelid/network.h>
#include <annelid/workload.h>
#include <math.h>
#include <stdlib.h>

uint32_t area_terminal(uint32_t row, uint32_t column)
{
    uint32_t terminal = 0;
    for (uint32_t bit = 0; bit < 16; bit++)
        terminal |= (column >> bit & 1) << 2 * bit | (row >> bit & 1) << (2 * bit + 1);
    return terminal;
}

// --- a binary tree ---

// Switch i has the children 2 i + 1 and 2 i + 2, by its ports 0 and 1, and its parent by port 2.
enum { TREE_PORTS = 3, TREE_UP = 2 };

static enum anl_status join(struct anl_graph *graph, uint32_t child, struct anl_error *error)
{
    const uint32_t up = child * TREE_PORTS + TREE_UP;
    const uint32_t down = (child - 1) / 2 * TREE_PORTS + (child - 1) % 2;
    enum anl_status status = anl_graph_link(graph, up, down, error);
    if (!status) status = anl_graph_link(graph, down, up, error);
    return status;
}

enum anl_status area_tree(struct anl_scenario *scenario, struct anl_error *error)
{
    const uint32_t terminals = scenario->network.k * scenario->network.k, switches = terminals - 1;
    const uint32_t lowest = terminals / 2 - 1;  // the first switch above two terminals
    struct anl_graph *graph;
    enum anl_status status = anl_graph_create(switches, TREE_PORTS, terminals, &graph, error);
    if (status) return status;
    for (uint32_t child = 1; child < switches && !status; child++)
        status = join(graph, child, error);
    for (uint32_t t = 0; t < terminals && !status; t++)
        status = anl_graph_attach(graph, t, (lowest + t / 2) * TREE_PORTS + t % 2, error);
    if (!status) status = anl_graph_route(graph, ANL_UP_DOWN, 1, error);
    scenario->graph = graph;
    scenario->network.topology = ANL_GRAPH;
    scenario->network.routing = ANL_UP_DOWN;
    scenario->network.graph = graph;
    scenario->network.k = terminals;
    scenario->network.n = 1;
    return status;
}

// --- what a competitor moves ---

struct mesh {
    const struct anl_scenario *scenario;
    struct anl_engine *net;
    struct anl_traffic *traffic;
    struct area_worms *worms;
    size_t size;
    bool *taken;  // [worms_size] whether the worm is in the list
    size_t worms_size;
};

static enum anl_status begin(struct mesh *mesh)
{
    enum anl_status status = anl_engine_create(&mesh->scenario->network, &mesh->net);
    if (!status) status = anl_traffic_create(anl_scenario_workload(mesh->scenario), &mesh->traffic);
    if (!status) anl_engine_reset(mesh->net, mesh->scenario->run.seed);
    return status;
}

static void end(struct mesh *mesh)
{
    anl_engine_destroy(mesh->net);
    anl_traffic_destroy(mesh->traffic);
    free(mesh->taken);
}

static enum anl_status step(struct mesh *mesh)
{
    size_t count;
    const struct anl_new_worm *new_worms =
        anl_traffic_cycle(mesh->traffic, anl_engine_cycle(mesh->net), &count);
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = anl_engine_enqueue(mesh->net, new_worms[i].source, new_worms[i].destination,
                                    new_worms[i].length, NULL);
    if (!status) anl_engine_step(mesh->net);
    return status;
}

static uint32_t fat_tree_terminal(const struct mesh *mesh, uint32_t processor)
{
    const uint32_t k = mesh->scenario->network.k;
    if (mesh->scenario->graph) return processor;  // leaves of a binary tree
    return area_terminal(processor / k, processor % k);
}

static enum anl_status take(struct mesh *mesh, const struct anl_worm *worm)
{
    struct area_worms *worms = mesh->worms;
    struct anl_message *messages =
        gather_room(worms->messages, worms->count, &mesh->size, sizeof *messages);
    if (!messages) return ANL_ERR_MEMORY;
    worms->messages = messages;
    worms->messages[worms->count++] = (struct anl_message){
        .source = fat_tree_terminal(mesh, worm->source),
        .destination = fat_tree_terminal(mesh, worm->destination),
        .length = worm->length,
    };
    return ANL_OK;
}

// --- a window ---

static enum anl_status make_room(struct mesh *mesh, uint32_t id)
{
    if (id < mesh->worms_size) return ANL_OK;
    const size_t size = 2 * (size_t)id + 1024;
    bool *taken = realloc(mesh->taken, size * sizeof *taken);
    if (!taken) return ANL_ERR_MEMORY;
    for (size_t i = mesh->worms_size; i < size; i++)
        taken[i] = false;
    mesh->taken = taken;
    mesh->worms_size = size;
    return ANL_OK;
}

static enum anl_status take_moved(struct mesh *mesh)
{
    size_t count;
    const struct anl_flit *flits = anl_engine_flits(mesh->net, &count);
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        status = make_room(mesh, flits[i].worm);
        if (status || mesh->taken[flits[i].worm]) continue;
        mesh->taken[flits[i].worm] = true;
        status = take(mesh, anl_engine_worm(mesh->net, flits[i].worm));
    }
    return status;
}

// --- a stream ---

static enum anl_status take_delivered(struct mesh *mesh)
{
    size_t count;
    const struct anl_worm *delivered = anl_engine_delivered(mesh->net, &count);
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = take(mesh, &delivered[i]);
    return status;
}

// --- both ---

static uint32_t longest(const struct anl_traffic_config *traffic)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < traffic->num_lengths; i++)
        if (traffic->lengths[i] > most) most = traffic->lengths[i];
    return most;
}

enum anl_status area_worms(const struct anl_scenario *scenario, bool window,
                           struct area_worms *worms)
{
    struct mesh mesh = {.scenario = scenario, .worms = worms};
    const uint64_t processors = anl_shape_of(&scenario->network).terminals;
    const uint64_t length = longest(&scenario->traffic), side = (uint64_t)sqrt((double)processors);
    // After so many cycles the flow of a mesh is steady enough for a window.
    const uint64_t fill = window ? 512 + 16 * side : 0;
    *worms = (struct area_worms){.window_cycles = window ? length : processors * length};
    const bool endless = scenario->run.cycles >= fill + worms->window_cycles;
    enum anl_status status = endless ? begin(&mesh) : ANL_ERR_ARGUMENT;
    for (uint64_t i = 0; i < fill + worms->window_cycles && !status && !cli_interrupted(); i++) {
        if (i == fill) anl_engine_record(mesh.net, window);
        status = step(&mesh);
        if (!status && i >= fill) status = (window ? take_moved : take_delivered)(&mesh);
    }
    end(&mesh);
    return status;
}
