// SPDX-License-Identifier: Apache-2.0
//
// One switch with shared links: docs/switch.md. In a cycle the user says which credits come back on
// chained links, asks what is decided, lets the links show it, and moves it; then what arrives by
// the links enters the lanes, and credits are counted. The parts serve benches of single ports.

#ifndef ANL_ORACLE_SWITCH_H
#define ANL_ORACLE_SWITCH_H

#include "oracle/lanes.h"
#include "oracle/scan.h"

// What a switch is. Arrays by class have num_vcs / classes lanes for each; 0 classes or stages
// stand for 1.
struct oracle_shape {
    unsigned num_ports, num_vcs, depth;  // 1 .. ORACLE_PORTS, ORACLE_LANES, ORACLE_DEPTH
    int arbiter, flow_control;
    unsigned classes, weights[ORACLE_LANES];  // weights are at least 1
    unsigned stages;                          // 1 or 2
    bool wide;                                // links are: see wide.h
    bool draws;                               // a routing or a selection reads the random state
    // Heads select one of several options, with these parts of the lanes of each class.
    bool selects;
    int select;
    bool atomic;
    unsigned escapes[ORACLE_LANES];
    uint64_t terminals;          // mask of the ports of terminals
    int straight[ORACLE_PORTS];  // the port straight on from an input port, or ORACLE_NONE
};

// Where a head stands.
struct oracle_place {
    unsigned port, class_, vc;  // vc: lane of the link
};

// What the links of a switch show in a cycle. A shared link carries one flit at most.
struct oracle_links {
    uint64_t valid[ORACLE_PORTS];   // lanes to which a flit crosses the link out of a port
    uint64_t credit[ORACLE_PORTS];  // lanes of an input port from which a flit has left
    struct oracle_flit flit[ORACLE_PORTS][ORACLE_LANES];
};

struct oracle_switch {
    struct oracle_shape shape;
    // The way of a head by the routing. Where heads do not select, each of its ports is as good.
    struct oracle_route (*route)(const struct oracle_switch *s, struct oracle_place at,
                                 const struct oracle_flit *head);
    const void *network;  // for route(): anything, and the number of the switch in it
    unsigned number;

    struct oracle_in_lane in[ORACLE_PORTS][ORACLE_LANES];
    struct oracle_out_lane out[ORACLE_PORTS][ORACLE_LANES];
    struct oracle_arbiter offers[ORACLE_PORTS][ORACLE_LANES],
        grants[ORACLE_PORTS];  // each class offers
    struct oracle_favour favour[ORACLE_PORTS];
    uint32_t random;                 // 0 if nothing reads it
    struct oracle_links registered;  // two stages: what was decided in the cycle before
};

// What an input port offers; lane ORACLE_NONE: nothing.
struct oracle_offer {
    int lane;
    uint64_t ports;               // output ports to which it is offered
    unsigned take[ORACLE_PORTS];  // the output lane at each of them
    uint16_t rank;
    struct oracle_flit flit;
    uint64_t held, eligible;  // the lanes of the port that hold flits, and could be offered
};

// Rules 1 to 5 for all ports: what each input offers, and which input each output grants, or
// ORACLE_NONE.
struct oracle_decisions {
    struct oracle_offer offers[ORACLE_PORTS];
    int winners[ORACLE_PORTS];
};

// Resets a switch whose shape and routes are set and whose other bytes are 0; random is what its
// generator starts from.
void oracle_switch_reset(struct oracle_switch *s, uint32_t random);

// Returns the classes of messages, at least 1, and the lanes of each of them.
unsigned oracle_classes(const struct oracle_shape *shape);
unsigned oracle_class_vcs(const struct oracle_shape *shape);

// Returns where the front flit of an input lane may go in this cycle, by its route, its selection
// or its binding. The lanes are those of the link.
struct oracle_route oracle_front(const struct oracle_switch *s, unsigned p, unsigned v);
// Rule 2: returns the lanes of port o which that flit can enter.
uint64_t oracle_admitting(const struct oracle_switch *s, unsigned p, unsigned v,
                          const struct oracle_route *front, unsigned o);

// Returns the offer of port p by rules 1 to 3 and 5, and the input port that wins output o by rule
// 4, with the random bits of the cycle.
struct oracle_offer oracle_offer(const struct oracle_switch *s, unsigned p, uint8_t random);
int oracle_winner(const struct oracle_switch *s, unsigned o, const struct oracle_offer *offers,
                  uint8_t random);
void oracle_decide(const struct oracle_switch *s, struct oracle_decisions *d);

// Rule 6 on the input side: port o grants the offer of port p, or nobody does (o: ORACLE_NONE).
void oracle_end_input(struct oracle_switch *s, unsigned p, int o, const struct oracle_offer *offer);
// Rule 6 on the output side: port o grants the offer of port p.
void oracle_end_output(struct oracle_switch *s, unsigned o, unsigned p,
                       const struct oracle_offer *offer);

// Returns what the links show in the cycle in which this is decided.
void oracle_show(const struct oracle_switch *s, const struct oracle_decisions *d,
                 struct oracle_links *links);
// Two stages: registers what is decided, for the next cycle.
void oracle_register(struct oracle_switch *s, const struct oracle_decisions *d);
// Rule 6 for all ports, the register, and the random state.
void oracle_move(struct oracle_switch *s, const struct oracle_decisions *d);

// For wide links as well: whether a switch holds a flit, and the step of its random state.
void oracle_step_random(struct oracle_switch *s);

#endif
