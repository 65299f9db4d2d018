// SPDX-License-Identifier: Apache-2.0
//
// How libFuzzer changes a case: as traffic, besides as bytes. A byte more or less makes other worms
// of all that follow, and lanes fill only by many worms of one kind.

#ifndef ANL_FUZZ_MUTATOR_H
#define ANL_FUZZ_MUTATOR_H

#include "case.h"

// One change, drawn from seed: worms again, anew, away, in another place, or with another value.
// The case stays one of at most CASE_WORMS worms, each within the limits.
void mutate_worms(const struct case_limits *limits, struct test_case *test, uint32_t seed);

#endif
