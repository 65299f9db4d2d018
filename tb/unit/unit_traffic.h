// SPDX-License-Identifier: Apache-2.0
//
// Common part of the tests of traffic.

#ifndef ANNELID_UNIT_TRAFFIC_H
#define ANNELID_UNIT_TRAFFIC_H

#include <annelid/scenario.h>
#include <annelid/workload.h>
#include <string.h>

#include "unit.h"

static inline struct anl_scenario scenario_of(const char *text)
{
    struct anl_scenario scenario;
    struct anl_error error = {0};
    if (anl_scenario_parse(text, strlen(text), "test", NULL, &scenario, &error))
        fail_msg("%s\n%s", error.text, text);
    return scenario;
}

static inline struct anl_traffic *traffic_of(const struct anl_scenario *scenario)
{
    struct anl_traffic *traffic;
    assert_int_equal(anl_traffic_create(anl_scenario_workload(scenario), &traffic), ANL_OK);
    return traffic;
}

#endif
