// SPDX-License-Identifier: Apache-2.0

#include "key.h"

#include <annelid/rtl.h>
#include <inttypes.h>
#include <stdio.h>

// Classes of the RTL's scan where links are wide (anl_pkg).
enum { WIDE = 16, WIDE_CHAINED = 48 };

void key_of(const struct anl_config *config, char key[KEY_BYTES])
{
    int bytes = snprintf(key, KEY_BYTES, "k%u_n%u_kind%u_v%u_d%u_w%u_s%d_a%u%s", config->k,
                         config->n, anl_rtl_kind(config), config->num_vcs, config->depth,
                         config->flit_width_bits, (int)config->scan, anl_rtl_admission(config),
                         config->space == ANL_CHAINED && config->link == ANL_SHARED ? "_c1" : "");
    const struct anl_diagonals_shape *slide = &config->diagonals;
    if (config->kind == ANL_DIAGONALS && bytes < KEY_BYTES)
        bytes +=
            snprintf(key + bytes, (size_t)(KEY_BYTES - bytes), "_t%u.%u.%u.%u.%d", slide->length,
                     slide->a, slide->b, slide->c, slide->rounds == ANL_SHORT_ROUNDS);
    if (config->link == ANL_WIDE && config->kind != ANL_DIAGONALS && bytes < KEY_BYTES)
        bytes += snprintf(key + bytes, (size_t)(KEY_BYTES - bytes), "_l%u",
                          config->space == ANL_CHAINED ? WIDE_CHAINED : WIDE);
    if (config->kind == ANL_BUFFERLESS && bytes < KEY_BYTES)
        bytes += snprintf(key + bytes, (size_t)(KEY_BYTES - bytes), "_b1");
    if (config->kind == ANL_DISCARDING && bytes < KEY_BYTES)
        bytes += snprintf(key + bytes, (size_t)(KEY_BYTES - bytes), "_b2");
    if (anl_num_classes(config) > 1 && bytes < KEY_BYTES)
        bytes +=
            snprintf(key + bytes, (size_t)(KEY_BYTES - bytes), "_m%u", anl_num_classes(config));
    if (anl_rtl_weights(config) && bytes < KEY_BYTES)
        bytes += snprintf(key + bytes, (size_t)(KEY_BYTES - bytes), "_x%" PRIx64,
                          anl_rtl_weights(config));
    if (anl_link_cycles(config) > 1 && bytes < KEY_BYTES)
        bytes +=
            snprintf(key + bytes, (size_t)(KEY_BYTES - bytes), "_p%u", anl_link_cycles(config));
    if (anl_stages(config) > 1 && bytes < KEY_BYTES)
        bytes += snprintf(key + bytes, (size_t)(KEY_BYTES - bytes), "_r%u", anl_stages(config));
    if (config->graph && bytes < KEY_BYTES)
        snprintf(key + bytes, (size_t)(KEY_BYTES - bytes), "_g%016" PRIx64,
                 anl_graph_hash(config->graph));
}
