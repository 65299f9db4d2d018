// SPDX-License-Identifier: Apache-2.0
//
// The entries of a multiplexer, for the benches of anl_mux and anl_select. They are the last
// inputs.

#ifndef ANL_TB_MUX_RULE_H
#define ANL_TB_MUX_RULE_H

#include "bench.h"

void mux_put(struct bits *in, unsigned size, unsigned width);
// Takes all entries and returns number which, or 0 if which is size.
uint64_t mux_take(struct bits *in, unsigned size, unsigned width, unsigned which);

#endif
