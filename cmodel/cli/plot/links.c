// SPDX-License-Identifier: Apache-2.0
//
// Draws the network with the utilisation of its links. A link is a ribbon that ends in an arrow;
// the busier it is, the darker it is, so that the picture can be read without colours too.

#include "cli/shared/drawing.h"
#include "plot.h"

#include <annelid/layout.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Width of a ribbon, in points.
static const double beside_the_middle = 6.4;

enum { HEADER = 66, PANEL = 250, BUSIEST = 10 };

struct map {
    FILE *svg;
    const struct plot_run *run;
    const struct anl_config *config;
    const struct anl_layout *layout;
    double top;  // upper end of the scale, flits per cycle
};

// --- numbers ---

static double utilisation(const struct map *map, uint32_t link)
{
    return (double)map->run->link_flits[link] / (double)map->run->cycles;
}

static bool is_there(const struct map *map, uint32_t link)
{
    return map->layout->paths[link].count > 0;
}

static bool is_between_switches(const struct map *map, uint32_t link)
{
    const struct anl_shape *shape = &map->layout->shape;
    return link < shape->switches * shape->ports && !anl_end_of(map->config, link).is_terminal;
}

// Returns the least of 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1 and, of wide links, 2, 4, 8
// that no link exceeds.
static double top_of_scale(const struct map *map)
{
    static const double tops[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 8};
    double most = 0;
    for (uint32_t link = 0; link < map->layout->shape.links; link++)
        most = fmax(most, utilisation(map, link));
    size_t i = 0;
    while (i + 1 < sizeof tops / sizeof *tops && tops[i] < most)
        i++;
    return tops[i];
}

// --- colours ---

// Writes the colour of a position on the scale, 0 to 1. Colours get darker all the way.
static void put_colour(FILE *svg, double part)
{
    enum { STOPS = 7 };
    static const double stops[STOPS][3] = {
        {253, 241, 200}, {252, 214, 130}, {245, 168, 62}, {221, 116, 26},
        {176, 73, 16},   {121, 43, 12},   {61, 20, 6},
    };
    const double at = fmin(1, part) * (STOPS - 1);
    const int below = at >= STOPS - 1 ? STOPS - 2 : (int)at;
    fputc('#', svg);
    for (int c = 0; c < 3; c++) {
        const double from = stops[below][c], to = stops[below + 1][c];
        fprintf(svg, "%02x", (unsigned)lround(from + (at - below) * (to - from)));
    }
}

// --- links ---

static struct anl_point between(struct anl_point a, struct anl_point b)
{
    return (struct anl_point){(a.x + b.x) / 2, (a.y + b.y) / 2};
}

// Returns the shape of a link: the middle between the two lanes of the layout.
static struct anl_lane_shape ribbon(const struct anl_layout *layout, uint32_t link)
{
    struct anl_lane_shape lane = anl_layout_lane(layout, link, 0);
    const struct anl_lane_shape other = anl_layout_lane(layout, link, 1);
    for (uint32_t i = 0; i < lane.count; i++)
        lane.wire[i] = between(lane.wire[i], other.wire[i]);
    lane.front = between(lane.front, other.front);
    lane.end = between(lane.end, other.end);
    return lane;
}

// Draws the arrow of a link, from the slot of its lanes to the node.
static void put_arrow(FILE *svg, const struct anl_layout *layout, const struct anl_lane_shape *lane)
{
    const double half = 5.6 / layout->slot_length;
    const struct anl_point to = {lane->front.x - lane->step.x / 2,
                                 lane->front.y - lane->step.y / 2};
    const struct anl_point from = {to.x + lane->step.x, to.y + lane->step.y};
    const struct anl_point side = {-lane->step.y * half, lane->step.x * half};
    fprintf(svg, "M%.1f %.1fL%.1f %.1fL%.1f %.1fZ", from.x + side.x, from.y + side.y, to.x, to.y,
            from.x - side.x, from.y - side.y);
}

