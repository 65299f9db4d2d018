// SPDX-License-Identifier: Apache-2.0
//
// A switch by the rules of docs/switch.md, for the benches of the switch and of its ports.

#ifndef ANL_TB_SWITCH_RULES_H
#define ANL_TB_SWITCH_RULES_H

#include "bench.h"
#include "routes.h"
#include "rules.h"

enum { MAX_PORTS = 32, MAX_VCS = 8, MAX_DEPTH = 64 };

struct shape {
    unsigned num_ports, num_vcs, depth, flit_w, dst_w;
    int scan, admission;
    bool length_in_head;           // heads say their length under wormhole, too
    int path;                      // PATH_*
    unsigned path_w;               // bits of the path in a head, or of a port in its list
    unsigned list_w;               // bits of the list of output ports in a head; 0: it has none
    unsigned chained, chained_in;  // bit p: the link out of port p, into port p, is chained
    unsigned classes;              // of messages; 0 stands for 1
    unsigned weights[MAX_VCS];     // of each class
    unsigned stages;               // 0 stands for 1
};

// Where a head stands: at an input port, in a lane of a class of messages.
struct place {
    unsigned port, class_, vc;
};

// The scan over classes of an input port.
struct favour {
    unsigned class_, quota;
};

struct input_lane {
    uint64_t flits[MAX_DEPTH];  // {head, tail, data}, oldest first
    unsigned count;
    bool bound;
    unsigned port, vc;
    uint16_t rank;
};

struct output_lane {
    unsigned credits;
    bool owned;
    unsigned port, vc;
};

// What the links carry in a cycle; a bit of valid is that of a port, a bit of credit that of a
// lane.
struct links {
    uint64_t valid, credit, flits[MAX_PORTS];
    unsigned vcs[MAX_PORTS];
};

struct switch_state {
    struct shape shape;
    struct input_lane in[MAX_PORTS][MAX_VCS];
    struct output_lane out[MAX_PORTS][MAX_VCS];
    unsigned in_ptr[MAX_PORTS][MAX_VCS], out_ptr[MAX_PORTS];  // in_ptr of each class
    // Policies matrix and favour: the services so far, and at which of them a lane was served last,
    // or a port by an output port. Policy favour: in_ptr of a class if its lane that asks is
    // granted.
    unsigned services, lane_served[MAX_PORTS][MAX_VCS], port_served[MAX_PORTS][MAX_PORTS];
    unsigned in_ptr_granted[MAX_PORTS][MAX_VCS];
    struct favour favour[MAX_PORTS];
    uint32_t random;
    uint64_t returning;       // bit per output lane: a credit comes back on a chained link now
    struct links registered;  // two stages: what was decided in the cycle before and shows now

    // What follows belongs to the benches: the flits still to come of the worm that enters lane (p,
    // v), the seed, and the place of the switch in a network of that topology and routing.
    unsigned left[MAX_PORTS][MAX_VCS];
    uint32_t seed;
    unsigned k, n, here[10];
    int topology, routing;
    // Of heads in each lane, the lanes to which they keep; 0: they may take any.
    uint64_t keeps[MAX_VCS];
    // The route of the head at the front of a lane, as if heads kept to no lanes.
    // Its lanes, as those of all routes, options and keeps, are counted from 0 within the class.
    struct route (*route)(const struct switch_state *s, struct place at, uint64_t dst,
                          uint64_t path);
    // If heads have several options: those of the head at the front of a lane, and what the
    // selection depends on. Otherwise NULL.
    struct options (*options)(const struct switch_state *s, struct place at, uint64_t dst);
    int select;
    bool atomic;         // adaptive lanes are
    uint64_t escapes;    // mask of the escape lanes of a link, of all classes
    uint64_t terminals;  // mask of the ports of terminals
    int straight[MAX_PORTS];
    uint64_t (*destination)(const struct switch_state *s, unsigned p);  // of a new worm
    unsigned (*first_port)(const struct switch_state *s, unsigned p);  // of its list, if it has one
};

