// SPDX-License-Identifier: Apache-2.0
//
// The words of the pages that choose a rule, with the numbers that they have as parameters of the
// RTL (docs/rtl.md), and what some of them have in common.

#ifndef ANL_ORACLE_WORDS_H
#define ANL_ORACLE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

// No lane, port or candidate.
enum { ORACLE_NONE = -1 };

// docs/networks.md.
enum { MESH, TORUS, UNIDIRECTIONAL_TORUS, HYPERCUBE };
enum {
    DIMENSION_ORDER,
    DATELINE,
    E_CUBE,
    UP_DOWN_FIXED,
    UP_DOWN_RANDOM,
    UP_DOWN_GREEDY,
    SHORTEST,
    UP_DOWN,
    TABLE,
    WEST_FIRST,
    NORTH_LAST,
    NEGATIVE_FIRST,
    ODD_EVEN,
    ADAPTIVE,
    DESTINATION_TAG = 16,
    VALIANT
};

// docs/switch.md: "Adaptive routes", "Arbitration policies", rule 2, "Several ports". PATH_NONE is
// a way up that the destination names.
enum { MOST_CREDITS, SELECT_RANDOM, STRAIGHT_FIRST };
enum { FIXED, ROUND_ROBIN, RANDOM, AGE, FARTHEST, MATRIX, REGISTERED_PRIORITY, ORACLE_ARBITERS };
enum { WORMHOLE, CUT_THROUGH, STORE_AND_FORWARD };
enum { PATH_NONE, PATH_CARRIED, PATH_DRAWN, PATH_GREEDY };

// Returns whether heads wait until there is room for the whole worm.
bool admits_whole(int flow_control);
// Returns whether a routing of cubes gives heads several options.
bool has_options(int routing);

// Returns the mask of one member; index ORACLE_NONE: 0.
uint64_t onehot(int index);
// Returns the mask of the members 0 to count - 1.
uint64_t first_of(unsigned count);

#endif
