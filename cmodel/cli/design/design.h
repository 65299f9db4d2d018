// SPDX-License-Identifier: Apache-2.0
//
// What `annelid rtl` writes: a network as a design of its own, with all the RTL that it needs.

#ifndef ANNELID_DESIGN_H
#define ANNELID_DESIGN_H

#include "cli/cost/cost.h"
#include "cli/shared/cli.h"

// The words of links of another style than ours, whose adapters are at the terminals.
struct design_style {
    const char *module;                  // of the adapters: anl_credit_to_<module> and back
    const char *back;                    // of the port that goes back
    const char *back_width, *back_bits;  // its bits, in SystemVerilog and for the page
    const char *valid, *meaning, *rule;  // for the page
    const char *timing;                  // of the top module
    bool pulses;                         // what goes back are pulses with a lane
};

struct design;

// What stands for @NAME@ in a template.
struct design_value {
    const char *name;
    void (*put)(FILE *out, const struct design *design);
};

// A kind of ports: what the terminals of a design can be (kinds.c). What is NULL is as links have
// it, which are the links of the network.
struct design_kind {
    const char *word;                   // of --ports
    const char *top, *tb, *page;        // templates: the module, the bench, the ports on the page
    const char *bench;                  // the network in the bench, where it is bench.sv
    const struct design_value *values;  // which its templates have beside those of all
    const struct design_style *style;   // of links of other styles
    const char *modules;                // which it needs beside the network and its terminals
    bool bare;                          // the ports are the links of the network
    bool streams;                       // the terminals of the network are in the design
    bool paths;                         // the path of a worm follows from its destination
    const char *lines;                  // what the page says of wide links,
    const char *lists;                  // and of worms whose heads have lists of output ports
    const char *uncounted;              // what the estimate does not count
    struct cost_ports (*cost_ports)(const struct design *);           // what it counts of AXI4
    enum anl_status (*prepare)(struct design *, struct anl_error *);  // reads what options name
    void (*forget)(struct design *);
    uint32_t (*flit_bits)(const struct design *);  // beside the fields of a head
    const char *(*asked)(const struct design *);   // of users, that the network cannot deadlock
    void (*put_clocks)(FILE *, const struct design *);  // on the page: clock and reset,
    void (*put_widths)(FILE *, const struct design *);  // and the widths that a user may choose
    void (*put_beats)(FILE *, const struct design *);   // how wide a beat of the bench is
    // What ports of each terminal are called for Vivado (design_axis_interfaces()).
    bool (*put_interfaces)(FILE *, const struct design *, uint32_t domain, const char *before);
    enum anl_status (*check)(const struct design *, struct anl_error *);
};
extern const struct design_kind design_kinds[];
extern const size_t design_num_kinds;

// Returns the kind that a word of --ports names, or NULL.
const struct design_kind *design_kind_named(const char *word);

// The AXI4-Streams of a design: what each beat has beside the data, and their ports.
enum { DESIGN_TDATA_BITS = 32, DESIGN_MOST_TDATA_BITS = 1024, DESIGN_MOST_TUSER_BITS = 1024 };
struct design_axis {
    uint32_t tdata_bits;  // whole bytes
    uint32_t tuser_bits;  // 0: there is none
    bool tkeep, tid;      // tid: who sent a packet comes out with it
    bool interleave;      // packets of different lanes interleave
    bool aresetn;         // the reset is active low
    bool per_terminal;    // each terminal has ports of its own, instead of vectors
};

// The AXI4 ports of a design: what the options say, and what is made of it. A block of addresses is
// base … base + rest.
enum {
    DESIGN_AXI_DATA_BITS = 64,
    DESIGN_AXI_ADDRESS_BITS = 32,
    DESIGN_AXI_ID_BITS = 4,
    DESIGN_AXI_BURSTS = 4,
    DESIGN_AXI_BEATS = 16,
    DESIGN_MOST_ROWS = 256
};
enum design_port { DESIGN_USER = 1, DESIGN_LITE = 2, DESIGN_MEMORY = 4 };
struct design_row {
    uint64_t base, rest;
    uint32_t terminal;
};
struct design_axi {
    uint32_t data_bits, address_bits, id_bits, bursts, max_beats, room, reorder;
    const char *map, *users, *lite;
    // An option that was given and that only ports with bursts take, or NULL.
    const char *of_bursts;
    struct design_row *rows;
    size_t num_rows;
    uint8_t *ports;  // [terminals] masks of enum design_port
};

