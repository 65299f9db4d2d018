// SPDX-License-Identifier: Apache-2.0

#include "worm_set.h"

#include <annelid/workload.h>

enum anl_status worm_set_begin(struct worm_set *set, const struct anl_config *config)
{
    *set = (struct worm_set){0};
    return config->topology == ANL_FAT_TREE ? load_begin(&set->load, config) : ANL_OK;
}

void worm_set_free(struct worm_set *set)
{
    load_free(&set->load);
    *set = (struct worm_set){0};
}

void worm_set_add(struct worm_set *set, const struct anl_worm *worm)
{
    if (set->load.worms) load_add(&set->load, worm->source, worm->destination);
    if (!set->worms || worm->length < set->shortest) set->shortest = worm->length;
    if (worm->length > set->longest) set->longest = worm->length;
    set->last_created = worm->created;
    set->worms++;
}

static enum anl_status draw(const struct anl_scenario *scenario, struct anl_traffic *traffic,
                            struct worm_set *set, struct paths *paths)
{
    struct anl_config network = scenario->network;
    enum anl_status status = ANL_OK;
    if (network.topology == ANL_FAT_TREE) network.routing = ANL_UP_DOWN_FIXED;
    for (uint64_t cycle = 0; !status && !anl_traffic_done(traffic); cycle++) {
        size_t count;
        const struct anl_offer *offers = anl_traffic_cycle(traffic, cycle, &count);
        for (size_t i = 0; i < count && !status; i++) {
            const uint32_t id = (uint32_t)set->worms;
            const struct anl_worm worm = {
                .id = id,
                .source = offers[i].source,
                .destination = offers[i].destination,
                .length = offers[i].length,
                .created = cycle,
                .path = anl_worm_path(&network, scenario->run.seed, id),
            };
            worm_set_add(set, &worm);
            status = paths_add_route(paths, &network, &worm);
        }
    }
    return status;
}

enum anl_status worm_set_draw(const struct anl_scenario *scenario, struct worm_set *set,
                              struct paths *paths, struct anl_error *error)
{
    struct anl_traffic *traffic;
    if (scenario->traffic.process == ANL_REQUEST_REPLY)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "the worms of process request_reply depend on the run");
    enum anl_status status = anl_traffic_create(anl_scenario_workload(scenario), &traffic);
    if (!status) status = draw(scenario, traffic, set, paths);
    anl_traffic_destroy(traffic);
    return status ? anl_fail(error, status, "", 0, "%s", anl_status_text(status)) : ANL_OK;
}
