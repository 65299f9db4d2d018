// SPDX-License-Identifier: Apache-2.0
//
// Pictures of a blocking analysis (annelid/blocking.h) on a layout (annelid/layout.h): one
// cycle as SVG, a range of cycles as a page for the browser.

#ifndef ANNELID_DRAW_H
#define ANNELID_DRAW_H

#include "cli/shared/drawing.h"

// A begin() of analyse(): refuses a network that is too large to be drawn.
enum anl_status draw_begin(void *user, const struct anl_scenario *scenario,
                           struct anl_error *error);

struct draw_request {
    const char *input;  // name of the trace or scenario, for the title
    uint32_t worm;      // whose chain is shown; ANL_NOTHING: that of the deadlock, if there is one
};

// Writes the last cycle that was analysed as SVG. ANL_ERR_MEMORY.
enum anl_status draw_svg(FILE *out, const struct draw_request *request,
                         const struct analysed *analysed, const struct anl_layout *layout,
                         struct anl_error *error);

// A range of cycles as one HTML file for the browser. The page contains a record of the flits that
// moved and of what the blocking analysis found; it decides nothing itself.
struct draw_page_request {
    struct analyse_options analyse;  // path and settings; the rest is filled in
    const char *input;               // name of the trace or scenario, for the title
    uint64_t from, to;               // cycles; to may be later than the last one
};

// Writes the page to out. Prints errors. Returns the exit status.
int draw_page(const struct draw_page_request *request, FILE *out);

// --- the chain of a worm ---

// A worm of a chain, and where it waits for the next one.
struct draw_link {
    uint32_t worm;
    uint32_t buffer;  // with its leading flit, which waits or moves
    uint32_t next;    // the buffer of the next worm that it waits for; ANL_NOTHING: none
};

struct draw_chain {
    struct draw_link *links;
    size_t count;
    size_t back_to;  // index of the worm that the last one waits for; SIZE_MAX: no circle
    bool deadlock;   // the worms from back_to on are the circle of the deadlock
    bool fault;      // no chain: without buffers, the flits that are lost in the cycle
};

// Makes the chain of a worm in the cycle that was analysed last; if worm is ANL_NOTHING, that of
// the deadlock, if there is one, or the flits that a fault loses. A worm that is not in the network
// has an empty chain. The caller gives *chain to draw_chain_free(). ANL_ERR_MEMORY.
enum anl_status draw_chain_of(const struct anl_blocking *blocking, uint32_t worm,
                              struct draw_chain *chain);
void draw_chain_free(struct draw_chain *chain);
// Returns the index of worm in the chain; SIZE_MAX if it is not there.
size_t draw_chain_find(const struct draw_chain *chain, uint32_t worm);

// --- shapes.c: the geometry, as pieces of SVG ---

// Pieces of a path that are the same for all lanes that lead the same way. Each of the first three
// begins and ends in the middle of a slot.
enum { DRAW_WAYS = 8 };
enum draw_piece {
    DRAW_FLIT,
    DRAW_HEAD,
    DRAW_BACK,       // moves to the slot behind
    DRAW_AHEAD,      // draws a line as long as a slot, towards the node
    DRAW_SIGN_SIZE,  // the rest are transformations
    DRAW_TAG_DIGIT,  // moves a tag away from its lane, for each digit
    DRAW_TAG_BACK,   // moves a tag away from another one of the same link
    DRAW_PIECES
};
void draw_piece(FILE *out, const struct anl_layout *layout, uint32_t way, enum draw_piece piece);

// Pieces that differ from buffer to buffer; of a source queue there are only the points. The curve
// of a worm from lane a through a switch to lane b and on to the slots of b is LEAVE of a, ENTER of
// b, WIRE of b; without the switch it is "M", WIRE of b. An arrow from a to b is a curve from SIGN
// of a by BEND of a to FRONT of b.
enum draw_part {
    DRAW_FRONT,  // point: the front flit
    DRAW_SIGN,   // point: the sign of a blocked front flit, just before its node
    DRAW_BEND,   // point
    DRAW_TAG,    // point: middle of a tag without digits
    DRAW_LEAVE,
    DRAW_ENTER,
    DRAW_WIRE,
    DRAW_PARTS
};
void draw_part(FILE *out, const struct anl_layout *layout, uint32_t buffer, enum draw_part part);

bool draw_is_source(const struct anl_layout *layout, uint32_t buffer);
// Return how many slots a buffer has, 0 if there is no such link; and its way, < DRAW_WAYS.
uint32_t draw_slots(const struct anl_layout *layout, uint32_t buffer);
uint32_t draw_way(const struct anl_layout *layout, uint32_t buffer);

// Draws the style and the network without worms: wires, nodes, slots.
void draw_network(FILE *out, const struct anl_config *config, const struct anl_layout *layout);

// Writes a number of worms at a terminal.
void draw_queue(FILE *out, const struct anl_layout *layout, uint32_t terminal, const char *worms);

// --- scene.c: what changes, the bodies of the worms, their waits, the chain ---

