// SPDX-License-Identifier: Apache-2.0
//
// The parts that a network is put together of, where its RTL is verilated by switches: one for each
// set of parameters of its switches, one for its terminals, and one for its links, if they take
// several cycles. A part has a name, "switch/cube_K4_N2_…", "terminal/NumVcs4_…" or
// "link/Cycles2_…", which is also that of the folder of its library.

#ifndef ANL_LOCKSTEP_PARTS_H
#define ANL_LOCKSTEP_PARTS_H

#include <annelid/network.h>
#include <stddef.h>

enum { PART_BYTES = 224 };

// Returns NULL if a network can be put together by switches, or why not, in words that follow "by
// switches: ".
const char *parts_refuse(const struct anl_config *config);

// Return how many different parts the switches of such a network are, and which of them a switch
// is, counted from 0.
uint32_t parts_count(const struct anl_config *config);
uint32_t parts_of_switch(const struct anl_config *config, uint32_t switch_);

// Write the name of a part of switches, and those of the part of the terminals and of the links: ""
// if links are wires.
void parts_name_switch(const struct anl_config *config, uint32_t part, char name[PART_BYTES]);
void parts_name_terminal(const struct anl_config *config, char name[PART_BYTES]);
void parts_name_link(const struct anl_config *config, char name[PART_BYTES]);

// Writes the word in the names of modules that tells our buffered switches apart, "cube" of
// anl_cube_switch, and appends to a name what fits. Both have room for so many bytes.
void parts_family(const struct anl_config *config, char *name, size_t bytes);
void parts_append(char *name, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Returns what the RTL of a switch gets as here_i (docs/networks.md): its label, its address in its
// level, or its number.
uint64_t parts_here(const struct anl_config *config, uint32_t switch_);

#endif
