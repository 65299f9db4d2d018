// SPDX-License-Identifier: Apache-2.0
//
// The butterfly on paper: level 0 is at the top, the last level at the bottom, and columns go from
// left to right. Terminals stand above the first level, where they send, and once more below the
// last one, where they receive. A link falls straight from its switch, crosses over, and falls
// straight into the next one.

#include "layout.h"

#include <math.h>
#include <stdlib.h>

static const double height = 44, between_switches = 24, least_crossing = 40, flattest = 0.12,
                    highest_crossing = 400, start = 8;

struct levels {
    const struct anl_config *config;
    struct anl_layout *layout;
    struct layout_lanes lanes;
    double port;    // width of a port
    double column;  // distance of two columns
};

// Returns the vertical distance of a level of switches from the next one.
static double drop_below(const struct levels *levels, uint32_t level)
{
    const uint32_t n = levels->config->n;
    const double span = pow(levels->config->k, n - 1 - level % (n - 1)) * levels->column;
    const double crossing = fmin(flattest * span, highest_crossing);
    return height + start + fmax(least_crossing, crossing) + levels->lanes.stub;
}

static double reach(const struct levels *levels)
{
    return levels->lanes.stub + LAYOUT_TERMINAL_GAP + levels->layout->terminal_height / 2;
}

static void place_switches(const struct levels *levels)
{
    struct anl_layout *layout = levels->layout;
    double y = LAYOUT_MARGIN + layout->terminal_height / 2 + reach(levels) + height / 2;
    for (uint32_t s = 0, level = 0; s < layout->shape.switches; s++) {
        const struct anl_fly_place at = anl_fly_place(levels->config, s);
        if (at.level > level) y += drop_below(levels, level++);
        layout->sizes[s] = (struct anl_point){levels->config->k * levels->port, height};
        layout->switches[s] = (struct anl_point){
            LAYOUT_MARGIN + layout->sizes[s].x / 2 + at.column * levels->column, y};
    }
    const struct anl_point last = layout->switches[layout->shape.switches - 1];
    layout->width = last.x + levels->config->k * levels->port / 2 + LAYOUT_MARGIN;
    layout->height =
        last.y + height / 2 + reach(levels) + layout->terminal_height / 2 + LAYOUT_MARGIN;
}

// Returns where a port meets the edge of its switch: input ports above, output ports below.
static struct anl_point gate(const struct levels *levels, uint32_t port, bool output)
{
    const uint32_t k = levels->config->k;
    const struct anl_point at = levels->layout->switches[port / k];
    const double x = at.x + (port % k - (k - 1) / 2.0) * levels->port;
    return (struct anl_point){x, at.y + (output ? height / 2 : -height / 2)};
}

static void lay_link(const struct levels *levels, uint32_t link, struct anl_end end)
{
    const struct anl_point a = gate(levels, link, true);
    const struct anl_point b = gate(levels, end.node * levels->config->k + end.port, false);
    struct anl_path path = {.inset = 3, .slots = levels->config->depth};
    layout_add_corner(&path, a);
    layout_add_corner(&path, (struct anl_point){a.x, a.y + start});
    layout_add_corner(&path, (struct anl_point){b.x, b.y - levels->lanes.stub});
    layout_add_corner(&path, b);
    levels->layout->paths[link] = path;
}

static void lay_terminal(const struct levels *levels, uint32_t terminal)
{
    struct anl_layout *layout = levels->layout;
    const uint32_t ejection = anl_ejection_link(levels->config, terminal);
    const double half = layout->terminal_height / 2 + LAYOUT_TERMINAL_GAP;
    const struct anl_point in = gate(levels, terminal, false), out = gate(levels, ejection, true);
    layout->terminals[terminal] = (struct anl_point){in.x, in.y - reach(levels)};
    layout->sinks[terminal] = (struct anl_point){out.x, out.y + reach(levels)};
    struct anl_path injected = {.inset = 3, .slots = levels->config->depth};
    layout_add_corner(&injected, (struct anl_point){in.x, in.y - reach(levels) + half});
    layout_add_corner(&injected, in);
    struct anl_path ejected = {.inset = 3, .slots = layout_ejection_slots(levels->config)};
    layout_add_corner(&ejected, out);
    layout_add_corner(&ejected, (struct anl_point){out.x, out.y + reach(levels) - half});
    layout->paths[layout->shape.switches * layout->shape.ports + terminal] = injected;
    layout->paths[ejection] = ejected;
}

enum anl_status layout_butterfly(const struct anl_config *config, struct anl_layout *layout)
{
    struct levels levels = {
        .config = config, .layout = layout, .lanes = layout_size_lanes(config, layout)};
    layout->sinks = calloc(layout->shape.terminals, sizeof *layout->sinks);
    if (!layout->sinks) return ANL_ERR_MEMORY;
    layout->switch_side = height;
    levels.port = fmax(levels.lanes.pair / 2, layout->terminal_width + 6);
    levels.column = config->k * levels.port + between_switches;
    place_switches(&levels);
    for (uint32_t link = 0; link < layout->shape.switches * layout->shape.ports; link++) {
        const struct anl_end end = anl_end_of(config, link);
        if (!end.is_terminal) lay_link(&levels, link, end);
    }
    for (uint32_t t = 0; t < layout->shape.terminals; t++)
        lay_terminal(&levels, t);
    return ANL_OK;
}