// The colours of worms; colour-blind people can distinguish them too. The number is odd so that ids
// at even distances have different colours.
enum { DRAW_COLOURS = 21 };
const char *draw_palette(uint32_t number);
// Returns the colour of a worm: by its place in the chain, so that neighbours differ, or by its id
// if it is not there.
const char *draw_colour(const struct draw_chain *chain, uint32_t worm);

struct draw_scene {
    FILE *out;
    const struct anl_blocking *blocking;
    const struct anl_config *config;
    const struct anl_layout *layout;
    const struct draw_chain *chain;
    uint32_t *worms;  // [num_worms] in the network, ascending
    size_t num_worms;
    uint32_t *queued;   // [terminals] worms that are behind others in the source queue
    uint32_t *buffers;  // room for the body of one worm
    size_t most_buffers;
};

// Write "worm 12, T3 → T40, 8 flits", and what it does in this cycle; buffer has its leading flit.
// draw_sign_words() says what a sign means; NULL: nothing is drawn for this wait. draw_has_sign()
// says whether there can be such a wait in a network.
void draw_worm_words(FILE *out, const struct anl_blocking *blocking, uint32_t worm);
void draw_state_words(const struct anl_blocking *blocking, uint32_t worm, uint32_t buffer,
                      char *text, size_t size);
const char *draw_sign_words(enum anl_wait wait);
bool draw_has_sign(const struct anl_config *config, enum anl_wait wait);

enum anl_status draw_scene_open(struct draw_scene *scene);
void draw_scene_close(struct draw_scene *scene);

void draw_bodies(const struct draw_scene *scene);
void draw_refusals(const struct draw_scene *scene);  // signs at the terminals that refuse
void draw_queues(const struct draw_scene *scene);
void draw_arrows(const struct draw_scene *scene);  // the chain, with a tag for each of its worms

// --- the record of a range of cycles, for a page ---
//
// The record grows while cycles are analysed. For each cycle it has the flits that crossed links,
// then the buffers whose wait is not the same as in the cycle before:
//
//   cycle = count flit* count wait*
//   flit  = 2 * (buffer - buffer before) + head [worm, of heads only]
//   wait  = (buffer - buffer before) cause [next + 1, 2 * wanted link + two, cycles at the front]
//
// Numbers are LEB128. A cause is an enum anl_wait, DRAW_LOST or DRAW_REFUSED. After cause 0 (the
// front moves, or the buffer is empty) nothing follows. next + 1 is 0 if the front waits for no
// buffer; two is 1 if it also wants the link after the wanted one. What stands in the lane of a
// terminal that can refuse is taken in each cycle in which it does not wait. Worms that are queued
// behind others until the end are only counted: there may be many, and pictures do not show them.

enum {
    DRAW_LOST = ANL_WAITS,  // of a flit that a fault loses
    DRAW_REFUSED            // of a flit that a terminal refuses
};
enum { DRAW_RECORD_MOST_BYTES = 24 << 20 };  // size of the record in a page

struct draw_bytes {
    uint8_t *at;
    size_t count, room;
};

// Elements of a JSON array, each followed by a comma, that are written while cycles are analysed.
struct draw_text {
    FILE *file;
    char *text;
    size_t bytes;
};

enum draw_texts {
    DRAW_WORMS,
    DRAW_STALLS,
    DRAW_CONTENTS,
    DRAW_ALIVE,
    DRAW_QUEUES,
    DRAW_HIDDEN,
    DRAW_TEXTS
};

struct draw_wait {
    uint8_t cause;
    uint32_t next, wants;
    bool two;  // the front flit wants link `wants` or the one after it
};

struct draw_queued {
    uint32_t source;  // number of the source: class * terminals + terminal
    uint32_t worm;
    uint64_t created;
};

struct draw_queue {
    struct draw_queued *list;
    size_t count, room;
};

struct draw_record {
    uint64_t from, to;
    uint64_t cycles;  // how many were recorded
    bool too_long;    // larger than DRAW_RECORD_MOST_BYTES, and perhaps not complete
    size_t *sizes;    // [cycle - from] bytes of the record up to the end of this cycle
    size_t room_sizes;
    enum anl_status status;
    struct draw_bytes steps, waits;  // waits: of the present cycle
    struct draw_text texts[DRAW_TEXTS];
    struct draw_queue queued;  // worms queued in all terminals
    struct draw_wait *known;   // [buffers] the wait in the cycle before
    const struct anl_blocking *blocking;
};

enum anl_status draw_record_open(struct draw_record *record, uint64_t from, uint64_t to);
void draw_record_close(struct draw_record *record);

// Functions that analyse() calls with the record as user.
bool draw_record_cycle(void *record, const struct anl_blocking *blocking,
                       const struct anl_flit *flits, size_t count);
void draw_record_stall(void *record, const struct anl_stall *stall);
void draw_record_delivered(void *record, const struct anl_life *life);

// Adds the worms that are still under way and the stalls that last, and ends the texts without a
// comma. ANL_ERR_MEMORY, also of what was recorded before.
enum anl_status draw_record_end(struct draw_record *record, const struct analysed *analysed);

// Returns, after draw_record_end() of a record that is too_long, about how many cycles would fit; 0
// if not even the first one does.
uint64_t draw_record_cycles_that_fit(const struct draw_record *record);

#endif
