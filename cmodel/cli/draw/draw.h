// SPDX-License-Identifier: Apache-2.0
//
// Pictures of a blocking analysis (annelid/blocking.h) on a layout (annelid/layout.h): one
// cycle as SVG, a range of cycles as a page for the browser.

#ifndef ANNELID_DRAW_H
#define ANNELID_DRAW_H

#include "cli/shared/drawing.h"

struct draw_request {
    const char *input;  // name of what is drawn, for the title
    uint32_t worm;      // whose chain; ANL_NOTHING: none asked for
};

// The blocking analysis's cycle as SVG.
enum anl_status draw_svg(FILE *out, const struct draw_request *request,
                         const struct analysed *analysed, const struct anl_layout *layout,
                         struct anl_error *error);

// A range of cycles as one HTML file for the browser: the page only moves flits as told and shows
// what the blocking analysis engine says of them.
struct draw_page_request {
    struct analyse_options analyse;  // path and settings; the rest is filled in
    const char *input;               // name of what is drawn, for the title
    uint64_t from, to;               // cycles; to may lie after the last one
};

// Writes the page to out. An exit status; errors were printed.
int draw_page(const struct draw_page_request *request, FILE *out);

// --- the chain of a worm ---

// A worm of a chain: where it waits for the next one.
struct draw_link {
    uint32_t worm;
    uint32_t buffer;  // of its front flit that waits, or moves
    uint32_t next;    // that it waits for, a buffer of the next worm; ANL_NOTHING: the end
};

struct draw_chain {
    struct draw_link *links;
    size_t count;
    size_t back_to;  // the last one waits for this one; SIZE_MAX: it does not
    bool deadlock;   // all of it is the circle of a deadlock
};

// The chain of a worm in the blocking analysis's cycle; of the deadlock as it closed if worm is
// ANL_NOTHING and there is one. A worm that is not in the network has an empty chain.
// ANL_ERR_MEMORY.
enum anl_status draw_chain_of(const struct anl_blocking *blocking, uint32_t worm,
                              struct draw_chain *chain);
void draw_chain_free(struct draw_chain *chain);
// Where worm is in it; SIZE_MAX: it is not.
size_t draw_chain_find(const struct draw_chain *chain, uint32_t worm);

// --- what moves in a picture: the bodies of the worms, what they wait for, the chain ---

// Worms have one of these colours, by id; chosen to differ for colour-blind people too. Odd, so
// that ids at even distances have different ones.
enum { DRAW_COLOURS = 21 };
const char *draw_colour(uint32_t worm);

struct draw_scene {
    FILE *out;
    const struct anl_blocking *blocking;
    const struct anl_config *config;
    const struct anl_layout *layout;
    const struct draw_chain *chain;
    uint32_t *worms;  // in the network, ascending
    size_t num_worms;
    uint32_t *queued;   // worms behind others in the source of each terminal
    uint32_t *buffers;  // room for the body of one worm
    size_t most_buffers;
};

// "worm 12, T3 -> T40, 8 flits" and what it does in this cycle.
void draw_worm_words(const struct anl_blocking *blocking, uint32_t worm, char *text, size_t size);
void draw_state_words(const struct anl_blocking *blocking, uint32_t worm, uint32_t buffer,
                      char *text, size_t size);

enum anl_status draw_scene_open(struct draw_scene *scene);
void draw_scene_close(struct draw_scene *scene);

void draw_bodies(const struct draw_scene *scene);
void draw_queues(const struct draw_scene *scene);
void draw_arrows(const struct draw_scene *scene);  // of the chain, with the tags of its worms

// --- what a page needs of a range of cycles ---
//
// It is gathered while the blocking analysis goes by. Per cycle: the flits that crossed links, then
// for the buffers whose wait is another than in the cycle before, the wait.
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

// What analyse() is to call, with record as user.
bool draw_record_cycle(void *record, const struct anl_blocking *blocking,
                       const struct anl_flit *flits, size_t count);
void draw_record_stall(void *record, const struct anl_stall *stall);
void draw_record_delivered(void *record, const struct anl_life *life);

// Adds worms still under way and stalls that last; then the texts are whole and end without a
// comma.
enum anl_status draw_record_end(struct draw_record *record, const struct analysed *analysed);

// After draw_record_end(), if it is too_long: how many cycles, about, are short enough; 0: not even
// the first one alone.
uint64_t draw_record_cycles_that_fit(const struct draw_record *record);

#endif
