// SPDX-License-Identifier: Apache-2.0
//
// The functions that the probes in the RTL call, and the data that they reach.

#ifndef ANL_LOCKSTEP_DPI_H
#define ANL_LOCKSTEP_DPI_H

#include "failure.h"
#include "injections.h"
#include "observed.h"
#include "terminals.h"

#include <svdpi.h>

#ifdef __cplusplus
#define ANL_THREAD_LOCAL thread_local
#else
#define ANL_THREAD_LOCAL _Thread_local
#endif

// The RTL gets its address as harness_i.
struct harness {
    struct worms worms;
    struct observed observed;
    struct terminals terminals;
    struct starts starts;
    struct injections injections;
    uint64_t seed;
    uint32_t wait;  // without buffers: cycles behind a reset in which the step stands still
    struct failure failure;  // of the first assertion of the RTL that failed
    uint32_t failed_at;      // the place of its part: see anl_lockstep_place
    // Writes the values of the signals that the condition of the failure names; NULL: unknown.
    void (*values)(struct failure *failure);
};

// Returns the data of an address that the RTL passes.
struct harness *harness_at(uint64_t harness);
// Returns false if a number is out of range. A probe computes its numbers from the label of its
// switch, and a wrong label must not make this program write elsewhere.
bool harness_has(uint64_t harness, uint32_t number, uint32_t size);

// Returns the initial state of a switch's generator.
uint32_t anl_lockstep_seed(uint64_t harness, uint32_t switch_number);
// Returns 1 and the next flit of the source queue of a class, or 0 if the queue is empty.
svBit anl_lockstep_pull(uint64_t harness, uint32_t terminal, uint32_t class_, svBitVecVal *flit,
                        uint32_t *vcs);
// Wide links: gives the idle lanes of a terminal's injection link to worms (worms_begin()); returns
// 1 and the next flit of the worm that is sent on a lane, or 0 if there is none.
uint32_t anl_lockstep_begin(uint64_t harness, uint32_t terminal, const svBitVecVal *credits);
svBit anl_lockstep_send(uint64_t harness, uint32_t terminal, uint32_t vc, svBitVecVal *flit);
// Without buffers: returns 1 and the next start of a terminal, or 0 if there is none. In a network
// that discards these two functions are asked for an injection lane (injections.h).
svBit anl_lockstep_start(uint64_t harness, uint32_t terminal, uint32_t *start);
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
// Without buffers: returns the cycles behind a reset in which the step does not count.
uint32_t anl_lockstep_wait(uint64_t harness);
// Without buffers: report the numbers of the step and of the lane whose turn it is, and that the
// fault line of a node is 1.
void anl_lockstep_step(uint64_t harness, uint32_t step, uint32_t lane);
void anl_lockstep_fault(uint64_t harness, uint32_t node);
// Threads evaluate the parts of a network in any order; of assertions that fail in the same cycle,
// that of the lowest place counts. Each thread says here which place it is at.
extern ANL_THREAD_LOCAL uint32_t anl_lockstep_place;
// A failed assertion has the addresses of the two names of failure_set(), or 0.
void anl_lockstep_failed(uint64_t harness, const char *name, const char *condition,
                         uint64_t instance_name, uint64_t inner_name);
// The switch said something at a place in its files, "mine.sv:7": the words of an $error or $fatal,
// as Verilator prints them, or "$stop" or "$finish".
void anl_lockstep_said(uint64_t harness, const char *place, const char *message, bool in_reset);
void anl_lockstep_terminal(uint64_t harness, uint32_t terminal, const svBitVecVal *state);

#endif
