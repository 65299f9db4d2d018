// SPDX-License-Identifier: Apache-2.0
//
// What became of every worm of a run or a trace, from its worms and flits alone, as CSV: a row for
// each worm, or for each group of worms (docs/run.md, "Worms one by one").

#ifndef ANNELID_WORM_TABLE_H
#define ANNELID_WORM_TABLE_H

#include "cli.h"

struct worm_row {
    uint32_t id, source, destination;
    uint16_t length;
    uint8_t class_;
    uint32_t hops;                          // links that its head has crossed so far
    uint64_t created, injected, delivered;  // cycles; UINT64_MAX: not yet
};

// Worms by id. The user initialises it with the configuration of the network, and gives it to
// worm_table_free().
struct worm_table {
    const struct anl_config *config;
    struct worm_row *list;  // [count]
    size_t count, size;
};

// Add the next worm, whose id is the number of those before it; a flit that crosses a link, of a
// worm that was added. ANL_ERR_MEMORY. A flit of another worm, or on a link that is not there, is
// left out.
enum anl_status worm_table_add(struct worm_table *table, const struct anl_worm *worm);
void worm_table_flit(struct worm_table *table, uint64_t cycle, const struct anl_flit *flit);
void worm_table_free(struct worm_table *table);

// What a row is about.
enum worm_table_per { PER_WORM, PER_SOURCE, PER_DESTINATION, PER_PAIR, PER_CLASS };

// Reads "worm", "source", "destination", "pair" or "class" as the value of an option.
void worm_table_read_per(void *per, const char *text, struct argp_state *state);

struct worm_table_file {
    const char *path;
    enum worm_table_per per;
    uint64_t warmup;                      // groups leave out worms created before this cycle
    const struct cli_given *given;        // for the head of the file
    const struct anl_scenario *scenario;  // for the same; NULL: a trace whose scenario is not known
};

// Writes the file. ANL_ERR_IO, ANL_ERR_MEMORY.
enum anl_status worm_table_write(struct worm_table *table, const struct worm_table_file *file,
                                 struct anl_error *error);

#endif
