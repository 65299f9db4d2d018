// SPDX-License-Identifier: Apache-2.0
//
// What the sub-commands of `annelid trace` share: a trace that is open and can name its links.

#ifndef ANNELID_CMD_TRACE_H
#define ANNELID_CMD_TRACE_H

#include "shared/cli.h"

#include <annelid/annelid.h>

struct view {
    const char *path;
    struct anl_trace_reader *reader;
    struct anl_scenario scenario;
    bool named;  // the scenario inside was understood: links have names
    struct anl_shape shape;
    uint64_t worms;  // read so far
};

struct link_name {
    char text[96];
};

// On failure complains and returns false; the view is then closed.
bool view_open(struct view *view, const char *path);
void view_close(struct view *view);
// The next record; complains and returns false if the trace is bad.
bool view_next(struct view *view, struct anl_record *record);
// "3(1,0).+1", or "link 17" if links have no names here.
struct link_name view_link(const struct view *view, uint32_t link);

// "lane 0  H  worm 5  index 2"
void print_flit(const struct anl_flit *flit);
// "worm 5  from 0 to 3, 8 flits"
void print_worm(const struct anl_worm *worm);

int trace_diff(int argc, char **argv);

#endif
