// SPDX-License-Identifier: Apache-2.0
//
// What gnuplot draws: a script in memory, with its data, becomes an SVG that needs nothing else.
// Its colours follow the page around it, points tell their numbers when pointed at, and it can
// stand in one page with others.

#ifndef ANNELID_PLOT_GNUPLOT_H
#define ANNELID_PLOT_GNUPLOT_H

#include "common/common.h"

enum { PLOT_WIDTH = 720, PLOT_HEIGHT = 460 };

// Curves have one of these looks, told apart by mark and dashes alone, too. There are half as many
// colours.
enum { PLOT_LOOKS = 16 };
struct plot_look {
    const char *colour;
    int mark, hollow, dash;  // gnuplot's pointtypes and dashtype
};
struct plot_look plot_look(size_t curve);

// A text of a script: printed as a string of gnuplot in which nothing has a meaning.
void plot_quote(FILE *script, const char *text);

// The same for a part of a string in a block of data: what would end it becomes a blank.
void plot_plain(FILE *script, const char *text);

// What all scripts begin with: size (PLOT_WIDTH or more, PLOT_HEIGHT), fonts, axes, a title and a
// line of words below it.
void plot_begin(FILE *script, int width, const char *title, const char *words);

// Has gnuplot draw. name: of the picture among those of a page, title: of the SVG.
struct plot_drawing {
    struct gnuplot gnuplot;
    const char *name, *title;
};
enum anl_status plot_gnuplot(const struct plot_drawing *drawing, FILE *svg,
                             struct anl_error *error);

#endif
