// SPDX-License-Identifier: Apache-2.0
//
// The rule of a multiplexer by one-hot bits, for the benches of anl_mux and anl_select.
//
// Inputs: sel, one-hot or 0, then size entries of width bits.

#ifndef ANL_TB_MUX_RULE_H
#define ANL_TB_MUX_RULE_H

#include "bench.h"

// sel is one of the members, as bits, or 0.
void mux_put(struct bits *in, unsigned size, unsigned width, uint64_t members);
// The entry that is selected; 0 if none is. *sel as it was put.
uint64_t mux_take(struct bits *in, unsigned size, unsigned width, uint64_t *sel);

#endif
