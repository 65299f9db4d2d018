// SPDX-License-Identifier: Apache-2.0
//
// Where the network of a graph is cut (docs/scale.md, "Over ranks"): METIS looks for equal parts
// with few links between them, which any wiring may need. Rank 0 asks it and tells the others, so
// that all have one cut, whatever METIS does. Without METIS, and for all other networks, the cut is
// that of anl_cut(). No result of a run depends on it.

#include "ranks.h"

#include <annelid/network.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_METIS
#include <metis.h>

// The switches that links lead to or come from, as METIS wants them: those of switch s begin at
// begins[s]. Each link stands at both of its ends, since METIS reads a graph without directions.
struct neighbours {
    idx_t *begins, *list;
};

// Counts the links between two switches at both of their ends; if `list`, also lists the switch at
// the other end.
static void each_end(const struct anl_config *config, struct neighbours *to, bool list)
{
    const struct anl_shape shape = anl_shape_of(config);
    for (uint32_t link = 0; link < shape.switches * shape.ports; link++) {
        const uint32_t from = link / shape.ports;
        const struct anl_end end = anl_link_end(config, from, link % shape.ports);
        if (!end.exists || end.is_terminal || end.node == from) continue;
        if (list) to->list[to->begins[from + 1]] = (idx_t)end.node;
        to->begins[from + 1]++;
        if (list) to->list[to->begins[end.node + 1]] = (idx_t)from;
        to->begins[end.node + 1]++;
    }
}

static bool find_neighbours(const struct anl_config *config, struct neighbours *found)
{
    const uint32_t switches = anl_shape_of(config).switches;
    idx_t before = 0;
    found->begins = calloc((size_t)switches + 1, sizeof *found->begins);
    if (!found->begins) return false;
    each_end(config, found, false);
    for (uint32_t s = 1; s <= switches; s++) {
        const idx_t count = found->begins[s];
        found->begins[s] = before;
        before += count;
    }
    found->list = calloc((size_t)before + 1, sizeof *found->list);
    if (!found->list) return false;
    each_end(config, found, true);  // moves the begin of each list to its end, where the next is
    return true;
}

static uint32_t severed(const struct anl_config *config, const uint32_t *part_of)
{
    const struct anl_shape shape = anl_shape_of(config);
    uint32_t count = 0;
    for (uint32_t link = 0; link < shape.switches * shape.ports; link++) {
        const struct anl_end end = anl_link_end(config, link / shape.ports, link % shape.ports);
        if (end.exists && !end.is_terminal)
            count += part_of[end.node] != part_of[link / shape.ports];
    }
    return count;
}

static bool each_has_some(const uint32_t *part_of, uint32_t switches, uint32_t parts)
{
    for (uint32_t part = 0, s; part < parts; part++) {
        for (s = 0; s < switches && part_of[s] != part; s++)
            continue;
        if (s == switches) return false;
    }
    return true;
}

// Returns false if METIS finds no cut.
static bool ask_metis(const struct anl_config *config, uint32_t parts, uint32_t *part_of)
{
    struct neighbours found = {0};
    const uint32_t switches = anl_shape_of(config).switches;
    idx_t options[METIS_NOPTIONS], vertices = (idx_t)switches, weights = 1, cut;
    idx_t wanted = (idx_t)parts, *cut_of = calloc(switches, sizeof *cut_of);
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    const bool done =
        cut_of && find_neighbours(config, &found) &&
        METIS_PartGraphKway(&vertices, &weights, found.begins, found.list, NULL, NULL, NULL,
                            &wanted, NULL, NULL, options, &cut, cut_of) == METIS_OK;
    for (uint32_t s = 0; done && s < switches; s++)
        part_of[s] = (uint32_t)cut_of[s];
    free(found.begins);
    free(found.list);
    free(cut_of);
    return done && each_has_some(part_of, switches, parts);
}

// Replaces a cut by that of METIS if it severs fewer links.
static void improve(const struct anl_config *config, uint32_t parts, uint32_t *part_of)
{
    const uint32_t switches = anl_shape_of(config).switches;
    uint32_t *other = calloc(switches, sizeof *other);
    if (other && ask_metis(config, parts, other) &&
        severed(config, other) < severed(config, part_of))
        memcpy(part_of, other, switches * sizeof *part_of);
    free(other);
}
#else
static void improve(const struct anl_config *config, uint32_t parts, uint32_t *part_of)
{
    (void)config;
    (void)parts;
    (void)part_of;
}
#endif

enum anl_status parts_cut(void *user, const struct anl_config *config, uint32_t parts,
                          uint32_t *part_of)
{
    int rank;
    const enum anl_status status = anl_cut(config, parts, part_of);
    (void)user;
    if (status || parts == 1 || config->topology != ANL_GRAPH) return status;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) improve(config, parts, part_of);
    MPI_Bcast(part_of, (int)anl_shape_of(config).switches, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    return ANL_OK;
}
