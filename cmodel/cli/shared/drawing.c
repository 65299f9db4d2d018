// SPDX-License-Identifier: Apache-2.0
//
// The parts of a picture that do not change from cycle to cycle: switches, terminals, wires, empty
// slots; and the style sheet of the whole picture.

#include "drawing.h"

#include <annelid/network.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

// Returns how many bytes the UTF-8 character at the beginning of text has; 0 if there is none or
// XML forbids it.
static size_t character(const char *text)
{
    uint32_t code = (unsigned char)text[0];
    if (code < 0x80) return 1;
    const size_t length = code < 0xc2 ? 0 : code < 0xe0 ? 2 : code < 0xf0 ? 3 : code < 0xf5 ? 4 : 0;
    code &= 0x7fu >> length;
    for (size_t i = 1; i < length; i++) {
        const unsigned char next = (unsigned char)text[i];
        if ((next & 0xc0) != 0x80) return 0;
        code = code << 6 | (next & 0x3f);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    const bool forbidden = code == 0xfffe || code == 0xffff || code > 0x10ffff;
    return overlong || surrogate || forbidden ? 0 : length;
}

void draw_escaped(FILE *out, const char *text)
{
    while (*text) {
        const size_t length = character(text);
        const char c = *text;
        if (c == '<' || c == '>' || c == '&' || c == '"')
            fprintf(out, "&#%d;", c);
        else if (length == 0 || (c >= 0 && c < ' ') || c == 0x7f)
            fputc(c == '\n' ? c : '?', out);
        else
            fwrite(text, 1, length, out);
        text += length ? length : 1;
    }
}

void draw_html_begin(FILE *out, const char *title, const char *css)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>",
          out);
    draw_escaped(out, title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", css);
}

void draw_html_end(FILE *out) { fputs("</body>\n</html>\n", out); }

void draw_describe(const struct anl_config *config, char *text, size_t size)
{
    const struct anl_shape shape = anl_shape_of(config);
    snprintf(text, size,
             "%s k = %" PRIu32 ", n = %" PRIu32 " (%" PRIu32 " switches), %" PRIu32
             " lane%s of %" PRIu32 " flit%s, %s, %s%s",
             anl_topology_name(config->topology), config->k, config->n, shape.switches,
             config->num_vcs, plural(config->num_vcs), config->depth, plural(config->depth),
             anl_routing_name(config->routing), anl_admission_name(config->admission),
             config->space == ANL_CHAINED ? ", space chained" : "");
}

void draw_style(FILE *out)
{
    fputs("<style>\n"
          "svg { font-family: 'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif; }\n"
          ".switch { fill: #f3f5f8; stroke: #aab4c0; }\n"
          ".terminal { fill: #ffffff; stroke: #aab4c0; }\n"
          ".wire { fill: none; stroke: #d9dee5; }\n"
          ".slot { fill: #ffffff; stroke: #ccd3dc; stroke-width: 0.7; }\n"
          ".number { font-weight: 600; fill: #5b6673; text-anchor: middle; }\n"
          ".small { fill: #8590a0; text-anchor: middle; }\n"
          ".held { fill: none; stroke-linecap: round; stroke-linejoin: round; opacity: 0.75; }\n"
          ".flits { stroke: none; }\n"
          ".head { fill: #ffffff; stroke: none; }\n"
          ".dim { opacity: 0.3; }\n"
          ".wait { fill: none; stroke: #1f2933; stroke-width: 2.2; }\n"
          ".dead .wait { stroke: #b00020; stroke-width: 3; }\n"
          ".tag { font-size: 10px; font-weight: 700; text-anchor: middle; fill: #1f2933; }\n"
          ".tag-box { fill: #ffffff; stroke-width: 1.6; }\n"
          ".queue { font-size: 9px; font-weight: 700; fill: #1f2933; text-anchor: middle; }\n"
          ".title { font-size: 18px; font-weight: 700; fill: #1f2933; }\n"
          ".heading { font-size: 14px; font-weight: 700; fill: #1f2933; }\n"
          ".entry { font-size: 12px; font-weight: 700; fill: #1f2933; }\n"
          ".line { font-size: 11px; fill: #4d5b6b; }\n"
          ".alarm { fill: #b00020; }\n"
          ".rule { stroke: #d9dee5; }\n"
          "</style>\n"
          "<defs>\n"
          "<marker id=\"point\" viewBox=\"0 0 10 10\" refX=\"8.5\" refY=\"5\" markerWidth=\"11\" "
          "markerHeight=\"11\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
          "<path d=\"M0 0L10 5L0 10L3 5Z\" fill=\"#1f2933\"/></marker>\n"
          "<marker id=\"point-dead\" viewBox=\"0 0 10 10\" refX=\"8.5\" refY=\"5\" "
          "markerWidth=\"14\" markerHeight=\"14\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
          "<path d=\"M0 0L10 5L0 10L3 5Z\" fill=\"#b00020\"/></marker>\n"
          "<g id=\"bound_elsewhere\"><circle r=\"5\" fill=\"#c62828\" stroke=\"#fff\"/>"
          "<rect x=\"-3\" y=\"-1\" width=\"6\" height=\"2\" fill=\"#fff\"/></g>\n"
          "<g id=\"no_credit\"><rect x=\"-4.4\" y=\"-4.4\" width=\"8.8\" height=\"8.8\" rx=\"1.2\" "
          "fill=\"#8e24aa\" stroke=\"#fff\"/><path d=\"M-2 -2L2 2M-2 2L2 -2\" stroke=\"#fff\" "
          "stroke-width=\"1.5\"/></g>\n"
          "<g id=\"lost_arbitration\"><path d=\"M0 -5.6L5.4 4H-5.4Z\" fill=\"#f2a900\" "
          "stroke=\"#fff\" stroke-linejoin=\"round\"/><rect x=\"-0.8\" y=\"-2.6\" width=\"1.6\" "
          "height=\"3.4\" fill=\"#fff\"/><rect x=\"-0.8\" y=\"1.6\" width=\"1.6\" height=\"1.5\" "
          "fill=\"#fff\"/></g>\n"
          "<g id=\"not_yet\"><circle r=\"5\" fill=\"#455a64\" stroke=\"#fff\"/>"
          "<path d=\"M0 -3V0L2.2 1.6\" fill=\"none\" stroke=\"#fff\" stroke-width=\"1.4\"/></g>\n"
          "</defs>\n",
          out);
}

