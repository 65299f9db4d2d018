// SPDX-License-Identifier: Apache-2.0
//
// What the pictures of `annelid draw` and `annelid plot` share: the network in SVG, heads of HTML
// pages, escaped text, and PNG made of SVG.

#ifndef ANNELID_DRAWING_H
#define ANNELID_DRAWING_H

#include "cli.h"

#include <annelid/layout.h>

// Write the head of a page, with its title and style sheet, and its end. What is written between
// the two calls is the body.
void draw_html_begin(FILE *out, const char *title, const char *css);
void draw_html_end(FILE *out);

// Parts of the pages, as terminated texts that are embedded at build time (pages.S). @NAME@ in
// viewer_html stands for a part that the command writes.
extern const char viewer_html[], viewer_css[], viewer_js[], report_css[], picture_css[];
extern const char signs_svg[];  // markers of arrows and signs of waits, as <defs>

// Writes a text into SVG or HTML with its special characters escaped.
void draw_escaped(FILE *out, const char *text);

// Writes a line such as "mesh k = 8, n = 2 (64 switches), 4 lanes of 4 flits, dimension_order,
// wormhole" into text, cut at size - 1 bytes.
void draw_describe(const struct anl_config *config, char *text, size_t size);

// Writes the <style> that every picture has: fonts, colours.
void draw_style(FILE *out);

// Draws switches and terminals.
void draw_nodes(FILE *out, const struct anl_config *config, const struct anl_layout *layout);

// Writes the wire of a lane as a part of the attribute d of an SVG path: the first point without a
// command, and lines on to the slots.
void draw_wire(FILE *out, const struct anl_lane_shape *lane);

// Checks, if the form is PNG or PDF, that rsvg-convert can be run; ANL_ERR_IO if not. Errors name
// path.
enum anl_status draw_form_check(enum cli_form form, const char *path, struct anl_error *error);

// Where a picture goes, and who writes it as SVG.
struct draw_sheet {
    FILE *out;
    enum cli_form form;  // SVG, or PNG or PDF, which rsvg-convert makes of it
    const char *path;    // that errors name
    enum anl_status (*put)(FILE *svg, const void *user, struct anl_error *error);
};
enum anl_status draw_form(const struct draw_sheet *sheet, const void *user,
                          struct anl_error *error);

#endif
