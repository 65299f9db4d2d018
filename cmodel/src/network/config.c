// SPDX-License-Identifier: Apache-2.0
//
// Checks a network's configuration and names its values. Ranges: annelid/network.h,
// docs/scenario.md.

#include <annelid/network.h>
#include <stdbool.h>
#include <stddef.h>

static const char *const topology_names[] = {"mesh", "torus", "unidirectional_torus", "hypercube",
                                             "fat_tree"};
static const char *const routing_names[] = {"dimension_order", "dateline",       "e_cube",
                                            "up_down_fixed",   "up_down_random", "up_down_greedy"};
static const char *const scan_names[] = {"fixed", "rotating", "random", "oldest", "farthest"};
static const char *const admission_names[] = {"wormhole", "cut_through", "store_and_forward"};
static const char *const space_names[] = {"registered", "chained"};

#define NAME(table, value) ((size_t)(value) < sizeof table / sizeof *table ? table[value] : "?")

const char *anl_topology_name(enum anl_topology topology) { return NAME(topology_names, topology); }
const char *anl_routing_name(enum anl_routing routing) { return NAME(routing_names, routing); }
const char *anl_scan_name(enum anl_scan scan) { return NAME(scan_names, scan); }
const char *anl_admission_name(enum anl_admission admission)
{
    return NAME(admission_names, admission);
}
const char *anl_space_name(enum anl_space space) { return NAME(space_names, space); }

bool anl_config_reads_random(const struct anl_config *config)
{
    return config->scan == ANL_RANDOM || config->scan == ANL_FARTHEST ||
           config->routing == ANL_UP_DOWN_RANDOM;
}

static uint32_t bits_for(uint32_t values)
{
    uint32_t bits = 1;
    while ((UINT32_C(1) << bits) < values)
        bits++;
    return bits;
}

uint32_t anl_label_bits(const struct anl_config *config) { return config->n * bits_for(config->k); }

uint32_t anl_head_bits(const struct anl_config *config)
{
    uint32_t bits = anl_label_bits(config);
    if (config->admission != ANL_WORMHOLE) bits += 7;
    if (config->scan == ANL_OLDEST || config->scan == ANL_FARTHEST) bits += 16;
    if (config->routing == ANL_UP_DOWN_FIXED) bits += config->n - 1;
    return bits;
}

static bool too_many_terminals(uint32_t k, uint32_t n)
{
    uint64_t terminals = 1;
    for (uint32_t d = 0; d < n && terminals <= ANL_MAX_TERMINALS; d++)
        terminals *= k;
    return terminals > ANL_MAX_TERMINALS;
}

static bool is_torus(enum anl_topology topology)
{
    return topology == ANL_TORUS || topology == ANL_UNIDIRECTIONAL_TORUS;
}

// The names are those of rtl/common/anl_pkg.sv.
uint32_t anl_rtl_kind(const struct anl_config *config)
{
    enum { WITHOUT_DATELINE = 4, FAT_TREE = 8 };
    if (config->topology == ANL_FAT_TREE)
        return FAT_TREE + (uint32_t)config->routing - (uint32_t)ANL_UP_DOWN_FIXED;
    const bool unsafe = is_torus(config->topology) && config->routing == ANL_DIMENSION_ORDER;
    return (uint32_t)config->topology + (unsafe ? WITHOUT_DATELINE : 0);
}

static bool routing_fits(enum anl_topology topology, enum anl_routing routing)
{
    switch (routing) {
    case ANL_DIMENSION_ORDER:
        return topology == ANL_MESH || is_torus(topology);
    case ANL_DATELINE:
        return is_torus(topology);
    case ANL_E_CUBE:
        return topology == ANL_HYPERCUBE;
    case ANL_UP_DOWN_FIXED:
    case ANL_UP_DOWN_RANDOM:
    case ANL_UP_DOWN_GREEDY:
        return topology == ANL_FAT_TREE;
    }
    return false;
}

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

static enum anl_status check_shape(const struct anl_config *c, struct anl_error *error)
{
    if ((unsigned)c->topology > ANL_FAT_TREE) REFUSE("unknown topology %d", (int)c->topology);
    if (c->n < 1 || c->n > ANL_MAX_DIMENSIONS)
        REFUSE("n is %u, expected 1..%d", c->n, ANL_MAX_DIMENSIONS);
    if (c->k < 1 || c->k > 512) REFUSE("k is %u, expected 1..512", c->k);
    if (is_torus(c->topology) && c->k < 2) REFUSE("k is %u, a torus expects at least 2", c->k);
    if (c->topology == ANL_HYPERCUBE && c->k != 2) REFUSE("k is %u, a hypercube expects 2", c->k);
    if (c->topology == ANL_FAT_TREE && c->k != 4) REFUSE("k is %u, a fat_tree expects 4", c->k);
    if (too_many_terminals(c->k, c->n))
        REFUSE("k^n = %u^%u is too large, expected at most %d terminals", c->k, c->n,
               ANL_MAX_TERMINALS);
    return ANL_OK;
}

static enum anl_status check_switch(const struct anl_config *c, struct anl_error *error)
{
    if (c->num_vcs < 1 || c->num_vcs > ANL_MAX_VCS)
        REFUSE("num_vcs is %u, expected 1..%d", c->num_vcs, ANL_MAX_VCS);
    if (c->depth < 1 || c->depth > ANL_MAX_DEPTH)
        REFUSE("depth is %u, expected 1..%d", c->depth, ANL_MAX_DEPTH);
    if ((unsigned)c->scan > ANL_FARTHEST) REFUSE("unknown scan %d", (int)c->scan);
    if ((unsigned)c->admission > ANL_STORE_AND_FORWARD)
        REFUSE("unknown admission %d", (int)c->admission);
    if ((unsigned)c->space > ANL_CHAINED) REFUSE("unknown space %d", (int)c->space);
    if (c->space == ANL_CHAINED && c->topology != ANL_FAT_TREE)
        REFUSE("space chained works on topology fat_tree alone, not on %s",
               anl_topology_name(c->topology));
    if (!routing_fits(c->topology, c->routing))
        REFUSE("routing %s does not work on topology %s", anl_routing_name(c->routing),
               anl_topology_name(c->topology));
    if (c->routing == ANL_DATELINE && c->num_vcs < 2)
        REFUSE("num_vcs is %u, routing dateline expects at least 2", c->num_vcs);
    if (c->flit_width_bits < anl_head_bits(c) || c->flit_width_bits > ANL_MAX_FLIT_WIDTH_BITS)
        REFUSE("flit_width_bits is %u, expected %u..%d (a head carries %u bits)",
               c->flit_width_bits, anl_head_bits(c), ANL_MAX_FLIT_WIDTH_BITS, anl_head_bits(c));
    return ANL_OK;
}

enum anl_status anl_config_check(const struct anl_config *config, struct anl_error *error)
{
    const enum anl_status status = check_shape(config, error);
    return status ? status : check_switch(config, error);
}
