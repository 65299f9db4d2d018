// SPDX-License-Identifier: Apache-2.0
//
// A run in lock-step, shared by lockstep.c (the phases of a cycle) and checker.c (the verdicts).

#ifndef ANL_LOCKSTEP_INTERNAL_H
#define ANL_LOCKSTEP_INTERNAL_H

#include "compare/compare.h"
#include "compare/dpi.h"
#include "compare/history.h"
#include "lockstep.h"
#include "wave_target.h"

struct lockstep {
    const struct anl_scenario *scenario;
    const struct lockstep_options *options;
    struct lockstep_result *result;
    struct harness harness;
    struct history history;
    struct anl_engine *engine;         // NULL in rules mode
    struct anl_engine *planner;        // rules mode of kind diagonals: says which worms are sent
                                       // when, and is compared with nothing; else NULL
    struct anl_state state;            // of the model at the start of the cycle
    const struct lockstep_kind *kind;  // NULL: buffered
    void *of_kind;                     // what the functions of the kind keep
    struct anl_flit *flits;            // of the RTL in this cycle, ascending by link
    size_t num_flits;
    struct anl_worm *delivered;      // worms that arrived in this cycle
    struct anl_blocking *blocking;   // is fed the flits of the RTL; NULL: it knows no such switches
    struct wave_target wave_target;  // the stall that waves are to show
    uint64_t cycles_fed;             // cycles that the blocking analysis has been fed
    bool fed;       // false: the blocking analysis has refused a flit and is fed no more
    bool credited;  // the credits on all links are watched
    bool copy;      // this process is a copy, and nobody reads its report
    struct anl_traffic *traffic;
    struct anl_referee *referee;
    struct anl_digest *model_digest, *rtl_digest;
    struct anl_trace_writer *trace;
    uint32_t worms_traced;  // worms that it has
    uint64_t cycle;
    uint64_t idle_cycles;  // cycles since a flit crossed a link
    uint64_t arrived;      // worms that arrived
    uint64_t rest_cycles;  // cycles since the last worm arrived, in which credits came back
    uint64_t fault_cycle;  // of the model; UINT64_MAX: none. What follows is compared as well, and
                           // counts for nothing else
    uint32_t fault_worms;  // that were created up to then
    double shown;          // time in seconds at which progress was last shown
};

// Returns whether the run goes on behind a fault.
static inline bool behind_fault(const struct lockstep *run)
{
    return run->fault_cycle != UINT64_MAX;
}

// Returns a worm that is created in a cycle.
struct anl_worm lockstep_worm(const struct lockstep *run, const struct anl_new_worm *new_worm,
                              uint64_t cycle, uint32_t id);

// What the lock-step does beside comparing flits for a kind of switch other than buffered: each is
// in the slice of a paper, papers/<paper>/lockstep. A run has a model unless it is in rules mode.
struct lockstep_kind {
    const struct observed_kind *observed;  // what the probes see
    // Makes run->of_kind. destroy() is also due after an error, if it is not NULL then.
    enum anl_status (*create)(struct lockstep *run, struct anl_error *error);
    void (*destroy)(struct lockstep *run);
    // Readies the sources in a cycle, after its worms were created; NULL: nothing.
    enum anl_status (*prepare)(struct lockstep *run, struct anl_error *error);
    // Compares the registers at the start of a cycle: the model has run the cycles before.
    void (*registers)(struct lockstep *run, struct comparison *comparison);
    // Compares what is no flit in a cycle that the model has run; NULL: nothing.
    void (*flits)(struct lockstep *run, struct comparison *comparison);
    // Compares what the ports alone show in a cycle, in rules mode: the referee has seen its flits.
    // NULL: nothing.
    void (*ports)(struct lockstep *run, struct comparison *comparison);
    // Returns true if a worm is under way; NULL: those are that have not arrived.
    bool (*goes_on)(const struct lockstep *run);
    // A run goes on behind a fault until nothing moves: RTL and model must lose the same flits. The
    // referee must miss some in the cycle behind the fault.
    bool outlives_faults;
    bool has_ends;  // links join terminals and switches, which mode ends compares
};
// The function ports() of kinds whose nodes have a fault line: none is 1 unless a fault is
// expected.
void lockstep_fault_lines(struct lockstep *run, struct comparison *comparison);
// Returns the functions of a kind; NULL: buffered (kinds.c).
const struct lockstep_kind *lockstep_kind_of(enum anl_switch_kind kind);

// A difference that is at no link, lane or worm.
struct words {
    uint64_t cycle;
    const char *where, *what, *expected, *seen;
};

// Notes the difference, unless there is one already.
void note_in_words(struct lockstep *run, const struct words *words);

// Feed the blocking analysis a worm that is created in this cycle, and all flits of this cycle.
void feed_worm(struct lockstep *run, const struct anl_worm *worm);
void feed_flits(struct lockstep *run, const struct anl_flit *flits, size_t count);
// After a difference: feeds the flits that the model expects in this cycle, so that it can be
// shown.
void feed_expected(struct lockstep *run);
void feed_end(struct lockstep *run);

// Returns whether the difference is at a link in an earlier cycle than the one in which it was
// found, as a credit is that does not come back.
bool lockstep_found_late(const struct lockstep *run);

// Checks the registers at the start of the cycle, after the clock fell.
void check_registers(struct lockstep *run);

// Checks the flits of the cycle, after the clock rose.
void check_flits(struct lockstep *run);

// Concludes the run: verdict, digests, coverage and report.
void check_run(struct lockstep *run);

#endif
