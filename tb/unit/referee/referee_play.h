// SPDX-License-Identifier: Apache-2.0
//
// Hand-made traces with the credits that come back, for the tests of the referee.

#ifndef REFEREE_PLAY_H
#define REFEREE_PLAY_H

#include "referee_trace.h"

#include <string.h>

enum { MAX_CREDITS = 64, LAST = START + 40 };

struct returned {
    uint64_t cycle;
    struct anl_credits credits;
};

// A trace with the credits of its lanes.
struct play {
    struct trace trace;
    struct returned returned[MAX_CREDITS];
    size_t num_returned;
};

void add_credit(struct play *play, uint64_t cycle, uint32_t link, uint32_t vc);
struct returned *find_credit(struct play *play, uint64_t cycle, uint32_t link, uint32_t vc);
struct anl_violation judge_play(const struct play *play, uint64_t *due);
void expect_fine(const struct play *play);
void expect(const struct play *play, enum anl_rule rule, uint64_t cycle, uint32_t link,
            const char *words);

#endif
