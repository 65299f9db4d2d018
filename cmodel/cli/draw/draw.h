// SPDX-License-Identifier: Apache-2.0
//
// Pictures of a blocking analysis (annelid/blocking.h) on a layout (annelid/layout.h): one
// cycle as SVG, a range of cycles as a page for the browser.

#ifndef ANNELID_DRAW_H
#define ANNELID_DRAW_H

#include "cli/cli.h"

#include <annelid/layout.h>
#include <stdio.h>

// --- parts that still pictures and pages share ---

// Worms have one of these colours, by id; chosen to differ for colour-blind people too. Odd, so
// that ids at even distances have different ones.
enum { DRAW_COLOURS = 21 };
const char *draw_colour(uint32_t worm);

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

// --- the chain of a worm ---

// A worm of a chain: where it waits for the next one.
struct draw_link {
    uint32_t worm;
    uint32_t buffer;  // of its front flit that waits, or moves
    uint32_t next;    // that it waits for, a buffer of the next worm; ANL_NOTHING: the end
};

struct draw_chain {
    struct draw_link *links;
    size_t count;
    size_t back_to;  // the last one waits for this one; SIZE_MAX: it does not
    bool deadlock;   // all of it is the circle of a deadlock
};

// The chain of a worm in the blocking analysis's cycle; of the deadlock as it closed if worm is
// ANL_NOTHING and there is one. A worm that is not in the network has an empty chain.
// ANL_ERR_MEMORY.
enum anl_status draw_chain_of(const struct anl_blocking *blocking, uint32_t worm,
                              struct draw_chain *chain);
void draw_chain_free(struct draw_chain *chain);
// Where worm is in it; SIZE_MAX: it is not.
size_t draw_chain_find(const struct draw_chain *chain, uint32_t worm);

// --- pictures ---

struct draw_request {
    const char *input;  // name of what is drawn, for the title
    uint32_t worm;      // whose chain; ANL_NOTHING: none asked for
};

// The blocking analysis's cycle as SVG.
enum anl_status draw_svg(FILE *out, const struct draw_request *request,
                         const struct analysed *analysed, const struct anl_layout *layout,
                         struct anl_error *error);

// Whether rsvg-convert is there; path is named in errors.
enum anl_status draw_png_check(const char *path, struct anl_error *error);

// Has rsvg-convert turn SVG into PNG, from the one file to the other; path is named in errors.
enum anl_status draw_png(FILE *svg, FILE *png, const char *path, struct anl_error *error);

#endif
