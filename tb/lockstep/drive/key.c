// SPDX-License-Identifier: Apache-2.0

#include "key.h"

#include "run/parts.h"

#include <annelid/rtl.h>
#include <inttypes.h>
#include <stdio.h>

void key_of(const struct anl_config *config, char key[KEY_BYTES])
{
    const struct anl_rtl_parameters all = anl_rtl_parameters(config);
    if (anl_has(config, ANL_TRAIT_WAITS))
        parts_family(config, key, KEY_BYTES);
    else
        snprintf(key, KEY_BYTES, "%s", anl_switch_kind_name(config->kind));
    for (size_t i = 0; i < all.count; i++)
        parts_append(key, KEY_BYTES, "_%s%" PRIu64, all.list[i].name, all.list[i].value);
    if (config->graph) parts_append(key, KEY_BYTES, "_%016" PRIx64, anl_graph_hash(config->graph));
}
