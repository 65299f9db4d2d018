// SPDX-License-Identifier: Apache-2.0
//
// Benches of the route units of cubes: they drive a unit and compare it with the oracle.

#ifndef ANL_TB_CUBE_ROUTES_H
#define ANL_TB_CUBE_ROUTES_H

#include "bench.h"
#include "oracle/routes.h"

// A route unit with one port: the inputs are here and dst, the outputs port (one-hot) and vcs.
void drive_route(struct oracle_cube cube, struct bits *in);
void check_route(struct oracle_cube cube, struct bits *in, struct bits *out);

// A route unit with several options: the inputs are from, here and dst, the output the set of lanes
// of each port.
void drive_options(struct oracle_cube cube, struct bits *in);
void check_options(struct oracle_cube cube, struct bits *in, struct bits *out);

// Returns the ports of a route, and the lanes of the first of them.
uint64_t ports_of(const struct oracle_route *route);
uint64_t lanes_of(const struct oracle_route *route);

#endif
