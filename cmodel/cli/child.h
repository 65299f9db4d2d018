// SPDX-License-Identifier: Apache-2.0
//
// Programs that do a part of the work: a child process that reads from one file and writes to
// others, and that Ctrl-C stops as well.

#ifndef ANNELID_CHILD_H
#define ANNELID_CHILD_H

#include <stddef.h>

enum child_end { CHILD_DONE, CHILD_FAILED, CHILD_INTERRUPTED, CHILD_ABSENT };

struct child {
    char *const *arguments;  // of which the first is looked for in PATH; the last one is NULL
    int in, out;             // descriptors
    int complaints;          // where its standard error goes; -1: to ours
    int reason;        // filled in: errno (CHILD_ABSENT), exit status or signal (CHILD_FAILED)
    const char *kind;  // filled in, CHILD_FAILED: "exit status" or "signal"
};

enum child_end child_run(struct child *child);

#endif
