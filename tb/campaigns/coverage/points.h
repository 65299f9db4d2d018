// SPDX-License-Identifier: Apache-2.0
//
// Functional points of coverage (docs/coverage.md): situations that a regression must have been in.
// They are counted over the cycles of runs of the golden model, of which the lock-step has proved
// that the RTL does the same; unlike points in the RTL they feed every lane and port apart.

#ifndef ANL_COVERAGE_POINTS_H
#define ANL_COVERAGE_POINTS_H

#include <annelid/blocking.h>
#include <annelid/engine.h>

enum {
    SCANS = 5,
    CAUSES = 4,       // bound_elsewhere, no_credit, lost_arbitration, not_yet
    LANE_COUNTS = 4,  // 1, 2, 4, 8
    ADMISSIONS = 3,
    LENGTHS = 3,     // 1, depth, longer
    UPS = 6,         // up_down_fixed, random, greedy; link u0, u1
    DIRECTIONS = 3,  // torus +, torus -, unidirectional torus
};

// Numbers of points; those of several are the first of as many as the next one says.
enum point {
    BLOCKED = 0,
    LOST_OFFER = BLOCKED + SCANS * CAUSES * LANE_COUNTS,
    LOST_GRANT = LOST_OFFER + SCANS,
    DELIVERED = LOST_GRANT + SCANS,
    BACK_TO_BACK = DELIVERED + ADMISSIONS * LENGTHS,
    NEXT_LANE = BACK_TO_BACK + ADMISSIONS,
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
    POINTS
};

struct tally {
    uint64_t count;
    uint64_t first;  // cycle
};

// One run as it is watched. All arrays are by buffer, or by switch, port and lane as in anl_state.
struct monitor {
    struct anl_config config;
    struct anl_shape shape;
    uint32_t lanes;   // links * num_vcs
    uint64_t cycle;   // the one that is looked at
    bool has_before;  // before is the state at its start
    struct anl_state before, after;
    struct anl_buffer *buffers;  // [lanes]
    struct anl_end *ends;        // [links]
    uint64_t *tail;              // [lanes] cycle in which a tail entered last, and 1
    bool *entered;               // [lanes] a flit enters
    uint32_t *asks;              // [links] input ports whose fronts could go there
    uint8_t *acts;               // [switches] what its flits do, in bits
    struct tally tallies[POINTS];
};

// False: no memory.
bool monitor_create(const struct anl_config *config, struct monitor *monitor);
void monitor_free(struct monitor *monitor);

// The cycle that blocking analysis feeds and net has just stepped; flits: those that crossed in it.
void monitor_cycle(struct monitor *monitor, const struct anl_engine *net,
                   const struct anl_blocking *blocking, const struct anl_flit *flits, size_t count);

// Parts of it.
void monitor_buffers(struct monitor *monitor, const struct anl_blocking *blocking);
void monitor_flits(struct monitor *monitor, const struct anl_blocking *blocking,
                   const struct anl_flit *flits, size_t count);
void monitor_state(struct monitor *monitor);

void reach(struct monitor *monitor, uint32_t point);

// Place of `lanes` in 1, 2, 4, 8; -1 if it is none of them.
int lane_count_index(uint32_t lanes);

// "blocked.oldest.no_credit.4", and what it is, for people. False: there is no such point, since
// the rules exclude it.
bool point_name(uint32_t point, char *name, size_t size);
const char *point_meaning(uint32_t point);

#endif