// The regions of a design (docs/clocks.md): rows of a table, and the region of the network, which
// is number 0 and has no name. Then the domains of switches and terminals.
enum { DESIGN_REGION_BYTES = 32 };
struct design_regions {
    const char *table;  // a file, or the rows themselves; NULL: none
    uint32_t count;     // at least 1
    struct design_region_name {
        char text[DESIGN_REGION_BYTES];
    } * names;  // [count]; NULL: no table
    uint32_t *of_switch, *of_terminal;
};

struct design {
    const struct anl_config *config;  // its flits have the width that the ports ask for
    const struct anl_scenario *scenario;
    const struct cli_given *given;  // the command
    const char *name;               // of the top module
    const struct design_kind *kind;
    struct design_axis axis;
    struct design_axi axi;
    const char *cost;  // what it will cost, as design_put_cost() writes it
    bool clocks;       // each terminal has a clock of its own
    struct design_regions regions;
    const char *instance;  // where it stands in the user's design; NULL: it is the whole design
    bool in_bench;         // what is being written is the bench
    const char *remark;    // what a remark begins with in it
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

// Writes the label of terminal t, as an expression.
void design_put_label(FILE *out, const struct design *design);

// AXI4-Streams: bits of a flit beside the fields of a head. Then what is written: the clock, the
// reset and the other ports of the top module; what connects them; the connections in the bench;
// the rows of the page, its words for clock and reset, and the name of the reset.
const char *design_axis_id(const struct design *design);  // bits of tid; NULL: there is none
uint32_t design_axis_bits(const struct design *design);
const char *design_axis_asked(const struct design *design);
enum anl_status design_axis_check(const struct design *design, struct anl_error *error);
void design_axis_beats(FILE *out, const struct design *design);
void design_axis_widths(FILE *out, const struct design *design);
void design_axis_ports(FILE *out, const struct design *design);
void design_axis_body(FILE *out, const struct design *design);
void design_axis_bench(FILE *out, const struct design *design);
void design_axis_pins(FILE *out, const struct design *design);
void design_axis_rows(FILE *out, const struct design *design);
void design_axis_clocks(FILE *out, const struct design *design);
void design_axis_reset(FILE *out, const struct design *design);
// Write the interfaces in a domain, behind what stands before them. Return whether there are any.
bool design_axis_interfaces(FILE *out, const struct design *design, uint32_t domain,
                            const char *before);
bool design_axi_interfaces(FILE *out, const struct design *design, uint32_t domain,
                           const char *before);
// Writes a name in capitals, as the standards of AXI have those of signals.
void design_put_capitals(FILE *out, const char *text);

// AXI4 ports.
extern const struct design_value design_axi_values[];
enum anl_status design_axi_prepare(struct design *design, struct anl_error *error);
void design_axi_forget(struct design *design);
uint32_t design_axi_bits(const struct design *design);
const char *design_axi_asked(const struct design *design);
struct cost_ports design_axi_cost(const struct design *design);
void design_axi_clocks(FILE *out, const struct design *design);
void design_axi_widths(FILE *out, const struct design *design);

// Links of the styles that have adapters.
extern const struct design_style design_ready_valid, design_ready_valid_per_lane, design_stop_go,
    design_credit_pulse_shared;
enum anl_status design_pulses_check(const struct design *design, struct anl_error *error);

// The domains of a design: read what the options say, and free it; how many regions and domains
// there are; the module of the regions, whose configuration is that of the design but for flits
// that are too wide for the model.
enum anl_status design_regions_prepare(struct design *design, struct anl_error *error);
void design_regions_forget(struct design *design);
bool design_has_regions(const struct design *design);  // more than one
bool design_has_domains(const struct design *design);  // more than one
uint32_t design_num_domains(const struct design *design);
enum anl_status design_put_regions(const struct anl_config *config, const struct design *design,
                                   FILE *out);

// The clock and the reset of the network, active high, inside of the module or of the bench.
const char *design_clock_inside(const struct design *design);
const char *design_reset_inside(const struct design *design);

// Of a design with several domains, and of others: ports of clocks, how the links of the network
// are connected, what is between the clocks; the clocks of the bench and what it connects; on the
// page, the files, and what is said of clocks in constraints.
const char *design_clocks_of_terminals(const struct design *design);  // in the module: vectors,
const char *design_resets_of_terminals(const struct design *design);  // resets active high
// What Vivado reads of the clock and of the reset of a domain.
void design_put_clock_info(FILE *out, const struct design *design, uint32_t domain);
void design_put_reset_info(FILE *out, const struct design *design, uint32_t domain);
void design_put_clock_ports(FILE *out, const struct design *design);
void design_put_network_clocks(FILE *out, const struct design *design);
void design_put_clock_names(FILE *out, const struct design *design);
void design_put_whose_clock(FILE *out, const struct design *design);
void design_put_polarity(FILE *out, const struct design *design);
void design_put_link_pins(FILE *out, const struct design *design);
void design_put_crossings(FILE *out, const struct design *design);
void design_put_terminal_in(FILE *out, const struct design *design);
void design_put_terminal_out(FILE *out, const struct design *design);
void design_put_clocking(FILE *out, const struct design *design);
void design_put_clock_signals(FILE *out, const struct design *design);
void design_put_clock_pins(FILE *out, const struct design *design);
void design_put_clock_rows(FILE *out, const struct design *design);
void design_put_domain_rows(FILE *out, const struct design *design);
void design_put_lpf_clocks(FILE *out, const struct design *design);
void design_put_pcf_clocks(FILE *out, const struct design *design);

// The endings of the files with constraints of such a design, each with a template clocks<ending>.
extern const char *const design_constraints[];
extern const size_t design_num_constraints;

// Says which files of rtl/ the design needs, and which ones any design may need, one for each of
// design_files. Every directory has all of the second, so that they are the same in each.
void design_needs(const struct design *design, bool *needed);
void design_shared(bool *shared);

// Returns whether the design has a table of the distances between its terminals: it needs one, and
// it is not too large.
bool design_has_distances(const struct anl_config *config);

// The module that refuses a network that was written for other shared files than stand beside it.
#define DESIGN_CHECK "rtl/common/anl_shared.sv"

// The modules and packages that a design may have beside its top module: what stands behind its
// name in the name of the file; what it is, for the page; whether the design has it; and what
// writes it, a function or a template.
struct design_part {
    const char *ending, *what;
    bool (*there)(const struct design *design);
    enum anl_status (*put)(const struct anl_config *, const struct design *, FILE *);
    const char *template;
};
extern const struct design_part design_parts[];
extern const size_t design_num_parts;

// Writes what the design will cost, or why there is no estimate (docs/cost.md).
void design_put_cost(FILE *out, const struct design *design);

// --- where it comes from ---

// What every file says that the command writes.
#define DESIGN_MARK "Written by annelid"

// Who has the files that all designs share.
#define DESIGN_EVERYONE "all networks"

// Returns a digest of the files that all designs share: of their paths and texts.
uint64_t design_shared_digest(void);

// Write lines, each behind a prefix: who wrote the file for which design, the version, the command
// and the scenario; for a file that all designs share, the version alone.
void design_put_origin(FILE *out, const struct design *design, const char *prefix);
void design_put_shared_origin(FILE *out, const char *prefix);

// Returns ANL_OK if nothing is at a path or what has been written there for the same owner: the
// name of a design, or DESIGN_EVERYONE. Else ANL_ERR_IO.
enum anl_status design_may_replace(const char *path, const char *owner, struct anl_error *error);

// Returns whether a file is at a path that has been written there for an owner.
bool design_has_written(const char *path, const char *owner);

// Returns whether a tool would read a name as a word of SystemVerilog.
bool design_is_keyword(const char *name);

// Writes the design into a directory, which is made if there is none. If there is a file that was
// not written for this design, or for all, nothing is written. At the end, files of the design's
// name are removed that an earlier call has written and this one has not; a line of the standard
// output names them. Status and *error are those of anl_output_open(); ANL_ERR_ARGUMENT if the
// network cannot have these ports.
enum anl_status design_write(const struct design *design, const char *directory,
                             struct anl_error *error);

#endif
