// SPDX-License-Identifier: Apache-2.0
//
// A network: its configuration checked, switches, ports, links, wiring and routes, the data bits of
// flits, and its channel-dependency graph. Formulas: docs/networks.md.
//
// Functions on a configuration are pure; the configuration must have passed anl_config_check().
// Numbers of switches, terminals, ports and links are those of docs/networks.md.

#ifndef ANNELID_NETWORK_H
#define ANNELID_NETWORK_H

#include <annelid/base.h>
#include <annelid/records.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- configuration ---

// ANL_OK, or ANL_ERR_ARGUMENT with the reason in error->text (error may be NULL).
enum anl_status anl_config_check(const struct anl_config *config, struct anl_error *error);

// Bits of a terminal's label (docs/networks.md).
uint32_t anl_label_bits(const struct anl_config *config);

// Bits of a head that the switches read (docs/link.md): destination, length, stamp or distance,
// path. config need not be valid in flit_width_bits.
uint32_t anl_head_bits(const struct anl_config *config);

// Parameter Kind of the RTL (docs/rtl.md): network and routing in one number.
uint32_t anl_rtl_kind(const struct anl_config *config);

// The routing of a topology unless a scenario names one; its only radix k, 0 if it may have any.
enum anl_routing anl_default_routing(enum anl_topology topology);
uint32_t anl_only_radix(enum anl_topology topology);

// True if no route of the topology can close a cycle of lanes: its channel-dependency graph need
// not be searched.
bool anl_is_acyclic_by_rule(const struct anl_config *config);

// True if the switches have a random generator (docs/random.md).
bool anl_config_reads_random(const struct anl_config *config);

// Names as in scenario files ("torus", "dateline", …); "?" if the value is out of range.
const char *anl_topology_name(enum anl_topology topology);
const char *anl_routing_name(enum anl_routing routing);
const char *anl_scan_name(enum anl_scan scan);
const char *anl_admission_name(enum anl_admission admission);
const char *anl_space_name(enum anl_space space);

// --- shape, wiring, routes ---

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

// A fat-tree: ports 0 … ANL_TREE_UP - 1 of a switch lead to its children, the others to its
// parents.
enum { ANL_TREE_CHILDREN = 4, ANL_TREE_UP = 4, ANL_TREE_PORTS = 6 };

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

// --- a network made ready ---

// Wiring, labels and routes in tables, made once. It never changes after that, so that any number
// of engines, in any threads, may share it.
struct anl_network;

// Copies *config. On success *network is the caller's, to be given to anl_network_destroy().
// ANL_ERR_ARGUMENT (config refused), ANL_ERR_MEMORY; then *network is NULL.
enum anl_status anl_network_create(const struct anl_config *config, struct anl_network **network);
void anl_network_destroy(struct anl_network *network);  // may be NULL
const struct anl_config *anl_network_config(const struct anl_network *network);

// The same route as anl_route_on_path(), from the tables.
struct anl_route anl_network_route(const struct anl_network *network, uint32_t switch_,
                                   uint32_t destination, uint32_t path);

// --- data bits of flits (docs/link.md) ---

// The path of worm id in a run with this seed (docs/random.md); 0 unless the routing is
// up_down_fixed.
uint32_t anl_worm_path(const struct anl_config *config, uint64_t seed, uint32_t id);

// Writes the flit_width_bits data bits of flit index of *worm into words (32 bits each, lowest
// first, ceil(flit_width_bits / 32) of them); bits above flit_width_bits are 0. config must be
// valid.
void anl_flit_data(const struct anl_config *config, const struct anl_worm *worm, uint16_t index,
                   uint32_t *words);

// --- channel-dependency graph ---
//
// Dally and Seitz (1987, section 2): a lane depends on every lane for which the head of a worm in
// it may have to wait next. Without a cycle no deadlock can happen (docs/cdg.md).
//
// Lane vc of link is number link * num_vcs + vc; links as in docs/networks.md.

struct anl_cdg;

// The graph of a network by its wiring and routes, over all heads that can be: from every terminal
// to every terminal. config must have passed anl_config_check(). ANL_ERR_ARGUMENT: more than
// ANL_CDG_ROUTES switches times terminals; ANL_ERR_MEMORY.
#define ANL_CDG_ROUTES (UINT64_C(1) << 26)
enum anl_status anl_cdg_of(const struct anl_config *config, struct anl_cdg **cdg);

// A graph of the same lanes without dependencies, to be filled in by the caller.
enum anl_status anl_cdg_create(const struct anl_config *config, struct anl_cdg **cdg);
void anl_cdg_destroy(struct anl_cdg *cdg);

// The link ends at an input port of the switch; links of which this is not said end at a terminal,
// or are none.
void anl_cdg_set_end(struct anl_cdg *cdg, uint32_t link, uint32_t switch_);

// The switch at the end of a link; UINT32_MAX: none.
uint32_t anl_cdg_end(const struct anl_cdg *cdg, uint32_t link);

// Heads in the lane may go on by output port port of the switch at its end, in the lanes vcs
// (mask).
void anl_cdg_add(struct anl_cdg *cdg, uint32_t lane, uint32_t port, uint32_t vcs);

uint32_t anl_cdg_lanes(const struct anl_cdg *cdg);

// Dependencies in all.
uint64_t anl_cdg_dependencies(const struct anl_cdg *cdg);

// The lanes that a lane depends on, ascending, into lanes (room for ANL_MAX_PORTS * ANL_MAX_VCS).
// Returns how many.
size_t anl_cdg_after(const struct anl_cdg *cdg, uint32_t lane, uint32_t *lanes);

// Whether it has no cycle: sooner found out than a shortest one. ANL_ERR_MEMORY.
enum anl_status anl_cdg_is_acyclic(const struct anl_cdg *cdg, bool *acyclic);

// A shortest cycle, each lane depending on the next and the last on the first; of several that with
// the lowest lane. *count is 0 if there is none. The caller frees *lanes. ANL_ERR_MEMORY.
enum anl_status anl_cdg_cycle(const struct anl_cdg *cdg, uint32_t **lanes, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
