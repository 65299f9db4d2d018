// SPDX-License-Identifier: Apache-2.0
//
// Makes a failing case smaller, as traffic: first fewer worms, then shorter ones, then less time
// between them, then seed 0, as long as the lock-step still fails.

#ifndef ANL_FUZZ_SHRINK_H
#define ANL_FUZZ_SHRINK_H

#include "trial.h"

// Shrinks test, which must fail. Returns false if a run could not be made.
bool shrink(struct trial *trial, struct test_case *test);

#endif
