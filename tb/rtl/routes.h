// SPDX-License-Identifier: Apache-2.0
//
// Routing of docs/networks.md, literally, with coordinates in arrays.

#ifndef ANL_TB_ROUTES_H
#define ANL_TB_ROUTES_H

#include "bench.h"

#include <stdbool.h>
#include <stdint.h>

struct route {
    unsigned port;
    uint64_t vcs;
    bool either;  // this port or the next one
};

struct route_corner {
    int kind;
    unsigned k, n, num_vcs;
};

// Bench of a route unit: inputs here, dst; outputs port (one-hot), vcs.
void drive_route(struct route_corner corner, struct bits *in);
void check_route(struct route_corner corner, struct bits *in, struct bits *out);

// Number of switches or terminals, and the ports of a switch.
unsigned num_switches(unsigned k, unsigned n);
unsigned num_ports(int kind, unsigned n);

// kind as in rtl/common/anl_pkg.sv.
struct route route_by_rule(int kind, unsigned k, unsigned n, unsigned num_vcs, const unsigned *here,
                           const unsigned *dst);

// A head at a switch of a fat-tree, and what chooses among the ways up.
struct tree_head {
    unsigned level, address, destination;
    int path_rule;  // PATH_*
    uint64_t path;  // carried
    bool random;    // drawn
};
struct route route_in_tree(const struct tree_head *head, unsigned num_vcs);

#endif
