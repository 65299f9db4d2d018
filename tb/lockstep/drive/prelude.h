// SPDX-License-Identifier: Apache-2.0
//
// The traffic that a run begins with: the first cycles of the same scenario with another seed. A
// reset of a single cycle ends it, with flits on their way, and then the run begins. So a register
// that reset forgets shows in every run, where a longer reset would let it empty by itself.

#ifndef ANL_LOCKSTEP_PRELUDE_H
#define ANL_LOCKSTEP_PRELUDE_H

#include "run/lockstep.h"
#include "run/rtl.h"

struct prelude {
    struct anl_scenario scenario;  // that of the run, with another seed
    struct lockstep_options options;
    struct lockstep_result result;
    struct lockstep *run;  // NULL: the run has no prelude
};

// Resets the RTL and runs it in lock-step, until the cycles of the prelude are over, or the traffic
// ends, or something differs. The RTL needs a reset then, and the address of another harness.
// prelude_destroy() is due in any case.
enum anl_status prelude_run(struct prelude *prelude, struct rtl *rtl,
                            const struct anl_scenario *scenario,
                            const struct lockstep_options *options, struct anl_error *error);

// If the run has passed and its prelude has not, reports the prelude and makes its result that of
// the run.
enum anl_status prelude_judge(struct prelude *prelude, struct lockstep_result *result,
                              struct anl_error *error);
void prelude_destroy(struct prelude *prelude);

#endif
