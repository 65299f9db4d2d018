// SPDX-License-Identifier: Apache-2.0
//
// Drives the verilated RTL: a falling and a rising edge a cycle.

#include "lockstep.h"
#include "rtl.h"

static void half(struct rtl *rtl, void (*edge)(struct rtl *), struct lockstep_result *result)
{
    double start = lockstep_now();
    edge(rtl);
    result->rtl_seconds += lockstep_now() - start;
}

// All cycles, up to the end or the first difference.
static enum anl_status loop(struct lockstep *run, struct rtl *rtl, struct lockstep_result *result)
{
    while (!lockstep_over(run)) {
        enum anl_status status = lockstep_offer(run);
        if (status != ANL_OK) return status;
        half(rtl, rtl_low, result);
        if (!lockstep_low(run)) return ANL_OK;
        half(rtl, rtl_high, result);
        if (!lockstep_high(run) || rtl_has_finished(rtl)) return ANL_OK;
    }
    half(rtl, rtl_low, result);
    lockstep_last(run);
    return ANL_OK;
}

// The RTL alone, so that waves reach past the first difference.
static void run_on(const struct lockstep *run, struct rtl *rtl,
                   const struct lockstep_options *options)
{
    for (uint64_t cycle = lockstep_cycle(run); options->waves_path && cycle <= options->waves_to;
         cycle++) {
        rtl_low(rtl);
        rtl_high(rtl);
    }
}

static enum anl_status drive(struct lockstep *run, const struct anl_scenario *scenario,
                             const struct lockstep_options *options, struct lockstep_result *result,
                             struct anl_error *error)
{
    struct rtl *rtl = rtl_create(lockstep_harness(run), scenario->run.seed);
    enum anl_status status = ANL_OK;
    if (options->waves_path &&
        !rtl_waves(rtl, options->waves_path, options->waves_from, options->waves_to))
        status = anl_fail(error, ANL_ERR_ARGUMENT, options->waves_path, 0,
                          "cannot write waves: the program must be built with them (make waves)");
    if (status == ANL_OK) {
        rtl_reset(rtl);
        status = loop(run, rtl, result);
    }
    if (status == ANL_OK && rtl_has_finished(rtl))
        status = anl_fail(error, ANL_ERR_ARGUMENT, "the RTL", 0, "called $finish before cycle %llu",
                          (unsigned long long)lockstep_cycle(run));
    if (status == ANL_OK) status = lockstep_finish(run, error);
    if (status == ANL_OK) run_on(run, rtl, options);
    rtl_destroy(rtl);
    return status;
}

enum anl_status lockstep_run(const struct anl_scenario *scenario,
                             const struct lockstep_options *options, struct lockstep_result *result,
                             struct anl_error *error)
{
    struct lockstep *run = NULL;
    enum anl_status status = lockstep_create(scenario, options, result, &run, error);
    if (status == ANL_OK) status = drive(run, scenario, options, result, error);
    lockstep_destroy(run);
    return status;
}
