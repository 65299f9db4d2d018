// SPDX-License-Identifier: Apache-2.0
//
// Functional points of coverage (docs/coverage.md): situations that a regression must have been in.
// They are counted over the cycles of runs of the golden model; the lock-step has shown that the
// RTL does the same. Unlike points in the RTL they cover every lane and port together.

#ifndef ANL_COVERAGE_POINTS_H
#define ANL_COVERAGE_POINTS_H

#include <annelid/blocking.h>
#include <annelid/engine.h>

enum {
    ARBITERS = ANL_LAST_ARBITER + 1,
    CAUSES = 4,       // bound_elsewhere, no_credit, lost_arbitration, not_yet
    LANE_COUNTS = 4,  // 1, 2, 4, 8
    FLOW_CONTROLS = 3,
    LENGTHS = 3,     // one flit; as many as the depth; more
    UPS = 6,         // up_down_fixed, up_down_random, up_down_greedy; up link 0, 1
    DIRECTIONS = 3,  // torus +, torus -, unidirectional torus
    DATA_BITS = 128,
    SPECIAL_WORDS = 32,
};

// Numbers of the points. A constant is the first of a group of points, which ends before the next
// one.
enum point {
    BLOCKED = 0,
    LOST_OFFER = BLOCKED + ARBITERS * CAUSES * LANE_COUNTS,
    LOST_GRANT = LOST_OFFER + ARBITERS,
    DELIVERED = LOST_GRANT + ARBITERS,
    BACK_TO_BACK = DELIVERED + FLOW_CONTROLS * LENGTHS,
    NEXT_LANE = BACK_TO_BACK + FLOW_CONTROLS,
    BIND_AND_UNBIND,
    PUSH_EMPTY,
    PUSH_FILLS,
    POP_LAST,
    POP_FULL,
    PUSH_POP_ONE,
    CHAINED_INJECTION,
    CHAINED_UP,
    CREDIT_ZERO,
    CREDIT_ALL_CREDITS,
    ALL_BOUND,
    ALL_OWNED = ALL_BOUND + LANE_COUNTS,
    ALL_REQUEST = ALL_OWNED + LANE_COUNTS,
    TAKE_EMPTY = ALL_REQUEST + LANE_COUNTS,
    TAKE_NOT_EMPTY,
    IN_POINTER,
    OUT_POINTER,
    RANK_WRAPS,
    FARTHEST_WINS,
    FARTHEST_TIE,
    AHEAD,
    CROSSES = AHEAD + DIRECTIONS,
    BEYOND = CROSSES + DIRECTIONS,
    NEVER = BEYOND + DIRECTIONS,
    HALF_EVEN = NEVER + DIRECTIONS,
    HALF_ODD,
    UP,
    UP_BOTH = UP + UPS,
    DEADLOCK,
    DATA_BIT,
    SPECIAL_ZEROS = DATA_BIT + DATA_BITS,
    SPECIAL_ONES,
    SPECIAL_ONE_BIT,
    SPECIAL_SMALL,
    SPECIAL_WORD,
    POINTS = SPECIAL_WORD + SPECIAL_WORDS
};

struct tally {
    uint64_t count;
    uint64_t first;  // cycle in which it was reached first
};

// The data bits of body flits that have crossed a link and are no special pattern: those that were
// 0 in some flit, those that were 1.
struct link_data {
    uint64_t flits;
    uint32_t was_0[ANL_FLIT_WORDS], was_1[ANL_FLIT_WORDS];
};

// The monitor of one run. An array is indexed by buffer, by link, or by switch, as noted.
struct monitor {
    struct anl_config config;
    struct anl_shape shape;
    uint32_t lanes;   // links * num_vcs
    uint64_t cycle;   // the cycle that was stepped last
    bool has_before;  // before is the state at the start of that cycle
    struct anl_state before, after;
    struct anl_buffer *buffers;  // [lanes]
    struct anl_end *ends;        // [links]
    uint64_t *tail;              // [lanes] 1 + cycle in which a tail entered last
    bool *entered;               // [lanes] a flit enters in this cycle
    uint32_t *asks;              // [links] set of input ports whose front flits could go there
    uint8_t *acts;               // [switches] what their flits do, as bits
    struct link_data *data;      // [links]
    struct tally tallies[POINTS];
};

// Returns false if there is no memory.
bool monitor_create(const struct anl_config *config, struct monitor *monitor);
void monitor_free(struct monitor *monitor);

// Monitors the cycle that net has just stepped and blocking has been fed with; flits are those that
// crossed links in it.
void monitor_cycle(struct monitor *monitor, const struct anl_engine *net,
                   const struct anl_blocking *blocking, const struct anl_flit *flits, size_t count);

// Counts the points that only a whole run can tell.
void monitor_end(struct monitor *monitor);

// The parts of monitor_cycle().
void monitor_buffers(struct monitor *monitor, const struct anl_blocking *blocking);
void monitor_flits(struct monitor *monitor, const struct anl_blocking *blocking,
                   const struct anl_flit *flits, size_t count);
void monitor_data(struct monitor *monitor, const struct anl_blocking *blocking,
                  const struct anl_flit *flit);
void monitor_state(struct monitor *monitor);

void reach(struct monitor *monitor, uint32_t point);

// Returns special word i of docs/link.md.
uint32_t special_word(uint32_t i);

// Returns the index of `lanes` in 1, 2, 4, 8, or -1.
int lane_count_index(uint32_t lanes);

// Writes the name of a point, such as "blocked.oldest.no_credit.4". Returns false if the rules
// exclude the point.
bool point_name(uint32_t point, char *name, size_t size);
const char *point_meaning(uint32_t point);

#endif
