// SPDX-License-Identifier: Apache-2.0
//
// The kinds of switches that the lock-step knows.

#include "lockstep_internal.h"

static const struct lockstep_kind *const kinds[] = {
    [ANL_BUFFERED] = NULL,
    [ANL_BUFFERLESS] = &lockstep_bufferless,
    [ANL_DIAGONALS] = &lockstep_diagonals,
    [ANL_DISCARDING] = &lockstep_discarding,
};

const struct lockstep_kind *lockstep_kind_of(enum anl_switch_kind kind) { return kinds[kind]; }
