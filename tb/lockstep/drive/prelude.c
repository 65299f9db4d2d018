// SPDX-License-Identifier: Apache-2.0

#include "prelude.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

// Returns how many cycles the prelude has: as the options say, or 1 .. LONGEST by the seed.
static uint32_t cycles_of(const struct lockstep_options *options, uint64_t seed)
{
    return options->prelude_given ? options->prelude : 1 + (uint32_t)(anl_mix(seed) % LONGEST);
}

static uint64_t seed_of(uint64_t seed) { return anl_mix(seed + 1) >> 32; }

// Runs one whole cycle, so that the clock is high behind it. Returns false at the first difference.
static bool cycle(struct rtl *rtl, struct lockstep *run)
{
    rtl_low(rtl);
    const bool agree = lockstep_low(run);
    rtl_high(rtl);
    return agree && lockstep_high(run);
}

// A worm that cannot be enqueued ends the prelude: the run that follows says what is wrong.
static void drive(struct rtl *rtl, struct lockstep *run, uint32_t cycles)
{
    struct anl_error error;
    rtl_reset(rtl, lockstep_lead(run));
    while (cycles-- > 0 && !lockstep_over(run))
        if (lockstep_enqueue(run, &error) != ANL_OK || !cycle(rtl, run)) return;
}

enum anl_status prelude_run(struct prelude *prelude, struct rtl *rtl,
                            const struct anl_scenario *scenario,
                            const struct lockstep_options *options, struct anl_error *error)
{
    *prelude = (struct prelude){.scenario = *scenario, .options = *options};
    const uint32_t cycles = cycles_of(options, scenario->run.seed);
    if (!cycles) return ANL_OK;
    prelude->scenario.run.seed = seed_of(scenario->run.seed);
    prelude->options.prelude_given = true;  // repeated, it is a run without a prelude
    prelude->options.prelude = 0;
    prelude->options.progress = false;
    prelude->options.trace_path = prelude->options.waves_path = NULL;
    prelude->options.tamper = (struct tamper){0};
    enum anl_status status = lockstep_create(&prelude->scenario, &prelude->options,
                                             &prelude->result, &prelude->run, error);
    if (status != ANL_OK) return status;
    rtl_harness(rtl, lockstep_harness(prelude->run));
    drive(rtl, prelude->run, cycles);
    return ANL_OK;
}

enum anl_status prelude_judge(struct prelude *prelude, struct lockstep_result *result,
                              struct anl_error *error)
{
    char reason[sizeof result->reason];
    if (!prelude->run || !prelude->result.difference.count || !result->pass) return ANL_OK;
    enum anl_status status = lockstep_finish(prelude->run, error);
    *result = prelude->result;
    snprintf(reason, sizeof reason, "in the prelude, seed %llu: %.500s",
             (unsigned long long)prelude->scenario.run.seed, result->reason);
    memcpy(result->reason, reason, sizeof reason);
    return status;
}

void prelude_destroy(struct prelude *prelude) { lockstep_destroy(prelude->run); }
