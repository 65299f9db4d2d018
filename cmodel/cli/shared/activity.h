// SPDX-License-Identifier: Apache-2.0
//
// How much happens in each link and switch of a run, for a model of energy of the user's own
// (docs/run.md, "Activity").

#ifndef ANNELID_ACTIVITY_H
#define ANNELID_ACTIVITY_H

#include "cli.h"

// What crossed a link. The bits are those of data and marks that differ from the flit before.
struct activity_link {
    uint64_t flits, heads, toggled;
};

struct activity {
    const struct anl_config *config;
    uint64_t from;  // the first cycle that counts
    struct anl_shape shape;
    struct activity_link *links;  // [links]
    uint32_t *last;               // [links * wires] the words of the last flit, then its marks
    struct anl_worm *worms;       // [count] by id
    size_t count, size;
    uint64_t *in;  // [switches] flits that came in
};

// Begins to count from a cycle on; the configuration must outlive *activity, which the caller gives
// to activity_free() in any case. ANL_ERR_MEMORY.
enum anl_status activity_begin(const struct anl_config *config, uint64_t from,
                               struct activity *activity);
// Add the next worm, whose id is the number of those before it; a flit that crosses a link.
enum anl_status activity_worm(struct activity *activity, const struct anl_worm *worm);
void activity_flit(struct activity *activity, uint64_t cycle, const struct anl_flit *flit);
void activity_free(struct activity *activity);

// Writes the CSV file of a run of so many cycles. ANL_ERR_IO.
enum anl_status activity_write(const struct activity *activity, const char *path, uint64_t cycles,
                               const struct cli_given *given, const struct anl_scenario *scenario,
                               struct anl_error *error);

#endif
