// SPDX-License-Identifier: Apache-2.0
//
// A network of switches: links, terminals, and in each cycle all of them at once. docs/networks.md
// has the wiring, docs/link.md the links, docs/switch.md what terminals do.
//
// First everything is decided from the state at the start of the cycle; with credit bypass also
// from the credits that come back in it, so the root level decides first and the terminals last.
// Then everything moves.

#ifndef ANL_ORACLE_NETWORK_H
#define ANL_ORACLE_NETWORK_H

#include "oracle/routes.h"
#include "oracle/wide.h"

#include <annelid/base.h>
#include <annelid/records.h>
#include <stddef.h>

enum {
    ORACLE_SWITCHES = 48,
    ORACLE_NODE_PORTS = 7,  // of a switch of these networks
    ORACLE_TERMINALS = 64,
    ORACLE_WORMS = 4000,
    ORACLE_FLITS = (ORACLE_SWITCHES * ORACLE_NODE_PORTS + ORACLE_TERMINALS) * ORACLE_LANES,
    ORACLE_LATER = 8 * ORACLE_FLITS,
    ORACLE_NO_WORM = ORACLE_WORMS,
    ORACLE_NO_PATH = 1000,
};

// The source queue of a class of messages, and the sink of this class. Lanes are counted from 0
// within the class.
struct oracle_source {
    uint32_t first, last, sent;  // worms, or ORACLE_NO_WORM; flits sent of the first
    int lane;                    // of the injection link, which the worm has; ORACLE_NONE: no lane
    int shown;  // the lane whose flit the sink has shown and not taken, or ORACLE_NONE
};

// What a terminal sends on a lane of a wide injection link.
struct oracle_sending {
    uint32_t worm, sent;  // ORACLE_NO_WORM: the lane is idle
};

struct oracle_terminal {
    struct oracle_source class_[ORACLE_LANES];
    struct oracle_sending sending[ORACLE_LANES];
    struct oracle_favour favour;
    uint32_t reservations;  // for replies, that are taken
    struct oracle_out_lane injection[ORACLE_LANES];
    struct oracle_in_lane ejection[ORACLE_LANES];
};

// What a terminal does in a cycle.
struct oracle_terminal_cycle {
    uint64_t sends;                 // lanes in which a flit crosses the injection link
    uint32_t begins[ORACLE_LANES];  // wide: the worm that begins there, or ORACLE_NO_WORM
    uint64_t takes;                 // lanes out of which a flit is taken
};

// The other end of a port's link: a port of a switch, or a terminal.
struct oracle_side {
    enum { ORACLE_NOBODY, ORACLE_SWITCH, ORACLE_TERMINAL } what;
    uint32_t node, port;
};

// What the slices of a link hold: a flit for lane vc of input port `port` of a switch, or a credit
// of this lane for the sender.
struct oracle_later {
    uint32_t cycle, node, port, vc;
    bool is_credit;
    struct oracle_flit flit;
};

// config is what the network was made of, but num_vcs, which are the lanes of a class.
struct oracle_network {
    struct anl_config config;
    struct anl_config own[ORACLE_LANES];  // graph: the same of each class, with its own routing
    uint32_t vcs, classes;                // lanes of a link, classes
    unsigned weights[ORACLE_LANES];
    uint64_t seed;
    uint32_t switches, terminals, ports, cycle, num_worms;
    // The ends of the links out of ports, the beginnings of those into ports, and the ports where
    // terminals inject and eject.
    struct oracle_side to[ORACLE_SWITCHES][ORACLE_NODE_PORTS];
    struct oracle_side from[ORACLE_SWITCHES][ORACLE_NODE_PORTS];
    struct oracle_side entry[ORACLE_TERMINALS], home[ORACLE_TERMINALS];
    // Graphs: the root of the order of routing up_down, the links of shortest paths between
    // switches, and of shortest paths by links that lead down alone.
    uint32_t root;
    uint32_t links[ORACLE_SWITCHES][ORACLE_SWITCHES], down[ORACLE_SWITCHES][ORACLE_SWITCHES];

    struct anl_worm worms[ORACLE_WORMS];
    uint32_t behind[ORACLE_WORMS];  // the next worm of its source queue
    struct oracle_switch at[ORACLE_SWITCHES];
    struct oracle_terminal terminal[ORACLE_TERMINALS];
    struct oracle_later later[ORACLE_LATER];
    size_t num_later;
    // The flits of the cycle before, in the order of a trace.
    struct anl_flit flits[ORACLE_FLITS];
    size_t num_flits;

    // Of one cycle.
    struct oracle_decisions decided[ORACLE_SWITCHES];
    struct oracle_wide wide[ORACLE_SWITCHES];
    struct oracle_links shown[ORACLE_SWITCHES];
    struct oracle_terminal_cycle done[ORACLE_TERMINALS];
};

// Makes a network as it is after reset. A graph of the configuration must outlive it.
void oracle_reset(struct oracle_network *net, const struct anl_config *config, uint64_t seed);
// Adds a worm to the queue of its source. Source, destination, length, class, role and the path, if
// it is given one, are read.
void oracle_enqueue(struct oracle_network *net, const struct anl_worm *worm);
void oracle_step(struct oracle_network *net);

// Returns whether the flits and the credits of every lane, and those that are on their way, add up
// to Depth.
bool oracle_adds_up(const struct oracle_network *net);
// Returns how many paths a worm can have; 1 if heads carry none.
uint32_t oracle_num_paths(const struct oracle_network *net);

// Requests and replies. Returns the lane whose flit the sink of a class shows, or ORACLE_NONE, and
// the classes whose sinks take a flit in this cycle.
int oracle_shown(const struct oracle_network *net, const struct oracle_terminal *t,
                 unsigned class_);
uint64_t oracle_takers(const struct oracle_network *net, const struct oracle_terminal *t);
// Returns the worm of a flit, and the number of the flit in it.
uint32_t oracle_worm(const struct oracle_flit *flit);
uint32_t oracle_index(const struct oracle_flit *flit);

// ---------------------------------------------------------------- between the files of the network

// wiring.c: where every link goes.
void oracle_wire(struct oracle_network *net);
void oracle_link(struct oracle_network *net, uint32_t s, uint32_t o, uint32_t t, uint32_t p);
void oracle_settle(struct oracle_network *net, uint32_t terminal, struct oracle_side entry,
                   struct oracle_side home);
struct oracle_cube oracle_cube_of(const struct oracle_network *net);

// graph.c: the same of graphs, and their ways. Returns the way of a head of a class for a terminal.
void oracle_wire_graph(struct oracle_network *net);
struct oracle_route oracle_graph_route(const struct oracle_network *net, unsigned class_,
                                       uint32_t s, uint32_t p, uint32_t terminal);

// ways.c: which way a head goes, how far a worm goes, and which lanes of a class are escape lanes.
struct oracle_route oracle_way(const struct oracle_switch *s, struct oracle_place at,
                               const struct oracle_flit *head);
unsigned oracle_distance(const struct oracle_network *net, const struct anl_worm *worm);
bool oracle_has_options(const struct anl_config *own);
unsigned oracle_escapes(const struct anl_config *own);

// terminals.c: what a terminal decides, and what it does. Flits that it sends are written to
// flits[lane].
void oracle_decide_terminal(const struct oracle_network *net, uint32_t t,
                            struct oracle_terminal_cycle *done);
void oracle_inject(struct oracle_network *net, uint32_t t, const struct oracle_terminal_cycle *done,
                   struct oracle_flit *flits);
void oracle_drain(struct oracle_network *net, uint32_t t, const struct oracle_terminal_cycle *done);

#endif
