// SPDX-License-Identifier: Apache-2.0
//
// Writes a case as a scenario: files that `make regress` reads.

#ifndef ANL_FUZZ_KEEP_H
#define ANL_FUZZ_KEEP_H

#include "trial.h"

// Writes scenario.yaml, messages.txt and case into directory, which must exist; each file is
// written whole or not at all. Returns false after a message on stderr if that fails.
bool keep(const struct trial *trial, const struct test_case *test, const char *directory);

// Prints the worms, a line for each.
void tell(const struct trial *trial, const struct test_case *test, FILE *out);

#endif