// What an input port offers; if lane < 0 it offers nothing.
struct offer {
    int lane;                  // input lane
    uint64_t ports;            // output ports that it is offered to
    unsigned take[MAX_PORTS];  // output lane at each of them
    uint16_t rank;
    uint64_t flit;
};

void switch_reset(struct switch_state *s);

// Returns the classes of messages, at least 1, and the lanes of each of them.
unsigned classes_of(const struct shape *shape);
unsigned class_vcs(const struct shape *shape);
// Returns the mask of the last lanes of each class, so many of each.
uint64_t last_of_each(const struct shape *shape, unsigned count);

bool flit_head(const struct shape *shape, uint64_t flit);
bool flit_tail(const struct shape *shape, uint64_t flit);
uint64_t random_flit(const struct switch_state *s, unsigned p, unsigned *left);
// Returns a flit as it leaves the switch: a head with a list without its first port.
uint64_t flit_behind(const struct shape *shape, uint64_t flit);
void enter_lane(struct input_lane *lane, uint64_t flit);

// Returns where the front flit of a lane of port p may go: by its route, or where its worm is
// bound.
struct route route_of_front(const struct switch_state *s, unsigned p,
                            const struct input_lane *lane);
// Returns the lanes of port o that admit the front flit of an input lane.
uint64_t lanes_admitting(const struct switch_state *s, const struct input_lane *lane,
                         const struct route *route, unsigned o);
// Returns the stamp or the distance in a head.
uint16_t flit_rank(const struct shape *shape, uint64_t flit);

// Returns the offer of port p by rules 1 to 3 and 5, with the random bits of the cycle.
struct offer offer_of(const struct switch_state *s, unsigned p, uint8_t random);
// Returns the input port that wins output o by rule 4, or RULES_NONE.
int winner_of(const struct switch_state *s, unsigned o, const struct offer *offers, uint8_t random);
// Policy favour: moves the favoured lanes of port p, as if none of its flits were granted. To be
// called after the offers are known and before any flit moves.
void move_favours(struct switch_state *s, unsigned p);
// Rule 6 on the input side and on the output side: port o has granted the offer of port p.
void leave_lane(struct switch_state *s, unsigned p, unsigned o, const struct offer *offer);
void send(struct switch_state *s, unsigned p, unsigned o, const struct offer *offer);

// Rules 1 to 5 for all ports: what each input offers, and which input each output grants.
struct decisions {
    struct offer offers[MAX_PORTS];
    int winners[MAX_PORTS];
};
void decide(const struct switch_state *s, struct decisions *decisions);

// Bench of a whole switch. The inputs are seed, valid, vc, flit, credit; the outputs are valid, vc,
// flit, credit and the state.
// The state ends with favoured classes and quotas if there are several classes.
void drive_links(struct switch_state *s, struct bits *in);

// Returns the shape in a bench's parameters NumPorts, NumVcs, Depth, FlitW, DstW, Scan, Admission,
// LengthInHead, Path, PathW, in this order, without chained links. Other parameters follow them.
struct shape shape_of_parameters(const int *p);
enum { SHAPE_PARAMETERS = 10 };

// Routes of benches without route units: a destination spells out its port, and under the path
// greedy the last two ports are equally good; no route leads to the last one alone.
struct route spelled_route(const struct switch_state *s, struct place at, uint64_t dst,
                           uint64_t path);
uint64_t spelled_destination(const struct switch_state *s, unsigned p);
// Resets a switch of that shape with such routes.
void spelled_reset(struct switch_state *s, const int *p);

// Sets the classes of a corner, which have these weights: 2, 1, 3, 1, …
void set_classes(struct shape *shape, int classes);
void check_switch(struct switch_state *s, struct bits *in, struct bits *out);

#endif
