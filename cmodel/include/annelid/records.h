// SPDX-License-Identifier: Apache-2.0
//
// The records that rooms hand to each other: the configuration of a network, worms and flits. This
// header has types only; the functions that compute with them are in network.h.

#ifndef ANNELID_RECORDS_H
#define ANNELID_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ANL_MAX_VCS = 8,
    ANL_MAX_DEPTH = 64,
    ANL_MAX_DIMENSIONS = 10,
    ANL_MAX_PORTS = 32,
    ANL_MAX_RADIX = 2048,       // switches per dimension
    ANL_MAX_OTHER_RADIX = 512,  // of kinds other than buffered, and of the RTL
    ANL_MAX_TERMINALS = 1 << 22,
    ANL_MAX_FLIT_WIDTH_BITS = 512,
    ANL_MAX_WORM_LENGTH = 65535,
    ANL_MAX_REPLY_QUEUE = 1024,
    ANL_MAX_LINK_CYCLES = 16,
    ANL_MAX_SWITCH_STAGES = 2,
    ANL_MAX_AFTER = 1024,              // messages that one message may wait for
    ANL_MAX_SCENARIO_BYTES = 1 << 20,  // of the scenario's text, in its file and in a trace
};

// The numbers of topologies of cubes, routings, arbiters, flow controls and selections are those of
// the RTL's parameters (rtl/common/anl_pkg.sv).
enum anl_topology {
    ANL_MESH = 0,
    ANL_TORUS = 1,
    ANL_UNIDIRECTIONAL_TORUS = 2,
    ANL_HYPERCUBE = 3,
    ANL_FAT_TREE = 4,
    ANL_GRAPH = 5,
    ANL_CUBE = 6,
    ANL_BUTTERFLY = 7,
    ANL_LAST_TOPOLOGY = ANL_BUTTERFLY,
};

enum anl_routing {
    ANL_DIMENSION_ORDER = 0,
    ANL_DATELINE = 1,
    ANL_E_CUBE = 2,
    ANL_UP_DOWN_FIXED = 3,
    ANL_UP_DOWN_RANDOM = 4,
    ANL_UP_DOWN_GREEDY = 5,
    ANL_SHORTEST = 6,
    ANL_UP_DOWN = 7,
    ANL_TABLE = 8,
    ANL_WEST_FIRST = 9,
    ANL_NORTH_LAST = 10,
    ANL_NEGATIVE_FIRST = 11,
    ANL_ODD_EVEN = 12,
    ANL_ADAPTIVE = 13,
    ANL_LAYERED = 14,
    ANL_SOURCE = 15,
    ANL_DESTINATION_TAG = 16,
    ANL_VALIANT = 17,
};

// In cmodel/src/network/arbiters.c is what else is known of each.
enum anl_arbiter {
    ANL_FIXED = 0,
    ANL_ROUND_ROBIN = 1,
    ANL_RANDOM = 2,
    ANL_AGE = 3,
    ANL_FARTHEST = 4,
    ANL_ARBITER_MATRIX = 5,
    ANL_REGISTERED_PRIORITY = 6,
    ANL_LAST_ARBITER = ANL_REGISTERED_PRIORITY,
};

enum anl_flow_control { ANL_WORMHOLE = 0, ANL_CUT_THROUGH = 1, ANL_STORE_AND_FORWARD = 2 };

enum anl_credit_return { ANL_REGISTERED = 0, ANL_BYPASS = 1 };

// Whether the lanes of a link share its wires, or each of them has its own (docs/switch.md, "Wide
// links").
enum anl_link { ANL_SHARED = 0, ANL_WIDE = 1 };

// What a switch is: one with lanes and credits (docs/switch.md), one without buffers
// (papers/roberts_symvonis/bufferless.md), one of sliding diagonals (papers/bock/diagonals.md), or
// one that discards a worm that finds no free lane (papers/cole_maggs_sitaraman/discard.md).
// Each has its number, the word after which it is named, and whether key kind of a scenario chooses
// it.
#define ANL_SWITCH_KINDS(KIND)                                                                     \
    KIND(ANL_BUFFERED, 0, "buffered", true)                                                        \
    KIND(ANL_BUFFERLESS, 1, "bufferless", true)                                                    \
    KIND(ANL_DIAGONALS, 2, "diagonals", true)                                                      \
    KIND(ANL_DISCARDING, 3, "discarding", false)

#define ANL_SWITCH_KIND(value, number, name, chosen) value = number,
enum anl_switch_kind { ANL_SWITCH_KINDS(ANL_SWITCH_KIND) ANL_NUM_SWITCH_KINDS };
#undef ANL_SWITCH_KIND

// The rounds of phase 2 of sliding diagonals.
enum anl_rounds { ANL_PAPER_ROUNDS = 0, ANL_SHORT_ROUNDS = 1, ANL_LEAST_ROUNDS = 2 };

// Parameters of sliding diagonals beside k and n (papers/bock/diagonals.md, "Parameters").
struct anl_diagonals_shape {
    uint32_t length;   // L, flits of every worm
    uint32_t a, b, c;  // rows and L columns between worms; columns of a block
    enum anl_rounds rounds;
};

