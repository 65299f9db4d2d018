// SPDX-License-Identifier: Apache-2.0

#include "unit_sweep.h"

void parse(const char *text, struct anl_scenario *scenario)
{
    struct anl_error error = {0};
    if (anl_scenario_parse(text, strlen(text), "text", "", scenario, &error))
        fail_msg("%s: %s", text, error.text);
}

struct sweep_run measure(const struct anl_scenario *scenario, uint64_t seed)
{
    const struct sweep_job job = {
        .variant = scenario, .load = scenario->traffic.load, .seed = seed};
    struct sweep_run run;
    struct anl_error error = {0};
    if (sweep_measure(&job, 1, NULL, &run, &error)) fail_msg("%s", error.text);
    return run;
}

struct sweep_run measure_text(const char *text, uint64_t seed)
{
    struct anl_scenario scenario;
    parse(text, &scenario);
    const struct sweep_run run = measure(&scenario, seed);
    anl_scenario_free(&scenario);
    return run;
}
