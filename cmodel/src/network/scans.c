// SPDX-License-Identifier: Apache-2.0
//
// What is known of each policy of switch.scan (docs/switch.md, "Scan policies"): a row a policy.
// All that is no rule asks this table, and so do the scripts (scripts/annelid/scans.py).

#include "network.h"

#include <assert.h>
#include <stdio.h>

enum {
    STATE = ANL_SCAN_STATE,
    DRAWS = ANL_SCAN_DRAWS,
    STAMPS = ANL_SCAN_STAMPS,
    DISTANCES = ANL_SCAN_DISTANCES,
    WIDE = ANL_SCAN_WIDE,
    BATCH = ANL_SCAN_BATCH,
};

static const struct {
    const char *name;  // in scenario files
    unsigned traits;
} scans[] = {
    [ANL_FIXED] = {"fixed", WIDE | BATCH},
    [ANL_ROTATING] = {"rotating", WIDE | BATCH},
    [ANL_RANDOM] = {"random", DRAWS | WIDE | BATCH},
    [ANL_OLDEST] = {"oldest", STAMPS | WIDE | BATCH},
    [ANL_FARTHEST] = {"farthest", DRAWS | DISTANCES | WIDE | BATCH},
    [ANL_SCAN_MATRIX] = {"matrix", STATE},
    [ANL_SCAN_FAVOUR] = {"favour", STATE},
};

static_assert(sizeof scans / sizeof *scans == ANL_LAST_SCAN + 1, "a row for each policy");

const char *anl_scan_name(enum anl_scan scan)
{
    return (unsigned)scan <= ANL_LAST_SCAN ? scans[scan].name : "?";
}

bool anl_scan_has(enum anl_scan scan, unsigned traits) { return scans[scan].traits & traits; }

uint32_t anl_scans_with(unsigned traits, bool have)
{
    uint32_t found = 0;
    for (int scan = 0; scan <= ANL_LAST_SCAN; scan++)
        found |= (uint32_t)(anl_scan_has((enum anl_scan)scan, traits) == have) << scan;
    return found;
}

const char *anl_scan_names(uint32_t mask, char *text, size_t size)
{
    size_t used = 0;
    for (int scan = 0; scan <= ANL_LAST_SCAN && used < size; scan++) {
        if (!(mask >> scan & 1)) continue;
        const bool last = mask >> scan == 1;
        const char *before = !used ? "" : last ? " or " : ", ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", before, scans[scan].name);
    }
    return text;
}
