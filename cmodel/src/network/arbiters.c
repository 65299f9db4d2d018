// SPDX-License-Identifier: Apache-2.0
//
// What is known of each policy of switch.arbiter (docs/switch.md, "Arbitration policies"): a row a
// policy. All that is no rule asks this table, and so do the scripts (scripts/annelid/arbiters.py).

#include "network.h"

#include <assert.h>
#include <stdio.h>

enum {
    STATE = ANL_ARBITER_STATE,
    DRAWS = ANL_ARBITER_DRAWS,
    STAMPS = ANL_ARBITER_STAMPS,
    DISTANCES = ANL_ARBITER_DISTANCES,
    WIDE = ANL_ARBITER_WIDE,
    BATCH = ANL_ARBITER_BATCH,
};

static const struct {
    const char *name;  // in scenario files
    unsigned traits;
} arbiters[] = {
    [ANL_FIXED] = {"fixed", WIDE | BATCH},
    [ANL_ROUND_ROBIN] = {"round_robin", WIDE | BATCH},
    [ANL_RANDOM] = {"random", DRAWS | WIDE | BATCH},
    [ANL_AGE] = {"age", STAMPS | WIDE | BATCH},
    [ANL_FARTHEST] = {"farthest", DRAWS | DISTANCES | WIDE | BATCH},
    [ANL_ARBITER_MATRIX] = {"matrix", STATE},
    [ANL_REGISTERED_PRIORITY] = {"registered_priority", STATE},
};

static_assert(sizeof arbiters / sizeof *arbiters == ANL_LAST_ARBITER + 1, "a row for each policy");

const char *anl_arbiter_name(enum anl_arbiter arbiter)
{
    return (unsigned)arbiter <= ANL_LAST_ARBITER ? arbiters[arbiter].name : "?";
}

bool anl_arbiter_has(enum anl_arbiter arbiter, unsigned traits)
{
    return arbiters[arbiter].traits & traits;
}

uint32_t anl_arbiters_with(unsigned traits, bool have)
{
    uint32_t found = 0;
    for (int arbiter = 0; arbiter <= ANL_LAST_ARBITER; arbiter++)
        found |= (uint32_t)(anl_arbiter_has((enum anl_arbiter)arbiter, traits) == have) << arbiter;
    return found;
}

const char *anl_arbiter_names(uint32_t mask, char *text, size_t size)
{
    size_t used = 0;
    for (int arbiter = 0; arbiter <= ANL_LAST_ARBITER && used < size; arbiter++) {
        if (!(mask >> arbiter & 1)) continue;
        const bool last = mask >> arbiter == 1;
        const char *before = !used ? "" : last ? " or " : ", ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", before, arbiters[arbiter].name);
    }
    return text;
}
