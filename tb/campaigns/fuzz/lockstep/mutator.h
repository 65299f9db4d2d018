// SPDX-License-Identifier: Apache-2.0
//
// Changes of a case as traffic, for libFuzzer, besides its own changes of bytes. One byte more or
// less changes all worms that follow, and lanes fill only with many worms of one kind.

#ifndef ANL_FUZZ_MUTATOR_H
#define ANL_FUZZ_MUTATOR_H

#include "case.h"

// Makes one change, drawn from seed: worms are added, repeated, copied, removed, exchanged or get
// another value, or the seed changes. The case keeps at most CASE_WORMS worms, each within the
// limits.
void mutate_worms(const struct case_limits *limits, struct test_case *test, uint32_t seed);

#endif
