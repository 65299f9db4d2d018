// SPDX-License-Identifier: Apache-2.0
//
// Common part of the tests of sweeps: scenarios from texts, and runs of them.

#ifndef ANNELID_UNIT_SWEEP_H
#define ANNELID_UNIT_SWEEP_H

#include "unit.h"

#include "cli/sweep/sweep.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void parse(const char *text, struct anl_scenario *scenario);
// Measures a run of the scenario with its own load and this seed.
struct sweep_run measure(const struct anl_scenario *scenario, uint64_t seed);
struct sweep_run measure_text(const char *text, uint64_t seed);

#endif
