// SPDX-License-Identifier: Apache-2.0
//
// What a case has brought about in the RTL, told to libFuzzer cycle by cycle, so that it keeps
// cases that bring about something new: combinations of counts, bindings, credits, owners, pointers
// and flits of one port, and of the ports of one switch. Branches alone do not show them: verilated
// logic has few, and all switches share the same ones.

#ifndef ANL_FUZZ_REACHED_H
#define ANL_FUZZ_REACHED_H

#include "compare/observed.h"

// To be called after each cycle.
void reached_tell(const struct observed *observed);

#endif
