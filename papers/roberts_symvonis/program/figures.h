// SPDX-License-Identifier: Apache-2.0
//
// Drawings of a supernode as SVG, in place of the figures 2 to 8 that are lost, and a superstep as
// a flit trace, of which `annelid draw` makes a page.

#ifndef ANL_SNAKES_FIGURES_H
#define ANL_SNAKES_FIGURES_H

#include "snakes.h"

// What is drawn; the name of the file, without its suffix.
enum figure { FIGURE_CELLS, FIGURE_TRAILS, FIGURE_BUFFERS, FIGURE_WAY, FIGURES };
const char *figure_name(enum figure figure);

// Writes a figure of the layout for f = 12 and k = 4. ANL_ERR_MEMORY, or what layout_create() and
// snakes_create() return.
enum anl_status figure_write(enum figure figure, FILE *out, struct anl_error *error);

// Runs 2 x 2 supernodes to the end of a superstep, and writes their flits as a trace. ANL_ERR_IO,
// ANL_ERR_MEMORY.
enum anl_status superstep_trace(const char *path, struct anl_error *error);

// Writes all figures, as supernode-<name>.svg, and superstep.anlt to a directory.
enum anl_status figures_write(const char *directory, struct anl_error *error);

#endif
