// SPDX-License-Identifier: Apache-2.0
//
// Two clocks for benches of crossings (docs/clocks.md). A step of a bench is the next edge of
// either clock, or of both.
//
// Each clock has a period and a phase, drawn at random as a pair; after many steps, or few, another
// pair is drawn, and every second time both sides are reset, each for a time of its own. Edges that
// are due at once come in either order or together. The bench puts what clocks_drive() puts in
// front of all other inputs; in the bench cell the clocks are `TWO_CLOCKS of two_clocks.svh.

#ifndef ANL_TB_TWO_CLOCKS_H
#define ANL_TB_TWO_CLOCKS_H

#include "bench.h"

enum clock_side { SIDE_A, SIDE_B, CLOCK_SIDES };

struct two_clocks {
    uint64_t period[CLOCK_SIDES],
        next[CLOCK_SIDES];                       // in units of time, and when the next edge is due
    uint64_t edges[CLOCK_SIDES];                 // out of reset
    unsigned left;                               // steps until another pair is drawn
    bool tick[CLOCK_SIDES];                      // the step has an edge of this clock
    bool reset[CLOCK_SIDES], seen[CLOCK_SIDES];  // seen: an edge came in this reset
    unsigned stays[CLOCK_SIDES];                 // edges that the reset still lasts
};

// Both sides are in reset.
void clocks_reset(struct two_clocks *clocks);
// Goes on to the next step, and puts its edges and resets. Returns whether both sides begin a
// reset.
bool clocks_drive(struct two_clocks *clocks, struct bits *in);
// Takes what clocks_drive() has put.
void clocks_take(const struct two_clocks *clocks, struct bits *in);
// Returns whether a side has an edge in this step, out of reset.
bool clocks_tick(const struct two_clocks *clocks, enum clock_side side);
// Counts the edges of this step; check() calls it last.
void clocks_step(struct two_clocks *clocks);
// Draws no other pair from here on: b has this many hundredths of the period of a.
void clocks_fix(struct two_clocks *clocks, unsigned hundredths);

// Returns how many pairs were drawn in this program.
uint64_t clocks_pairs(void);

// What is seen on the other side of a crossing that was there for so many edges (docs/clocks.md,
// "Cycles").
enum clock_seen { SEEN_NOT, SEEN_EITHER, SEEN_SURELY };
enum clock_seen clocks_seen(uint64_t edges, unsigned sync_stages);

// Requires that seen is what it may be.
void require_seen(const char *name, enum clock_seen may, bool seen);

#endif
