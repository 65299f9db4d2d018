// SPDX-License-Identifier: Apache-2.0

#include "theory/theory.h"

#include <annelid/network.h>
#include <annelid/run.h>
#include <stdlib.h>

struct over_link {
    uint32_t worms;
    uint64_t flits;
};

struct worm_way {
    uint32_t hops, length;
};

// What is collected of a run, cycle by cycle.
struct seen {
    const struct anl_trial_options *options;
    struct anl_trial *trial;
    const struct anl_config *network;
    struct over_link *links;
    struct worm_way *ways;  // [worms]
    size_t size;
    struct theory_worms worms;
    enum anl_status status;
};

static enum anl_status begin(struct seen *seen)
{
    seen->links = calloc(anl_shape_of(seen->network).links, sizeof *seen->links);
    return seen->links ? theory_worms_begin(&seen->worms, seen->network) : ANL_ERR_MEMORY;
}

static void end(struct seen *seen)
{
    theory_worms_free(&seen->worms);
    free(seen->links);
    free(seen->ways);
}

static enum anl_status add_worm(struct seen *seen, const struct anl_worm *worm)
{
    if (worm->id == seen->size) {
        const size_t size = seen->size ? 2 * seen->size : 1024;
        struct worm_way *ways = realloc(seen->ways, size * sizeof *ways);
        if (!ways) return ANL_ERR_MEMORY;
        seen->ways = ways;
        seen->size = size;
    }
    seen->ways[worm->id] = (struct worm_way){0, worm->length};
    theory_worms_add(&seen->worms, worm);
    return ANL_OK;
}

// Adds the worms that were created in this cycle. They have the highest numbers so far.
static enum anl_status look_at_offered(struct seen *seen, const struct anl_engine *net)
{
    const uint64_t offered = anl_engine_totals(net).offered;
    enum anl_status status = ANL_OK;
    while (seen->worms.count < offered && !status)
        status = add_worm(seen, anl_engine_worm(net, (uint32_t)seen->worms.count));
    return status;
}

static enum anl_status look_at_flits(struct seen *seen, const struct anl_engine *net)
{
    size_t count;
    const struct anl_flit *flits = anl_engine_flits(net, &count);
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const uint32_t link = flits[i].link, vcs = seen->network->num_vcs;
        seen->links[link].flits++;
        if (!flits[i].head) continue;
        seen->links[link].worms++;
        seen->ways[flits[i].worm].hops++;
        if (seen->options->paths)
            status = anl_paths_add(seen->options->paths, flits[i].worm, link * vcs + flits[i].vc);
    }
    return status;
}

static void look_at_delivered(struct seen *seen, const struct anl_engine *net)
{
    size_t count;
    const struct anl_worm *worms = anl_engine_delivered(net, &count);
    const uint64_t phase = seen->options->phase_cycles, cycles = anl_engine_cycle(net);
    for (size_t i = 0; i < count; i++)
        seen->trial->missed += phase && cycles - worms[i].created > phase;
}

// Is called after every cycle. Returns false to stop the run.
static bool look(void *user, const struct anl_engine *net)
{
    struct seen *seen = user;
    const uint64_t every = seen->options->look_cycles;
    seen->status = look_at_offered(seen, net);
    if (!seen->status) seen->status = look_at_flits(seen, net);
    look_at_delivered(seen, net);
    if (every && anl_engine_cycle(net) % every == 0)
        seen->trial->stopped = !seen->options->go_on(seen->options->user, net);
    return !seen->status && !seen->trial->stopped;
}

static void conclude(const struct seen *seen, const struct anl_run_result *result)
{
    struct anl_trial *trial = seen->trial;
    trial->complete = result->end == ANL_RUN_COMPLETE;
    uint64_t used = 0, hops = 0;
    for (uint32_t i = 0; i < anl_shape_of(seen->network).links; i++) {
        const struct over_link *over = &seen->links[i];
        used += over->worms > 0;
        hops += over->worms;
        if (over->worms > trial->congestion) trial->congestion = over->worms;
        if (over->flits > trial->lower) trial->lower = over->flits;
    }
    theory_worms_note(&seen->worms, trial);
    for (uint64_t w = 0; w < trial->worms; w++) {
        const struct worm_way *way = &seen->ways[w];
        if (way->hops > trial->dilation) trial->dilation = way->hops;
        if (trial->complete && way->hops + way->length - 1 > trial->lower)
            trial->lower = way->hops + way->length - 1;
    }
    trial->mean_congestion = used ? (double)hops / (double)used : 0;
    trial->cycles = result->cycles;
    trial->delivered = result->totals.delivered;
}

enum anl_status anl_trial_run(const struct anl_scenario *scenario,
                              const struct anl_trial_options *options, struct anl_trial *trial)
{
    struct seen seen = {.options = options, .trial = trial, .network = &scenario->network};
    const struct anl_run_options how = {
        .record = true, .progress_cycles = 1, .progress = look, .user = &seen};
    struct anl_run_result result;
    *trial = (struct anl_trial){0};
    enum anl_status status = begin(&seen);
    if (!status) status = anl_run(scenario, &how, &result, NULL);
    if (!status) status = seen.status;
    if (!status) conclude(&seen, &result);
    end(&seen);
    return status;
}
