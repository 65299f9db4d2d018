// SPDX-License-Identifier: Apache-2.0
//
// The kinds of switches that the lock-step knows.

#include "lockstep_internal.h"

// Those of papers, as in cmodel/src/network/machine.c.
#define COMMAND(name, what)
#define MACHINE(kind, name) extern const struct lockstep_kind lockstep_##name;
#include "parts.inc"
#undef MACHINE

#define MACHINE(kind, name) [kind] = &lockstep_##name,
static const struct lockstep_kind *const kinds[] = {
    [ANL_BUFFERED] = NULL,
#include "parts.inc"
};

void lockstep_fault_lines(struct lockstep *run, struct comparison *comparison)
{
    const uint32_t node = run->harness.observed.fault;
    const struct field field = {"switch", "fault", 0, 1};
    if (node == NOWHERE || run->options->expect_fault) return;
    compare_field(comparison, &field, node, run->history.shape.ports - 1, NOWHERE);
}

const struct lockstep_kind *lockstep_kind_of(enum anl_switch_kind kind) { return kinds[kind]; }
