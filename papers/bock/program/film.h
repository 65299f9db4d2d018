// SPDX-License-Identifier: Apache-2.0
//
// A batch on a torus of 16 x 16 nodes, drawn: film.c (the run), strip.c (a picture for each phase),
// page.c (a page with a slider).

#ifndef ANL_BOCK_FILM_H
#define ANL_BOCK_FILM_H

#include "bock.h"

enum { FILM_SIDE = 16 };

struct film {
    struct anl_diagonals_config config;
    struct anl_diagonals *machine;
    struct anl_diagonals_worm worms[FILM_SIDE * FILM_SIDE];
    // By register, of the step that was run last: what stood there at its start, and whether it
    // stands in it.
    struct anl_diagonals_register at[4 * FILM_SIDE * FILM_SIDE];
    bool stands[4 * FILM_SIDE * FILM_SIDE];
    uint32_t followed;  // a worm
};

struct anl_diagonals_config film_config(void);

// Makes the film, and calls show() behind each step of the first batch. ANL_ERR_MEMORY.
enum anl_status film_play(void (*show)(void *user, const struct film *film, uint64_t step),
                          void *user, struct anl_error *error);

// Steps at which phases begin, in a batch.
struct times {
    uint64_t inside, anywhere, reorder, search, delivery, end;
    uint32_t forward, round;
};
struct times film_times(const struct anl_diagonals_config *config);

// Parts of the page, which are embedded at build time (pages.S).
extern const char phases_html[], phases_js[];

// Write the strip as SVG, and the page as HTML. ANL_ERR_MEMORY.
enum anl_status film_strip(FILE *out, struct anl_error *error);
enum anl_status film_page(FILE *out, struct anl_error *error);

#endif
