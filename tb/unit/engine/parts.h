// SPDX-License-Identifier: Apache-2.0
//
// What the tests of parts and of packed state share: random networks of every kind that can be cut,
// random cuts into any sets of switches, random traffic, and a run of parts. Messages are copied,
// as between processes.

#ifndef ANNELID_UNIT_PARTS_H
#define ANNELID_UNIT_PARTS_H

#include "unit_traffic.h"

#include "engine/engine.h"
#include "engine/part.h"

#include <annelid/base.h>
#include <annelid/trace.h>

enum { MOST_PARTS = 8, ALL_TRIALS = 500 };

// ---------------------------------------------------------------- random scenarios

// Returns a network that can be cut, with the number of its lanes to be filled in: that number of
// them, again from the first one behind the last.
const char *part_network(uint32_t number);
uint32_t num_part_networks(void);

// Draws scenarios with one of the networks until one of them is accepted.
struct anl_scenario draw_scenario(struct anl_rng *rng, const char *network);
// ---------------------------------------------------------------- parts

// What is done to one message on its way.
enum fault {
    NO_FAULT,
    LOST_CREDIT,
    LOST_FLIT,
    LATE_FLIT,
    LATE_MESSAGE,
    NO_SUCH_LINK,
    NO_SUCH_LANE,
    LOST_WORM,
    // Of messages about space.
    LOST_SPACE,
    LATE_SPACE,
    EARLY_ROUND
};

struct parts {
    struct anl_network *network;
    uint32_t count;  // 1: the whole network
    uint32_t *part_of;
    struct anl_engine *engines[MOST_PARTS];
    // Messages of this cycle, [from][to].
    struct anl_border *messages[MOST_PARTS][MOST_PARTS];
    bool spaces;       // these messages are about space
    enum fault fault;  // still to be made, from a cycle on
    uint64_t fault_at;
    bool lies;  // later messages do not tell what is missing
    uint64_t missing[MOST_PARTS][MOST_PARTS];
    struct anl_crossing late;
    uint32_t late_from, late_to;
    bool is_late;
    enum fault late_of;
    char refused[512];  // why a message was refused; "": none was
};

// Draws which part each switch belongs to; no part is empty.
uint32_t *draw_cut(struct anl_rng *rng, uint32_t switches, uint32_t parts);
void make_part(struct parts *parts, uint32_t p, const uint32_t *part_of, uint64_t seed);
struct parts make_parts(const struct anl_scenario *scenario, uint32_t count, uint32_t *part_of);
void destroy_parts(struct parts *parts);
// Goes on by a cycle: of several parts, with all messages between them.
void step_parts(struct parts *parts);
// ---------------------------------------------------------------- runs

// All of what a run shows.
struct outcome {
    uint64_t digest, delivered, cycles;
    struct anl_engine_totals totals;
};

// Returns the sums over all parts.
struct anl_engine_totals totals_of(const struct parts *parts);
// A run that is going on.
struct play {
    struct anl_traffic *traffic;
    struct anl_digest *digest;
    struct outcome outcome;
};

// Begins a run, goes on to a cycle or to the end, and ends it.
struct play begin_play(const struct anl_scenario *scenario);
void play_to(struct parts *parts, struct play *play, uint64_t cycle);
struct outcome end_play(const struct parts *parts, struct play *play);
// Returns the outcome of a whole run, by the parts or by one engine.
struct outcome run_parts(struct parts *parts, const struct anl_scenario *scenario);
struct outcome run_whole(const struct anl_scenario *scenario);
bool is_same(const struct outcome *a, const struct outcome *b);
// Returns a network that is cut at random into at least two parts.
struct parts draw_parts_of(struct anl_rng *rng, const struct anl_scenario *scenario);

#endif
