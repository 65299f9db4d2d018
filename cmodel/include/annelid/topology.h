// SPDX-License-Identifier: Apache-2.0
//
// Shape of a network: switches, ports, links, wiring, routes. Formulas: docs/networks.md.
//
// All functions are pure; config must have passed anl_config_check(). Numbers of switches,
// terminals, ports and links are those of docs/networks.md.

#ifndef ANNELID_TOPOLOGY_H
#define ANNELID_TOPOLOGY_H

#include <annelid/config.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ANL_NO_PORT UINT32_MAX

struct anl_shape {
    uint32_t switches;   // S = k^n; of a fat-tree fewer
    uint32_t ports;      // P, ports of a switch
    uint32_t terminals;  // T = k^n
    uint32_t links;      // S * P + T: numbers in use and not in use
};

struct anl_route {
    uint32_t port;   // output port
    uint32_t vcs;    // bit w: lane w of each such port may be taken; never 0
    uint32_t ports;  // how many, from port upwards, are as good: 1, or 2 for the up links of a
                     // fat-tree, of which routing and path choose (docs/switch.md)
};

// One end of a link. port is an input port of the switch.
struct anl_end {
    bool exists;
    bool is_terminal;  // the link ends at a terminal (node = terminal, port = 0)
    uint32_t node;     // switch or terminal
    uint32_t port;
};

struct anl_shape anl_shape_of(const struct anl_config *config);

// Where the link that leaves switch by output port ends; exists is false at the edge of a mesh
// and above the root of a fat-tree.
struct anl_end anl_link_end(const struct anl_config *config, uint32_t switch_, uint32_t port);

// The same for any link by its number, injection links too.
struct anl_end anl_end_of(const struct anl_config *config, uint32_t link);

// Number of the link by which terminal is reached. Its injection link ends at the input port of the
// same switch and number: node = link / P, port = link % P.
uint32_t anl_ejection_link(const struct anl_config *config, uint32_t terminal);

// True if a credit of this link counts in the cycle in which it comes back (docs/switch.md, Space).
bool anl_link_is_chained(const struct anl_config *config, uint32_t link);

// What the switch does with the head of a worm for the terminal destination.
struct anl_route anl_route_at(const struct anl_config *config, uint32_t switch_,
                              uint32_t destination);

// The same for a worm whose path is known (anl_worm.path): one port wherever the path decides.
struct anl_route anl_route_on_path(const struct anl_config *config, uint32_t switch_,
                                   uint32_t destination, uint32_t path);

// Links between the switches of source and destination on a shortest path; injection and ejection
// not counted.
uint32_t anl_distance(const struct anl_config *config, uint32_t source, uint32_t destination);

// Packed coordinates, as carried by heads. At most 64 bits: fits because k^n <= 2^20 and n <= 10.
uint64_t anl_label(const struct anl_config *config, uint32_t terminal);

// Level (1..n) and address of a switch of a fat-tree, and back.
struct anl_tree_place {
    uint32_t level, address;
};
struct anl_tree_place anl_tree_place(const struct anl_config *config, uint32_t switch_);
uint32_t anl_tree_switch(const struct anl_config *config, struct anl_tree_place place);

// Coordinate of node (of a fat-tree: terminal) in dimension, 0..k-1.
uint32_t anl_coordinate(const struct anl_config *config, uint32_t node, uint32_t dimension);

// "3(1,0)", of a fat-tree "5(2,1)" (level, address). Writes at most size bytes, always terminated;
// returns the length of the whole name.
size_t anl_switch_name(const struct anl_config *config, uint32_t switch_, char *text, size_t size);

// "3(1,0).+1", "T3.inject", "3(1,0).T", "5(2,1).u0": the link's name for people. Writes at most
// size bytes, always terminated.
void anl_link_name(const struct anl_config *config, uint32_t link, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
