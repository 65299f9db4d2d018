// SPDX-License-Identifier: Apache-2.0
//
// Networks in which no worm can ever be dead, so that nobody need look: those whose
// channel-dependency graph has no cycle. The lanes that depend on none (of ejection links) empty
// for ever, therefore those that depend on these do, and so on (docs/worms.md, "Deadlock": leave
// has no limit).

#include "blocking.h"

#include <annelid/network.h>

enum anl_status blocking_find_safe(struct anl_blocking *blocking)
{
    blocking->safe = blocking->config.topology == ANL_FAT_TREE;  // no path goes up after going down
    if (blocking->safe || !blocking->routes) return ANL_OK;      // too large to look
    struct anl_cdg *cdg;
    enum anl_status status = anl_cdg_of(&blocking->config, &cdg);
    if (!status) status = anl_cdg_is_acyclic(cdg, &blocking->safe);
    anl_cdg_destroy(cdg);
    return status;
}
