// SPDX-License-Identifier: Apache-2.0
//
// The files beside an FST: how GTKWave shows it (.gtkw: groups, colours, marks, zoom), the words
// with their colours (.words), and the blocking analysis in a few lines (.txt). The files can be
// moved together.

#ifndef ANL_LOCKSTEP_VIEW_H
#define ANL_LOCKSTEP_VIEW_H

#include "narrate.h"
#include "wave_window.h"

// Returns true if the path can be that of an FST file: it ends in .fst and is short enough for the
// others.
bool view_takes(const char *fst);

// Writes the files beside the FST file at path fst, which view_takes(). ANL_ERR_IO.
enum anl_status view_write(const char *fst, const struct wave_window *wave_window,
                           const struct narration *narration, struct anl_error *error);

#endif