// Which of its open options a head asks for, and which lanes are atomic (docs/switch.md, "Adaptive
// routes").
enum anl_select { ANL_MOST_CREDITS = 0, ANL_SELECT_RANDOM = 1, ANL_STRAIGHT_FIRST = 2 };
enum anl_atomic { ANL_ATOMIC_NONE = 0, ANL_ATOMIC_ADAPTIVE = 1 };

enum anl_truth { ANL_FALSE = 0, ANL_TRUE = 1 };

#define ANL_NO_PORT UINT32_MAX

enum { ANL_GRAPH_NAME_BYTES = 32 };  // of the name of a switch, with the zero at its end

// One option of an entry of a routing table: by which port a head leaves a switch, and in which
// lanes of it.
struct anl_table_hop {
    uint8_t port;
    uint8_t vcs;  // mask of lanes; 0: the table has no such entry
};

// What the switches along one dimension of a cube are.
enum anl_dimension_kind {
    ANL_LINE = 0,          // neighbours are connected both ways
    ANL_RING = 1,          // the same, and the last one with the first
    ANL_ONE_WAY_RING = 2,  // each leads to the next, the last one to the first
};

// The shape of a cube: switches, and terminals at each of them. Terminal t is number
// t % concentration of switch t / concentration.
struct anl_cube {
    uint32_t dimensions;                 // 0: the network is no cube
    uint32_t radix[ANL_MAX_DIMENSIONS];  // switches along each dimension
    uint32_t kinds[ANL_MAX_DIMENSIONS];  // enum anl_dimension_kind
    uint32_t concentration;              // terminals of a switch, >= 1
};

// A network from a file (docs/networks.md, "Graphs"): what it says and, once anl_graph_route() has
// succeeded, its routes. Made and freed by the functions of network.h; a configuration points to it
// and does not own it. Port numbers are switch * ports + port.
struct anl_graph {
    uint32_t switches;
    uint32_t ports;  // of each switch, also those without a link
    uint32_t terminals;
    uint32_t *ends;    // [switches * ports] the input port at the end of the link that leaves by a
                       // port; switches * ports + t: terminal t; ANL_NO_PORT: no link
    uint32_t *begins;  // [switches * ports] the link that ends at an input port, by the output
                       // port that it leaves; switches * ports + t: injection link of terminal t
    uint32_t *homes;   // [terminals] the port of each terminal
    char (*names)[ANL_GRAPH_NAME_BYTES];  // [switches]; NULL: switches have numbers alone
    // Tables have one entry for each switch and terminal, number switch * terminals + t, or, if
    // by_input, one for each input port of each switch, number port * terminals + t. Entry e has
    // the options e * options … (e + 1) * options - 1, of which those with vcs 0 are not used.
    bool by_input;
    uint32_t options;              // >= 1
    struct anl_table_hop *table;   // the user's table; NULL: none
    struct anl_table_hop *routes;  // where heads go; NULL: not routed yet
    uint8_t *layers;       // layered: [switches * terminals] the layer of worms from the terminals
                           // of a switch to a terminal, 0 if it has none; NULL with the other
                           // routings
    uint32_t num_layers;   // 1 unless layered
    struct anl_cube cube;  // its shape, if topology is cube
    // Routing source alone: what is known of the routes of a run (anl_graph_route_source()).
    uint32_t *turns;         // [switches * ports] mask of the output ports to which some route
                             // leads from an input port; NULL: the routing is another one
    uint32_t longest_route;  // switches on the longest of these routes
    bool own_routes;         // they are those of the messages, not those between all terminals
    uint64_t hash;           // of wiring and routes, and of what the three fields above say
    struct anl_graph *next;  // the same wiring with the table and the routes of the next class of
                             // messages; NULL: of the last class, or all classes have this graph
};

