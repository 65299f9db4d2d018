// SPDX-License-Identifier: Apache-2.0
//
// Drives the verilated RTL with one falling and one rising edge per cycle.

#include "prelude.h"
#include "run/lockstep.h"
#include "run/rtl.h"
#include "waves/waves.h"

static void half(struct rtl *rtl, void (*edge)(struct rtl *), struct lockstep_result *result)
{
    double start = lockstep_now();
    edge(rtl);
    result->rtl_seconds += lockstep_now() - start;
}

// The parts of a run that are driven together.
struct drive {
    struct lockstep *run;
    struct rtl *rtl;
    struct waves *waves;
    struct lockstep_result *result;
};

// Runs one cycle; returns false at the first difference.
static bool cycle(struct drive *drive)
{
    half(drive->rtl, rtl_low, drive->result);
    if (!lockstep_low(drive->run)) return false;
    half(drive->rtl, rtl_high, drive->result);
    return lockstep_high(drive->run);
}

// Runs all cycles, up to the end or the first difference.
static enum anl_status loop(struct drive *drive, struct anl_error *error)
{
    while (!lockstep_over(drive->run)) {
        waves_begin(drive->waves);
        enum anl_status status = lockstep_enqueue(drive->run, error);
        if (status != ANL_OK) return status;
        bool agree = cycle(drive);
        bool wanted = waves_end(drive->waves);
        if (!agree) return ANL_OK;
        if (wanted) continue;
        drive->result->end = ANL_RUN_STOPPED;
        break;
    }
    half(drive->rtl, rtl_low, drive->result);
    lockstep_last(drive->run);
    return ANL_OK;
}

// Begins the run with its prelude, and with a reset.
static enum anl_status begin(struct drive *drive, struct prelude *prelude,
                             const struct anl_scenario *scenario,
                             const struct lockstep_options *options, struct anl_error *error)
{
    rtl_power_up(drive->rtl);
    enum anl_status status = prelude_run(prelude, drive->rtl, scenario, options, error);
    rtl_harness(drive->rtl, lockstep_harness(drive->run));
    rtl_reset(drive->rtl, lockstep_lead(drive->run));
    return status;
}

static enum anl_status run_all(struct drive *drive, struct anl_error *error)
{
    enum anl_status status = loop(drive, error);
    waves_over(drive->waves);
    rtl_end(drive->rtl);
    if (status == ANL_OK) status = lockstep_finish(drive->run, error);
    if (status == ANL_OK) status = waves_finish(drive->waves, error);
    return status;
}

static struct rtl_options told_to_rtl(const struct lockstep_options *options)
{
    return (struct rtl_options){
        .awake = options->awake,
        .foreign = options->dut != NULL,
        .credits = options->mode == LOCKSTEP_LINKS || options->mode == LOCKSTEP_RULES,
        .registers = options->mode == LOCKSTEP_EXACT,
        .threads = options->waves_path ? 1 : options->threads,  // a copy of a process has one
    };
}

enum anl_status lockstep_run(const struct anl_scenario *scenario,
                             const struct lockstep_options *options, struct lockstep_result *result,
                             struct anl_error *error)
{
    struct drive drive = {.result = result};
    struct prelude prelude = {0};
    struct lockstep_options ours = *options;
    ours.values = rtl_values;
    enum anl_status status = lockstep_create(scenario, &ours, result, &drive.run, error);
    if (status != ANL_OK) return status;
    const struct rtl_options told = told_to_rtl(options);
    drive.rtl = rtl_create(&scenario->network, lockstep_harness(drive.run), scenario->run.seed,
                           &told, error);
    if (!drive.rtl) status = ANL_ERR_IO;
    if (status == ANL_OK) status = waves_create(drive.run, drive.rtl, options, &drive.waves, error);
    if (status == ANL_OK) status = begin(&drive, &prelude, scenario, &ours, error);
    if (status == ANL_OK) status = run_all(&drive, error);
    if (status == ANL_OK) status = prelude_judge(&prelude, result, error);
    waves_destroy(drive.waves);
    prelude_destroy(&prelude);
    rtl_destroy(drive.rtl);
    lockstep_destroy(drive.run);
    return status;
}
