// SPDX-License-Identifier: Apache-2.0
//
// Terminals that refuse (docs/switch.md, "Requests and replies"): which flit each sink of the RTL
// shows, and whether it takes it. This follows from the flits that were seen on the links and from
// the rule alone, not from the golden model. Only with reply_queue is anything computed.

#ifndef ANL_LOCKSTEP_TERMINALS_H
#define ANL_LOCKSTEP_TERMINALS_H

#include "history.h"
#include "worms.h"

// The sink of one class in this cycle.
struct sink {
    uint32_t worm;  // of the flit that it shows
    uint16_t index;
    uint8_t vc;    // lane of the link in which the flit stands
    bool tail;     // it is a tail
    bool shows;    // it shows a flit
    bool refuses;  // it does not take this flit in this cycle
};

struct terminals {
    const struct anl_config *config;
    uint32_t number, classes;
    uint8_t *held;           // [terminal][lane] flits in the ejection lanes
    struct sink *sink;       // [terminal][class]
    uint32_t *reservations;  // [terminal] those that are taken at the start of the cycle
    uint32_t *takes;         // [terminal] reservations that are taken in this cycle
    struct anl_worm *taken;  // worms whose tails are taken in this cycle
    size_t num_taken;
};

// config must outlive the terminals. terminals_destroy() is also due after ANL_ERR_MEMORY.
enum anl_status terminals_create(struct terminals *terminals, const struct anl_config *config);
void terminals_destroy(struct terminals *terminals);

// Returns whether terminals of this configuration can refuse.
bool terminals_refuse(const struct terminals *terminals);

// Decides what the sinks do in the cycle to come. The history has all flits of the cycles before.
void terminals_decide(struct terminals *terminals, const struct history *history,
                      const struct worms *worms);

// Returns the sinks of a terminal that take what they show, bit c for class c. All bits are 1 if
// terminals cannot refuse.
uint32_t terminals_ready(const struct terminals *terminals, uint32_t terminal);

// Ends a cycle in which these flits crossed links. Returns how many flits the sinks have taken.
size_t terminals_pass(struct terminals *terminals, const struct worms *worms,
                      const struct anl_flit *flits, size_t count);

#endif
