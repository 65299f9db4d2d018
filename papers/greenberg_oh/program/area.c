// SPDX-License-Identifier: Apache-2.0

#include "greenberg_oh.h"

#include <annelid/engine.h>
#include <annelid/workload.h>
#include <stdlib.h>

uint32_t area_terminal(uint32_t row, uint32_t column)
{
    uint32_t terminal = 0;
    for (uint32_t bit = 0; bit < 16; bit++)
        terminal |= (column >> bit & 1) << 2 * bit | (row >> bit & 1) << (2 * bit + 1);
    return terminal;
}

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
    const uint64_t k = scenario->network.k, length = longest(&scenario->traffic);
    // After so many cycles the flow of a mesh is steady enough for a window.
    const uint64_t fill = window ? 512 + 16 * k : 0;
    *worms = (struct area_worms){.window_cycles = window ? length : k * k * length};
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
