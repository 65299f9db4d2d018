// SPDX-License-Identifier: Apache-2.0
//
// Makes a case that fails smaller, as traffic: fewer worms, then shorter ones, less time between
// them, seed 0; as long as the lock-step still fails on what is left.

#ifndef ANL_FUZZ_SHRINK_H
#define ANL_FUZZ_SHRINK_H

#include "trial.h"

// test must fail. False: a run could not be made.
bool shrink(struct trial *trial, struct test_case *test);

#endif
