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

void assert_near(double value, double expected, double tolerance);

// Data files: make_directory() makes the directory.
extern char directory[];

int make_directory(void **state);
void write_file(const char *name, const char *text);
// Removes the directory with the files in it.
int remove_directory(void **state);

#endif
