// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share. Reading: input.c (bytes), text.c and binary.c (which turn
// bytes into records), check.c (whether a record may follow those before it, and errors), reader.c
// (a reader of either form). Writing: writer.c. digest.c computes the digest of all records.
// Format: docs/trace.md.

#ifndef ANL_TRACE_ROOM_H
#define ANL_TRACE_ROOM_H

#include <annelid/base.h>
#include <annelid/trace.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <zstd.h>

// --- format ---

#define ANL_TRACE_MAGIC                                                                            \
    "\x89"                                                                                         \
    "ANLT\r\n\x01"
#define ANL_TRACE_FIRST_LINE "annelid-trace 1"

enum {
    ANL_TRACE_MAGIC_BYTES = 8,                       // the last one is the version
    ANL_TRACE_HEADER_BYTES = 20,                     // magic, seed, length of the scenario
    ANL_TRACE_MOST_PORTS = ANL_MAX_FLIT_WIDTH_BITS,  // of the route of a worm
    // No binary record is longer: a number has at most 5 bytes if it is below 2^32, else 10.
    ANL_TRACE_RECORD_BYTES = 64 + ANL_TRACE_MOST_PORTS + 10 * ANL_MAX_AFTER,
    ANL_TRACE_WINDOW_LOG = 23,  // a zstd frame that needs a larger window is refused
};

enum anl_trace_tag {
    ANL_TAG_WORM = 1,
    ANL_TAG_FLIT = 2,
    ANL_TAG_ADVANCE = 3,
    ANL_TAG_END = 4,
    ANL_TAG_ROUTED_WORM = 5,  // a worm with a route of its own
    // The same for a worm with a class above 0 or a role.
    ANL_TAG_CLASSED_WORM = 6,
    ANL_TAG_CLASSED_ROUTED_WORM = 7,
    ANL_TAG_WAITED = 8,  // is added to the tag of a worm that has waited for others
    ANL_TAG_PATH = 16,   // is added to the tag of a worm with a path that its message gives
};

static inline bool anl_has_class_or_role(const struct anl_worm *worm)
{
    return worm->class_ || worm->role;
}

// Returns the tag of a worm's record.
static inline uint8_t anl_tag_of(const struct anl_worm *worm)
{
    const unsigned more =
        (worm->dependencies ? ANL_TAG_WAITED : 0) | (worm->has_path ? ANL_TAG_PATH : 0);
    if (anl_has_class_or_role(worm))
        return (uint8_t)(more | (worm->route ? ANL_TAG_CLASSED_ROUTED_WORM : ANL_TAG_CLASSED_WORM));
    return (uint8_t)(more | (worm->route ? ANL_TAG_ROUTED_WORM : ANL_TAG_WORM));
}

// Writes the low bytes of value, the lowest first; returns a pointer to the byte after them.
static inline uint8_t *anl_put_bytes(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> (8 * i));
    return to + bytes;
}

