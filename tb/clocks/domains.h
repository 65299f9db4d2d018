// SPDX-License-Identifier: Apache-2.0
//
// The domains of a network (docs/clocks.md, "Lock-step across crossings"): which switches and
// terminals have a clock in common, and the clocks.
//
// Domains are counted from 0: first those with switches, then terminals with clocks of their own.

#ifndef ANL_CLOCKS_DOMAINS_H
#define ANL_CLOCKS_DOMAINS_H

#include <annelid/annelid.h>

struct domain_clock {
    uint64_t period, next;  // in units of time, and when the next edge is due
    uint64_t edges;         // out of reset
    uint32_t held;          // edges that its reset still lasts
};

struct domains {
    uint32_t count, with_switches;
    uint32_t *of_switch, *of_terminal;
    struct domain_clock *clock;  // [count]
    uint32_t left;               // edges until other periods and phases are drawn
    struct anl_rng rng;
};

// Draws so many regions of switches; `alone`: each terminal has a clock of its own. All domains are
// in reset. ANL_ERR_MEMORY: domains_destroy() is due all the same.
enum anl_status domains_create(struct domains *domains, const struct anl_config *config,
                               uint32_t regions, bool alone, uint64_t seed);
void domains_destroy(struct domains *domains);

// Returns the domain whose clock has the next edge; of edges that are due at once, any one.
uint32_t domains_next(struct domains *domains);

#endif
