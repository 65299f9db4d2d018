// SPDX-License-Identifier: Apache-2.0
//
// What the tests of papers share: numbers that are near each other, and data files in a directory
// of their own.

#ifndef ANNELID_UNIT_PAPERS_H
#define ANNELID_UNIT_PAPERS_H

#include "unit.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

static inline void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g, expected %.12g within %g", value, expected, tolerance);
}

// --- data files ---

static char directory[] = "/tmp/test_paper.XXXXXX";

static inline int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static inline void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// Removes the directory with the files in it.
static inline int remove_directory(void **state)
{
    (void)state;
    DIR *stream = opendir(directory);
    if (!stream) return -1;
    for (const struct dirent *entry; (entry = readdir(stream));) {
        char path[sizeof directory + sizeof entry->d_name];
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        unlink(path);  // fails for the directory itself and the one above
    }
    closedir(stream);
    return rmdir(directory);
}

#endif