// --- wires and slots ---

static struct anl_point towards(struct anl_point from, struct anl_point to, double length)
{
    const double whole = hypot(to.x - from.x, to.y - from.y);
    const double part = whole > 0 ? fmin(length, whole / 2) / whole : 0;
    return (struct anl_point){from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
}

void draw_wire(FILE *out, const struct anl_lane_shape *lane)
{
    const double radius = 9;
    fprintf(out, "M%.1f %.1f", lane->wire[0].x, lane->wire[0].y);
    for (uint32_t i = 1; i + 1 < lane->count; i++) {
        const struct anl_point corner = lane->wire[i];
        const struct anl_point in = towards(corner, lane->wire[i - 1], radius);
        const struct anl_point on = towards(corner, lane->wire[i + 1], radius);
        fprintf(out, "L%.1f %.1fQ%.1f %.1f %.1f %.1f", in.x, in.y, corner.x, corner.y, on.x, on.y);
    }
    fprintf(out, "L%.1f %.1f", lane->wire[lane->count - 1].x, lane->wire[lane->count - 1].y);
}

// Draws the frame around all slots of a lane and the lines between them.
static void draw_slots(FILE *out, const struct anl_layout *layout,
                       const struct anl_lane_shape *lane, uint32_t slots)
{
    const double length = layout->slot_length, half = layout->lane_pitch / 2 - 0.5;
    const struct anl_point d = {lane->step.x / length, lane->step.y / length};
    const struct anl_point side = {-d.y * half, d.x * half};
    const struct anl_point from = {lane->front.x - lane->step.x / 2,
                                   lane->front.y - lane->step.y / 2};
    const struct anl_point to = {from.x + lane->step.x * slots, from.y + lane->step.y * slots};
    fprintf(out, "M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ", from.x - side.x, from.y - side.y,
            to.x - side.x, to.y - side.y, to.x + side.x, to.y + side.y, from.x + side.x,
            from.y + side.y);
    for (uint32_t i = 1; i < slots; i++) {
        const struct anl_point at = {from.x + lane->step.x * i, from.y + lane->step.y * i};
        fprintf(out, "M%.1f %.1fL%.1f %.1f", at.x - side.x, at.y - side.y, at.x + side.x,
                at.y + side.y);
    }
}

static void for_lanes(FILE *out, const struct anl_layout *layout, bool slots)
{
    for (uint32_t link = 0; link < layout->shape.links; link++)
        for (uint32_t vc = 0; layout->paths[link].count && vc < layout->num_vcs; vc++) {
            const struct anl_lane_shape lane = anl_layout_lane(layout, link, vc);
            if (slots) {
                draw_slots(out, layout, &lane, layout->paths[link].slots);
                continue;
            }
            draw_wire(out, &lane);
            fprintf(out, "M%.1f %.1fL%.1f %.1f", lane.front.x - lane.step.x / 2,
                    lane.front.y - lane.step.y / 2, lane.end.x, lane.end.y);
        }
}

// --- nodes ---

static void draw_switch(FILE *out, const struct anl_config *config, const struct anl_layout *layout,
                        uint32_t s)
{
    const struct anl_point at = layout->switches[s];
    const double side = layout->switch_side, size = fmax(13, side * 0.17);
    fprintf(out,
            "<g><title>switch %" PRIu32 "</title><rect class=\"switch\" x=\"%.1f\" y=\"%.1f\" "
            "width=\"%.1f\" height=\"%.1f\" rx=\"8\"/>",
            s, at.x - side / 2, at.y - side / 2, side, side);
    fprintf(out,
            "<text class=\"number\" font-size=\"%.1f\" x=\"%.1f\" y=\"%.1f\">%" PRIu32
            "</text><text class=\"small\" font-size=\"%.1f\" x=\"%.1f\" y=\"%.1f\">",
            size, at.x, at.y - 1, s, config->n > 4 ? size * 0.54 : size * 0.7, at.x,
            at.y + size * 0.85);
    char name[64];
    anl_switch_name(config, s, name, sizeof name);
    const char *coordinates = name + strcspn(name, "(") + 1;
    fprintf(out, "%.*s</text></g>\n", (int)strcspn(coordinates, ")"), coordinates);
}

static void draw_terminal(FILE *out, const struct anl_layout *layout, uint32_t t)
{
    const struct anl_point at = layout->terminals[t];
    const double width = layout->terminal_width, height = layout->terminal_height;
    fprintf(out,
            "<g><title>terminal %" PRIu32 "</title><rect class=\"terminal\" x=\"%.1f\" "
            "y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\"/>"
            "<text class=\"small\" font-size=\"9\" x=\"%.1f\" y=\"%.1f\">T%" PRIu32 "</text></g>\n",
            t, at.x - width / 2, at.y - height / 2, width, height, height / 2, at.x, at.y - 1.5, t);
}

void draw_nodes(FILE *out, const struct anl_config *config, const struct anl_layout *layout)
{
    for (uint32_t s = 0; s < layout->shape.switches; s++)
        draw_switch(out, config, layout, s);
    for (uint32_t t = 0; t < layout->shape.terminals; t++)
        draw_terminal(out, layout, t);
}

void draw_network(FILE *out, const struct anl_config *config, const struct anl_layout *layout)
{
    fputs("<path class=\"wire\" d=\"", out);
    for_lanes(out, layout, false);
    fputs("\"/>\n", out);
    draw_nodes(out, config, layout);
    fputs("<path class=\"slot\" d=\"", out);
    for_lanes(out, layout, true);
    fputs("\"/>\n", out);
}

// --- PNG, which the program rsvg-convert makes of SVG ---

static enum anl_status cannot_draw(const char *path, struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_IO, path, 0, "cannot draw: %s", strerror(errno));
}

