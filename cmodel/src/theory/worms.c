// SPDX-License-Identifier: Apache-2.0

#include "theory/theory.h"

#include <annelid/network.h>
#include <annelid/workload.h>
#include <stdlib.h>

// --- the load of a fat-tree's channels ---

// Returns the index of the first counter of a level. Level l has 4^(levels - l) subtrees, with two
// counters each.
static size_t level_begin(const struct theory_worms *worms, uint32_t level)
{
    size_t begin = 0;
    for (uint32_t l = 0; l < level; l++)
        begin += (size_t)2 << 2 * (worms->levels - l);
    return begin;
}

static void add_crossings(struct theory_worms *worms, uint32_t source, uint32_t destination)
{
    for (uint32_t l = 0; l < worms->levels; l++) {
        const uint32_t from = source >> 2 * l, to = destination >> 2 * l;
        uint32_t *level = worms->crossing + level_begin(worms, l);
        if (l > 0 && from == to) return;
        level[2 * from]++;
        level[2 * to + 1]++;
    }
}

static struct anl_load_place load_factor(const struct theory_worms *worms)
{
    struct anl_load_place most = {0};
    for (uint32_t l = 0; l < worms->levels; l++) {
        const uint32_t *level = worms->crossing + level_begin(worms, l);
        for (uint32_t i = 0; i < 2u << 2 * (worms->levels - l); i++) {
            const double factor = level[i] / (double)(1u << l);
            if (factor > most.factor) most = (struct anl_load_place){factor, l, i / 2, i % 2 == 0};
        }
    }
    return most;
}

// --- a set of worms ---

enum anl_status theory_worms_begin(struct theory_worms *worms, const struct anl_config *config)
{
    *worms = (struct theory_worms){0};
    if (config->topology != ANL_FAT_TREE) return ANL_OK;
    worms->levels = config->n;
    worms->crossing = calloc(level_begin(worms, config->n), sizeof *worms->crossing);
    return worms->crossing ? ANL_OK : ANL_ERR_MEMORY;
}

void theory_worms_free(struct theory_worms *worms) { free(worms->crossing); }

void theory_worms_add(struct theory_worms *worms, const struct anl_worm *worm)
{
    if (worms->crossing) add_crossings(worms, worm->source, worm->destination);
    if (!worms->count || worm->length < worms->shortest) worms->shortest = worm->length;
    if (worm->length > worms->longest) worms->longest = worm->length;
    worms->last_created = worm->created;
    worms->count++;
}

void theory_worms_note(const struct theory_worms *worms, struct anl_trial *trial)
{
    trial->worms = worms->count;
    trial->shortest = worms->shortest;
    trial->longest = worms->longest;
    trial->last_created = worms->last_created;
    if (worms->crossing) trial->load = load_factor(worms);
}

// --- the worms of a scenario, each as if it were alone ---

static enum anl_status draw(const struct anl_scenario *scenario, struct anl_traffic *traffic,
                            struct theory_worms *worms, struct anl_paths *paths)
{
    struct anl_config network = scenario->network;
    enum anl_status status = ANL_OK;
    if (network.topology == ANL_FAT_TREE) network.routing = ANL_UP_DOWN_FIXED;
    for (uint64_t cycle = 0; !status && !anl_traffic_done(traffic); cycle++) {
        size_t count;
        const struct anl_offer *offers = anl_traffic_cycle(traffic, cycle, &count);
        for (size_t i = 0; i < count && !status; i++) {
            const uint32_t id = (uint32_t)worms->count;
            const struct anl_worm worm = {
                .id = id,
                .source = offers[i].source,
                .destination = offers[i].destination,
                .length = offers[i].length,
                .created = cycle,
                .path = anl_worm_path(&network, scenario->run.seed, id),
            };
            theory_worms_add(worms, &worm);
            if (paths) status = anl_paths_add_route(paths, &network, &worm);
        }
    }
    return status;
}

enum anl_status anl_trial_draw(const struct anl_scenario *scenario, struct anl_paths *paths,
                               struct anl_trial *trial, struct anl_error *error)
{
    struct anl_traffic *traffic = NULL;
    struct theory_worms worms;
    *trial = (struct anl_trial){0};
    if (scenario->traffic.process == ANL_REQUEST_REPLY)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "the worms of process request_reply depend on the run");
    enum anl_status status = theory_worms_begin(&worms, &scenario->network);
    if (!status) status = anl_traffic_create(anl_scenario_workload(scenario), &traffic);
    if (!status) status = draw(scenario, traffic, &worms, paths);
    if (!status) theory_worms_note(&worms, trial);
    anl_traffic_destroy(traffic);
    theory_worms_free(&worms);
    return status ? anl_fail(error, status, "", 0, "%s", anl_status_text(status)) : ANL_OK;
}
