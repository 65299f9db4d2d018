// SPDX-License-Identifier: Apache-2.0
//
// The files beside an FST: how GTKWave shows it (.gtkw: groups, colours, marks, zoom), the words
// and their colours (.words), the blocking analysis in a few lines (.txt). Together they can be
// moved anywhere.

#ifndef ANL_LOCKSTEP_VIEW_H
#define ANL_LOCKSTEP_VIEW_H

#include "narrate.h"
#include "wave_window.h"

// True if a path can be that of an FST file here: it ends in .fst, and others fit beside it.
bool view_takes(const char *fst);

// fst: path of the FST file, that view_takes(). ANL_ERR_IO.
enum anl_status view_write(const char *fst, const struct wave_window *wave_window,
                           const struct narration *narration, struct anl_error *error);

#endif
