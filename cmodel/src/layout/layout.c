// SPDX-License-Identifier: Apache-2.0
//
// Chooses the layout of a topology: that of graphs, unless it has one of its own.

#include "layout.h"

#include <stdlib.h>

static enum anl_status (*const layouts[])(const struct anl_config *config,
                                          struct anl_layout *layout) = {
    [ANL_MESH] = layout_cube,
    [ANL_TORUS] = layout_cube,
    [ANL_UNIDIRECTIONAL_TORUS] = layout_cube,
    [ANL_HYPERCUBE] = layout_cube,
    [ANL_FAT_TREE] = layout_tree,
    [ANL_CUBE] = layout_cube,
    [ANL_BUTTERFLY] = layout_butterfly,
};

static enum anl_status fill(const struct anl_config *config, struct anl_layout *layout)
{
    const size_t number = (size_t)config->topology;
    const bool own = number < sizeof layouts / sizeof *layouts && layouts[number];
    return own ? layouts[number](config, layout) : layout_graph(config, layout);
}

enum anl_status anl_layout_check(const struct anl_config *config, struct anl_error *error)
{
    const uint32_t switches = anl_shape_of(config).switches;
    if (switches <= ANL_LAYOUT_MOST_SWITCHES) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                    "a network of %u switches is too large to be drawn, at most %d", switches,
                    ANL_LAYOUT_MOST_SWITCHES);
}

enum anl_status anl_layout_create(const struct anl_config *config, struct anl_layout *layout,
                                  struct anl_error *error)
{
    const struct anl_shape shape = anl_shape_of(config);
    *layout = (struct anl_layout){.shape = shape, .num_vcs = config->num_vcs};
    if (anl_layout_check(config, error)) return ANL_ERR_ARGUMENT;
    layout->switches = calloc(shape.switches, sizeof *layout->switches);
    layout->sizes = calloc(shape.switches, sizeof *layout->sizes);
    layout->terminals = calloc(shape.terminals, sizeof *layout->terminals);
    layout->paths = calloc(shape.links, sizeof *layout->paths);
    const bool room = layout->switches && layout->sizes && layout->terminals && layout->paths;
    const enum anl_status status = room ? fill(config, layout) : ANL_ERR_MEMORY;
    for (uint32_t s = 0; !status && s < shape.switches; s++)
        if (layout->sizes[s].x == 0)
            layout->sizes[s] = (struct anl_point){layout->switch_side, layout->switch_side};
    if (!status) return ANL_OK;
    anl_layout_free(layout);
    return anl_fail(error, status, "", 0, "out of memory");
}

void anl_layout_free(struct anl_layout *layout)
{
    free(layout->switches);
    free(layout->sizes);
    free(layout->terminals);
    free(layout->sinks);
    free(layout->paths);
    *layout = (struct anl_layout){0};
}
