// SPDX-License-Identifier: Apache-2.0
//
// The functions that the probes in the RTL call, and the data that they reach.

#ifndef ANL_LOCKSTEP_DPI_H
#define ANL_LOCKSTEP_DPI_H

#include "observed.h"
#include "terminals.h"

#include <svdpi.h>

// The RTL gets its address as harness_i.
struct harness {
    struct worms worms;
    struct observed observed;
    struct terminals terminals;
    uint64_t seed;
    char failed[64];  // name of the first assertion of the RTL that failed, "" if none
};

// Returns the initial state of a switch's generator.
uint32_t anl_lockstep_seed(uint64_t harness, uint32_t switch_number);
// Returns 1 and the next flit of the source queue of a class, or 0 if the queue is empty.
svBit anl_lockstep_pull(uint64_t harness, uint32_t terminal, uint32_t class_, svBitVecVal *flit,
                        uint32_t *vcs);
// Returns 1 if terminals can refuse.
svBit anl_lockstep_refuse(uint64_t harness);
// Returns the sinks of a terminal that take in this cycle what they show, bit c for class c.
uint32_t anl_lockstep_ready(uint64_t harness, uint32_t terminal);
// Report a flit that crosses a link, credits that come back on one (bit v: lane v), a flit that the
// sink of a class shows, the registers of a switch, a failed assertion, and the registers of a
// terminal.
void anl_lockstep_flit(uint64_t harness, uint32_t link, uint32_t vc, const svBitVecVal *flit);
void anl_lockstep_credits(uint64_t harness, uint32_t link, uint32_t lanes);
void anl_lockstep_sink(uint64_t harness, uint32_t terminal, uint32_t class_, uint32_t vc,
                       const svBitVecVal *flit);
void anl_lockstep_switch(uint64_t harness, uint32_t switch_number, const svBitVecVal *state);
void anl_lockstep_failed(uint64_t harness, const char *name);
void anl_lockstep_terminal(uint64_t harness, uint32_t terminal, const svBitVecVal *state);

#endif
