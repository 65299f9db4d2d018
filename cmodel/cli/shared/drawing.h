// SPDX-License-Identifier: Apache-2.0
//
// What pictures of networks share, whoever draws them: the look of switches, terminals and wires,
// words that stand in SVG or HTML, and PNG made of SVG.

#ifndef ANNELID_DRAWING_H
#define ANNELID_DRAWING_H

#include "cli.h"

#include <annelid/layout.h>

// Head and end of every page: title, style sheet; what is written between is the body.
void draw_html_begin(FILE *out, const char *title, const char *css);
void draw_html_end(FILE *out);

// Parts of the pages, embedded at build time (pages.S): terminated texts. @NAME@ in viewer_html
// stands for a part that the command writes.
extern const char viewer_html[], viewer_css[], viewer_js[], report_css[];

// Text of SVG or HTML, with its special characters escaped.
void draw_escaped(FILE *out, const char *text);

// "8-ary 2-cube mesh, 64 switches, 4 lanes of 4 flits, dimension_order, wormhole".
void draw_describe(const struct anl_config *config, char *text, size_t size);

// <style> and <defs> of every picture: fonts, colours, signs.
void draw_style(FILE *out);

// Switches and terminals.
void draw_nodes(FILE *out, const struct anl_config *config, const struct anl_layout *layout);

// The network without worms.
void draw_network(FILE *out, const struct anl_config *config, const struct anl_layout *layout);

// The wire of a lane, as the value of a path's d.
void draw_wire(FILE *out, const struct anl_lane_shape *lane);

// Whether rsvg-convert is there; path is named in errors.
enum anl_status draw_png_check(const char *path, struct anl_error *error);

// Has rsvg-convert turn the SVG that put writes into PNG; path is named in errors.
enum anl_status draw_png(FILE *png, const char *path,
                         enum anl_status (*put)(FILE *svg, const void *user,
                                                struct anl_error *error),
                         const void *user, struct anl_error *error);

#endif
