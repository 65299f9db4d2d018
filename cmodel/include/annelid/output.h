// SPDX-License-Identifier: Apache-2.0
//
// Files that appear under their name only when they are whole: written under a name that nobody
// has, renamed at the end. Several processes may write to one path at once; each leaves a whole
// file, the last one stays.

#ifndef ANNELID_OUTPUT_H
#define ANNELID_OUTPUT_H

#include <annelid/status.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_output {
    FILE *file;  // NULL: none is open
    char *path, *temporary;
};

// Opens a new file beside path. input: what is being read, which must not be replaced; may be NULL.
// ANL_ERR_IO, also if path is the input or something other than an ordinary file, which the rename
// would replace; ANL_ERR_MEMORY. *output is then empty.
enum anl_status anl_output_open(const char *path, const char *input, struct anl_output *output,
                                struct anl_error *error);

// Closes the file and renames it to path; ANL_ERR_IO if not all of it could be written: then it is
// removed. *output is empty after it.
enum anl_status anl_output_finish(struct anl_output *output, struct anl_error *error);

// Removes the file, if there is one. *output is empty after it.
void anl_output_abandon(struct anl_output *output);

#ifdef __cplusplus
}
#endif

#endif
