// SPDX-License-Identifier: Apache-2.0
//
// Which buffer is in question? The one from which a difference is fed, in words and in waves.

#ifndef ANL_LOCKSTEP_QUESTION_H
#define ANL_LOCKSTEP_QUESTION_H

#include "difference.h"
#include "history.h"

#include <annelid/blocking.h>

// ANL_NOTHING: none can be named.
uint32_t question_buffer(const struct anl_blocking *blocking, const struct history *history,
                         const struct difference *difference);

#endif
