// SPDX-License-Identifier: Apache-2.0
//
// Which flit of which worm is this? Answered from the data bits alone (docs/link.md), for switches
// that no model predicts.

#ifndef ANL_LOCKSTEP_IDENTIFY_H
#define ANL_LOCKSTEP_IDENTIFY_H

#include "dpi.h"

// Flit width that identification needs: at least 64, and 32 free bits in a head.
uint32_t identify_width(const struct anl_config *config);

// Fills *flit; false if all data bits together are those of no flit of any worm created so far.
bool identify(const struct harness *harness, uint32_t link, const struct wire *wire,
              struct anl_flit *flit);

#endif
