// SPDX-License-Identifier: Apache-2.0
//
// What the sub-commands of `annelid trace` share: an open trace whose links have names.

#ifndef ANNELID_CMD_TRACE_H
#define ANNELID_CMD_TRACE_H

#include "shared/cli.h"

struct view {
    const char *path;
    struct anl_trace_reader *reader;
    struct anl_scenario scenario;
    bool named;  // the scenario in the trace could be parsed, so links have names
    uint32_t links;
    uint64_t worms;                  // how many were read so far
    uint32_t first_worm, last_worm;  // their lowest and their highest id
};

// Opens a trace. On failure prints the error, closes the view and returns false.
bool view_open(struct view *view, const char *path);
void view_close(struct view *view);
// Reads the next record. If the trace is bad, prints the error and returns false.
bool view_next(struct view *view, struct anl_record *record);
// Returns the name of a link, "3(1,0).+1", or "link 17" if links have no names.
struct cli_name view_link(const struct view *view, uint32_t link);

// Prints "lane 0  H  worm 5  index 2".
void print_flit(const struct anl_flit *flit);
// Prints "worm 5  from 0 to 3, 8 flits".
void print_worm(const struct anl_worm *worm);

int trace_diff(int argc, char **argv);
int trace_watch(int argc, char **argv);

#endif