static enum anl_status run(char *const *arguments, int in, int out, const char *path,
                           struct anl_error *error)
{
    struct child child = {.arguments = arguments, .in = in, .out = out, .complaints = -1};
    switch (child_run(&child)) {
    case CHILD_DONE:
        return ANL_OK;
    case CHILD_INTERRUPTED:
        return anl_fail(error, ANL_ERR_IO, "", 0, "interrupted");
    case CHILD_FAILED:
        return anl_fail(error, ANL_ERR_IO, path, 0, "rsvg-convert failed (%s %d); ask for .svg",
                        child.kind, child.reason);
    case CHILD_ABSENT:
        break;
    }
    return anl_fail(error, ANL_ERR_IO, path, 0,
                    "cannot run rsvg-convert, which makes PNG (%s): install Debian's "
                    "librsvg2-bin, or ask for .svg",
                    strerror(child.reason));
}

enum anl_status draw_png_check(const char *path, struct anl_error *error)
{
    char name[] = "rsvg-convert", version[] = "--version";
    char *const arguments[] = {name, version, NULL};
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) return cannot_draw(path, error);
    const enum anl_status status = run(arguments, nothing, nothing, path, error);
    close(nothing);
    return status;
}

static enum anl_status convert(FILE *svg, FILE *png, const char *path, struct anl_error *error)
{
    char name[] = "rsvg-convert", unlimited[] = "--unlimited", form[] = "--format=png";
    char zoom[] = "--zoom=1.5";
    char *const arguments[] = {name, unlimited, form, zoom, NULL};
    if (ferror(svg))
        return anl_fail(error, ANL_ERR_IO, path, 0,
                        "cannot draw: no room for its SVG in the directory of temporary files");
    if (fflush(svg) != 0 || fseek(svg, 0, SEEK_SET) != 0 || lseek(fileno(svg), 0, SEEK_SET) != 0)
        return cannot_draw(path, error);
    return run(arguments, fileno(svg), fileno(png), path, error);
}

enum anl_status draw_png(FILE *png, const char *path,
                         enum anl_status (*put)(FILE *svg, const void *user,
                                                struct anl_error *error),
                         const void *user, struct anl_error *error)
{
    FILE *svg = tmpfile();
    if (!svg) return cannot_draw(path, error);
    enum anl_status status = put(svg, user, error);
    if (!status) status = convert(svg, png, path, error);
    fclose(svg);
    return status;
}
