// SPDX-License-Identifier: Apache-2.0
//
// A range of cycles as one HTML file for the browser. The page only moves flits as told and shows
// what the blocking analysis engine says of them.

#ifndef ANNELID_DRAW_PAGE_H
#define ANNELID_DRAW_PAGE_H

#include "draw.h"

struct draw_page_request {
    struct analyse_options analyse;  // path and settings; the rest is filled in
    const char *input;               // name of what is drawn, for the title
    uint64_t from, to;               // cycles; to may lie after the last one
};

// Writes the page to out. An exit status; errors were printed.
int draw_page(const struct draw_page_request *request, FILE *out);

#endif
