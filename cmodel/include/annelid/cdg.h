// SPDX-License-Identifier: Apache-2.0
//
// Channel-dependency graph of Dally and Seitz (1987, section 2): a lane depends on every lane for
// which the head of a worm in it may have to wait next. Without a cycle no deadlock can happen
// (docs/cdg.md).
//
// Lane vc of link is number link * num_vcs + vc; links as in docs/networks.md.

#ifndef ANNELID_CDG_H
#define ANNELID_CDG_H

#include <annelid/config.h>
#include <annelid/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_cdg;

// The graph of a network by its wiring and routes, over all heads that can be: from every terminal
// to every terminal. config must have passed anl_config_check(). ANL_ERR_ARGUMENT: more than
// ANL_CDG_ROUTES switches times terminals; ANL_ERR_MEMORY.
#define ANL_CDG_ROUTES (UINT64_C(1) << 26)
enum anl_status anl_cdg_of(const struct anl_config *config, struct anl_cdg **cdg);

// A graph of the same lanes without dependencies, to be filled in by the caller.
enum anl_status anl_cdg_create(const struct anl_config *config, struct anl_cdg **cdg);
void anl_cdg_destroy(struct anl_cdg *cdg);

// The link ends at an input port of the switch; links of which this is not said end at a terminal,
// or are none.
void anl_cdg_set_end(struct anl_cdg *cdg, uint32_t link, uint32_t switch_);

// The switch at the end of a link; UINT32_MAX: none.
uint32_t anl_cdg_end(const struct anl_cdg *cdg, uint32_t link);

// Heads in the lane may go on by output port port of the switch at its end, in the lanes vcs
// (mask).
void anl_cdg_add(struct anl_cdg *cdg, uint32_t lane, uint32_t port, uint32_t vcs);

uint32_t anl_cdg_lanes(const struct anl_cdg *cdg);

// Dependencies in all.
uint64_t anl_cdg_dependencies(const struct anl_cdg *cdg);

// The lanes that a lane depends on, ascending, into lanes (room for ANL_MAX_PORTS * ANL_MAX_VCS).
// Returns how many.
size_t anl_cdg_after(const struct anl_cdg *cdg, uint32_t lane, uint32_t *lanes);

// Whether it has no cycle: sooner found out than a shortest one. ANL_ERR_MEMORY.
enum anl_status anl_cdg_is_acyclic(const struct anl_cdg *cdg, bool *acyclic);

// A shortest cycle, each lane depending on the next and the last on the first; of several that with
// the lowest lane. *count is 0 if there is none. The caller frees *lanes. ANL_ERR_MEMORY.
enum anl_status anl_cdg_cycle(const struct anl_cdg *cdg, uint32_t **lanes, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
