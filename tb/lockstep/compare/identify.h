// SPDX-License-Identifier: Apache-2.0
//
// Finds which flit of which worm is on a link from its data bits alone (docs/link.md), for switches
// that no model predicts.

#ifndef ANL_LOCKSTEP_IDENTIFY_H
#define ANL_LOCKSTEP_IDENTIFY_H

#include "dpi.h"
#include "history.h"

// Returns the flit width that identification needs: at least 64, and 32 free bits in a head.
uint32_t identify_width(const struct anl_config *config);

// Writes the flit that is on a link to *flit. last is the flit that crossed the same lane of the
// link before it, or NULL: by it special flits are known, whose data do not say which flit they
// are. Returns false if its data bits, taken together, belong neither to the flit that follows the
// last one nor to a flit of any worm created so far that is not special.
bool identify(const struct harness *harness, const struct passage *last, uint32_t link,
              const struct wire *wire, struct anl_flit *flit);

// Finds the flit whose data bits differ least from those on a link, of all flits of all worms
// created so far, and writes it to *flit. Returns in how many bits they differ; UINT32_MAX: in so
// many that the likeness may be chance.
uint32_t identify_nearest(const struct harness *harness, uint32_t link, const struct wire *wire,
                          struct anl_flit *flit);

#endif
