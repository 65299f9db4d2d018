// SPDX-License-Identifier: Apache-2.0
//
// The choices of docs/switch.md as plain loops; the benches of several modules use them.

#ifndef ANL_TB_RULES_H
#define ANL_TB_RULES_H

#include <stdbool.h>
#include <stdint.h>

enum { RULES_NONE = -1, RULES_MAX = 64 };
// The numbers of topologies, routings and other choices in parameters of the RTL (docs/rtl.md).
enum { MESH, TORUS, UNIDIRECTIONAL_TORUS, HYPERCUBE };
enum {
    DIMENSION_ORDER,
    DATELINE,
    E_CUBE,
    UP_DOWN_FIXED,
    UP_DOWN_RANDOM,
    UP_DOWN_GREEDY,
    WEST_FIRST = 9,
    NORTH_LAST,
    NEGATIVE_FIRST,
    ODD_EVEN,
    ADAPTIVE,
    DESTINATION_TAG = 16,
    VALIANT
};
enum { MOST_CREDITS, SELECT_RANDOM, STRAIGHT_FIRST };
enum { FIXED, ROTATING, RANDOM, OLDEST, FARTHEST, MATRIX, FAVOUR };
enum { WORMHOLE, CUT_THROUGH, STORE_AND_FORWARD };
enum { PATH_NONE, PATH_CARRIED, PATH_DRAWN, PATH_GREEDY };

// What an arbiter's scan depends on, at the start of a cycle.
struct scan {
    int policy;
    unsigned ptr;            // policy rotating
    uint8_t random;          // policies random and farthest
    const uint16_t *ranks;   // stamps (oldest) or distances (farthest)
    const unsigned *served;  // policies matrix and favour: when each one was served last; 0: never
};

// Returns the first request in the order start, start + 1, …, size - 1, 0, …, start - 1.
int cyclic_first(unsigned size, uint64_t requests, unsigned start);
// Returns how many places below count are members; bit i of members says that place i is one.
unsigned members_below(unsigned count, uint64_t members);
// Returns the request with the oldest stamp, scanned from 0 upwards.
int oldest_first(unsigned size, uint64_t requests, const uint16_t *ranks);
// Returns the request with the largest distance; of several, the first in cyclic order from start.
int farthest_first(unsigned size, uint64_t requests, unsigned start, const uint16_t *distances);
// Returns the request that was served least recently; of those never served, the lowest.
int least_recent(unsigned size, uint64_t requests, const unsigned *served);
// Returns where a scan over size requests starts under the policies random and farthest.
unsigned random_start(unsigned size, uint8_t random);
// Returns the winner under any policy, or RULES_NONE.
int scan_first(unsigned size, uint64_t requests, const struct scan *scan);

// Whether heads carry a stamp or a distance, and whether the scan reads the random state.
static inline bool scan_is_stamped(int policy) { return policy == OLDEST || policy == FARTHEST; }
// Whether the scan moves pointers (in_ptr, out_ptr) to the place behind the one that is served.
static inline bool scan_points(int policy)
{
    return policy == ROTATING || policy == MATRIX || policy == FAVOUR;
}
static inline bool scan_draws(int policy) { return policy == RANDOM || policy == FARTHEST; }

// Whether heads wait until there is room for the whole worm.
static inline bool admits_whole(int admission)
{
    return admission == CUT_THROUGH || admission == STORE_AND_FORWARD;
}

// Whether heads say the length of their worm. Under wormhole nothing in the network reads it.
static inline bool says_length(int admission, bool length_in_head)
{
    return admits_whole(admission) || length_in_head;
}

// Returns how long the worms of a bench are at most. Under wormhole the rules set no limit, but a
// head can say no more than 127.
static inline unsigned longest_worm(int admission, bool length_in_head, unsigned depth)
{
    if (admits_whole(admission)) return depth;
    return length_in_head ? 127 : 9;
}

static inline uint64_t onehot(int index) { return index < 0 ? 0 : UINT64_C(1) << index; }

// What the set of lanes that admit a front flit depends on (rule 2).
struct admission {
    int rule;
    bool head;
    unsigned length;      // flits, of a head
    uint64_t set;         // lanes that the route allows, of a head
    int bound_vc;         // lane of another flit
    uint64_t owned;       // bit w: a worm owns lane w
    unsigned credits[8];  // of each lane
};
uint64_t admitting_lanes(unsigned num_vcs, const struct admission *admission);
// Returns the lane that rule 5 selects, or RULES_NONE if can is 0.
int lane_taken(unsigned num_vcs, uint64_t can, uint64_t empty);

// What the heads take at an output port whose link is wide. Head c is that of input lane c.
struct wide_heads {
    unsigned size, num_vcs;  // input lanes of the switch, lanes of the link
    uint64_t ask;            // bit c: head c wants a lane
    const uint64_t *can;     // [num_vcs] bit c: head c can take the lane by rule 2
    uint64_t all_credits;    // bit w: lane w has all its credits
    struct scan scan;
};
// Writes to take[num_vcs] the head that takes each lane, one-hot or 0. Returns the head that is
// granted first, or RULES_NONE.
int wide_grant(const struct wide_heads *heads, uint64_t *take);

// Whether a routing gives heads several options.
static inline bool has_options(int routing) { return routing >= WEST_FIRST && routing <= ADAPTIVE; }

// What the selection of an option depends on (docs/switch.md, "Adaptive routes"). Lane w of port o
// is number o * num_vcs + w.
struct selection {
    unsigned num_ports, num_vcs, depth;
    int select;
    bool atomic;         // adaptive lanes are
    unsigned escapes;    // escape lanes of each link
    uint64_t terminals;  // mask of the ports of terminals
    int straight;        // the port straight on, or RULES_NONE
    uint8_t random;
    unsigned need;            // credits
    const uint8_t *sets;      // [num_ports] the set of lanes of the option of each port, or 0
    const uint8_t *owned;     // [num_ports] mask of lanes
    const unsigned *credits;  // [num_ports * num_vcs]
};
// Returns the port of the selected option, or RULES_NONE if none is open; *vcs gets those lanes of
// its considered part that are takeable, or 0.
int selected_option(const struct selection *s, uint64_t *vcs);

#endif
