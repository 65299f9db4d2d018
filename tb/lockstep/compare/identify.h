// SPDX-License-Identifier: Apache-2.0
//
// Finds which flit of which worm is on a link from its data bits alone (docs/link.md), for switches
// that no model predicts.

#ifndef ANL_LOCKSTEP_IDENTIFY_H
#define ANL_LOCKSTEP_IDENTIFY_H

#include "dpi.h"

// Returns the flit width that identification needs: at least 64, and 32 free bits in a head.
uint32_t identify_width(const struct anl_config *config);

// Writes the flit that is on a link to *flit. Returns false if its data bits, taken together,
// belong to no flit of any worm created so far.
bool identify(const struct harness *harness, uint32_t link, const struct wire *wire,
              struct anl_flit *flit);

#endif