static void put_link(const struct map *map, uint32_t link)
{
    char name[96];
    const struct anl_lane_shape lane = ribbon(map->layout, link);
    const uint64_t flits = map->run->link_flits[link];
    anl_link_name(map->config, link, name, sizeof name);
    fprintf(map->svg, "<g id=\"link-%" PRIu32 "\"%s", link, flits ? " color=\"" : "");
    if (flits) put_colour(map->svg, utilisation(map, link) / map->top);
    fprintf(map->svg, "%s><title>%s: %.4f flits per cycle, %" PRIu64 " in %" PRIu64 "</title>",
            flits ? "\"" : " class=\"idle\"", name, utilisation(map, link), flits,
            map->run->cycles);
    fputs("<path class=\"ribbon\" d=\"M", map->svg);
    draw_wire(map->svg, &lane);
    fputs("\"/><path class=\"arrow\" d=\"", map->svg);
    put_arrow(map->svg, map->layout, &lane);
    fputs("\"/></g>\n", map->svg);
}

// Draws the edges of all ribbons, which the ribbons then cover in the middle.
static void put_edges(const struct map *map)
{
    fputs("<path class=\"edge\" d=\"", map->svg);
    for (uint32_t link = 0; link < map->layout->shape.links; link++) {
        if (!is_there(map, link)) continue;
        const struct anl_lane_shape lane = ribbon(map->layout, link);
        fputc('M', map->svg);
        draw_wire(map->svg, &lane);
    }
    fputs("\"/>\n", map->svg);
}

// --- the panel ---

static void put_scale(const struct map *map)
{
    enum { LENGTH = 200, STEPS = 50 };
    fprintf(map->svg,
            "<text class=\"heading\" x=\"0\" y=\"0\">Utilisation</text>\n"
            "<text class=\"line\" x=\"0\" y=\"18\">flits per cycle; a link can carry %" PRIu32
            "</text>\n",
            anl_link_flits(map->config));
    for (int i = 0; i < STEPS; i++) {
        fprintf(map->svg, "<rect x=\"%.1f\" y=\"30\" width=\"%.1f\" height=\"16\" fill=\"",
                i * (double)LENGTH / STEPS, (double)LENGTH / STEPS + 0.4);
        put_colour(map->svg, (i + 0.5) / STEPS);
        fputs("\"/>\n", map->svg);
    }
    for (int i = 0; i <= 4; i++)
        fprintf(map->svg,
                "<path class=\"rule tick\" d=\"M%d 46v5\"/><text class=\"line middle\" x=\"%d\" "
                "y=\"64\">%.3g</text>\n",
                i * LENGTH / 4, i * LENGTH / 4, map->top * i / 4);
}

struct busy {
    uint32_t link;
    uint64_t flits;
    bool between;  // switches
};

static int busiest_first(const void *a, const void *b)
{
    const struct busy *x = a, *y = b;
    if (x->flits != y->flits) return x->flits < y->flits ? 1 : -1;
    return (x->link > y->link) - (x->link < y->link);
}

// Lists all links. Returns how many there are.
static size_t gather(const struct map *map, struct busy *list)
{
    size_t count = 0;
    for (uint32_t link = 0; link < map->layout->shape.links; link++)
        if (is_there(map, link))
            list[count++] =
                (struct busy){link, map->run->link_flits[link], is_between_switches(map, link)};
    qsort(list, count, sizeof *list, busiest_first);
    return count;
}

static void put_busiest(const struct map *map, const struct busy *list, size_t count)
{
    double sum = 0;
    size_t between = 0;
    for (size_t i = 0; i < count; i++) {
        sum += list[i].between ? (double)list[i].flits : 0;
        between += list[i].between;
    }
    if (between)
        fprintf(map->svg,
                "<text class=\"line\" x=\"0\" y=\"98\">%zu links between switches: mean "
                "%.3f</text>\n",
                between, sum / (double)map->run->cycles / (double)between);
    fputs("<text class=\"heading\" x=\"0\" y=\"134\">Busiest links</text>\n", map->svg);
    for (size_t i = 0; i < count && i < BUSIEST; i++) {
        char name[96];
        anl_link_name(map->config, list[i].link, name, sizeof name);
        fprintf(map->svg,
                "<text class=\"line\" x=\"0\" y=\"%zu\">%s</text><text class=\"line end\" "
                "x=\"200\" y=\"%zu\">%.3f</text>\n",
                156 + 17 * i, name, 156 + 17 * i, utilisation(map, list[i].link));
    }
}

