// SPDX-License-Identifier: Apache-2.0
//
// Who comes first: docs/switch.md, "Arbitration policies", "The favoured lane" and "Message
// classes", and the generator of docs/random.md. Candidates are a mask; bit i is number i.

#ifndef ANL_ORACLE_SCAN_H
#define ANL_ORACLE_SCAN_H

#include "oracle/words.h"

enum { ORACLE_CANDIDATES = 64 };

// Returns whether heads carry a stamp or a distance that the arbiter compares.
bool scan_is_stamped(int scan);
// Returns whether the arbiter reads the random state.
bool scan_draws(int scan);

// Arbiters matrix and registered_priority: the numbers 0 .. size - 1 in the order in which they
// come.
struct oracle_order {
    unsigned size;
    uint8_t number[ORACLE_CANDIDATES];
};
void oracle_order_reset(struct oracle_order *order, unsigned size);
// Returns the first candidate in the order, or ORACLE_NONE.
int oracle_order_first(const struct oracle_order *order, uint64_t candidates);
// The flit of one of them is granted: this one goes to the end.
void oracle_order_serve(struct oracle_order *order, unsigned number);

// Returns the first candidate in the order start, start + 1, …, size - 1, 0, …, start - 1.
int oracle_cyclic_first(unsigned size, uint64_t candidates, unsigned start);
// Returns the candidate with the oldest stamp, scanned from 0 upwards.
int oracle_oldest_first(unsigned size, uint64_t candidates, const uint16_t *stamps);
// Returns the one with the largest distance; of several the first in cyclic order from start.
int oracle_farthest_first(unsigned size, uint64_t candidates, unsigned start,
                          const uint16_t *distances);
// Returns where a scan over size candidates starts that draws its start from 8 random bits.
unsigned oracle_random_start(unsigned size, uint8_t random);

// What a scan depends on, at the start of a cycle.
struct oracle_scan {
    int policy;
    unsigned ptr;                      // round_robin
    uint8_t random;                    // random, farthest
    const uint16_t *ranks;             // stamps (age) or distances (farthest)
    const struct oracle_order *order;  // matrix, registered_priority
};
// Returns the winner under any policy, or ORACLE_NONE.
int oracle_scan_first(unsigned size, uint64_t candidates, const struct oracle_scan *scan);

// An arbiter of a shared link, with what it keeps from cycle to cycle. ptr is in_ptr or out_ptr.
struct oracle_arbiter {
    int policy;
    unsigned size, ptr;
    struct oracle_order order;
};
void oracle_arbiter_reset(struct oracle_arbiter *arbiter, int policy, unsigned size);
// Returns the winner, or ORACLE_NONE; ranks are stamps or distances.
int oracle_arbiter_first(const struct oracle_arbiter *arbiter, uint64_t candidates, uint8_t random,
                         const uint16_t *ranks);
// The flit of the winner is granted.
void oracle_arbiter_serve(struct oracle_arbiter *arbiter, unsigned winner);

// Arbiter registered_priority: returns the lane that asks, of lanes 0 .. size - 1 of which these
// hold flits.
int oracle_lane_that_asks(unsigned size, uint64_t held, unsigned favoured);
// Returns the favoured lane of the next cycle; granted: the lane that asked was.
unsigned oracle_next_favoured(unsigned size, uint64_t held, uint64_t eligible, unsigned favoured,
                              bool granted);

// The scan over classes of an input port or an injection link. After reset it is {0, w[0]}.
struct oracle_favour {
    unsigned class_, quota;
};
// Returns the class that is chosen, or ORACLE_NONE.
int oracle_class_first(unsigned classes, uint64_t candidates, const struct oracle_favour *favour);
// A flit has moved, of whichever class.
void oracle_class_moved(unsigned classes, const unsigned *weights, struct oracle_favour *favour);

// Returns the random state that follows one in which the switch holds a flit.
uint32_t oracle_next_random(uint32_t random);

#endif
