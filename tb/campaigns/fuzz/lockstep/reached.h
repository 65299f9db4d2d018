// SPDX-License-Identifier: Apache-2.0
//
// Tells libFuzzer cycle by cycle which states a case reaches in the RTL, so that libFuzzer keeps
// cases that reach something new: combinations of counts, bindings, credits, owners, pointers and
// flits of one port, and of the ports of one switch. Branches alone do not show them, because
// verilated logic has few branches and all switches share them.

#ifndef ANL_FUZZ_REACHED_H
#define ANL_FUZZ_REACHED_H

#include "compare/observed.h"

// Must be called after each cycle.
void reached_tell(const struct observed *observed);

#endif
