// SPDX-License-Identifier: Apache-2.0
//
// The factors of the formula, and the measured sets that they come from.

#ifndef ANNELID_COST_MODEL_H
#define ANNELID_COST_MODEL_H

#include "cost.h"

struct cost_model {
    double factors[COST_GROUPS][COST_FIGURES][COST_COLUMNS];
    struct cost_model_set {
        struct anl_scenario scenario;
        struct cost_shape shape;
    } * sets;  // [cost_num_sets]
};

#endif
