// SPDX-License-Identifier: Apache-2.0
//
// The parts of the trace reader: each form turns bytes into records (trace_text.c,
// trace_binary.c), one common judge (trace_check.c) decides whether a record may stand where it
// stands.

#ifndef ANL_TRACE_READER_H
#define ANL_TRACE_READER_H

#include "input.h"

#include <annelid/trace.h>
#include <zstd.h>

// The records inside the zstd frame, a window at a time.
struct anl_unpacked {
    ZSTD_DCtx *zstd;
    uint8_t *bytes;
    size_t begin, end, capacity;
    uint64_t offset;       // of bytes[begin] in the unpacked records
    uint64_t frame_start;  // in the file
    bool ended;            // the frame is complete, nothing comes after the window
};

struct anl_trace_reader {
    char *name;
    enum anl_trace_form form;
    struct anl_input input;
    uint64_t line;                 // text: of the line read last
    struct anl_unpacked unpacked;  // binary
    uint64_t seed;
    char *scenario;
    size_t scenario_bytes;

    uint64_t cycle;      // of the last record
    uint64_t next_link;  // flits of this cycle must have this link or a higher one
    uint16_t *lengths;   // of the worms created so far
    uint64_t num_worms, max_worms;
    uint64_t flits;
    struct anl_digest *digest;
    bool in_record;  // binary: what fails now is the record at unpacked.begin
    bool over;
};

// Fills *error with the place that the reader has reached; returns ANL_ERR_FORMAT.
enum anl_status anl_reader_fail(struct anl_trace_reader *reader, struct anl_error *error,
                                const char *format, ...) __attribute__((format(printf, 3, 4)));
// The system failed: status is ANL_ERR_IO or ANL_ERR_MEMORY, cause an errno. Returns status.
enum anl_status anl_reader_fail_system(struct anl_trace_reader *reader, struct anl_error *error,
                                       enum anl_status status, int cause);
// The input has ended too early: says so, or why it could not be read on.
enum anl_status anl_reader_fail_short(struct anl_trace_reader *reader, struct anl_error *error,
                                      const char *what);

enum anl_status anl_text_head(struct anl_trace_reader *reader, struct anl_error *error);
enum anl_status anl_text_next(struct anl_trace_reader *reader, struct anl_record *record,
                              struct anl_error *error);
// After the end record: nothing may follow.
enum anl_status anl_text_end(struct anl_trace_reader *reader, struct anl_error *error);

enum anl_status anl_binary_head(struct anl_trace_reader *reader, struct anl_error *error);
enum anl_status anl_binary_next(struct anl_trace_reader *reader, struct anl_record *record,
                                struct anl_error *error);
enum anl_status anl_binary_end(struct anl_trace_reader *reader, struct anl_error *error);

// Takes a record in: order, known worms, index and marks, counts, digest.
enum anl_status anl_check_record(struct anl_trace_reader *reader, const struct anl_record *record,
                                 struct anl_error *error);

#endif
