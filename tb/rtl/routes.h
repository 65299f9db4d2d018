// SPDX-License-Identifier: Apache-2.0
//
// Routing by the words of docs/networks.md, with coordinates in arrays.

#ifndef ANL_TB_ROUTES_H
#define ANL_TB_ROUTES_H

#include "bench.h"

#include <stdbool.h>
#include <stdint.h>

struct route {
    unsigned port;
    uint64_t vcs;
    bool either;  // the next port is as good
};

// A cube, and the lanes that its routes choose from.
struct cube {
    int topology, routing;
    unsigned k, n, num_vcs;
};

// Bench of a route unit: the inputs are here and dst, the outputs port (one-hot) and vcs.
void drive_route(struct cube cube, struct bits *in);
void check_route(struct cube cube, struct bits *in, struct bits *out);

// Number of switches (and terminals) of a cube, and number of ports of a switch.
unsigned num_switches(unsigned k, unsigned n);
unsigned num_ports(int topology, unsigned n);

// Returns the route from here to dst, under a routing that has one.
struct route route_by_rule(const struct cube *cube, const unsigned *here, const unsigned *dst);

// The options of a head: the set of lanes of each output port, 0 if there is none by this port.
enum { OPTION_PORTS = 32 };
struct options {
    uint8_t vcs[OPTION_PORTS];
};

// Returns the options under a routing that has several; from is the input port.
struct options options_by_rule(const struct cube *cube, const unsigned *here, const unsigned *dst,
                               unsigned from);

// Returns the escape lanes of each link of a cube, and the port straight on from an input port, or
// RULES_NONE.
unsigned cube_escapes(int topology, int routing);
int straight_on(int topology, unsigned n, unsigned from);

// Bench of a route unit of a cube with several options: the inputs are from, here and dst, the
// output the set of lanes of each port.
void drive_options(struct cube cube, struct bits *in);
void check_options(struct cube cube, struct bits *in, struct bits *out);

// A head at a switch of a fat-tree, and what its way up depends on.
struct tree_head {
    unsigned level, address, destination;
    int path_rule;  // PATH_*
    uint64_t path;  // PATH_CARRIED: path in the head
    bool random;    // PATH_DRAWN: bit of the random state
};
struct route route_in_tree(const struct tree_head *head, unsigned num_vcs);

#endif
