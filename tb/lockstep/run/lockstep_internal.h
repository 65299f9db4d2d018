// SPDX-License-Identifier: Apache-2.0
//
// A run in lock-step, shared by lockstep.c (the phases of a cycle) and judge.c (the verdicts).

#ifndef ANL_LOCKSTEP_INTERNAL_H
#define ANL_LOCKSTEP_INTERNAL_H

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
    struct anl_engine *net;          // NULL in rules mode
    struct anl_state state;          // of the model, at the start of the cycle
    struct anl_flit *flits;          // of the RTL in this cycle, ascending by link
    struct anl_worm *delivered;      // rules mode: worms that arrived in this cycle
    struct anl_blocking *blocking;   // of the RTL's flits
    struct wave_target wave_target;  // what waves are to show
    uint64_t cycles_fed;             // to the blocking analysis
    bool fed;   // false: the blocking analysis has refused a flit and hears no more
    bool copy;  // a process that was taken up again: nobody reads what it says
    struct anl_traffic *traffic;
    struct anl_referee *referee;
    struct anl_digest *model_digest, *rtl_digest;
    struct anl_trace_writer *trace;
    uint64_t cycle;
    uint64_t idle_cycles;  // since a flit crossed a link
    uint64_t arrived;      // worms
    double shown;          // when progress was last shown, seconds
};

// The blocking analysis hears of a worm that is created in this cycle; of all flits of this cycle.
void feed_worm(struct lockstep *run, const struct anl_worm *worm);
void feed_flits(struct lockstep *run, const struct anl_flit *flits, size_t count);
// At a difference: of the flits that the model has in this cycle, so that it can be shown.
void feed_expected(struct lockstep *run);
void feed_end(struct lockstep *run);

// Registers at the start of the cycle, after the clock fell.
void check_registers(struct lockstep *run);

// Flits of the cycle, after the clock rose.
void check_flits(struct lockstep *run);

// The run is over: verdict, digests, coverage, report.
void check_run(struct lockstep *run);

#endif
