// SPDX-License-Identifier: Apache-2.0
//
// Runs a scenario on the RTL and judges it. Exact: beside the golden model, every flit and every
// register in every cycle. Rules: by the referee alone.

#ifndef ANL_LOCKSTEP_LOCKSTEP_H
#define ANL_LOCKSTEP_LOCKSTEP_H

#include "compare/difference.h"
#include "tamper.h"

#include <stdio.h>

// What of the RTL is compared with the model.
enum lockstep_mode {
    LOCKSTEP_EXACT,  // every flit on every link, every register
    LOCKSTEP_LINKS,  // every flit on every link; registers of terminals alone
    LOCKSTEP_ENDS,   // flits that terminals send and hand out, and their registers: the network is
                     // one module without switches that could be watched
    LOCKSTEP_RULES,  // nothing: there is no model, the referee judges
};

const char *lockstep_mode_name(enum lockstep_mode mode);  // "exact", "links", "ends", "rules"

struct lockstep_options {
    const char *scenario_path;    // as in the replay command
    const char *const *settings;  // "section.key=value", in place of what the scenario says
    size_t num_settings;
    const char *dut;  // file of the switch under test, NULL: ours; for the replay command
    enum lockstep_mode mode;
    bool expect_stall;  // the run must end in a deadlock (in rules mode: it may)
    bool progress;
    const char *trace_path;  // NULL: no trace
    const char *waves_path;  // FST file, the others beside it; NULL: no waves
    uint64_t at;             // cycle that waves are to show; UINT64_MAX: where a worm waits longest
    uint32_t worm;           // that waves are to show; NOWHERE: any
    bool waves_of_all;  // RTL signals of all switches, not only of those of the blocking analysis
    struct tamper tamper;
    FILE *report;  // where the first difference is described
};

struct lockstep_coverage {
    uint64_t lanes;  // lanes that a flit ever crossed into
    uint64_t full, bound, no_credit, owned;
};

struct lockstep_result {
    bool pass;
    enum anl_run_end end;
    uint64_t cycles, flits, worms;
    double model_seconds, rtl_seconds, blocking_seconds;
    uint64_t deadlock;  // cycle in which it closed, UINT64_MAX: none
    uint64_t model_digest, rtl_digest;
    struct difference difference;  // count is 0 if there is none
    struct lockstep_coverage coverage;
    struct tamper tamper;
    char assertion[64];  // first one of the RTL that failed, "" if none
    char reason[640];    // why it did not pass, one line
};

// Runs it to its end; ANL_OK if the run took buffer, whatever its verdict. Implemented once for
// each way to drive the RTL: clocked.c (Verilator), tb/systemc/systemc.cpp.
enum anl_status lockstep_run(const struct anl_scenario *scenario,
                             const struct lockstep_options *options, struct lockstep_result *result,
                             struct anl_error *error);

// --- for those that drive the RTL ---
//
//   create; give lockstep_harness() to the RTL; reset it; then
//   until over: offer; clock falls; low; clock rises; high
//   clock falls; last; finish; destroy
// low and high return false at the first difference: go on with finish.

struct lockstep;

// scenario, options, result must stay until destroy. On failure *run is NULL.
enum anl_status lockstep_create(const struct anl_scenario *scenario,
                                const struct lockstep_options *options,
                                struct lockstep_result *result, struct lockstep **run,
                                struct anl_error *error);
void lockstep_destroy(struct lockstep *run);  // run may be NULL

const void *lockstep_harness(const struct lockstep *run);  // its address is the RTL's harness_i
uint64_t lockstep_cycle(const struct lockstep *run);
bool lockstep_over(struct lockstep *run);
enum anl_status lockstep_offer(struct lockstep *run);
bool lockstep_low(struct lockstep *run);
bool lockstep_high(struct lockstep *run);
void lockstep_last(struct lockstep *run);
enum anl_status lockstep_finish(struct lockstep *run, struct anl_error *error);

// From here on this process is a copy that looks at the run again: it leaves no trace.
void lockstep_copy(struct lockstep *run);

double lockstep_now(void);  // seconds, for differences

// The command of tb/lockstep/drive/cli.c; returns the exit status.
int lockstep_main(int argc, char **argv);

#endif
