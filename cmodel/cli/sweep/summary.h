// SPDX-License-Identifier: Apache-2.0
//
// What a sweep came to, as tables for people.

#ifndef ANNELID_SWEEP_SUMMARY_H
#define ANNELID_SWEEP_SUMMARY_H

#include "points.h"
#include "saturation.h"
#include "variants.h"

// The saturation load of each variant; found[variants].
void sweep_print_saturation(const struct sweep_variants *variants,
                            const struct sweep_saturation *found);

// "0.2678 ± 0.0055", "not up to load 1": one of them.
void sweep_saturation_words(const struct sweep_saturation *found, char *text, size_t size);

// The points, and how many runs were not steady.
void sweep_print_points(const struct sweep_points *points);

#endif