struct anl_config {
    enum anl_switch_kind kind;  // bufferless: mesh, n 2; lanes, routing, arbiters and flow control
                                // mean nothing then and have their default values. discarding:
                                // butterfly, k 2; the same but for num_vcs and link. diagonals:
                                // torus; num_vcs is 2 n and link wide, as flits leave by a link of
                                // a terminal from each register of the node
    enum anl_topology topology;
    const struct anl_graph
        *graph;        // graph and cube only; must outlive all that is made of the configuration
    uint32_t k;        // switches per dimension, 1..ANL_MAX_RADIX; kinds but buffered at most
                       // ANL_MAX_OTHER_RADIX; torus kinds >= 2; hypercube 2; fat_tree 4;
                       // butterfly: ports of a switch, 2..32; graph: the number of terminals
    uint32_t n;        // dimensions or levels, 1..ANL_MAX_DIMENSIONS; k^n <= ANL_MAX_TERMINALS;
                       // graph: 1
    uint32_t passes;   // butterfly: 1 or 2; 0 stands for 1
    uint32_t num_vcs;  // lanes per link, 1..ANL_MAX_VCS; dateline needs 2
    uint32_t depth;    // flits per lane, 1..ANL_MAX_DEPTH
    uint32_t flit_width_bits;  // data bits of a flit, anl_head_bits()..ANL_MAX_FLIT_WIDTH_BITS
    enum anl_routing routing;  // dimension_order: mesh, tori; dateline: tori; e_cube: hypercube;
                               // up_down_*: fat_tree; shortest, up_down, table, layered, source:
                               // graph; destination_tag: butterfly, fat_tree; valiant: mesh,
                               // torus, hypercube; the others: mesh,
                               // tori, cube (docs/networks.md)
    enum anl_routing paths;    // source: shortest, up_down or table
    enum anl_select select;    // where heads have several options
    enum anl_atomic atomic;    // which lanes a head may take only if they are empty
    uint32_t escape_vcs;       // table: the last lanes that are escape lanes, 0..num_vcs - 1
    uint32_t classes;          // of messages, 1..num_vcs, a divisor of num_vcs; 0 stands for 1
    uint8_t class_weights[ANL_MAX_VCS];  // of each class; 0 stands for 1
    uint32_t num_class_routings;         // 0: each class has `routing`; else as many as classes
    uint8_t class_routing[ANL_MAX_VCS];  // of each class, an enum anl_routing; graph and cube only
    uint32_t reply_queue;  // reservations for replies at each terminal (docs/switch.md, "Requests
                           // and replies"); 0: as many as needed
    enum anl_arbiter arbiter;
    enum anl_flow_control flow_control;
    enum anl_truth length_in_head;   // under wormhole: whether heads carry the length of their worm
    enum anl_credit_return credits;  // bypass: fat_tree, butterfly, wide links that close no circle
    enum anl_link link;    // wide: buffered, one class, no reply_queue, routes with one option, no
                           // arbiter matrix or registered_priority
    uint32_t link_cycles;  // that a link between switches takes, 1..ANL_MAX_LINK_CYCLES; 0 stands
                           // for 1; more than 1: buffered, registered credits
    uint32_t stages;       // of a switch, 1..ANL_MAX_SWITCH_STAGES; 0 stands for 1; 2: buffered,
                           // registered credits
    struct anl_diagonals_shape diagonals;  // kind diagonals alone
    uint32_t first_id;  // id that the data of the flits of worm 0 carry (docs/link.md)
};

// What a worm is where terminals can refuse requests (reply_queue); elsewhere all are plain.
enum anl_role { ANL_PLAIN, ANL_REQUEST, ANL_REPLY };

// A worm that another one has waited for. In a message it is the message of this number in its
// file, from 0.
struct anl_after {
    uint32_t worm;
    uint32_t cycles;  // >= 1, that pass after the cycle in which it is delivered
};

// What decides when a worm is created whose message waits for others: in the cycle `earliest`, or
// the given number of cycles after the last delivery, whichever is later (docs/scenario.md,
// "Messages that wait for others").
struct anl_dependencies {
    uint64_t earliest;
    const struct anl_after *after;  // [count]
    uint32_t count;                 // 1..ANL_MAX_AFTER
};

struct anl_worm {
    uint32_t id;           // number in order of creation, from 0
    uint32_t source;       // terminal
    uint32_t destination;  // terminal
    uint16_t length;       // flits, >= 1
    uint64_t created;      // cycle
    uint32_t path;         // up_down_fixed: bit l - 1 is the up link at level l; butterfly with two
                           // passes: the intermediate column; valiant: the intermediate switch;
                           // otherwise 0
    bool has_path;         // its message gives the path; false: it is sampled (docs/random.md)
    uint8_t class_;        // of messages
    uint8_t role;          // enum anl_role
    // Routing source, if its message gives the worm a route of its own: the output ports that it
    // takes, the first one first, one for each switch on its way. The last one leads to its
    // destination, and no link is passed twice. NULL: it has no route of its own; then, with
    // routing source, its route is that of graph->routes. The ports belong to who has made the worm
    // (the scenario with its messages, the reader of a trace) and must outlive all copies of it.
    const uint8_t *route;
    uint16_t route_length;  // ports of route, >= 1; 0 if route is NULL
    // NULL: its message waits for no other. It belongs to who has made the worm (the traffic, the
    // reader of a trace), and copies of the worm may be kept for longer.
    const struct anl_dependencies *dependencies;
};

// Gives a worm that was created the pointers that it had: its route and its dependencies. Returns
// false if it has none.
typedef bool anl_tie(void *user, struct anl_worm *worm);

// A flit that crosses a link in a cycle; the cycle stands beside it, not in it.
struct anl_flit {
    uint32_t link;   // number of the link, docs/networks.md
    uint32_t worm;   // id of its worm
    uint16_t index;  // position in its worm, head = 0
    uint8_t vc;      // lane that it enters at the end of the link
    bool head;
    bool tail;
};

enum { ANL_FLIT_WORDS = ANL_MAX_FLIT_WIDTH_BITS / 32 };

#ifdef __cplusplus
}
#endif

#endif
