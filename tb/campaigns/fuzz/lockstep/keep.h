// SPDX-License-Identifier: Apache-2.0
//
// A case as a scenario: files that `make regress` reads.

#ifndef ANL_FUZZ_KEEP_H
#define ANL_FUZZ_KEEP_H

#include "trial.h"

// Writes scenario.yaml, messages.txt and case into directory, which must exist; each whole. On
// failure says why on stderr.
bool keep(const struct trial *trial, const struct test_case *test, const char *directory);

// The worms, a line each.
void tell(const struct trial *trial, const struct test_case *test, FILE *out);

#endif
