// SPDX-License-Identifier: Apache-2.0
//
// Files that commands write: they appear under their name only when they are whole.

#ifndef ANNELID_OUTPUT_H
#define ANNELID_OUTPUT_H

#include <annelid/status.h>
#include <stdio.h>

struct output {
    FILE *file;
    char *path, *temporary;
};

// Writes to a new file beside path, of a name that nobody has, until finish. input: what the
// command reads, which must not be replaced. ANL_ERR_IO, also if path is the input or something
// other than an ordinary file, which the rename would replace; ANL_ERR_MEMORY. *output is then
// empty.
enum anl_status output_open(const char *path, const char *input, struct output *output,
                            struct anl_error *error);

// Renames the file to its path; on failure removes it. *output is empty after it.
enum anl_status output_finish(struct output *output, struct anl_error *error);

// Removes what was written. *output may be empty, and is after it.
void output_abandon(struct output *output);

#endif
