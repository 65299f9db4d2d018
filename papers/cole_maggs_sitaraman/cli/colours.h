// SPDX-License-Identifier: Apache-2.0
//
// Of annelid colour: where paths come from, what a schedule does in a run, and its files.

#ifndef ANNELID_COLOURS_H
#define ANNELID_COLOURS_H

#include "cli/shared/cli.h"

#include <annelid/colour.h>

// Messages with their paths, of a scenario or of a file of paths, and their schedule.
struct colours {
    bool has_scenario;
    struct anl_scenario scenario;
    struct anl_message *messages;  // [paths.messages] of a scenario, in the order of creation;
                                   // their routes belong to the scenario
    struct anl_link_paths paths;
    uint16_t *lengths;   // [paths.messages] flits
    uint32_t longest;    // of them
    uint32_t vcs;        // B
    uint32_t narrowest;  // of a scenario: the fewest lanes of which a worm takes one on a link
    uint32_t slower;     // cycles of a step: B where the lanes of a link share it
    uint64_t gap;        // of the release (struct anl_release_rule)
    struct anl_colouring colouring;
    uint64_t *starts;  // [colouring.count] cycles
};
void colours_free(struct colours *colours);

// Returns whether a file is one of paths: the first thing in it is a digit.
bool colours_is_of_paths(const char *path);

// Reads a file of paths: a message a line, with the numbers of its links. All have `length` flits.
enum anl_status colours_read_paths(const char *path, uint16_t length, struct colours *colours,
                                   struct anl_error *error);

// Takes the messages of a scenario that is loaded, with the paths that its routes give them.
// ANL_ERR_ARGUMENT if they depend on the run.
enum anl_status colours_take_scenario(struct colours *colours, const char *path,
                                      struct anl_error *error);

// What the golden model says of a schedule.
struct colours_replay {
    uint64_t cycles;
    uint64_t worms, delivered;
    uint64_t late;     // worms that took longer than alone
    uint64_t blocked;  // shared links: worms that waited for a lane that another worm had; else 0
};
// Runs the scenario with its messages at their starts.
enum anl_status colours_replay(const struct colours *colours, struct colours_replay *replay,
                               struct anl_error *error);

// Writes the messages as a message file, or `message,colour,start` rows if there is no scenario.
enum anl_status colours_write(const char *path, const struct colours *colours,
                              struct anl_error *error);
// Writes a scenario that replays the message file.
enum anl_status colours_write_scenario(const char *path, const char *messages,
                                       const struct colours *colours, struct anl_error *error);

#endif
