// SPDX-License-Identifier: Apache-2.0
//
// The ways of heads in regular networks: docs/networks.md, "k-ary n-cubes", "Valiant", "Adaptive
// routing" and "The butterfly fat-tree". Coordinates are arrays, that of dimension 0 first.

#ifndef ANL_ORACLE_ROUTES_H
#define ANL_ORACLE_ROUTES_H

#include "oracle/lanes.h"

enum { ORACLE_DIMENSIONS = 10 };

// A cube, and the lanes that its routes choose from.
struct oracle_cube {
    int topology, routing;
    unsigned k, n, num_vcs;
};

// Returns the ports of a switch, that of the terminal among them. It is the last one.
unsigned oracle_cube_ports(const struct oracle_cube *cube);
// Returns base to the power of exponent.
unsigned oracle_power(unsigned base, unsigned exponent);
// Writes the coordinates of a switch.
void oracle_coordinates(const struct oracle_cube *cube, unsigned node, unsigned *coordinates);

// Returns the route from here to there by a routing that gives one port.
struct oracle_route oracle_cube_route(const struct oracle_cube *cube, const unsigned *here,
                                      const unsigned *there);
// Returns the options of a routing that gives several; from is the input port.
struct oracle_route oracle_cube_options(const struct oracle_cube *cube, const unsigned *here,
                                        const unsigned *there, unsigned from);
// Returns the escape lanes of each link, and the port straight on from an input port, or
// ORACLE_NONE.
unsigned oracle_cube_escapes(const struct oracle_cube *cube);
int oracle_straight_on(const struct oracle_cube *cube, unsigned from);
// Returns the route of routing valiant for a head in lane v of input port `from`.
struct oracle_route oracle_valiant_route(const struct oracle_cube *cube, const unsigned *here,
                                         const unsigned *via, const unsigned *there, unsigned from,
                                         unsigned v);
// Returns the links of a route between two switches.
unsigned oracle_cube_distance(const struct oracle_cube *cube, const unsigned *from,
                              const unsigned *to);

// A head at a switch of a fat-tree, and what its way up depends on.
struct oracle_tree_head {
    unsigned level, address, destination;
    int path_rule;  // PATH_*
    uint64_t path;  // PATH_CARRIED: path in the head
    bool random;    // PATH_DRAWN: bit of the random state
};
// Returns which path rule a routing of fat-trees is.
int oracle_path_rule(int routing);
struct oracle_route oracle_tree_route(const struct oracle_tree_head *head, unsigned num_vcs);
unsigned oracle_tree_distance(unsigned from, unsigned to);

#endif
