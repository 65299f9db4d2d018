// SPDX-License-Identifier: Apache-2.0
//
// Feeds that cannot be true: every flit of some cycles of a busy run is changed in every way. The
// analysis must refuse the change, unless it can be true, and all its answers must stay as they
// were.

#ifndef ANNELID_BLOCKING_FALSE_FEEDS_H
#define ANNELID_BLOCKING_FALSE_FEEDS_H

#include "feed.h"

#include <annelid/base.h>
#include <stdio.h>

// Runs some cycles of heavy traffic and feeds them to an analysis.
struct worker busy(const struct anl_config *config, uint64_t seed, uint64_t cycles);
// Returns an analysis that is fed with so many of these cycles, which the caller destroys.
struct anl_blocking *feed_again(const struct worker *worker, uint64_t cycles);
// Returns all answers of the analysis as text, which the caller frees.
char *all_of(const struct anl_blocking *blocking, uint32_t worms);
// Feeds the worms of cycle and, in place of its flits, others. If they are refused, all answers
// must be as before. Returns the status.
enum anl_status feed_instead(const struct worker *worker, uint64_t cycle,
                             const struct anl_flit *flits, size_t count);
// Changes every flit of the cycles first .. last - 1 in every way. nowhere is a link that does not
// exist.
void change_every_flit(const struct anl_config *config, uint32_t nowhere, uint64_t first,
                       uint64_t last);

#endif
