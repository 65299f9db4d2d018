// SPDX-License-Identifier: Apache-2.0
//
// The buffer at which a report of a difference begins, in its text and in its waves.

#ifndef ANL_LOCKSTEP_QUESTION_H
#define ANL_LOCKSTEP_QUESTION_H

#include "difference.h"
#include "history.h"

#include <annelid/blocking.h>

// Returns the buffer; ANL_NOTHING if none can be named.
uint32_t question_buffer(const struct anl_blocking *blocking, const struct history *history,
                         const struct difference *difference);

#endif
