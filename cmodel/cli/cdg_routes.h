// SPDX-License-Identifier: Apache-2.0
//
// Wiring and routes as a list of lines, such as the RTL is asked for (docs/cdg.md), made into a
// channel-dependency graph without a look at what the golden model thinks of either.

#ifndef ANNELID_CDG_ROUTES_H
#define ANNELID_CDG_ROUTES_H

#include <annelid/network.h>

// Reads the list and sends a head from every terminal to every terminal. *heads: how many places a
// head was looked at in: lanes times destinations. The caller destroys *cdg. ANL_ERR_FORMAT: a line
// is not one, or a head gets lost or comes to a terminal that is not its own; ANL_ERR_IO,
// ANL_ERR_MEMORY.
enum anl_status cdg_routes_read(const char *path, const struct anl_config *config,
                                struct anl_cdg **cdg, uint64_t *heads, struct anl_error *error);

#endif
