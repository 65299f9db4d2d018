// SPDX-License-Identifier: Apache-2.0
//
// Lanes at both ends of a link, which lanes a flit may enter, and which of several options a head
// asks for: docs/switch.md, rules 2, 5 and 6, "Credits" and "Adaptive routes". The lanes of a set
// are a mask; bit w is lane w.

#ifndef ANL_ORACLE_LANES_H
#define ANL_ORACLE_LANES_H

#include "oracle/words.h"

// The largest switch: ports, lanes of a link, flits of a lane.
enum { ORACLE_PORTS = 32, ORACLE_LANES = 8, ORACLE_DEPTH = 64 };

struct oracle_flit {
    bool head, tail;
    uint16_t length;  // of a head: flits of its worm, if the flow control reads it
    uint16_t rank;    // of a head: stamp or distance, if the arbiter compares them
    uint64_t data;    // no rule of the switch reads it
};

// A lane at the end of its link. A chained lane is written before it is read, so it has room for
// one flit more.
struct oracle_in_lane {
    struct oracle_flit flit[ORACLE_DEPTH + 1];  // front first
    unsigned count;
    bool bound;
    unsigned port, vc;  // the output lane to which it is bound; 0 if it is not
    uint16_t rank;      // of the worm that is bound
};

// The same lane at the beginning of its link.
struct oracle_out_lane {
    unsigned credits;  // at the start of the cycle
    bool returning;    // a credit of a chained link comes back in this cycle
    bool owned;        // by the worm in input lane (port, vc); 0 if it is not
    unsigned port, vc;
};

void oracle_enter(struct oracle_in_lane *lane, const struct oracle_flit *flit);
// Binds a lane to that output lane if the flit is a head, and frees it if the flit is a tail.
void oracle_bind(struct oracle_in_lane *lane, const struct oracle_flit *flit, unsigned port,
                 unsigned vc);
// Rule 6 where a flit comes from: takes the front flit, which goes to that output lane.
void oracle_pop(struct oracle_in_lane *lane, unsigned port, unsigned vc);
// Rule 6 where a flit goes: it is sent from that input lane.
void oracle_spend(struct oracle_out_lane *lane, const struct oracle_flit *flit, unsigned port,
                  unsigned vc);

// What a head wants of the lanes of a link.
struct oracle_want {
    uint64_t set;     // the lanes that it may take
    uint64_t atomic;  // those of them that it may take only if they are empty
    unsigned need;    // credits
    bool at_once;     // credits that come back in this cycle count
};
// Returns the credits of a lane that count in this cycle.
unsigned oracle_credits(const struct oracle_out_lane *lane, bool at_once);
// Returns the takeable ones among num_vcs lanes.
uint64_t oracle_takeable(const struct oracle_out_lane *lanes, unsigned num_vcs, unsigned depth,
                         const struct oracle_want *want);
// Returns the lane to which the worm of a flit that is not a head is bound, if the flit can enter
// it, else 0.
uint64_t oracle_bound(const struct oracle_out_lane *lanes, unsigned vc, bool at_once);
// Returns the empty ones: all credits are with the sender.
uint64_t oracle_empty(const struct oracle_out_lane *lanes, unsigned num_vcs, unsigned depth,
                      bool at_once);
// Rule 5: returns the lane that a head takes of those that it can take, or ORACLE_NONE.
int oracle_lane_taken(unsigned num_vcs, uint64_t can, uint64_t empty);
// Returns the credits that a head of this flow control and length needs.
unsigned oracle_need(int flow_control, unsigned length);

// Terminals. Returns the lane of an injection link that a flit could go to, or ORACLE_NONE: a head
// by rules 2 and 5, and another flit (head: NULL) to the lane of its worm.
int oracle_injection_lane(const struct oracle_out_lane *lanes, unsigned num_vcs, unsigned depth,
                          const struct oracle_want *head, int bound);
// Returns the ejection lane whose flit a sink shows, or ORACLE_NONE; shown is the one whose flit it
// has shown and not taken.
int oracle_lane_shown(const struct oracle_in_lane *lanes, unsigned num_vcs, int shown);

// Where a head may go: a set of lanes of each output port, 0 if it may not go there. The lanes are
// those of the class of the head, counted from 0, unless it is said otherwise.
struct oracle_route {
    uint8_t lanes[ORACLE_PORTS];
};
// Returns the route by one port.
struct oracle_route oracle_one_port(unsigned port, uint64_t lanes);

// What the selection depends on. Lanes are those of one class.
struct oracle_selection {
    unsigned num_ports, num_vcs, depth;
    const struct oracle_out_lane *out[ORACLE_PORTS];  // the first lane of the class at each port
    int select;
    bool atomic;         // adaptive lanes are
    unsigned escapes;    // the last lanes of each link that are escape lanes
    uint64_t terminals;  // mask of the ports of terminals, where no lane is either
    int straight;        // the port straight on, or ORACLE_NONE
    uint8_t random;
    unsigned need;  // credits
};
// Returns the port of the selected option, or ORACLE_NONE if none is open. *lanes gets the takeable
// lanes of the part of its set that was considered.
int oracle_select(const struct oracle_selection *s, const struct oracle_route *options,
                  uint64_t *lanes);

#endif
