// SPDX-License-Identifier: Apache-2.0
//
// Holds what the referee reads of a network against what the network says of itself: numbers, ends
// and names of links, which of them are chained, and the routes of heads.

#ifndef ANNELID_UNIT_REFEREE_H
#define ANNELID_UNIT_REFEREE_H

#include "unit.h"

#include <annelid/referee.h>
#include <string.h>

#include "referee/referee.h"

// Returns the shape, which the caller frees.
struct referee_shape referee_shape_of(const struct anl_config *config);
void same_links(const struct anl_config *config, const struct referee_shape *shape);
// Compares the routes of a head in a lane at the end of a link, and returns the referee's.
struct referee_route same_route(const struct anl_config *config, const struct referee_shape *shape,
                                const struct referee_worm *worm, uint32_t link, uint32_t vc);
// Compares the routes of a worm wherever its head may come.
void same_routes_of(const struct anl_config *config, const struct referee_shape *shape,
                    const struct referee_worm *worm);
// The same for worms of all classes from every terminal to every terminal.
void same_routes(const struct anl_config *config, const struct referee_shape *shape);

#endif
