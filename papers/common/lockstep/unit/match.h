// SPDX-License-Identifier: Apache-2.0
//
// The comparison of the registers of a kind of switch against compare.h: all are empty but for one
// link register, which holds a flit in the middle of its worm; any one register that is seen
// otherwise is the one difference.

#ifndef ANL_LOCKSTEP_MATCH_H
#define ANL_LOCKSTEP_MATCH_H

#include "papers/common/lockstep/nodes.h"
#include "run/lockstep_internal.h"
#include "unit.h"

#include <annelid/scenario.h>
#include <string.h>

// A network, what its model has, and what the probes would have seen.
struct match {
    struct anl_scenario scenario;
    struct harness harness;
    struct history history;
    struct difference difference;
    void (*compare)(struct comparison *comparison, const void *expected);
    const void *expected;
};

// The flit in the middle of its worm that all tests use.
extern const struct anl_flit match_middle;

void match_create(struct match *match, const char *path, const struct observed_kind *kind);
void match_destroy(struct match *match);

// Packs the flit in the middle as a link register shows it.
void match_pack(const struct match *match, uint32_t link, struct wire *wire);

// Compares; the one difference is in the words `what`, NULL: there is none.
void match_expect(struct match *match, const char *what);

// A byte or a bool is seen otherwise: that is the one difference.
void match_counts(struct match *match, void *seen, const char *what);
// So is any bit of the flit in a link register.
void match_flit(struct match *match, struct wire *wire);
// So is what a node shows of each register that is there, by input port.
void match_node(struct match *match, uint32_t number);

#endif
