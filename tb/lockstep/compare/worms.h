// SPDX-License-Identifier: Apache-2.0
//
// All worms of a run, and the source queues from which the terminals of the RTL take flits.

#ifndef ANL_LOCKSTEP_WORMS_H
#define ANL_LOCKSTEP_WORMS_H

#include <annelid/annelid.h>

// The number of words of {head, tail, data}.
enum { FLIT_WORDS = (ANL_MAX_FLIT_WIDTH_BITS + 2 + 31) / 32 };

struct queued_worm {
    struct anl_worm worm;  // its destination is the one that its head says now
    uint32_t destination;  // where it goes in the end
    uint32_t next;         // id of the worm behind it in the source queue
};

struct source {
    uint32_t first, last;  // ids of worms; the first one is being taken
    uint16_t index;        // of the next flit of the first worm
    bool holds;            // false: the queue is empty
};

// A lane of a wide injection link, and the worm that is sent on it.
struct sending {
    uint32_t worm;   // id
    uint16_t index;  // of the next flit
    bool sends;      // false: the lane is idle
};

struct worms {
    const struct anl_config *config;
    struct queued_worm *worm;  // [id]
    uint32_t count, capacity;
    uint32_t classes;         // of messages
    struct source *source;    // [terminal][class]
    struct sending *sending;  // [terminal][lane]
};

enum anl_status worms_create(struct worms *worms, const struct anl_config *config);
void worms_destroy(struct worms *worms);

// Appends a worm to the source queue of its terminal and class; its id must be worms->count. With
// kind diagonals it waits for worms_ride().
enum anl_status worms_add(struct worms *worms, const struct anl_worm *worm);

// Sliding diagonals: appends a worm to the source queue of a terminal, for a destination of its
// way.
void worms_ride(struct worms *worms, const struct anl_ride *ride);

// Takes the next flit {head, tail, data} out of the source queue of a class; returns false if there
// is none. *vcs receives the lanes that its worm may take, counted from 0 within the class.
bool worms_pull(struct worms *worms, uint32_t terminal, uint32_t class_, uint32_t *flit,
                uint32_t *vcs);

// Wide links (docs/switch.md): gives idle lanes of a terminal's injection link to the worms at the
// front of its source queue. credits has the credits of lane v in byte v of its words. Returns the
// mask of the lanes on which worms are sent.
uint32_t worms_begin(struct worms *worms, uint32_t terminal, const uint32_t *credits);

// Takes the next flit of the worm that is sent on a lane; returns false if there is none.
bool worms_send(struct worms *worms, uint32_t terminal, uint32_t vc, uint32_t *flit);

// The table of starts of a replay without buffers, which a source needs before the worms are
// created (papers/roberts_symvonis/bufferless.md, "Replay").
struct starts {
    const struct anl_message *messages;  // ascending by cycle
    size_t count;
    size_t *next;  // [terminal] where to look for the message of its next start
    uint32_t terminals;
    struct anl_message *rides;  // messages of the load; NULL: there was none
};

// The messages stay the caller's. starts_destroy() is also due after ANL_ERR_MEMORY.
enum anl_status starts_create(struct starts *starts, const struct anl_message *messages,
                              size_t count, uint32_t terminals);
void starts_destroy(struct starts *starts);

// Sliding diagonals: puts the starts of a load in the place of those before it, which are all
// taken.
enum anl_status starts_load(struct starts *starts, const struct anl_ride *rides, size_t count);

// Takes the next start of a terminal; returns false if there is none.
bool starts_next(struct starts *starts, uint32_t terminal, uint32_t *start);

// Writes the bits {head, tail, data} of a flit on a link, the lowest word first; unused words are
// 0.
void flit_pack(const struct anl_config *config, const struct anl_worm *worm, uint16_t index,
               uint32_t link, uint32_t flit[FLIT_WORDS]);

// Returns the number of words of {head, tail, data} under this configuration.
uint32_t flit_words(const struct anl_config *config);

#endif
