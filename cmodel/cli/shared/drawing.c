// SPDX-License-Identifier: Apache-2.0
//
// The parts of a picture that `annelid draw` and `annelid plot` have in common: style sheet,
// switches, terminals, wires.

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
    if (!anl_has(config, ANL_TRAIT_WAITS)) {
        snprintf(text, size, "%s (%" PRIu32 " switches), %s", cli_network_name(config, " = ").text,
                 shape.switches, cli_switch_words(config).text);
        return;
    }
    snprintf(text, size,
             "%s (%" PRIu32 " switches), %" PRIu32 " lane%s of %" PRIu32 " flit%s, %s, %s%s",
             cli_network_name(config, " = ").text, shape.switches, config->num_vcs,
             plural(config->num_vcs), config->depth, plural(config->depth),
             cli_routing_name(config).text, anl_flow_control_name(config->flow_control),
             cli_unusual_name(config).text);
}

void draw_style(FILE *out) { fprintf(out, "<style>\n%s</style>\n", picture_css); }

// --- wires ---

static struct anl_point towards(struct anl_point from, struct anl_point to, double length)
{
    const double whole = hypot(to.x - from.x, to.y - from.y);
    const double part = whole > 0 ? fmin(length, whole / 2) / whole : 0;
    return (struct anl_point){from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
}

// Writes the way from one point to the next.
static void put_step(FILE *out, const char *command, struct anl_point from, struct anl_point to)
{
    fprintf(out, "%s%.4g %.4g", command, to.x - from.x, to.y - from.y);
}

void draw_wire(FILE *out, const struct anl_lane_shape *lane)
{
    const double radius = 9;
    struct anl_point at = lane->wire[0];
    fprintf(out, "%.1f %.1f", at.x, at.y);
    for (uint32_t i = 1; i + 1 < lane->count; i++) {
        const struct anl_point corner = lane->wire[i];
        const struct anl_point in = towards(corner, lane->wire[i - 1], radius);
        const struct anl_point on = towards(corner, lane->wire[i + 1], radius);
        put_step(out, "l", at, in);
        put_step(out, "q", in, corner);
        put_step(out, " ", in, on);
        at = on;
    }
    put_step(out, "l", at, lane->wire[lane->count - 1]);
}

// --- nodes ---

static void draw_switch(FILE *out, const struct anl_config *config, const struct anl_layout *layout,
                        uint32_t s)
{
    const struct anl_point at = layout->switches[s];
    const struct anl_point box = layout->sizes[s];
    const double size = fmax(13, layout->switch_side * 0.17);
    fprintf(out,
            "<g><title>switch %" PRIu32 "</title><rect class=\"switch\" x=\"%.1f\" y=\"%.1f\" "
            "width=\"%.1f\" height=\"%.1f\" rx=\"8\"/>",
            s, at.x - box.x / 2, at.y - box.y / 2, box.x, box.y);
    fprintf(out,
            "<text class=\"number\" font-size=\"%.1f\" x=\"%.1f\" y=\"%.1f\">%" PRIu32
            "</text><text class=\"small\" font-size=\"%.1f\" x=\"%.1f\" y=\"%.1f\">",
            size, at.x, at.y - 1, s, config->n > 4 ? size * 0.54 : size * 0.7, at.x,
            at.y + size * 0.85);
    char name[64];
    anl_switch_name(config, s, name, sizeof name);
    const char *open = strchr(name, '('), *inner = open ? open + 1 : "";
    fprintf(out, "%.*s</text></g>\n", (int)strcspn(inner, ")"), inner);
}

static void draw_terminal(FILE *out, const struct anl_layout *layout, uint32_t t,
                          struct anl_point at)
{
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
        draw_terminal(out, layout, t, layout->terminals[t]);
    for (uint32_t t = 0; layout->sinks && t < layout->shape.terminals; t++)
        draw_terminal(out, layout, t, layout->sinks[t]);
}

// --- PNG and PDF, which the program rsvg-convert makes of SVG ---

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
                    "cannot run rsvg-convert, which makes PNG and PDF (%s): install Debian's "
                    "librsvg2-bin, or ask for .svg",
                    strerror(child.reason));
}

static bool is_converted(enum cli_form form) { return form == FORM_PNG || form == FORM_PDF; }

enum anl_status draw_form_check(enum cli_form form, const char *path, struct anl_error *error)
{
    if (!is_converted(form)) return ANL_OK;
    char name[] = "rsvg-convert", version[] = "--version";
    char *const arguments[] = {name, version, NULL};
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) return cannot_draw(path, error);
    const enum anl_status status = run(arguments, nothing, nothing, path, error);
    close(nothing);
    return status;
}

static enum anl_status convert(FILE *svg, enum cli_form form, FILE *out, const char *path,
                               struct anl_error *error)
{
    char name[] = "rsvg-convert", unlimited[] = "--unlimited";
    char png[] = "--format=png", zoom[] = "--zoom=1.5", pdf[] = "--format=pdf";
    char *const to_png[] = {name, unlimited, png, zoom, NULL};
    char *const to_pdf[] = {name, unlimited, pdf, NULL};
    if (ferror(svg))
        return anl_fail(error, ANL_ERR_IO, path, 0,
                        "cannot draw: no room for its SVG in the directory of temporary files");
    if (fflush(svg) != 0 || fseek(svg, 0, SEEK_SET) != 0 || lseek(fileno(svg), 0, SEEK_SET) != 0)
        return cannot_draw(path, error);
    return run(form == FORM_PDF ? to_pdf : to_png, fileno(svg), fileno(out), path, error);
}

enum anl_status draw_form(const struct draw_sheet *sheet, const void *user, struct anl_error *error)
{
    if (!is_converted(sheet->form)) return sheet->put(sheet->out, user, error);
    FILE *svg = tmpfile();
    if (!svg) return cannot_draw(sheet->path, error);
    enum anl_status status = sheet->put(svg, user, error);
    if (!status) status = convert(svg, sheet->form, sheet->out, sheet->path, error);
    fclose(svg);
    return status;
}
