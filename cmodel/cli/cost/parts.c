// SPDX-License-Identifier: Apache-2.0
//
// The parts for which there is an estimate, by what their makers say they hold.

#include "cost.h"

#include <string.h>

#define ICE40(lut, bram)                                                                           \
    {"LUT4", COST_ICE40_LUT, lut}, {"flip-flops", COST_ICE40_FF, lut},                             \
    {                                                                                              \
        "block memories", COST_ICE40_BRAM, bram                                                    \
    }
#define ECP5(sites)                                                                                \
    {"LUT4 sites", COST_ECP5_SITES, sites}, {"flip-flops", COST_ECP5_FF, sites},                   \
    {                                                                                              \
        "of these sites LUT4", COST_ECP5_LUT, 0                                                    \
    }

const struct cost_part cost_parts[] = {
    {"ice40-hx8k", "HX8K", COST_ICE40_MHZ, {ICE40(7680, 32)}},
    {"ecp5-25f", "ECP5-25F", COST_ECP5_MHZ, {ECP5(24288)}},
    {"ecp5-45f", "ECP5-25F", COST_ECP5_MHZ, {ECP5(43848)}},
    {"ecp5-85f", "ECP5-25F", COST_ECP5_MHZ, {ECP5(83640)}},
    {0},
};

const struct cost_part *cost_part_of(const char *name)
{
    for (const struct cost_part *part = cost_parts; part->name; part++)
        if (strcmp(part->name, name) == 0) return part;
    return NULL;
}

const char *cost_part_names(char *text, size_t size)
{
    size_t length = 0;
    for (const struct cost_part *part = cost_parts; part->name && length < size; part++)
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   part == cost_parts ? ""
                                   : part[1].name     ? ", "
                                                      : " or ",
                                   part->name);
    return text;
}
