// SPDX-License-Identifier: Apache-2.0
//
// What a network costs on a part, before anything is built: cells and clock, from the figures that
// `make fpga` has measured (docs/cost.md).

#ifndef ANNELID_COST_H
#define ANNELID_COST_H

#include "cli/shared/cli.h"

#include <annelid/rtl.h>

// --- parts and figures ---

// Figures of a measured set: tb/campaigns/fpga/history.csv.
enum cost_figure {
    COST_ICE40_LUT,
    COST_ICE40_FF,
    COST_ICE40_BRAM,
    COST_ECP5_LUT,  // without wide multiplexers ("narrow"), as place and route gets them
    COST_ECP5_FF,
    COST_ECP5_SITES,  // LUT4 sites, those of carries and memories too
    COST_ICE40_MHZ,
    COST_ECP5_MHZ,
    COST_FIGURES
};

enum { COST_RESOURCES = 3 };

struct cost_part {
    const char *name, *clock_of;  // clock_of: the part on which clocks were measured
    enum cost_figure clock;
    struct cost_resource {
        const char *name;
        enum cost_figure figure;
        uint32_t capacity;  // 0: not limited by itself
    } resources[COST_RESOURCES];
};
extern const struct cost_part cost_parts[];  // up to one without a name

// Returns the part of a name; NULL: there is none.
const struct cost_part *cost_part_of(const char *name);
// Writes the names of all parts, "a, b or c", at most size bytes with the end. Returns text.
const char *cost_part_names(char *text, size_t size);

// What a measured set is.
enum cost_kind {
    COST_SWITCH,    // the switch of the network that makes the most turns
    COST_NETWORK,   // all of its switches and links
    COST_DESIGN,    // with streams at its terminals
    COST_TERMINAL,  // one of its terminals, with streams
    COST_USER,      // a port of AXI4 or AXI4-Lite for a manager
    COST_MEMORY,    // a port of AXI4 for a memory
};

// The AXI4 ports of a design, which are alike (docs/axi.md, "Parameters").
struct cost_ports {
    uint32_t users, lite,
        memories;  // how many: for managers, of AXI4 and of AXI4-Lite; for memories
    uint32_t data_bits, address_bits, id_bits, bursts, max_beats, room, reorder;
};

static inline uint32_t cost_num_ports(const struct cost_ports *ports)
{
    return ports->users + ports->lite + ports->memories;
}

struct cost_set {
    const char *name, *text;  // as in fpga.toml
    enum cost_kind kind;
    const char *scenario;          // network and switch, as the text of a scenario
    struct cost_ports ports;       // of AXI4
    double figures[COST_FIGURES];  // 0: none
};
// Of the build: scripts/run cost-figures writes them from fpga.toml and history.csv.
extern const struct cost_set cost_sets[];
extern const size_t cost_num_sets;

// --- what there is to pay for ---

// Counts of a network, or of one of its switches, which the estimate is linear in (docs/cost.md).
enum { COST_COLUMNS = 24 };
enum cost_group { COST_SWITCHES, COST_TERMINALS, COST_USERS, COST_MEMORIES, COST_GROUPS };
struct cost_shape {
    double columns[COST_GROUPS][COST_COLUMNS];  // sums over the switches, terminals, ports
    double link_ffs;                            // of the slices of links, exactly
    uint32_t most_ports;                        // of a switch, with turns
};

// Returns false if the network is too large to follow its routes, or memory runs out. one: of the
// switch with the most turns and of one terminal alone, with all ports.
bool cost_shape_of(const struct anl_config *config, const struct cost_ports *ports, bool one,
                   struct cost_shape *shape);

// --- the estimate ---

struct cost_estimate {
    double network, terminals, ports;  // of a figure: switches and links, terminals with streams
};

struct cost_model;

// Fits the formula to the measured sets; NULL, with the reason in *error, if one of them is no
// scenario or memory runs out. The caller frees it.
struct cost_model *cost_fit(struct anl_error *error);
void cost_free(struct cost_model *model);

struct cost_estimate cost_of(const struct cost_model *model, const struct cost_shape *shape,
                             enum cost_figure figure);

// What is known of a clock besides.
struct cost_clocks {
    bool same;                      // it may stand for that of the network, and is not extrapolated
    const struct cost_set *faster;  // the fastest set that differs in arbiter and stages alone, if
                                    // it is faster; NULL: none is
    const struct anl_config *how;   // that of the faster one
};

// Returns the nearest measured set that has a clock of this figure, but for one if it is not NULL;
// NULL: there is none.
const struct cost_set *cost_clock(const struct cost_model *model, const struct anl_config *config,
                                  const struct cost_shape *shape, enum cost_figure clock,
                                  const struct cost_set *but, struct cost_clocks *clocks);

// With AXI4-Streams at the terminals, as `annelid rtl --ports axis` writes it, or both ways.
enum cost_streams { COST_WITHOUT_STREAMS, COST_WITH_STREAMS, COST_BOTH };

// Writes what of the network was not measured, a reason a line; an empty text: all of it was.
void cost_beyond(const struct cost_model *model, const struct anl_config *config,
                 const struct cost_shape *shape, const struct cost_ports *ports,
                 enum cost_streams streams, FILE *out);

// --- in words ---

// Prints all sets as CSV: name, kind, and of cells and clocks each what was measured, 0 if it was
// not, and the estimate; that of a clock is of the other sets. Returns an exit status, after a
// message unless it is CLI_OK.
int cost_print_sets(void);

// Prints cells and clock of a network on a part, or, if part is NULL, on the first of each family.
// Ports of AXI4 count where streams do; COST_BOTH says one of each by itself. Returns
// ANL_ERR_ARGUMENT, with the reason in *error, if there is no estimate for it.
enum anl_status cost_print(FILE *out, const struct anl_config *config, const char *path,
                           const struct cost_part *part, enum cost_streams streams,
                           const struct cost_ports *ports, struct anl_error *error);

#endif
