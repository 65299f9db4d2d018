// SPDX-License-Identifier: Apache-2.0
//
// Common part of the tests of the engine: lone worms, properties of every run, and looks at a link.

#ifndef ANNELID_UNIT_NET_H
#define ANNELID_UNIT_NET_H

#include "unit.h"

#include <annelid/base.h>
#include <annelid/engine.h>
#include <annelid/network.h>

// Returns a configuration with these switch fields.
struct anl_config with(struct anl_config config, uint32_t depth, enum anl_arbiter arbiter,
                       enum anl_flow_control flow_control);
// Returns an engine after reset, which the caller destroys.
struct anl_engine *make(const struct anl_config *config);
// Returns the latency of a worm that is alone in the network.
uint64_t lone_latency(struct anl_engine *net, uint32_t source, uint32_t destination,
                      uint16_t length);
// The latency of lone worms between all pairs is that of the formula.
void all_pairs(const struct anl_config *config);
// Enqueues random worms for a while, then waits until all have arrived. Returns a hash of all
// flits.
uint64_t random_run(const struct anl_config *config, uint64_t seed, uint64_t order);

// Looks at a link.
void enqueue(struct anl_engine *net, uint32_t source, uint32_t destination, uint16_t length);
// Returns the worm whose flit crossed link in the last cycle, as a letter a, b, … by its id, or
// '.'.
char letter_on(const struct anl_engine *net, uint32_t link);
// Compares letter_on() in each of the next cycles with the letters.
void expect_on_link(struct anl_engine *net, uint32_t link, const char *letters);
uint8_t lane_used(const struct anl_engine *net, uint32_t link);

#endif
