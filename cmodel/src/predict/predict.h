// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: walk.c (rates from the routes of a network), cube.c (rates
// from formulas), rates.c (what both need), solve.c (the equations), predictor.c (scenarios),
// validated.c (how far the answers can be trusted).

#ifndef ANL_PREDICT_ROOM_H
#define ANL_PREDICT_ROOM_H

#include <annelid/predict.h>

// Adds a class or a flow to a list that grows. Returns false if memory runs out.
bool rates_add_class(struct anl_rates *rates, struct anl_channel_class class_);
bool rates_add_flow(struct anl_rates *rates, struct anl_channel_flow flow);

// Returns whether a scenario has the switch and the traffic that the paper is about
// (docs/predict.md, "What was added to the paper's model").
bool predict_is_as_in_paper(const struct anl_scenario *scenario);

#endif
