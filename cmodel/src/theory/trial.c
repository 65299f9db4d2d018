// SPDX-License-Identifier: Apache-2.0

#include "theory.h"

#include <annelid/network.h>
#include <annelid/run.h>
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
    if (network.topology == ANL_FAT_TREE && network.routing != ANL_DESTINATION_TAG)
        network.routing = ANL_UP_DOWN_FIXED;
    for (uint64_t cycle = 0; !status && !anl_traffic_done(traffic); cycle++) {
        size_t count;
        const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, cycle, &count);
        for (size_t i = 0; i < count && !status; i++) {
            const uint32_t id = (uint32_t)worms->count;
            struct anl_worm worm = {
                .id = id,
                .source = new_worms[i].source,
                .destination = new_worms[i].destination,
                .length = new_worms[i].length,
                .created = cycle,
                .path = new_worms[i].path,
                .has_path = new_worms[i].has_path,
                .route = new_worms[i].route,
                .route_length = new_worms[i].route_length,
                .class_ = new_worms[i].class_,
                .role = new_worms[i].role,
            };
            worm.path = anl_path_of(&network, scenario->run.seed, &worm);
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
    for (size_t i = 0; i < scenario->num_messages; i++)
        if (scenario->messages[i].num_after)
            return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                            "messages that wait for others: when they are created depends on the "
                            "run");
    if (paths && anl_is_adaptive(&scenario->network))
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "the paths of worms under routing %s depend on the run",
                        anl_routing_name(scenario->network.routing));
    enum anl_status status = theory_worms_begin(&worms, &scenario->network);
    if (!status) status = anl_traffic_create(anl_scenario_workload(scenario), &traffic);
    if (!status) status = draw(scenario, traffic, &worms, paths);
    if (!status) theory_worms_note(&worms, trial);
    anl_traffic_destroy(traffic);
    theory_worms_free(&worms);
    return status ? anl_fail(error, status, "", 0, "%s", anl_status_text(status)) : ANL_OK;
}

// --- the worms of a scenario in a run ---

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
static enum anl_status look_at_new_worms(struct seen *seen, const struct anl_engine *net)
{
    const uint64_t enqueued = anl_engine_totals(net).enqueued;
    enum anl_status status = ANL_OK;
    while (seen->worms.count < enqueued && !status)
        status = add_worm(seen, anl_engine_worm(net, (uint32_t)seen->worms.count));
    return status;
}

static enum anl_status look_at_heads(struct seen *seen, const struct anl_engine *net)
{
    size_t count;
    const struct anl_flit *flits = anl_engine_flits(net, &count);
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const uint32_t link = flits[i].link, vcs = seen->network->num_vcs;
        struct worm_way *way = &seen->ways[flits[i].worm];
        if (!flits[i].head) continue;
        seen->links[link].worms++;
        seen->links[link].flits += way->length;
        way->hops++;
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
    seen->status = look_at_new_worms(seen, net);
    if (!seen->status) seen->status = look_at_heads(seen, net);
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
        .heads = true, .progress_cycles = 1, .progress = look, .user = &seen};
    struct anl_run_result result;
    *trial = (struct anl_trial){0};
    enum anl_status status = begin(&seen);
    if (!status) status = anl_run(scenario, &how, &result, NULL);
    if (!status) status = seen.status;
    if (!status) conclude(&seen, &result);
    end(&seen);
    return status;
}
