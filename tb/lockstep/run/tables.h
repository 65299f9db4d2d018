// SPDX-License-Identifier: Apache-2.0
//
// What the RTL of a switch of a graph gets as constants (rtl/switch/anl_graph_switch.sv,
// anl_options_switch.sv), as bits. The golden model has the routes; how they stand in a table is
// read from the headers of those modules.

#ifndef ANL_LOCKSTEP_TABLES_H
#define ANL_LOCKSTEP_TABLES_H

#include <annelid/network.h>
#include <stddef.h>

// A vector of the RTL, bit 0 in the lowest bit of the first word.
struct bits {
    uint32_t *words;
    size_t size;  // of the vector, in words of 32 bits; bits behind them are left out
};

// Returns whether heads have several options: the switch is anl_options_switch.
bool tables_have_options(const struct anl_config *config);

// Returns the words that have room for each of them.
size_t tables_words(const struct anl_config *config);

// Set bits of vectors that are all 0: the table of a switch, the lanes that a head in each lane may
// take, the ports that are straight on, and the ports of terminals.
void tables_routes(const struct anl_config *config, uint32_t switch_, struct bits table);
void tables_lanes(const struct anl_config *config, struct bits lanes);
void tables_straight(const struct anl_config *config, struct bits straight);
void tables_terminals(const struct anl_config *config, uint32_t switch_, struct bits terminals);

#endif
