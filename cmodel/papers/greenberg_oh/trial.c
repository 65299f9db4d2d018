// SPDX-License-Identifier: Apache-2.0

#include "trial.h"

#include <annelid/topology.h>
#include <annelid/traffic.h>
#include <stdlib.h>

struct over_link {
    uint32_t worms;
    uint64_t flits;
};

struct worm_way {
    uint32_t hops, length;
};

struct running {
    const struct anl_scenario *scenario;
    const struct trial_options *options;
    struct trial *trial;
    struct anl_net *net;
    struct anl_traffic *traffic;
    struct over_link *links;
    struct worm_way *ways;  // by worm
    size_t size;
    struct worm_set set;
    uint64_t idle_cycles;
};

static enum anl_status begin(struct running *run)
{
    const struct anl_config *network = &run->scenario->network;
    run->links = calloc(anl_shape_of(network).links, sizeof *run->links);
    enum anl_status status = run->links ? ANL_OK : ANL_ERR_MEMORY;
    if (!status) status = anl_net_create(network, &run->net);
    if (!status) status = anl_traffic_create(run->scenario, &run->traffic);
    if (!status) status = worm_set_begin(&run->set, network);
    if (status) return status;
    anl_net_reset(run->net, run->scenario->run.seed);
    anl_net_record(run->net, true);
    return ANL_OK;
}

static void end(struct running *run)
{
    anl_net_destroy(run->net);
    anl_traffic_destroy(run->traffic);
    worm_set_free(&run->set);
    free(run->links);
    free(run->ways);
}

static enum anl_status offer(struct running *run, const struct anl_offer *offer)
{
    uint32_t id;
    if (run->set.worms == run->size) {
        const size_t size = run->size ? 2 * run->size : 1024;
        struct worm_way *ways = realloc(run->ways, size * sizeof *ways);
        if (!ways) return ANL_ERR_MEMORY;
        run->ways = ways;
        run->size = size;
    }
    const enum anl_status status =
        anl_net_offer(run->net, offer->source, offer->destination, offer->length, &id);
    if (status) return status;

    run->ways[id] = (struct worm_way){0, offer->length};
    worm_set_add(&run->set, anl_net_worm(run->net, id));
    return ANL_OK;
}

static enum anl_status look_at_flits(struct running *run)
{
    size_t count;
    const struct anl_flit *flits = anl_net_flits(run->net, &count);
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const uint32_t link = flits[i].link, vcs = run->scenario->network.num_vcs;
        run->links[link].flits++;
        if (!flits[i].head) continue;
        run->links[link].worms++;
        run->ways[flits[i].worm].hops++;
        if (run->options->paths)
            status = paths_add(run->options->paths, flits[i].worm, link * vcs + flits[i].vc);
    }
    return status;
}

static void look_at_delivered(struct running *run, uint64_t cycle)
{
    size_t count;
    const struct anl_worm *worms = anl_net_delivered(run->net, &count);
    const uint64_t phase = run->options->phase_cycles;
    anl_traffic_delivered(run->traffic, worms, count);
    for (size_t i = 0; i < count; i++)
        run->trial->missed += phase && cycle + 1 - worms[i].created > phase;
}

static enum anl_status cycle(struct running *run)
{
    const uint64_t now = anl_net_cycle(run->net);
    size_t count;
    const struct anl_offer *offers = anl_traffic_cycle(run->traffic, now, &count);
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = offer(run, &offers[i]);
    if (status) return status;
    anl_net_step(run->net);
    look_at_delivered(run, now);
    return look_at_flits(run);
}

// docs/scenario.md: when a run ends.
static bool is_over(struct running *run)
{
    const struct anl_net_totals totals = anl_net_totals(run->net);
    const uint64_t cycles = anl_net_cycle(run->net), every = run->options->look_cycles;
    if (every && cycles % every == 0 && !run->options->go_on(run->options->user, run->net))
        run->trial->stopped = true;
    run->idle_cycles = totals.moved || !totals.in_network ? 0 : run->idle_cycles + 1;
    run->trial->complete = totals.offered == totals.delivered && anl_traffic_done(run->traffic);
    return run->trial->complete || run->trial->stopped ||
           run->idle_cycles >= 4 * run->scenario->network.depth + 64 ||
           cycles >= run->scenario->run.max_cycles;
}

static void conclude(struct running *run)
{
    struct trial *trial = run->trial;
    uint64_t used = 0, hops = 0;
    for (uint32_t i = 0; i < anl_shape_of(&run->scenario->network).links; i++) {
        const struct over_link *over = &run->links[i];
        used += over->worms > 0;
        hops += over->worms;
        if (over->worms > trial->congestion) trial->congestion = over->worms;
        if (over->flits > trial->lower) trial->lower = over->flits;
    }
    trial->worms = run->set.worms;
    trial->shortest = run->set.shortest;
    trial->longest = run->set.longest;
    trial->last_created = run->set.last_created;
    for (uint64_t w = 0; w < trial->worms; w++) {
        const struct worm_way *way = &run->ways[w];
        if (way->hops > trial->dilation) trial->dilation = way->hops;
        if (trial->complete && way->hops + way->length - 1 > trial->lower)
            trial->lower = way->hops + way->length - 1;
    }
    trial->mean_congestion = used ? (double)hops / (double)used : 0;
    trial->cycles = anl_net_cycle(run->net);
    trial->delivered = anl_net_totals(run->net).delivered;
    if (run->set.load.worms) trial->load = load_factor(&run->set.load);
}

enum anl_status trial_run(const struct anl_scenario *scenario, const struct trial_options *options,
                          struct trial *trial)
{
    struct running run = {.scenario = scenario, .options = options, .trial = trial};
    *trial = (struct trial){0};
    enum anl_status status = begin(&run);
    do {
        if (!status) status = cycle(&run);
    } while (!status && !is_over(&run));
    if (!status) conclude(&run);
    end(&run);
    return status;
}
