// SPDX-License-Identifier: Apache-2.0

#include "key.h"

#include <annelid/rtl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Puts the word that names what a network is made of: of our buffered switches, which of them.
static void put_family(const struct anl_config *config, char key[KEY_BYTES])
{
    const char *name = anl_rtl_switch(config);
    const int length = (int)(strlen(name) - strlen("anl_") - strlen("_switch"));
    if (anl_has(config, ANL_TRAIT_WAITS))
        snprintf(key, KEY_BYTES, "%.*s", length, name + strlen("anl_"));
    else
        snprintf(key, KEY_BYTES, "%s", anl_switch_kind_name(config->kind));
}

// Appends to a key what fits.
static void append(char key[KEY_BYTES], const char *format, ...)
{
    const size_t length = strlen(key);
    va_list values;
    va_start(values, format);
    vsnprintf(key + length, KEY_BYTES - length, format, values);
    va_end(values);
}

void key_of(const struct anl_config *config, char key[KEY_BYTES])
{
    const struct anl_rtl_parameters all = anl_rtl_parameters(config);
    put_family(config, key);
    for (size_t i = 0; i < all.count; i++)
        append(key, "_%s%" PRIu64, all.list[i].name, all.list[i].value);
    if (config->graph) append(key, "_%016" PRIx64, anl_graph_hash(config->graph));
}
