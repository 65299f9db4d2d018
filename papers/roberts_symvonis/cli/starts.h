// SPDX-License-Identifier: Apache-2.0
//
// Files of permutations, orders and schedules, and the picture of a schedule.

#ifndef ANNELID_STARTS_H
#define ANNELID_STARTS_H

#include "cli/shared/cli.h"

#include <annelid/schedule.h>

// A schedule, or what one is made for. Arrays are freed by starts_free().
struct starts {
    struct anl_permutation permutation;
    uint32_t k;
    uint32_t *order;   // [worms]
    uint32_t worms;    // in the permutation, also those that stay
    uint32_t *starts;  // [n * n] by source; 0: none
};
void starts_free(struct starts *starts);

// Read the worms of a mesh of side n from rows `source,destination`, or with their starts from rows
// `source,destination,start`. A start is at most `latest`. Fill the permutation and starts.
enum anl_status starts_read_permutation(const char *path, uint32_t n, struct starts *starts,
                                        struct anl_error *error);
enum anl_status starts_read_schedule(const char *path, uint32_t n, uint32_t latest,
                                     struct starts *starts, struct anl_error *error);

// Reads an order, a source in each row; starts->order has room. Each worm must be in it once.
enum anl_status starts_read_order(const char *path, struct starts *starts, struct anl_error *error);

// Writes the rows `source,destination,start`, or a picture, to path.
enum anl_status starts_write(const char *path, const struct starts *starts,
                             struct anl_error *error);
// Writes the worms that use links as a message file, whose cycles are the starts.
enum anl_status starts_write_messages(const char *path, const struct starts *starts,
                                      struct anl_error *error);
enum anl_status starts_draw(const char *path, const struct starts *starts,
                            const struct anl_schedule *schedule, struct anl_error *error);

// --- given paths on any graph ---

struct paths_arguments {
    const char *paths, *order, *check, *output;  // files and the name of an order; NULL: not given
    uint32_t k;
    bool json;
};
// Does what the command does, for the paths of a file. Returns its exit status.
int schedule_paths(const struct paths_arguments *arguments);

#endif
