// SPDX-License-Identifier: Apache-2.0
//
// Which place is in question? The one from which a difference is told, in words and in waves.

#ifndef ANL_LOCKSTEP_QUESTION_H
#define ANL_LOCKSTEP_QUESTION_H

#include "difference.h"
#include "history.h"

#include <annelid/story.h>

// ANL_NOTHING: none can be named.
uint32_t question_place(const struct anl_story *story, const struct history *history,
                        const struct difference *difference);

#endif
