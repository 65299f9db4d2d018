// SPDX-License-Identifier: Apache-2.0
//
// Common part of the tests of traffic.

#ifndef ANNELID_UNIT_TRAFFIC_H
#define ANNELID_UNIT_TRAFFIC_H

#include <annelid/scenario.h>
#include <annelid/workload.h>
#include <string.h>

#include "unit.h"

struct anl_scenario scenario_of(const char *text);
struct anl_traffic *traffic_of(const struct anl_scenario *scenario);
// Returns a new generator that goes on from the state of this one, which is destroyed.
struct anl_traffic *packed_again(struct anl_traffic *traffic, const struct anl_scenario *scenario);

#endif
