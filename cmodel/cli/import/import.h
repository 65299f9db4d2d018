// SPDX-License-Identifier: Apache-2.0
//
// Networks from files of other programs: a reader fills a draft; draft_make() turns it into a
// graph. Traces of other programs become message files.

#ifndef ANNELID_IMPORT_H
#define ANNELID_IMPORT_H

#include "cli/shared/cli.h"

#define DRAFT_BY_ORDER UINT32_MAX  // a port that the file does not number

// What of a file is left out, with numbers.
struct left_out {
    char text[320];
};

// Notes so many things, unless count is 0.
void leave_out(struct left_out *left_out, uint64_t count, const char *what, const char *many);

// Returns the text of all that was noted; "nothing".
const char *left_out_text(const struct left_out *left_out);

struct draft_link {
    uint32_t node[2], port[2];  // from 0 to 1
    bool both;                  // and back
    uint64_t line;              // 0: the reader does not know it
};

struct draft_terminal {
    uint32_t node, port;
    uint64_t line;
};

struct draft {
    const char *file;
    uint32_t switches;
    uint32_t ports;                       // of each switch; 0: as many as are used
    char (*names)[ANL_GRAPH_NAME_BYTES];  // [switches]; NULL: they have none
    struct draft_link *links;
    size_t num_links, links_size;
    struct draft_terminal *terminals;
    size_t num_terminals, terminals_size;
    bool added;                // the file has no terminals; each switch got one
    struct left_out left_out;  // what of the file is not in the graph
};

// ANL_ERR_MEMORY.
enum anl_status draft_add_link(struct draft *draft, struct draft_link link,
                               struct anl_error *error);
enum anl_status draft_add_terminal(struct draft *draft, struct draft_terminal terminal,
                                   struct anl_error *error);
void draft_free(struct draft *draft);  // may be empty

// Makes the graph: ports without a number get the lowest free ones, in the order of links, then of
// terminals. The names become those of the graph. ANL_ERR_FORMAT: a switch has too many ports, a
// port two links, or no path leads to a terminal, …; ANL_ERR_MEMORY. *graph is then NULL.
enum anl_status draft_make(struct draft *draft, struct anl_graph **graph, struct anl_error *error);

// Prints what was read and what was left out.
void draft_report(const struct draft *draft, const struct anl_graph *graph);

// Returns a text of a file as messages may show it: on one line, and cut if it is long.
struct shown {
    char text[44];
};
struct shown import_shown(const char *text);

// Read a file (docs/scenario.md, "Import"). *draft must be empty; the caller frees it, also after
// an error. ANL_ERR_IO, ANL_ERR_FORMAT, ANL_ERR_MEMORY.
enum anl_status anynet_read(const char *path, struct draft *draft, struct anl_error *error);
enum anl_status dot_read(const char *path, struct draft *draft, struct anl_error *error);

// --- traces of Netrace (docs/netrace.md) ---

struct netrace_options {
    uint32_t flit_width_bits;  // 8..512
    uint32_t packets;          // the first ones that are read; 0: all
};

// Reads a trace, writes it as a message file, and prints what was read. ANL_ERR_IO, ANL_ERR_FORMAT,
// ANL_ERR_MEMORY: what was written is worth nothing.
enum anl_status netrace_convert(const char *path, const struct netrace_options *options, FILE *to,
                                struct anl_error *error);

#endif
