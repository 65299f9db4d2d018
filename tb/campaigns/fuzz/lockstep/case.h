// SPDX-License-Identifier: Apache-2.0
//
// A case: the traffic that a string of bytes stands for. Every string is a case, the empty one too.
//
//   byte 0          the seed of the run
//   then for each worm, in the order of their creation, with T terminals:
//     first byte    source + T · g      (modulo T; then modulo CASE_GAPS)
//     second byte   destination + T · (length - 1)    (modulo T; then modulo the longest length)
//
// The gap, in cycles since the previous worm, is the excess of g over CASE_AT_ONCE. So most gaps
// are 0, and random bytes are heavy traffic. Missing bytes are 0; bytes behind CASE_WORMS worms are
// not read.

#ifndef ANL_FUZZ_CASE_H
#define ANL_FUZZ_CASE_H

#include <annelid/scenario.h>

enum {
    CASE_WORMS = 64,
    CASE_BYTES = 1 + 2 * CASE_WORMS,
    CASE_AT_ONCE = 11,
    CASE_GAPS = 16,
    CASE_LONGEST_GAP = CASE_GAPS - 1 - CASE_AT_ONCE,
};

// What a network accepts.
struct case_limits {
    uint32_t terminals;
    uint32_t longest;  // flits of the longest worm
};

struct case_worm {
    uint8_t gap, source, destination, length;
};

struct test_case {
    uint8_t seed;
    uint32_t count;
    struct case_worm worm[CASE_WORMS];
};

// Returns false if the network is too large for a worm of two bytes.
bool case_limits_of(const struct anl_config *config, struct case_limits *limits);

// Returns the gap, in cycles, that g stands for; g < CASE_GAPS.
uint8_t case_gap_of(uint32_t g);

// Takes out `count` worms from `first` on; the gaps of the others stay as they are.
void case_leave_out(struct test_case *test, uint32_t first, uint32_t count);

void case_decode(const struct case_limits *limits, const uint8_t *bytes, size_t size,
                 struct test_case *test);

// The inverse of case_decode(): writes at most CASE_BYTES bytes and returns their number. Decoding
// them gives the same case.
size_t case_encode(const struct case_limits *limits, const struct test_case *test, uint8_t *bytes);

// Writes the worms as messages of a scenario of process replay; messages has room for CASE_WORMS.
void case_messages(const struct test_case *test, struct anl_message *messages);

#endif
