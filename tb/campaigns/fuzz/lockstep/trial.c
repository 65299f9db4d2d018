// SPDX-License-Identifier: Apache-2.0

#include "trial.h"

#include "compare/dpi.h"
#include "drive/key.h"
#include "reached.h"
#include "run/rtl.h"

#include <string.h>

static bool refuse(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    return false;
}

bool trial_open(struct trial *trial, const char *path, FILE *report)
{
    struct anl_error error = {0};
    char key[KEY_BYTES];
    *trial = (struct trial){.path = path, .report = report};
    enum anl_status status = anl_scenario_load(path, &trial->scenario, &error);
    if (status != ANL_OK) return refuse(path, error.text[0] ? error.text : anl_status_text(status));
    key_of(&trial->scenario.network, key);
    bool fits = strcmp(key, rtl_key()) == 0;
    if (fits && case_limits_of(&trial->scenario.network, &trial->limits)) return true;
    refuse(path, fits ? "more terminals than a case can name"
                      : "this program was built for another network");
    trial_close(trial);
    return false;
}

void trial_close(struct trial *trial) { anl_scenario_free(&trial->scenario); }

static bool cycle(struct lockstep *run, struct rtl *rtl)
{
    rtl_low(rtl);
    if (!lockstep_low(run)) return false;
    rtl_high(rtl);
    if (!lockstep_high(run)) return false;
    reached_tell(&((const struct harness *)lockstep_harness(run))->observed);
    return true;
}

static enum anl_status loop(struct lockstep *run, struct rtl *rtl, struct anl_error *error)
{
    rtl_power_up(rtl);
    rtl_reset(rtl, lockstep_lead(run));
    while (!lockstep_over(run)) {
        enum anl_status status = lockstep_enqueue(run, error);
        if (status != ANL_OK) return status;
        if (!cycle(run, rtl)) return ANL_OK;
    }
    rtl_low(rtl);
    lockstep_last(run);
    return ANL_OK;
}

static enum anl_status drive(struct trial *trial, const struct anl_scenario *scenario,
                             struct lockstep_result *result)
{
    const struct lockstep_options options = {
        .scenario_path = trial->path,
        .dut = trial->dut,
        .at = UINT64_MAX,
        .worm = NOWHERE,
        .report = trial->report,
    };
    struct anl_error error = {0};
    struct lockstep *run = NULL;
    enum anl_status status = lockstep_create(scenario, &options, result, &run, &error);
    if (status != ANL_OK) return status;
    const struct rtl_options whole = {.registers = true};
    struct rtl *rtl =
        rtl_create(&scenario->network, lockstep_harness(run), scenario->run.seed, &whole, &error);
    status = loop(run, rtl, &error);
    if (status == ANL_OK) status = lockstep_finish(run, &error);
    rtl_destroy(rtl);
    lockstep_destroy(run);
    return status;
}

bool trial_run(struct trial *trial, const struct test_case *test, struct lockstep_result *result)
{
    struct anl_scenario scenario = trial->scenario;
    case_messages(test, trial->messages);
    scenario.messages = trial->messages;
    scenario.num_messages = test->count;
    scenario.run.seed = test->seed;
    enum anl_status status = drive(trial, &scenario, result);
    return status == ANL_OK || refuse(trial->path, anl_status_text(status));
}
