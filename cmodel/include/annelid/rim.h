// SPDX-License-Identifier: Apache-2.0
//
// The rim of a network: its injection and ejection links, wire by wire. Behind them is the golden
// model; what stands before them, in place of terminals, is the caller's. What the network drives
// in a cycle is, in every bit, what the RTL of `annelid rtl` drives. Rules: docs/link.md.
//
//   anl_rim_create(&scenario, &rim, &error)
//   in each cycle: anl_rim_flit() and anl_rim_credits() say what the network drives in it, from its
//   start on; anl_rim_cycle() is told what the terminals drive in it, and ends it
//   anl_rim_destroy(rim)
//
// A head is made by anl_flit_data() of network.h; its bits from anl_head_bits() on are the
// caller's.
//
// A link has one line, a wide one has a line for each lane (docs/link.md); line l of the links of
// terminal t has number t * lines + l. One thread at a time may use a rim.
//
// A credit may be spent in the cycle behind its own, or, on a chained link, in its own. With
// routing source a head has the list of its ports, of which each must be a turn that is wired
// (anl_graph.turns).

#ifndef ANNELID_RIM_H
#define ANNELID_RIM_H

#include <annelid/engine.h>
#include <annelid/links.h>
#include <annelid/scenario.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_rim;

// The wires of a line in the direction of the flits.
struct anl_rim_line {
    bool valid;
    uint8_t vc;                     // lane, 0..num_vcs - 1
    uint32_t flit[ANL_WIRE_WORDS];  // {head, tail, data}, flit_width_bits + 2 bits, the lowest word
                                    // first; bits above are 0
};

// Makes the network of a scenario, of which traffic means nothing, and whose graph must outlive it.
// It is in reset state; run.seed is that of the generators of its switches. On success *rim is the
// caller's, who frees it with anl_rim_destroy(). ANL_ERR_ARGUMENT: the network cannot have its
// terminals outside, and *error says why: another kind of switch than buffered, chained wide links;
// ANL_ERR_MEMORY. *rim is then NULL.
enum anl_status anl_rim_create(const struct anl_scenario *scenario, struct anl_rim **rim,
                               struct anl_error *error);
void anl_rim_destroy(struct anl_rim *rim);  // may be NULL

// Empties the network and begins cycle 0, as reset does.
void anl_rim_reset(struct anl_rim *rim);

// Return the number of terminals, and of the lines of a link.
uint32_t anl_rim_terminals(const struct anl_rim *rim);
uint32_t anl_rim_lines(const struct anl_rim *rim);

// Return what the network drives in the current cycle: a line of an ejection link, and the credits
// of an injection link (bit v: a flit leaves lane v). The line is the rim's, until the cycle ends.
const struct anl_rim_line *anl_rim_flit(const struct anl_rim *rim, uint32_t line);
uint32_t anl_rim_credits(const struct anl_rim *rim, uint32_t terminal);

// What the terminals drive in a cycle.
struct anl_rim_drive {
    const struct anl_rim_line *injected;  // [terminals * lines] of the injection links
    const uint32_t *credits;              // [terminals] of the ejection links
};

// Ends the current cycle; the next one begins. ANL_ERR_ARGUMENT: a terminal breaks a rule of the
// link, or a head is none that this network knows: *error names cycle, link, lane, rule, what was
// found and what was expected. ANL_ERR_MEMORY. The rim can then only be reset or destroyed.
enum anl_status anl_rim_cycle(struct anl_rim *rim, const struct anl_rim_drive *drive,
                              struct anl_error *error);

// Returns the configuration of the network, and the engine behind the rim, of which cycle, state
// and totals may be asked. With two stages a flit that leaves counts when it is granted. They are
// the rim's.
const struct anl_config *anl_rim_config(const struct anl_rim *rim);
const struct anl_engine *anl_rim_engine(const struct anl_rim *rim);

#ifdef __cplusplus
}
#endif

#endif