static enum anl_status put_panel(const struct map *map)
{
    struct busy *list = malloc(map->layout->shape.links * sizeof *list);
    if (!list) return ANL_ERR_MEMORY;
    const size_t count = gather(map, list);
    put_scale(map);
    if (count) put_busiest(map, list, count);
    free(list);
    return ANL_OK;
}

// --- the whole ---

static void put_style(FILE *svg)
{
    draw_style(svg);
    fputs("<style>\n"
          ".ribbon { fill: none; stroke: currentColor; stroke-width: 7; }\n"
          ".arrow { fill: currentColor; stroke: #8a8375; stroke-width: 0.7; }\n"
          ".edge { fill: none; stroke: #8a8375; stroke-width: 8.4; }\n"
          ".idle { color: #ffffff; }\n"
          ".middle { text-anchor: middle; }\n.end { text-anchor: end; }\n"
          ".tick { stroke: #4d5b6b; }\n"
          "g:hover > .ribbon, g:hover > .arrow { stroke-width: 10; }\n"
          "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
          svg);
}

static void put_header(const struct map *map)
{
    char network[256], traffic[256];
    draw_describe(map->config, network, sizeof network);
    plot_describe_traffic(map->run->scenario, traffic, sizeof traffic);
    fputs("<text class=\"title\" x=\"20\" y=\"30\">", map->svg);
    draw_escaped(map->svg, map->run->title);
    fprintf(map->svg,
            "</text>\n<text class=\"line\" x=\"20\" y=\"48\">%s</text>\n"
            "<text class=\"line\" x=\"20\" y=\"64\">%s; %" PRIu64 " cycles measured%s</text>\n",
            network, traffic, map->run->cycles,
            map->run->result.end == ANL_RUN_STALLED ? "; the run stalled" : "");
}

static enum anl_status put_map(const struct map *map)
{
    const struct anl_layout *layout = map->layout;
    const double zoom = fmax(1, fmin(3, fmax(layout->height, layout->width) / 1500));
    const double top = HEADER * zoom, width = layout->width + PANEL * zoom;
    const double height = fmax(layout->height, 360 * zoom) + top;
    fprintf(map->svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\">\n<title>",
            width, height, width, height);
    draw_escaped(map->svg, map->run->title);
    fputs("</title>\n", map->svg);
    put_style(map->svg);
    fprintf(map->svg, "<g transform=\"scale(%.2f)\">\n", zoom);
    put_header(map);
    fprintf(map->svg, "</g>\n<g transform=\"translate(0 %.0f)\">\n", top);
    put_edges(map);
    for (uint32_t link = 0; link < layout->shape.links; link++)
        if (is_there(map, link)) put_link(map, link);
    draw_nodes(map->svg, &map->run->scenario->network, layout);
    fprintf(map->svg, "</g>\n<g transform=\"translate(%.0f %.0f) scale(%.2f)\">\n",
            layout->width + 12 * zoom, top + 24 * zoom, zoom);
    const enum anl_status status = put_panel(map);
    fputs("</g>\n</svg>\n", map->svg);
    return status;
}

enum anl_status plot_links(FILE *svg, const struct plot_run *run, struct anl_error *error)
{
    struct anl_layout layout;
    struct anl_config drawn = run->scenario->network;
    drawn.num_vcs = 2;  // gives room for a ribbon
    drawn.depth = 1;    // gives room for its arrow
    enum anl_status status = anl_layout_create(&drawn, &layout, error);
    if (status) return status;
    layout.lane_offset = layout.wire_offset = beside_the_middle;
    struct map map = {svg, run, &run->scenario->network, &layout, 0};
    map.top = top_of_scale(&map);
    status = put_map(&map);
    anl_layout_free(&layout);
    return cli_fail(status, error);
}