static inline uint64_t anl_get_bytes(const uint8_t *from, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

// --- input.c ---
//
// The bytes of a file or of memory, read through a window. Its size grows only with bytes that were
// really read, whatever a header claims.

struct anl_input {
    FILE *file;  // NULL: all bytes are in the window
    uint8_t *bytes;
    size_t begin, end, capacity;  // of the window
    uint64_t offset;              // of bytes[begin] in the file
    bool ended;                   // no more bytes come after the window
    enum anl_status status;       // ANL_ERR_IO or ANL_ERR_MEMORY: why the input ended early
    int cause;                    // errno of ANL_ERR_IO
};

// Open an input; *input must be all zero before. On failure status and cause say why.
enum anl_status anl_input_file(struct anl_input *input, const char *path);
enum anl_status anl_input_memory(struct anl_input *input, const void *bytes, size_t size);
void anl_input_close(struct anl_input *input);

// Brings at least `wanted` bytes into the window, fewer only at the end of the input. Returns how
// many bytes are there, from bytes[begin] on.
size_t anl_input_need(struct anl_input *input, size_t wanted);

// Removes bytes from the front of the window.
void anl_input_skip(struct anl_input *input, size_t bytes);

// Returns the length of the next line, which then stands at bytes[begin], with its newline; 0 if
// there is no newline in the next `limit` bytes.
size_t anl_input_line(struct anl_input *input, size_t limit);

// --- reader ---

// The records of the zstd frame, unpacked one window at a time.
struct anl_unpacked {
    ZSTD_DCtx *zstd;
    uint8_t *bytes;
    size_t begin, end, capacity;
    uint64_t offset;       // of bytes[begin] in the unpacked records
    uint64_t frame_start;  // offset of the frame in the file
    bool ended;            // the frame is complete: no bytes come after the window
};

// What belongs to worms, such as the ports of their routes, in blocks that stay where they are.
struct anl_kept_block {
    struct anl_kept_block *before;
    size_t used;
    _Alignas(8) uint8_t bytes[1 << 16];
};

// Returns the place of a flit in its cycle: flits ascend by link and, on one link, by lane.
static inline uint64_t anl_flit_place(const struct anl_flit *flit)
{
    return (uint64_t)flit->link << 8 | flit->vc;
}

struct anl_trace_reader {
    struct anl_error *error;  // for the call that is going on; may be NULL
    char *name;
    enum anl_trace_form form;
    struct anl_input input;
    uint64_t line;                 // text: number of the line read last
    struct anl_unpacked unpacked;  // binary
    uint64_t seed;
    char *scenario;
    size_t scenario_bytes;

    uint64_t cycle;       // of the last record
    uint64_t next_link;   // of the last flit of this cycle the link + 1; 0: there is none yet
    uint64_t next_place;  // further flits of this cycle must have this place or a higher one
    uint16_t *lengths;    // [num_worms] of the worms created so far
    uint64_t num_worms, max_worms;
    uint64_t flits;
    struct anl_kept_block *kept;  // of the worms created so far
    struct anl_digest *digest;
    bool told;        // a worm or flit of this cycle was read
    bool any_digest;  // the digest of the end record is not compared
    bool in_record;   // binary: an error is about the record at unpacked.begin
    bool over;        // the end record was read
};

// Writes *reader->error with the position that the reader has reached; returns ANL_ERR_FORMAT.
enum anl_status anl_reader_fail(struct anl_trace_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Reports a failure of the system: status is ANL_ERR_IO or ANL_ERR_MEMORY, cause an errno. Returns
// status.
enum anl_status anl_reader_fail_system(struct anl_trace_reader *reader, enum anl_status status,
                                       int cause);
// Reports that the input ended too early, or that reading failed before its end.
enum anl_status anl_reader_fail_short(struct anl_trace_reader *reader, const char *what);

enum anl_status anl_text_head(struct anl_trace_reader *reader);
enum anl_status anl_text_next(struct anl_trace_reader *reader, struct anl_record *record);
// Checks that nothing follows the end record.
enum anl_status anl_text_end(struct anl_trace_reader *reader);

enum anl_status anl_binary_head(struct anl_trace_reader *reader);
enum anl_status anl_binary_next(struct anl_trace_reader *reader, struct anl_record *record);
enum anl_status anl_binary_end(struct anl_trace_reader *reader);

// Gives a worm a route of its own, whose ports are copied; the reader owns the copy.
// ANL_ERR_MEMORY.
enum anl_status anl_reader_keep_route(struct anl_trace_reader *reader, const uint8_t *ports,
                                      size_t count, struct anl_worm *worm);
// Gives a worm what it has waited for, which is copied in the same way.
enum anl_status anl_reader_keep_after(struct anl_trace_reader *reader, uint64_t earliest,
                                      const struct anl_after *after, uint32_t count,
                                      struct anl_worm *worm);

// Goes to a later cycle, of which nothing was read.
void anl_reader_advance(struct anl_trace_reader *reader, uint64_t cycle);
// Checks a record against those before it (order, known worms, index and marks, counts, digest) and
// counts it.
enum anl_status anl_check_record(struct anl_trace_reader *reader, const struct anl_record *record);

#endif
