// SPDX-License-Identifier: Apache-2.0
//
// What a page needs of a range of cycles, gathered while the blocking analysis goes by. Per cycle:
// the flits that crossed links, then for the buffers whose wait is another than in the cycle
// before, the wait.
//
//   cycle = count flit* count wait*
//   flit  = 2 * (buffer - buffer before) + head [worm: heads only]
//   wait  = (buffer - buffer before) cause [next + 1, wanted link + 1, cycles since it is the
//   front]
//
// Worms that are queued behind others until the end are only counted, for there may be many and
// there is nothing to be seen of them.
//
// Numbers are LEB128; cause 0 (moving, or empty) has nothing after it; + 1 so that 0 is nothing.

#ifndef ANNELID_DRAW_RECORD_H
#define ANNELID_DRAW_RECORD_H

#include "cli/cli.h"

#include <stdio.h>

enum { DRAW_RECORD_MOST_BYTES = 24 << 20 };  // in a page, of all that is recorded

struct draw_bytes {
    uint8_t *at;
    size_t count, room;
};

// JSON that grows while the blocking analysis goes by: elements, each followed by a comma.
struct draw_text {
    FILE *file;
    char *text;
    size_t bytes;
};

struct draw_wait {
    uint8_t cause;
    uint32_t next, wants;
    bool two;  // wants or the link behind it
};

struct draw_queued {
    uint32_t source, worm;
    uint64_t created;
};

struct draw_queue {
    struct draw_queued *list;
    size_t count, room;
};

struct draw_record {
    uint64_t from, to;
    uint64_t cycles;  // recorded
    bool too_long;    // more than DRAW_RECORD_MOST_BYTES, and may have been stopped
    size_t *sizes;    // [cycle - from] bytes of all that is recorded up to and with it
    size_t room_sizes;
    enum anl_status status;
    struct draw_bytes steps, waits;  // waits: of the cycle at hand
    struct draw_text worms, stalls, contents, alive, queues, hidden;
    struct draw_queue queued;  // of all terminals, at the start of the first cycle
    struct draw_wait *known;   // of each buffer, in the cycle before
    const struct anl_blocking *blocking;
};

enum anl_status draw_record_open(struct draw_record *record, uint64_t from, uint64_t to);
void draw_record_close(struct draw_record *record);

// What watch() is to call, with record as user.
bool draw_record_cycle(void *record, const struct anl_blocking *blocking,
                       const struct anl_flit *flits, size_t count);
void draw_record_stall(void *record, const struct anl_stall *stall);
void draw_record_delivered(void *record, const struct anl_life *life);

// Worms still under way, stays that last; then the texts are whole and end without a comma.
enum anl_status draw_record_end(struct draw_record *record, const struct analysed *analysed);

// After draw_record_end(), if it is too_long: how many cycles, about, are short enough; 0: not even
// the first one alone.
uint64_t draw_record_cycles_that_fit(const struct draw_record *record);

#endif
