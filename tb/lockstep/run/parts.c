// SPDX-License-Identifier: Apache-2.0

#include "parts.h"

#include <annelid/rtl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *parts_refuse(const struct anl_config *config)
{
    if (!anl_has(config, ANL_TRAIT_WAITS))
        return "switches of this kind are in a network that is one module";
    return NULL;
}

// Levels of a fat-tree and of a butterfly differ.
static bool has_levels(const struct anl_config *config)
{
    return config->topology == ANL_FAT_TREE || config->topology == ANL_BUTTERFLY;
}

uint32_t parts_of_switch(const struct anl_config *config, uint32_t switch_)
{
    const struct anl_shape shape = anl_shape_of(config);
    if (config->topology == ANL_FAT_TREE) return anl_tree_place(config, switch_).level - 1;
    if (config->topology == ANL_BUTTERFLY) return switch_ / (shape.terminals / shape.ports);
    return 0;
}

uint32_t parts_count(const struct anl_config *config)
{
    return parts_of_switch(config, anl_shape_of(config).switches - 1) + 1;
}

uint64_t parts_here(const struct anl_config *config, uint32_t switch_)
{
    if (config->topology == ANL_FAT_TREE) return anl_tree_place(config, switch_).address;
    return config->graph || config->topology == ANL_BUTTERFLY ? switch_
                                                              : anl_label(config, switch_);
}

void parts_family(const struct anl_config *config, char *name, size_t bytes)
{
    const char *module = anl_rtl_switch(config);
    const int length = (int)(strlen(module) - strlen("anl_") - strlen("_switch"));
    snprintf(name, bytes, "%.*s", length, module + strlen("anl_"));
}

void parts_append(char *name, size_t bytes, const char *format, ...)
{
    const size_t length = strlen(name);
    va_list values;
    va_start(values, format);
    vsnprintf(name + length, bytes - length, format, values);
    va_end(values);
}

// Appends what the package that is written of a graph says of its switches.
static void append_graph(char name[PART_BYTES], const struct anl_config *config)
{
    const bool adaptive = anl_is_adaptive(config);
    parts_append(name, PART_BYTES, "_Ports%u", config->graph->ports);
    if (adaptive)
        parts_append(name, PART_BYTES, "_Select%u_Atomic%u_Escapes%u", (unsigned)config->select,
                     (unsigned)config->atomic, anl_escape_lanes(config));
    if (config->graph->turns)
        parts_append(name, PART_BYTES, "_Longest%u", config->graph->longest_route);
}

void parts_name_switch(const struct anl_config *config, uint32_t part, char name[PART_BYTES])
{
    const struct anl_rtl_parameters all = anl_rtl_parameters(config);
    char family[PART_BYTES];
    parts_family(config, family, sizeof family);
    name[0] = '\0';
    parts_append(name, PART_BYTES, "switch/%s", family);
    for (size_t i = 0; i < all.count; i++)
        if (strcmp(all.list[i].name, "LinkCycles") != 0)
            parts_append(name, PART_BYTES, "_%s%" PRIu64, all.list[i].name, all.list[i].value);
    if (config->graph) append_graph(name, config);
    if (has_levels(config))
        parts_append(name, PART_BYTES, "_Level%u", part + (config->topology == ANL_FAT_TREE));
}

// Terminals read where a head's label ends if its length stands behind it.
void parts_name_terminal(const struct anl_config *config, char name[PART_BYTES])
{
    static const char *const read[] = {"NumVcs",      "Depth",        "FlitW",
                                       "FlowControl", "LengthInHead", "CreditBypass",
                                       "Wide",        "Classes",      "Weights"};
    const struct anl_rtl_parameters all = anl_rtl_parameters(config);
    const char *separator = "/";
    snprintf(name, PART_BYTES, "terminal");
    for (size_t i = 0; i < all.count; i++)
        for (size_t r = 0; r < sizeof read / sizeof *read; r++)
            if (strcmp(all.list[i].name, read[r]) == 0) {
                parts_append(name, PART_BYTES, "%s%s%" PRIu64, separator, read[r],
                             all.list[i].value);
                separator = "_";
            }
    if (anl_head_has_length(config))
        parts_append(name, PART_BYTES, "_DstW%u", anl_label_bits(config));
}

void parts_name_link(const struct anl_config *config, char name[PART_BYTES])
{
    name[0] = '\0';
    if (anl_link_cycles(config) > 1)
        snprintf(name, PART_BYTES, "link/Cycles%u_NumVcs%u_FlitW%u%s", anl_link_cycles(config),
                 config->num_vcs, config->flit_width_bits,
                 config->link == ANL_WIDE ? "_Wide1" : "");
}
