// SPDX-License-Identifier: Apache-2.0

#include <annelid/theory.h>

#include <annelid/network.h>
#include <stdlib.h>

void anl_paths_begin(struct anl_paths *paths, const struct anl_config *config)
{
    *paths = (struct anl_paths){.links = anl_shape_of(config).links,
                                .num_vcs = config->num_vcs,
                                .narrowest = config->num_vcs};
}

void anl_paths_free(struct anl_paths *paths)
{
    free(paths->hops);
    free(paths->begin);
    free(paths->channels);
    *paths = (struct anl_paths){0};
}

enum anl_status anl_paths_add(struct anl_paths *paths, uint32_t worm, uint32_t channel)
{
    if (paths->num_hops == paths->size) {
        const size_t size = paths->size ? 2 * paths->size : 1024;
        struct anl_hop *hops = realloc(paths->hops, size * sizeof *hops);
        if (!hops) return ANL_ERR_MEMORY;
        paths->hops = hops;
        paths->size = size;
    }
    paths->hops[paths->num_hops++] = (struct anl_hop){worm, channel};
    if (worm >= paths->worms) paths->worms = worm + 1;
    return ANL_OK;
}

// Returns the lowest lane of a set, whose size is noted.
static uint32_t lowest(struct anl_paths *paths, uint32_t set)
{
    const uint32_t size = (uint32_t)__builtin_popcount(set);
    if (size < paths->narrowest) paths->narrowest = size;
    return (uint32_t)__builtin_ctz(set);
}

static struct anl_way way_of(const struct anl_config *config, struct anl_input_lane at,
                             const struct anl_worm *worm)
{
    if (worm->route)
        return (struct anl_way){anl_own_port(config, at, worm), anl_group_vcs(config, at.vc)};
    return anl_first_way(anl_route_on_path(config, at, worm->destination, worm->path));
}

enum anl_status anl_paths_add_route(struct anl_paths *paths, const struct anl_config *config,
                                    const struct anl_worm *worm)
{
    const struct anl_shape shape = anl_shape_of(config);
    const uint32_t injection = shape.switches * shape.ports + worm->source;
    struct anl_end end = anl_end_of(config, injection);
    const uint32_t first = anl_injection_vcs(config, worm->source, worm->destination) &
                           anl_class_vcs(config, worm->class_);
    uint32_t vc = lowest(paths, first);  // the lowest lane that the worm may take, on each link
    enum anl_status status = anl_paths_add(paths, worm->id, injection * config->num_vcs + vc);
    while (!status && !end.is_terminal) {
        const struct anl_input_lane at = {end.node, end.port, vc};
        const struct anl_way way = way_of(config, at, worm);
        const uint32_t link = end.node * shape.ports + way.port;
        end = anl_link_end(config, end.node, way.port);
        vc = lowest(paths, way.vcs);
        status = anl_paths_add(paths, worm->id, link * config->num_vcs + vc);
    }
    return status;
}

// Sorts by counting, which is stable, so that the hops of a worm keep their order.
enum anl_status anl_paths_settle(struct anl_paths *paths)
{
    const size_t worms = paths->worms;
    paths->begin = calloc(worms + 2, sizeof *paths->begin);
    paths->channels = calloc(paths->num_hops + 1, sizeof *paths->channels);
    if (!paths->begin || !paths->channels) return ANL_ERR_MEMORY;

    size_t *next =
        paths->begin + 1;  // where to put the next hop of a worm; in the end begin[worm + 1]
    for (size_t i = 0; i < paths->num_hops; i++)
        if (paths->hops[i].worm + 1 < worms) next[paths->hops[i].worm + 1]++;
    for (size_t w = 1; w < worms; w++)
        next[w] += next[w - 1];
    for (size_t i = 0; i < paths->num_hops; i++)
        paths->channels[next[paths->hops[i].worm]++] = paths->hops[i].channel;
    free(paths->hops);
    paths->hops = NULL;
    return ANL_OK;
}

enum anl_status anl_paths_measure(const struct anl_paths *paths,
                                  struct anl_paths_measures *measures)
{
    uint32_t *worms = calloc(paths->links, sizeof *worms);  // [links] how many worms cross it
    if (!worms) return ANL_ERR_MEMORY;
    *measures = (struct anl_paths_measures){0};
    uint32_t used = 0;
    for (size_t i = 0; i < paths->num_hops; i++)
        worms[paths->channels[i] / paths->num_vcs]++;
    for (uint32_t link = 0; link < paths->links; link++) {
        used += worms[link] > 0;
        if (worms[link] <= measures->congestion) continue;
        measures->congestion = worms[link];
        measures->link = link;
    }
    for (uint32_t w = 0; w < paths->worms; w++) {
        const size_t length = paths->begin[w + 1] - paths->begin[w];
        if (length > measures->dilation) measures->dilation = (uint32_t)length;
    }
    measures->mean = used ? (double)paths->num_hops / used : 0;
    free(worms);
    return ANL_OK;
}
