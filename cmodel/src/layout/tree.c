// SPDX-License-Identifier: Apache-2.0
//
// The fat-tree on paper: the terminals form a row and the levels lie above it; the switches of a
// subtree are spread evenly over its width. A link rises straight from the child, crosses over, and
// rises straight into the parent.

#include "layout.h"

#include <math.h>

static const double between_switches = 16, flattest = 0.12, highest_crossing = 600;

struct rows {
    struct layout_lanes lanes;
    double pitch;                           // between switches of level 1
    double centre[ANL_MAX_DIMENSIONS + 1];  // y of each level; level 0 is the terminals
};

// Returns the width of a subtree of a level.
static double width_of(const struct rows *rows, uint32_t level)
{
    return rows->pitch * ldexp(1, 2 * (int)level - 2);
}

static void stack_rows(const struct anl_config *config, struct anl_layout *layout,
                       struct rows *rows)
{
    const double half = layout->switch_side / 2, stub = rows->lanes.stub;
    double below = LAYOUT_MARGIN + half;
    rows->centre[config->n] = below;
    for (uint32_t l = config->n - 1; l >= 1; l--) {
        const double crossing = fmin(flattest * width_of(rows, l + 1), highest_crossing);
        below += 2 * half + 2 * stub + fmax(40, crossing);
        rows->centre[l] = below;
    }
    rows->centre[0] = below + half + 2 * stub + LAYOUT_TERMINAL_GAP + layout->terminal_height / 2;
    layout->width = 2 * LAYOUT_MARGIN + width_of(rows, config->n);
    layout->height = rows->centre[0] + layout->terminal_height / 2 + LAYOUT_MARGIN;
}

static struct anl_point place(const struct rows *rows, struct anl_tree_place at)
{
    const uint32_t many = 1u << (at.level - 1);
    const double subtree = at.address / many, beside = at.address % many + 0.5;
    return (struct anl_point){
        LAYOUT_MARGIN + width_of(rows, at.level) * (subtree + beside / many),
        rows->centre[at.level],
    };
}

// Returns where a port meets the edge of its switch: children below, parents above, the left one on
// the left.
static struct anl_point gate(const struct anl_config *config, const struct anl_layout *layout,
                             const struct rows *rows, uint32_t switch_, uint32_t port)
{
    const struct anl_point at = layout->switches[switch_];
    const double half = layout->switch_side / 2;
    if (port < ANL_TREE_UP)
        return (struct anl_point){at.x + (port - 1.5) * rows->lanes.pair, at.y + half};
    const uint32_t here = anl_link_end(config, switch_, port).node;
    const uint32_t other = anl_link_end(config, switch_, port ^ 1).node;
    const double side = layout->switches[here].x < layout->switches[other].x ? -0.5 : 0.5;
    return (struct anl_point){at.x + side * rows->lanes.pair, at.y - half};
}

static void lay_up_link(const struct anl_config *config, struct anl_layout *layout,
                        const struct rows *rows, uint32_t switch_, uint32_t port)
{
    const struct anl_end end = anl_link_end(config, switch_, port);
    if (!end.exists) return;
    const struct anl_point a = gate(config, layout, rows, switch_, port);
    const struct anl_point b = gate(config, layout, rows, end.node, end.port);
    struct anl_path path = {.inset = 3, .paired = true, .slots = config->depth};
    layout_add_corner(&path, a);
    layout_add_corner(&path, (struct anl_point){a.x, a.y - rows->lanes.stub});
    layout_add_corner(&path, (struct anl_point){b.x, b.y + rows->lanes.stub});
    layout_add_corner(&path, b);
    layout->paths[switch_ * ANL_TREE_PORTS + port] = path;
    layout->paths[end.node * ANL_TREE_PORTS + end.port] = layout_backwards(&path);
}

static void lay_terminal(const struct anl_config *config, struct anl_layout *layout,
                         const struct rows *rows, uint32_t terminal)
{
    const uint32_t ejection = anl_ejection_link(config, terminal);
    const struct anl_point a =
        gate(config, layout, rows, ejection / ANL_TREE_PORTS, ejection % ANL_TREE_PORTS);
    const double y = rows->centre[0];
    struct anl_path out = {.inset = 3, .paired = true, .slots = layout_ejection_slots(config)};
    layout->terminals[terminal] = (struct anl_point){a.x, y};
    layout_add_corner(&out, a);
    layout_add_corner(
        &out, (struct anl_point){a.x, y - layout->terminal_height / 2 - LAYOUT_TERMINAL_GAP});
    struct anl_path in = layout_backwards(&out);
    in.slots = config->depth;
    layout->paths[ejection] = out;
    layout->paths[layout->shape.switches * ANL_TREE_PORTS + terminal] = in;
}

enum anl_status layout_tree(const struct anl_config *config, struct anl_layout *layout)
{
    struct rows rows = {.lanes = layout_size_lanes(config, layout)};
    layout->switch_side = fmax(44, ANL_TREE_CHILDREN * rows.lanes.pair);
    rows.pitch = layout->switch_side + between_switches;
    stack_rows(config, layout, &rows);
    for (uint32_t s = 0; s < layout->shape.switches; s++)
        layout->switches[s] = place(&rows, anl_tree_place(config, s));
    for (uint32_t s = 0; s < layout->shape.switches; s++)
        for (uint32_t port = ANL_TREE_UP; port < ANL_TREE_PORTS; port++)
            lay_up_link(config, layout, &rows, s, port);
    for (uint32_t t = 0; t < layout->shape.terminals; t++)
        lay_terminal(config, layout, &rows, t);
    return ANL_OK;
}
