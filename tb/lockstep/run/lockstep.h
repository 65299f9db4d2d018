// SPDX-License-Identifier: Apache-2.0
//
// Runs a scenario on the RTL and checks it: in exact mode against the golden model, every flit and
// every register in every cycle; in rules mode by the referee alone.

#ifndef ANL_LOCKSTEP_LOCKSTEP_H
#define ANL_LOCKSTEP_LOCKSTEP_H

#include "compare/difference.h"
#include "compare/failure.h"
#include "tamper.h"
#include "ways.h"

#include <stdio.h>

// What is compared with the golden model.
enum lockstep_mode {
    LOCKSTEP_EXACT,  // all flits on all links, all registers
    LOCKSTEP_LINKS,  // all flits on all links, registers of terminals only
    LOCKSTEP_ENDS,   // flits that terminals send and take, and their registers; for a network that
                     // is one module, in which no switch can be watched
    LOCKSTEP_RULES,  // nothing: there is no model, and the referee checks alone
};

const char *lockstep_mode_name(enum lockstep_mode mode);  // "exact", "links", "ends", "rules"

struct lockstep_options {
    const char *scenario_path;    // as the replay command is to name it
    const char *const *settings;  // "section.key=value", which replaces the scenario's value
    size_t num_settings;
    const char *dut;  // file of the switch under test, for the replay command; NULL: our switch
    enum lockstep_mode mode;
    bool expect_stall;      // the run must end in a deadlock; in rules mode it may
    bool expect_fault;      // the run must end in a fault, without buffers; so in rules mode
    bool expect_unblocked;  // no worm may ever wait, by the blocking analysis of the RTL's flits
    bool prelude_given;  // prelude says how many cycles of traffic precede the reset with which the
    uint32_t prelude;    // run begins, 0: none; else the seed says it
    bool progress;
    bool awake;  // as in rtl_options
    unsigned threads;
    const char *trace_path;  // NULL: no trace
    const char *waves_path;  // path of the FST file, the others stand beside it; NULL: no waves
    uint64_t at;    // cycle that waves must show; UINT64_MAX: the one in which a worm waits longest
    uint32_t worm;  // worm that waves must show; NOWHERE: any
    bool waves_of_all;  // waves have the RTL signals of all switches, not only of those with the
                        // worms shown
    struct tamper tamper;
    struct ways *ways;  // counts the ways that heads take; NULL: nobody asks
    // Writes the values of the signals in the condition of a failed assertion; NULL: unknown.
    void (*values)(struct failure *failure);
    FILE *report;                 // receives the report of the first difference
    struct anl_reports *reports;  // receives it for programs; NULL: nobody asks
};

struct lockstep_coverage {
    uint64_t lanes;  // lanes of switches into which a flit has crossed
    uint64_t full, bound, no_credit, owned;
};

struct lockstep_result {
    bool pass;
    enum anl_run_end end;
    uint64_t cycles, flits, worms;
    double model_seconds, rtl_seconds, blocking_seconds;
    uint64_t deadlock;  // cycle in which it closed; UINT64_MAX: none
    char fault[256];    // of the model without buffers; "": none
    uint64_t waited;    // cycles of all worms in which their leading flits did not move, by the
                        // blocking analysis of the RTL's flits
    uint64_t model_digest, rtl_digest;
    struct difference difference;  // its count is 0 if there is none
    struct lockstep_coverage coverage;
    struct tamper tamper;
    struct failure assertion;  // the first assertion of the RTL that failed
    char reason[640];          // why the run did not pass, on one line
};

// Runs the scenario to its end. Returns ANL_OK if the run took place, whatever its verdict. It is
// implemented once for each way to drive the RTL: clocked.c (Verilator) and tb/systemc/systemc.cpp.
enum anl_status lockstep_run(const struct anl_scenario *scenario,
                             const struct lockstep_options *options, struct lockstep_result *result,
                             struct anl_error *error);

// --- for programs that drive the RTL ---
//
//   create; give lockstep_harness() to the RTL; reset the RTL; run it for lead cycles; then
//   until over: enqueue; the clock falls; low; the clock rises; high
//   the clock falls; last; finish; destroy
//
// low and high return false at the first difference; finish must follow then.

struct lockstep;

// scenario, options and result must stay in place until destroy. On failure *run is NULL.
enum anl_status lockstep_create(const struct anl_scenario *scenario,
                                const struct lockstep_options *options,
                                struct lockstep_result *result, struct lockstep **run,
                                struct anl_error *error);
void lockstep_destroy(struct lockstep *run);  // run may be NULL

const void *lockstep_harness(const struct lockstep *run);  // the RTL gets this address as harness_i
uint64_t lockstep_cycle(const struct lockstep *run);
bool lockstep_over(struct lockstep *run);
uint32_t lockstep_lead(const struct lockstep *run);  // cycles of the RTL that precede cycle 0
enum anl_status lockstep_enqueue(struct lockstep *run, struct anl_error *error);
bool lockstep_low(struct lockstep *run);
bool lockstep_high(struct lockstep *run);
void lockstep_last(struct lockstep *run);
enum anl_status lockstep_finish(struct lockstep *run, struct anl_error *error);

// Says that this process is a copy that repeats a part of the run; it writes no trace.
void lockstep_copy(struct lockstep *run);

double lockstep_now(void);  // seconds since some moment

// The command line of tb/lockstep/drive/cli.c; returns the exit status.
int lockstep_main(int argc, char **argv);

#endif
