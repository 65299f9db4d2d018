// SPDX-License-Identifier: Apache-2.0
//
// What `annelid rtl` writes: a network as a design of its own, with all the RTL that it needs.

#ifndef ANNELID_DESIGN_H
#define ANNELID_DESIGN_H

#include "cli/shared/cli.h"

enum design_ports { DESIGN_LINKS, DESIGN_AXIS };

struct design {
    const struct anl_config *config;
    uint64_t seed;     // of the scenario
    const char *name;  // of the top module
    enum design_ports ports;
    bool in_bench;  // what is being written is the bench
};

// A file that the command contains: a file of rtl/, under its path, or a template, under its name.
struct design_file {
    const char *path, *text;
};
extern const struct design_file design_files[];
extern const uint64_t design_num_files;

// Returns the text of a file that the command contains.
const char *design_text(const char *path);

// Writes the template of a name; @NAME@ in it stands for a value.
void design_fill(FILE *out, const struct design *design, const char *name);

// Says which files of rtl/ the design needs, one for each of design_files.
void design_needs(const struct design *design, bool *needed);

// Returns the module of the network in rtl/net, and that or the one of its switches, which names
// all others that are needed.
const char *design_network(const struct anl_config *config);
const char *design_switches(const struct anl_config *config);

// The file with the lists of output ports, if the routing is source.
#define DESIGN_LISTS "rtl/net/anl_graph_lists_pkg.sv"

// Writes the design into a directory, which is made if there is none. Status and *error are those
// of anl_output_open(); ANL_ERR_ARGUMENT if the network cannot have these ports.
enum anl_status design_write(const struct design *design, const char *directory,
                             struct anl_error *error);

#endif
