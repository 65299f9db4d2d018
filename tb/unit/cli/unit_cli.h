// SPDX-License-Identifier: Apache-2.0
//
// Common part of the tests of the annelid command: a directory of their own, and functions that run
// the command in it and check its exit status and output. $ANNELID is the command under test. If a
// sample is run under a sanitizer (unit.h), the first call with each option of each command is of
// that command, which has the sanitizer, and so is one in four of all other calls. The rest are of
// $ANNELID_QUICK, the same command without it.

#ifndef ANNELID_UNIT_CLI_H
#define ANNELID_UNIT_CLI_H

#include "unit.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// The directory, and the two commands. Calls are of only_command if it is not NULL, as one that
// goes on with another's sweep must be.
extern char directory[64];
extern char *sanitized_command, *quick_command, *only_command;

void write_file(const char *name, const char *text);
bool exists(const char *name);
// Returns whether a file exists whose name begins so: the file itself, or its temporary file.
bool remains(const char *name);
// Runs `annelid <arguments> <redirection>` in the directory, keeps the first bytes of its standard
// output, and returns the exit status.
int run(const char *arguments, const char *redirection, char *output, size_t size);
// The same, and the exit status is that one, and the texts, if any, are in what it prints.
void expect(const char *arguments, int status, const char *on_stdout, const char *on_stderr);
// Returns whether the command of some arguments, their first word, is built. Tables of what all
// commands do have the commands of papers, too, which PAPERS= may leave out.
bool is_built(const char *arguments);
// Runs a shell command in the directory and returns its exit status.
int shell(const char *command);
void expect_shell(const char *command);
// Runs `annelid <arguments>`, interrupts it as soon as `[ <begun> ]` holds in the directory, and
// expects that it stops with exit status 2. Its standard error is in the file said. The outcome
// does not depend on the speed of the machine; ten minutes of processor time only end a command
// that does not stop.
void expect_interrupted(const char *arguments, const char *begun);
// The same, while a program that annelid calls is replaced by one that takes ten minutes.
void expect_interrupted_in(const char *program, const char *arguments);
// Expects that a page shows at least so many outputs of `annelid worms` or `annelid trace`, and
// that each is the command's own. A line … stands for lines that are left out.
void expect_shown(const char *page, unsigned least);
// Makes links to the folders and pages of the project; returns an exit status.
int link_project(void);
// Makes the directory and the links to the commands; returns false if that fails. Scripts of the
// tests run in $PYTHON, which is python3 unless the environment has another one.
bool make_directory(void);
int remove_directory(void **state);

#endif
