// SPDX-License-Identifier: Apache-2.0
//
// An assertion of the RTL that failed: its name and that of its instance.

#ifndef ANL_LOCKSTEP_FAILURE_H
#define ANL_LOCKSTEP_FAILURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct failure {
    char name[64];        // of the assertion, or the file and line of a switch's own; "": none
    char condition[256];  // as the source says it, without line ends; "": unknown
    char scope[256];      // of its instance, as Verilator names it; "": unknown
    char values[256];  // of the signals in the condition, "count 4, push_i 1", or what the switch
                       // said itself; "": unknown
    uint32_t switch_;  // number of the switch that it is in, or NOWHERE
    uint32_t port;     // of the switch, if its instance is that of a port, or NOWHERE
};

// Fills all fields but the values. outer is the name of a module of the RTL, such as
// "TOP.anl_lockstep_top.dut.g_switch[3].u_switch"; inner is the C++ name of a variable of the
// assertion in it, such as
// "vlSelf->__PVT__u_core__DOT__g_input__BRA__1__KET____DOT__Name__DOT___here". Both may be NULL.
void failure_set(struct failure *failure, const char *name, const char *condition,
                 const char *outer, const char *inner);

// Fills the fields with what a switch said itself, at a place in its files and perhaps in reset:
// "[12] %Error: mine.sv:7: Assertion failed in anl_lockstep_top.dut.g_switch[3].u_switch: Depth is
// 1", as Verilator prints the words of an $error or $fatal; or "$stop" or "$finish".
void failure_say(struct failure *failure, const char *place, const char *message, bool in_reset);

// Returns the part of the scope below the switch, or below the network:
// "u_core.g_input[1].u_input".
const char *failure_path(const struct failure *failure);

// Writes "Name in u_core.g_input[1].u_input: count 4, push_i 1", without what is unknown.
void failure_describe(const struct failure *failure, char *text, size_t size);

#endif
